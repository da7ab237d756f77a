"""Tables of desks: governments, agencies, provinces and munis."""

from __future__ import annotations

from tests.parsers.quotes.desks.case import Case

CASES: list[Case] = [  # subject, rows, what they state
    (
        "Rates",
        "Instrument | Unit | Bid | Ask\nUST 10Y | % | 4.125 | 4.121\nSOFR 10Y | % | 3.86 | 3.87\n5Y swap spread | bp | -32 | -31",
        [
            "UST 10Y yield_pct 4.125/4.121",
            "SOFR 10Y rate_pct 3.86/3.87 10Y",
            "5Y swap spread swap_spread_bp -32/-31 5Y",
        ],
    ),
    (
        "Gilts grid",
        " | UKT 4.125 07/29 | UKT 4.25 07/34\nBid | 100.42 | 98.71\nAsk | 100.46 | 98.77",
        ["UKT 4.125 07/29 price_pct 100.42/100.46", "UKT 4.25 07/34 price_pct 98.71/98.77"],
    ),
    (
        "US Treasuries",
        "Security | T 2.625 04/15/31 | T 6.125 01/28/31\nCUSIP | 91282CLE9 | 91282CML2\nB YTM | 4.335 | 3.26\nA YTM | 4.3 | 3.24",
        ["91282CLE9 yield_pct 4.335/4.3", "91282CML2 yield_pct 3.26/3.24"],
    ),
    (
        "Renta fija",
        "Instrumento | ISIN | Moneda | Tasa compra | Tasa venta\nBTP 2035 | CL0002187822 | CLP | 5,61 | 5,55",
        ["CL0002187822 yield_pct 5.61/5.55 CLP govt_latam_local"],
    ),
    (
        "Debêntures incentivadas",
        "Emissor | Vencimento | Taxa compra (IPCA+) | Taxa venda (IPCA+)\nVale | 15/10/2031 | 6,85 | 6,70",
        ["Vale 15/10/2031 real_yield_pct 6.85/6.7 inflation_linked"],
    ),
    (
        "Obligations",
        "ISIN | Émission | Cours acheteur | Cours vendeur | Quantité (M$)\nCA135087R895 | Canada 2,75 % | 100,12 | 100,14 | 50",
        ["CA135087R895 price_pct 100.12/100.14 50000000x50000000 CAD govt_canada"],
    ),
    (
        "Obligations indexées",
        "ISIN | Titre | Taux réel demande | Taux réel offre\nFR0011427848 | OATei 0,25 07/28 | 0,512 | 0,455",
        ["FR0011427848 real_yield_pct 0.512/0.455 inflation_linked"],
    ),
    ("SSA $", "Name | SOFR MS bid | SOFR MS offer\nEIB 4 06/29 | 38 | 35", ["EIB 4 06/29 spread_asw_bp 38/35 USD MS"]),
    (
        "Linkers",
        "Gilt | Real bid | Real ask | BE (mid)\nUKTI 0.125 08/31 | 0.912 | 0.895 | 3.05",
        ["UKTI 0.125 08/31 real_yield_pct 0.912/0.895", "UKTI 0.125 08/31 breakeven_pct 3.05"],
    ),
    (
        "Muni BWIC",
        "Qty (000) | Description | Cpn | Mat | Talk\n1,500 | TEXAS ST TRANSN COMMN | 5.0 | 08/15/2036 | 3.30 area",
        ["TEXAS ST TRANSN COMMN yield_pct talk 1500000"],
    ),
    ("UST closes", "Issue | Bid | Offer\n2Y | 99-30+ | 99-31", ["2Y price_pct 99.953125/99.96875 2Y mark"]),
    (
        "Titoli di Stato",
        "Descrizione titolo | Pz. Den. | Pz. Lett.\nCCTEU 15/04/2032 | 101,22 | 101,27",
        ["CCTEU 15/04/2032 price_pct 101.22/101.27 due=2032-04-15"],
    ),
    (
        "Anleihen",
        "Kenn-Nr. | Emittent | Ank. | Verk.\nDE0001102580 | Bund | 99,85 | 100,15",
        ["DE0001102580 price_pct 99.85/100.15"],
    ),
    (
        "TES COP",
        "Referencia | Vencimiento | Tasa Compra | Tasa Venta\nTES 7.00 | 26/03/2031 | 10,45 | 10,40",
        ["TES 7.00 yield_pct 10.45/10.4 cpn=7"],
    ),
    (
        "SSA run",
        "Issuer | Cpn | Mat | Bid T+ | Ask T+\nEIB | 3.875 | 15/03/2028 | 9 | 7",
        ["EIB 3.875 15/03/2028 spread_bench_bp 9/7 UST"],
    ),
    (
        "Provis",
        "Ontario | B Spd | A Spd |  | Quebec | B Spd | A Spd\nONT 4.05 02/02/32 | 48 | 46 |  | Q 3.6 09/01/33 | 57 | 55",
        ["ONT 4.05 02/02/32 spread_bench_bp 48/46", "Q 3.6 09/01/33 spread_bench_bp 57/55"],
    ),
    (
        "Gilt closing prices",
        "Gilt | Maturity | Clean Price\n4 1/4% Treasury Gilt 2034 | 31/07/2034 | 97.432",
        ["4 1/4% Treasury Gilt 2034 price_pct 97.432 cpn=4.25 mark"],
    ),
    (
        "Muni offerings",
        "Issue | Due | To Worst | $ Price\nCALIF ST GO 5s | 09/01/2036 | 3.41 | 112.450",
        ["CALIF ST GO 5s yield_pct /3.41 due=2036-09-01", "CALIF ST GO 5s price_pct /112.45"],
    ),
    (
        "Indicativos TPF BRL",
        "Ativo | Vcto | Cód. SELIC | Tx. Compra | Tx. Venda | PU Venda\nLTN | 01/01/2028 | 100000 | 13,42 | 13,38 | 868,221940",
        ["LTN yield_pct 13.42/13.38 due=2028-01-01 BRL govt_latam_local"],
    ),
    (
        "Provi run CAD",
        "10yr provis\nWho | Cpn | Mat | Mkt (sprd)\nBC | 4 | 06/18/2035 | 62/60\nALTA | 3.95 | 06/01/2035 | 57/55",
        ["BC spread_bench_bp 62/60 cpn=4", "ALTA spread_bench_bp 57/55 cpn=3.95"],
    ),
    (
        "Titoli di Stato EUR",
        "Titolo | Data scadenza | Prezzo denaro | Prezzo lettera\nBTP 2,45% 1st50 | 01/09/2050 | 76,40 | 76,52",
        ["BTP 2,45% 1st50 price_pct 76.4/76.52 cpn=2.45 due=2050-09-01"],
    ),
    (
        "SSA run",
        "Issue | Cpn | Mat | B MS | O MS | B govt | O govt\nIBRD | 4 | 27/08/2030 | 38 | 36 | 11 | 9",
        ["IBRD spread_asw_bp 38/36 cpn=4 MS", "IBRD spread_bench_bp 11/9"],
    ),
    (
        "Kangaroo run",
        "Ticker | Cpn | Mat | Bid yld | Offer yld | Bid vol\nKFW | 4.1 | 20/02/2030 | 4.212 | 4.182 | 10m",
        ["KFW 4.1 20/02/2030 yield_pct 4.212/4.182 10000000"],
    ),
    (
        "BTP quotazioni",
        "Titolo | Scad. | Den. | Lett. | Chius. prec.\nBTP 3,85% 34 | 01/08/2034 | 103,12 | 103,18 | 103,05",
        ["BTP 3,85% 34 price_pct 103.12/103.18 due=2034-08-01"],
    ),
    (
        "OAT",
        "Valeur | Éch. | Cours achat | Cours vente | Tx act. achat | Tx act. vente\nOAT 3% 2034 | 25/11/2034 | 98,45 | 98,53 | 3,22 | 3,21",
        ["OAT 3% 2034 price_pct 98.45/98.53 due=2034-11-25", "OAT 3% 2034 yield_pct 3.22/3.21"],
    ),
    (
        "Asia local govvies",
        "Bond | Bid yield | Offer yield\nTHAIGB 2.41 03/35 | 1.71 | 1.68",
        ["THAIGB 2.41 03/35 yield_pct 1.71/1.68 THB govt_intl"],
    ),
    (
        "Obrigações do Tesouro EUR",
        "Obrigação | Taxa cupão | Maturidade | Preço compra | Preço venda\nOT JUN54 | 3,625 | 12/06/2054 | 97,10 | 97,35",
        ["OT JUN54 price_pct 97.1/97.35 cpn=3.625 govt_intl"],
    ),
    (
        "Letras EUR",
        "Emisión | Vto. | Rentab. compra | Rentab. venta\nSGLT 0 05/07/27 | 07/05/2027 | 1,92 | 1,88",
        ["SGLT 0 05/07/27 yield_pct 1.92/1.88 due=2027-05-07"],
    ),
    (
        "Deuda pública",
        "Referencia | Amortización | Demanda (precio) | Oferta (precio)\nBono 2,80% 2026 | 31/12/2026 | 100,05 | 100,06",
        ["Bono 2,80% 2026 price_pct 100.05/100.06 cpn=2.8 due=2026-12-31 govt_intl"],
    ),
    (
        "Provi indications",
        "Credit | Term | Mkt bid | Mkt ask | Crv | GoC\nONT | 5Y | 38 | 36.5 | 38.5 | CAN 2.75 03/30\nQ | 5Y | 40 | 38 | 41 | CAN 2.75 03/30",
        ["ONT spread_bench_bp 38/36.5 5Y", "Q spread_bench_bp 40/38 5Y"],
    ),
    (
        "Mexico",
        "Ticker | Bid | Ask\nMBONO 8 11/07/47 | 9.32 | 9.28\nMBONO 7.75 11/13/42 | 9.61 | 9.58",
        [
            "MBONO 8 11/07/47 yield_pct 9.32/9.28 cpn=8 due=2047-11-07",
            "MBONO 7.75 11/13/42 yield_pct 9.61/9.58 cpn=7.75 due=2042-11-13",
        ],
    ),
    (
        "SSA",
        "Name | Bid | Ask\nEuropean Investment Bank 4 33 | 98.2 | 98.4",
        ["European Investment Bank 4 33 price_pct 98.2/98.4"],
    ),
    (
        "Govies",
        " | Bid | | Offer | |\nBond | Price | Yield | Price | Yield | Size\nNGB 2 04/28 | 97.5 | 3.95 | 97.58 | 3.91 | 50mm",
        [
            "NGB 2 04/28 price_pct 97.5/97.58 50000000x50000000",
            "NGB 2 04/28 yield_pct 3.95/3.91 50000000x50000000",
        ],
    ),
    (
        "NTN-B e pré",
        "Papel | Vencimento | Compra | Venda\nNTN-B | 15/05/2035 | 7,4820 | 7,4610",
        ["NTN-B real_yield_pct 7.482/7.461"],
    ),
    (
        "Provinces",
        "Émetteur | Coupon | Échéance | Rend. ach. | Rend. vend.\nQuébec | 4,45 | 1er sept. 2034 | 4,02 | 4,00",
        ["Québec 4,45 1er sept. 2034 yield_pct 4.02/4 due=2034-09-01"],
    ),
    (
        "Kuponstrips Bund",
        "Bezeichnung | Geld | Brief\nBund Strip 07/2034 | 79,85 | 80,05",
        ["Bund Strip 07/2034 price_pct 79.85/80.05 strips"],
    ),
    (
        "Mbonos",
        "Bono | Vence | Plazo | Compra | Venta\nMBONO 7.75 | 2031-05-29 | 1650 | 8.95 | 8.90",
        ["MBONO 7.75 yield_pct 8.95/8.9 due=2031-05-29"],
    ),
    (
        "Agency callables",
        "Bond | Offer | YTM | YTW\nFHLB 4.5 11/29 | 99.95 | 4.51 | 4.50",
        ["FHLB 4.5 11/29 price_pct /99.95", "FHLB 4.5 11/29 yield_pct /4.5"],
    ),
    (
        "Chile BTP",
        "Instrumento | Vencimiento | Tasa compra | Tasa venta\nBTP 5,80 10-2034 | 01-10-2034 | 5,72 | 5,67",
        ["BTP 5,80 10-2034 yield_pct 5.72/5.67 cpn=5.8"],
    ),
    (
        "Muni new money",
        "Issuer | Coupon | Yield | MMD\nCALIF ST GO | 5.00 | 2.62 | 2.45",
        ["CALIF ST GO 5.00 yield_pct 2.62"],
    ),
    (
        "Strips",
        "Security|S 0 06/28/31 P|S 0 08/15/43 P|S 0 09/28/39 P\nMaturity|06/28/2031|08/15/2043|09/28/2039\nBid Yld|3.73|2.5|6.28\nAsk Yld|3.67|2.49|6.25",
        [
            "S 0 06/28/31 P yield_pct 3.73/3.67",
            "S 0 08/15/43 P yield_pct 2.5/2.49",
            "S 0 09/28/39 P yield_pct 6.28/6.25",
        ],
    ),
    (
        "TES tasa fija",
        "Referencia | Tasa compra | Tasa venta | Monto (miles de MM COP)\nTES Mar-33 | 11,380 | 11,340 | 5",
        ["TES Mar-33 yield_pct 11.38/11.34 5000000000x5000000000 COP"],
    ),
    (
        "EMMA prints of note",
        "CUSIP | Description | Coupon | Maturity | Trade Type | Price\n13063DYY8 | CALIFORNIA ST GO | 5.00 | 10/01/2035 | Inter-Dealer | 114.212",
        ["13063DYY8 price_pct 114.212 trade us_muni"],
    ),
    (
        "Govt sheet",
        "BILLS\nMaturity | Bid Disc | Ask Disc | Bond Eq Yld\n02/18/2027 | 3.645 | 3.640 | 3.716",
        ["BILLS discount_rate_pct 3.645/3.64 govt_us", "BILLS yield_pct 3.716 govt_us"],
    ),
    (
        "EM local",
        "Bond | Maturity | Bid Yld | Offer Yld\nMGS 3.476 07/35 | 02-Jul-2035 | 3.49 | 3.46",
        ["MGS 3.476 07/35 yield_pct 3.49/3.46 MYR govt_intl"],
    ),
    (
        "OAT strips",
        "ISIN | Strip | Bid Price | Ask Price | vs OAT bid | vs OAT ask\nFR001400ST19 | OAT strip | 46.12 | 46.40 | 14 | 11",
        ["FR001400ST19 price_pct 46.12/46.4", "FR001400ST19 spread_bench_bp 14/11 OAT"],
    ),
    (
        "Agency bullets - spreads to UST",
        "CUSIP | Cpn | Bmk | Bid | Ask\n3130B5AA6 | 3.875 | UST 3Y | 8 | 6\n3133ETBB2 | 4 | UST 5Y | 14 | 11",
        ["3130B5AA6 spread_bench_bp 8/6 agency_ssa", "3133ETBB2 spread_bench_bp 14/11 agency_ssa"],
    ),
    (
        "Sterling SSA",
        "WE ARE BIDDING\nISIN | Issue | Amount (mm) | Spread v UKT\nXS5190000016 | EIB 3.625 01/32 | 10 | 28",
        ["XS5190000016 spread_bench_bp 28/ 10000000 UKT"],
    ),
    (
        "Udibonos",
        "Instrumento | Vencimiento | Tasa Compra | Tasa Venta\nUDIBONOS\nS 281130 | 30/11/2028 | 4,92 | 4,86",
        ["S 281130 real_yield_pct 4.92/4.86 MXN inflation_linked"],
    ),
]
