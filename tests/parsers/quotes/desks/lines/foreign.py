"""Lines of desks that do not write English."""

from __future__ import annotations

from tests.parsers.quotes.desks.case import Case

CASES: list[Case] = [  # subject, text, what it states
    (
        "Pfandbriefe",
        "Wir suchen:\nBHH 3 09/30 MS+26\nWir geben ab:\nMUNHYP 3,125 08/29 MS+18",
        ["BHH 3 09/30 spread_asw_bp 26/", "MUNHYP 3,125 08/29 spread_asw_bp /18"],
    ),
    (
        "HY",
        "Il BTP decennale rende 3,62%\nLeilão do Tesouro amanhã: LTN 2027 e 2030\nF 5 05/30 98/99",
        ["F 5 05/30 price_pct 98/99 corp_hy"],
    ),
    (
        "HY",
        "Schlusskurs Vortag 98,45\nSpread BTP-Bund 118/119\nEncours 750 M€, min. 100 k€\nF 5 05/30 98/99",
        ["F 5 05/30 price_pct 98/99 market corp_hy"],
    ),
    (
        "HY",
        "CTD implied repo 4.35\nLoan index 96.85 (+0.05)\nCross currency 5y -12/-11\nCLO AAA 128/125, AA 165/160\nF 5 05/30 98/99",
        ["F 5 05/30 price_pct 98/99 corp_hy"],
    ),
    ("CDS", "F 5y 182 / GM 5y 120", ["F 5y cds_spread_bp 182/ 5Y", "GM 5y cds_spread_bp 120 5Y"]),
    (
        "Títulos",
        "LTN 01/01/29 taxa de compra 13,45 venda 13,40",
        ["LTN 01/01/29 yield_pct 13.45/13.4"],
    ),
    (
        "Unternehmensanleihen",
        "ENEL 3,875 15. Januar 2034 Geld 98,25 Brief 98,75",
        ["ENEL 3,875 15. Januar 2034 price_pct 98.25/98.75 cpn=3.875 due=2034-01-15"],
    ),
    ("Bonos", "PEMEX 6.7 02/32 punta compradora 91,35", ["PEMEX 6.7 02/32 price_pct 91.35/"]),
    (
        "Locals",
        "BTP PEN 5.4 08/34   6.21/6.15   10x10mm",
        ["BTP PEN 5.4 08/34 yield_pct 6.21/6.15 PEN govt_latam_local"],
    ),
    (
        "NTN-B",
        "NTN-B 2035: IPCA + 7,21%\nNTN-B 2040 IPCA+7,18/7,15",
        ["NTN-B 2035 real_yield_pct 7.21 BRL", "NTN-B 2040 real_yield_pct 7.18/7.15"],
    ),
    ("EUR Swapsätze", " 2 J   2,215 / 2,235", ["2 J rate_pct 2.215/2.235 2Y"]),
    ("Swap Cámara CLP", "5a 4,85/4,91", ["5a rate_pct 4.85/4.91 5Y CLP"]),
    ("EURCHF Vols", "1J  ATM 5,60/5,85", ["EURCHF 1J ATM vol_pct 5.6/5.85 1Y"]),
    ("CDS", "Einzelnamen CDS, alles 5J EUR Senior:\nVW 98/103", ["VW cds_spread_bp 98/103 5Y"]),
    (
        "Swaps CLP",
        "Forward USDCLP (spot 948,50), puntos:\n1M 0,45/0,75",
        ["USDCLP 1M fwd_points 0.45/0.75 1M CLP fx_forward"],
    ),
    (
        "Strukturierte",
        "Aktienanleihe Protect BMW 9,5% 06/27, DE000MX1A2B4: Geld 98,40 / Brief 99,40",
        ["DE000MX1A2B4 price_pct 98.4/99.4 cpn=9.5 structured_note"],
    ),
    (
        "Pagarés",
        "Buenos días, tipos para hoy en EUR:\nTubacex 3M 2,95/2,90",
        ["Tubacex 3M yield_pct 2.95/2.9 3M EUR commercial_paper"],
    ),
    (
        "EUR corp",
        "Spreads vs mid-swaps:\n\nISIN          Name             Bid Sprd  Ask Sprd\nXS2623820904  DANONE 3.47 05/31  66        62",
        ["XS2623820904 spread_asw_bp 66/62 MS"],
    ),
    (
        "Provinces",
        "10 ans contre CAN 3,25 06/35, en pb, achat/vente :\nONT 4,15 06/35   61/59,5",
        ["ONT 4,15 06/35 spread_bench_bp 61/59.5 CAD"],
    ),
    (
        "SSA in EUR",
        "Größen in Mio.\nBNG 3,75 15/05/2033 G 90,50 / B 90,61",
        ["BNG 3,75 15/05/2033 price_pct 90.5/90.61 EUR"],
    ),
    (
        "Verbriefungen",
        "Guten Tag, unser Run:\n\nRMBS\nEMACP 2007-NL4 B   145/130 dm  97,80",
        ["EMACP 2007-NL4 B dm_bp 145/130 rmbs_nonagency", "EMACP 2007-NL4 B price_pct 97.8"],
    ),
    (
        "Tranches iTraxx",
        "iTraxx Main S44 5 ans (réf 54) :\n0-3%    31,25/32,00   delta 13",
        ["iTraxx Main S44 5 ans (réf 54) 0-3% upfront_pts 31.25/32 5Y cds_tranche"],
    ),
    ("Situations spéciales", "CASINO 2027   3,5/4,5   flat", ["CASINO 2027 price_pct 3.5/4.5 distressed_debt"]),
    (
        "Devisentermin",
        "Swapsätze (Punkte) und Outright:\nEUR/CHF 1J   -214/-210",
        ["EUR/CHF 1J fwd_points -214/-210 1Y CHF fx_forward"],
    ),
    (
        "Strukturierte Produkte EUR",
        "Kapitalschutz SMI: Geld 94,40, Brief 95,30\nBRC Roche: Geld 97,40 / Brief 98,40",
        ["Kapitalschutz SMI price_pct 94.4/95.3 EUR", "BRC Roche price_pct 97.4/98.4 EUR"],
    ),
    (
        "Forward EURUSD",
        "Buongiorno a tutti,\n\npunti forward EURUSD, denaro/lettera (spot 1,0872):\n1 settimana   3,45/3,55",
        ["EURUSD 1 settimana fwd_points 3.45/3.55 1W USD"],
    ),
    ("CDS Brasil", "CDS em USD:\nVale 5 anos   121/128", ["Vale 5 anos cds_spread_bp 121/128 5Y USD"]),
    (
        "Certificados de depósito",
        "Certificados de depósito MXN:\nBBVA MX   28 días   7,95/7,90",
        ["BBVA MX 28 días rate_pct 7.95/7.9 28D MXN cd"],
    ),
    (
        "US-Munis",
        "Guten Morgen, Angebote für heute, Rendite:\n1.000 TEXAS WTR DEV 4 10/15/40   3,95",
        ["TEXAS WTR DEV 4 10/15/40 yield_pct /3.95 1000000"],
    ),
    (
        "CMOs agencia",
        "Buenos días, ofertas para hoy:\nFHR 5300 PA   12mm of 0,912   98-12",
        ["FHR 5300 PA price_pct /98.375 12000000"],
    ),
    (
        "Leveraged Loans",
        "Stada TLB E+425 07/31   LX204567  100,125/100,5  3x3",
        ["LX204567 price_pct 100.125/100.5 3000000x3000000"],
    ),
    (
        "OAT strips",
        "Démembrées OAT, rendement achat/vente :\nOAT STRIP 25/04/2035   3,42/3,39",
        ["OAT STRIP 25/04/2035 yield_pct 3.42/3.39 EUR strips"],
    ),
    (
        "Tramos",
        "Tramos iTraxx Main S44 5a:\n3-6%   88/94 pb",
        ["Tramos iTraxx Main S44 5a 3-6% cds_spread_bp 88/94 5Y EUR cds_tranche"],
    ),
    (
        "TES",
        "Buenos días, nominales en miles de millones de COP:\nTES 26-nov-27 6,25%   9,18 - 9,14   5 x 2",
        ["TES 26-nov-27 6,25% yield_pct 9.18/9.14 5000000000x2000000000"],
    ),
    (
        "Provinces",
        "Provinces contre courbe Canada (pb) :\nQUÉBEC 3,25 09/32   +52/50",
        ["QUÉBEC 3,25 09/32 spread_bench_bp 52/50 CAN"],
    ),
    (
        "Bonos HY",
        "Vendemos:\nGRIFOLS 7,5% 05/30 al 104,85, 500 mil euros",
        ["GRIFOLS 7,5% 05/30 price_pct /104.85 500000"],
    ),
    (
        "AT1",
        "On cherche BNP 7,375 PERP à 104,10 pour 3M.",
        ["BNP 7,375 PERP price_pct 104.1/ 3000000"],
    ),
    ("SSA", "besserer Käufer:\nKFW 2,875 06/33   MS+6", ["KFW 2,875 06/33 spread_asw_bp 6/ MS axe"]),
    (
        "IRS e basis",
        "Buongiorno a tutti,\n\nIRS EUR 6M denaro lettera\n2y 2,214-2,234",
        ["IRS EUR 6M denaro lettera 2y rate_pct 2.214/2.234 2Y EUR"],
    ),
    ("CLO BWIC", "ABCD 2020-1A C  5mm  talk sub 99,5", ["ABCD 2020-1A C price_pct talk 5000000"]),
    ("HY", "CHTR 4,5s of 32  86,25/87", ["CHTR 4,5s of 32 price_pct 86.25/87 cpn=4.5"]),
    ("HY", "CHTR 4,5 05/32  91,5b/92,5o", ["CHTR 4,5 05/32 price_pct 91.5/92.5"]),
    ("HY", "CHTR 4,5 05/32  98,25/98,75  1,5-2,5mm", ["CHTR 4,5 05/32 price_pct 98.25/98.75 1500000x1500000"]),
    ("Hertz", "Hertz wts 13,80   1,95/2,15", ["Hertz wts price_unit 1.95/2.15"]),
    ("RE: Main/Xover", "Xover 267,5/268,5", ["Xover cds_spread_bp 267.5/268.5 EUR cds_index"]),
    ("CDS 5a EUR senior", "iTraxx Xover S46 5a    268/269", ["iTraxx Xover S46 5a cds_spread_bp 268/269 5Y EUR"]),
    ("Vol USDBRL", "1 mês   13,2/13,7", ["USDBRL 1 mês vol_pct 13.2/13.7 1M"]),
    (
        "Pfandbriefe",
        "Spread gegen Swap (Geld/Brief) / Kurs:\nBERHYP 3 01/31   29/26   99,62/99,78",
        ["BERHYP 3 01/31 spread_asw_bp 29/26 MS", "BERHYP 3 01/31 price_pct 99.62/99.78"],
    ),
    ("NEU CP", "NEU CP, niveaux offerts\nBFCM  1M 2,05", ["BFCM 1M yield_pct /2.05 1M"]),
]
