"""Tables of desks that do not write English."""

from __future__ import annotations

from tests.parsers.quotes.desks.case import Case

CASES: list[Case] = [  # subject, rows with `|` between their cells, what they state
    (
        "Kurse",
        "ISIN | Instrument | Bewertungskurs\nXS2641318121 | Talanx 4 2047 | 101,30",
        ["XS2641318121 price_pct 101.3 mark"],
    ),
    (
        "Kurse",
        "Nachrangige Bankanleihen, EUR, Schluss 17.11.2026\nBezeichnung | Geld | Brief\nCMZB 6,75% 2033 | 104,80 | 105,15",
        ["CMZB 6,75% 2033 price_pct 104.8/105.15 EUR mark financial_sub"],
    ),
    (
        "Kurse",
        "Sovereign CDS, 5Y USD, 18.11.2026\nLand | Geld | Brief\nItaly | 41 | 43",
        ["Italy cds_spread_bp 41/43 5Y USD cds_single"],
    ),
    (
        "NEU CP",
        "NEU CP - taux offerts (%)\nEmetteur | 1 mois | 3 mois\nLVMH | 2,01 | 2,05",
        ["LVMH yield_pct /2.01 1M", "LVMH yield_pct /2.05 3M"],
    ),
    ("Mbonos", "Bono|Mercado\nMBONO 8 Jul-53|9.55/9.50", ["MBONO 8 Jul-53 yield_pct 9.55/9.5"]),
    (
        "Produits structurés",
        "Produit | Monnaie | Achat | Vente\nBRC Holcim/Sika 9% | CHF | 99.10 | 100.10\nBRC Roche 8% | CHF | 99.20 | 100.20",
        ["BRC Holcim/Sika 9% price_pct 99.1/100.1 cpn=9 CHF", "BRC Roche 8% price_pct 99.2/100.2 cpn=8"],
    ),
    (
        "Actions privilégiées",
        "Symbole | Émetteur | Dividende (%) | Achat | Vente\nBMO.PR.E | Banque de Montréal | 4,85 | 24,35 | 24,50",
        ["BMO.PR.E 4,85 price_unit 24.35/24.5 cpn=4.85 CAD preferred"],
    ),
    (
        "Treasuries US",
        "ISIN | Cours acheteur (32es) | Cours vendeur (32es)\nUS91282CJZ59 | 98-22 | 98-22+",
        ["US91282CJZ59 price_pct 98.6875/98.703125"],
    ),
    (
        "Linker",
        "ISIN | Denaro | Lettera | Rend. reale Denaro | Rend. reale Lettera\nIT0005588428 | 98,45 | 98,68 | 1,98 | 1,95",
        ["IT0005588428 price_pct 98.45/98.68", "IT0005588428 real_yield_pct 1.98/1.95"],
    ),
    (
        "Soberanos",
        "ISIN | Emisión | Precio Compra | Precio Venta\nUS105756BZ27 | Brasil 4,5% 2029 | 92,10 | 92,40",
        ["US105756BZ27 price_pct 92.1/92.4 em_hard_ccy"],
    ),
    (
        "Livelli",
        "Comparto | ISIN | Titolo | Den. | Lett.\nCorporate IG | XS2598765431 | Snam 3,875% 2030 | 99,10 | 99,45",
        ["XS2598765431 price_pct 99.1/99.45 corp_ig"],
    ),
    (
        "Corporate",
        "ISIN | Emittente | Fecha vto. | Denaro | Lettera | Taglia (mln)\nXS2598765431 | Snam | 19/01/2030 | 99,10 | 99,45 | 2",
        ["XS2598765431 price_pct 99.1/99.45 due=2030-01-19 2000000x2000000"],
    ),
    (
        "Unternehmensanleihen",
        "ISIN | Kurs (G) | Kurs (B) | Rendite (G) | Rendite (B)\nXS2598765431 | 99,10 | 99,45 | 3,21 | 3,16",
        ["XS2598765431 price_pct 99.1/99.45", "XS2598765431 yield_pct 3.21/3.16"],
    ),
    (
        "Obligaciones convertibles",
        "ISIN | Cupón | Cupón corrido | Precio acción | Compra | Venta\nXS2598765431 | 2,5 | 1,12 | 42,10 | 104,5 | 105,25",
        ["XS2598765431 price_vs_ref 104.5/105.25 cpn=2.5"],
    ),
    (
        "Warrants",
        "ISIN | Prix d'exercice | Échéance | Achat | Vente\nDE000FR1AB20 | 65,5 | 19/03/2027 | 1,24 | 1,25",
        ["DE000FR1AB20 price_unit 1.24/1.25"],
    ),
    (
        "Swapsätze",
        "Laufzeit | EUR | USD\n2 Jahre | 2,225 | 3,642\n5 Jahre | 2,412 | 3,581",
        [
            "EUR rate_pct 2.225 2Y EUR",
            "USD rate_pct 3.642 2Y USD",
            "EUR rate_pct 2.412 5Y EUR",
            "USD rate_pct 3.581 5Y USD",
        ],
    ),
    (
        "Taux repo",
        "Collatéral | Terme | Taux emprunteur | Taux prêteur\nGC France | O/N | 1,95 | 1,90",
        ["GC France repo_rate_pct 1.95/1.9 ON EUR"],
    ),
    (
        "AT1 in euro",
        "Titolo | Denaro | Lettera | Rend. alla call\nISPIM 7% PERP | 106,10 | 106,60 | 4,31",
        ["ISPIM 7% PERP price_pct 106.1/106.6", "ISPIM 7% PERP yield_pct 4.31"],
    ),
    (
        "Anleihen",
        "ISIN | Produkt | Handelsspanne (Geld – Brief) | Nominal (TEUR)\nDE000DK0A1B3 | CLN VW | 99,85 – 100,60 | 500",
        ["DE000DK0A1B3 price_pct 99.85/100.6 500000x500000"],
    ),
    (
        "Comunidades autónomas",
        "Emisor | Vencimiento | Cupón | Spread vs SPGB (compra) | Spread vs SPGB (venta)\nMADRID | 30/04/2033 | 3,596 | 14 | 11",
        ["MADRID 3,596 30/04/2033 spread_bench_bp 14/11 cpn=3.596 SPGB"],
    ),
    (
        "AT1 Kurse",
        "Emittent | ISIN | Kupon | Geld | Brief | Rendite z. Call\nAareal Bank AT1 | DE000AAR1114 | 9,875 | 108,75 | 109,50 | 7,41",
        ["DE000AAR1114 price_pct 108.75/109.5", "DE000AAR1114 yield_pct 7.41"],
    ),
    (
        "RF local",
        "Instrumento | TIR Compra | TIR Venta\nBTP0600430 | 5,52 | 5,47\nBTU0300335 | 2,58 | 2,53",
        [
            "BTP0600430 yield_pct 5.52/5.47 CLP govt_latam_local",
            "BTU0300335 real_yield_pct 2.58/2.53 CLP inflation_linked",
        ],
    ),
    (
        "Parts de fonds à vendre",
        "Fonds | Millésime | Prix (% VL)\nArdian Buyout VII | 2020 | 93,5",
        ["Ardian Buyout VII pct_nav 93.5"],
    ),
    (
        "Provinces",
        "Titre | Échéance | Écart achat | Écart vente | Référence\nQUÉBEC 4,45 % | 1 sept. 2034 | 66 | 64 | CAN 3,00 juin 2034\nONT 4,60 % | 2 déc. 2055 | 88 | 86 | CAN 2,75 déc. 2055",
        ["QUÉBEC 4,45 % spread_bench_bp 66/64 cpn=4.45 CAD", "ONT 4,60 % spread_bench_bp 88/86 cpn=4.6 CAD"],
    ),
    (
        "Pfandbriefe",
        "ISIN | Emittent | Kurs G/B | Spread zu MS G/B\nDE000A351XM4 | Berlin Hyp | 101,12/101,24 | 26/23",
        ["DE000A351XM4 price_pct 101.12/101.24", "DE000A351XM4 spread_asw_bp 26/23 MS"],
    ),
    (
        "Geldmarkt",
        "WKN | Bezeichnung | Fälligkeit | Rendite Geld | Rendite Brief\nRD3ABC | Bubill | 17.02.2027 | 1,942 | 1,921",
        ["RD3ABC yield_pct 1.942/1.921 EUR govt_intl"],
    ),
]
