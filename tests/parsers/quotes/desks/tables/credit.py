"""Tables of desks: bonds of companies and banks, loans, claims, money markets."""

from __future__ import annotations

from tests.parsers.quotes.desks.case import Case

CASES: list[Case] = [  # subject, rows, what they state
    (
        "Bonds",
        "ISIN | Name | Bid % (without ACI) | Ask % (without ACI) | Yield\nXS2641318121 | ABC 5 31 | 101.1 | 101.6 | 5.1\nUS0378331005 | DEF 4 32 | 98.1 | 98.6 | 5.2",
        [
            "XS2641318121 price_pct 101.1/101.6",
            "XS2641318121 yield_pct 5.1",
            "US0378331005 price_pct 98.1/98.6",
            "US0378331005 yield_pct 5.2",
        ],
    ),
    (
        "Run",
        "Name | Bid | Ask | Name | Bid | Ask\nF 6.1 32 | 172 | 168 | GM 5.6 32 | 148 | 145",
        ["F 6.1 32 spread_unspecified_bp 172/168", "GM 5.6 32 spread_unspecified_bp 148/145"],
    ),
    (
        "Run",
        "IG vs MS|||HY Prices||\nName|Bid|Ask|Name|Bid|Ask\nSAN 3 29|78|74|CHTR 4.75 30|93.25|93.75\nBBVA 4 30|82|78|GAP 3 29|98|99",
        [
            "SAN 3 29 spread_asw_bp 78/74 MS corp_ig",
            "BBVA 4 30 spread_asw_bp 82/78 MS corp_ig",
            "CHTR 4.75 30 price_pct 93.25/93.75 corp_hy",
            "GAP 3 29 price_pct 98/99 corp_hy",
        ],
    ),
    (
        "Loans & bonds",
        "Loan | Bid | Ask | Bond | Bid | Ask\nAthena TLB | 99.25 | 99.625 | ATHENA 6.5 30 | 93.25 | 93.75",
        ["Athena TLB price_pct 99.25/99.625", "ATHENA 6.5 30 price_pct 93.25/93.75"],
    ),
    (
        "Bonds",
        "Bond | Type | Bid | Ask\nCHTR 4.75 30 | Px | 93.25 | 93.75\nF 6.1 32 | T+ | 172 | 168",
        ["CHTR 4.75 30 price_pct 93.25/93.75", "F 6.1 32 spread_bench_bp 172/168 UST"],
    ),
    (
        "IG run",
        "Name | Bid | Ask\nSPREADS\nF 6.1 32 | 172 | 168\nGM 5.6 32 | 148 | 145\nPRICES\nF 6.1 32 | 101.6 | 101.85",
        [
            "F 6.1 32 spread_bench_bp 172/168 corp_ig",
            "GM 5.6 32 spread_bench_bp 148/145 corp_ig",
            "F 6.1 32 price_pct 101.6/101.85 corp_ig",
        ],
    ),
    (
        "Credit axes",
        "Name | Bid | Ask\nHIGH YIELD\nCHTR 4.75 30 | 93.25 | 93.75\nDISH 7 26 | 98.5 | 99\nINVESTMENT GRADE\nF 6.1 32 | 172 | 168",
        [
            "CHTR 4.75 30 price_pct 93.25/93.75 corp_hy",
            "DISH 7 26 price_pct 98.5/99 corp_hy",
            "F 6.1 32 spread_bench_bp 172/168 corp_ig",
        ],
    ),
    (
        "Cross-asset sheet",
        "Class | Name | Bid | Ask\nIG | F 6.1 32 | 172 | 168\nHY | CHTR 4.75 30 | 93.25 | 93.75",
        ["F 6.1 32 spread_bench_bp 172/168 corp_ig", "CHTR 4.75 30 price_pct 93.25/93.75 corp_hy"],
    ),
    (
        "HY axes",
        "Buying | Px | Selling | Px\nCHTR 4.75 30 | 93.25 | CVNA 14 31 | 119\nDISH 7 26 | 98.5 | SIRI 4 30 | 91.5",
        [
            "CHTR 4.75 30 price_pct 93.25/ axe",
            "DISH 7 26 price_pct 98.5/ axe",
            "CVNA 14 31 price_pct /119 axe",
            "SIRI 4 30 price_pct /91.5 axe",
        ],
    ),
    (
        "Lev loans",
        "Issuer | Tranche | Bid | Ask | 4w ago bid | 1m ago\nAthena | TLB | 99.25 | 99.63 | 98.75 | 98.5",
        ["Athena TLB price_pct 99.25/99.63"],
    ),
    (
        "Structured notes",
        "Note | Issuer | Coupon | Bid | Ask\nBRC ABB/Sika | UBS | 8.5% | 97.40 | 98.40",
        ["BRC ABB/Sika price_pct 97.4/98.4 structured_note"],
    ),
    (
        "Muni BWIC",
        "Qty | Issuer | Coupon | Maturity | Talk\n1000 | CALIF ST GO | 5 | 09/01/2035 | +25/+20",
        ["CALIF ST GO 5 09/01/2035 spread_mmd_bp talk us_muni"],
    ),
    (
        "EM sovereigns",
        "Ticker | Bond | Bid Px | Ask Px\nBRAZIL | 6.125 3/34 | 101.1 | 101.4",
        ["BRAZIL 6.125 3/34 price_pct 101.1/101.4 em_hard_ccy"],
    ),
    (
        "Trade claims",
        "Debtor | Claim type | Bid | Offer\nFTX Trading | Customer | 98c | 101¢",
        ["FTX Trading Customer price_pct 98/101"],
    ),
    (
        "Covered",
        "Bond|Market\nBHH 2.75 29|MS+33/MS+30\nDZHYP 3 31|MS+36/33",
        ["BHH 2.75 29 spread_asw_bp 33/30 MS", "DZHYP 3 31 spread_asw_bp 36/33 MS"],
    ),
    (
        "LP stakes",
        "Name|Side|Level\nCVC VII 2017|Bid|88% NAV\nEQT IX 2020|Offer|97% NAV",
        ["CVC VII 2017 pct_nav 88/", "EQT IX 2020 pct_nav /97"],
    ),
    (
        "Loans",
        "Borrower|Quote\nCaesars TLB|99 1/2 - 3/4\nCarnival TLB|99/00",
        ["Caesars TLB price_pct 99.5/99.75", "Carnival TLB price_pct 99/100"],
    ),
    (
        "Converts",
        "Bond|Bid|Ask|vs|Delta\nMCHP 0.75 30|96.5|97.25|61.2|48",
        ["MCHP 0.75 30 price_vs_ref 96.5/97.25"],
    ),
    (
        "HY",
        "Bond|Market\nCCL 5.75 03/27|99.25/99.75 subj\nRCL 5.5 08/27|99/99.5",
        ["CCL 5.75 03/27 price_pct 99.25/99.75", "RCL 5.5 08/27 price_pct 99/99.5"],
    ),
    ("CDS", "Name | Tenor | Spread/Upf\nF | 5y | 182/188\nAAL | 5y | 12.5/13.5", []),
    (
        "Sterling corporates, gilt spreads",
        "Bond | Gilt+ Bid | Gilt+ Offer\nTHAMES 5.5 41 | 133 | 127",
        ["THAMES 5.5 41 spread_bench_bp 133/127 corp_ig"],
    ),
    (
        "HY: prices with color",
        "Bond | Bid | Offer | 1d | 1w\nCZR 4.625 29 | 95.75 | 96.25 | -0.25 | -0.75",
        ["CZR 4.625 29 price_pct 95.75/96.25"],
    ),
    (
        "Renta fija EUR IG",
        "ISIN | Demanda | Oferta | MS Dem. | MS Of. | Vol. Dem. (mm) | Vol. Of. (mm)\nXS2651001005 | 98,41 | 98,66 | 92 | 87 | 3 | 5",
        [
            "XS2651001005 price_pct 98.41/98.66 3000000x5000000",
            "XS2651001005 spread_asw_bp 92/87 3000000x5000000 MS",
        ],
    ),
    (
        "Mixed run",
        "Issue | Class | Quote | Bid | Ask\nVZ 2.355 32 | IG | T+ | 85 | 80\nCHTR 4.5 30 | HY | Px | 91.75 ▲ | 92.25 ▼",
        [
            "VZ 2.355 32 spread_bench_bp 85/80 UST corp_ig",
            "CHTR 4.5 30 price_pct 91.75/92.25 corp_hy",
        ],
    ),
    (
        "Asian CBs",
        "Name | Bid | Ask | Ref | Delta | Imp Vol Bid | Imp Vol Ask\nTrip.com 0.75 29 | 112.5 | 113.25 | 66.2 | 52 | 31 | 33",
        ["Trip.com 0.75 29 price_vs_ref 112.5/113.25", "Trip.com 0.75 29 vol_pct 31/33"],
    ),
    (
        "HY run",
        "Issue | Market | Size\nCZR 4.625 10/15/29 | 95 3/4 - | 1x\nRAD 8 11/15/26 | - 42 1/2 | x2",
        ["CZR 4.625 10/15/29 price_pct 95.75/ 1000000", "RAD 8 11/15/26 price_pct /42.5 2000000"],
    ),
    (
        "Trade claims",
        "Debtor | Claim Type | Claim Size ($mm) | Offer (cents)\nFTX Trading | Customer | 3 | 121",
        ["FTX Trading Customer price_pct /121 3000000"],
    ),
    (
        "Axes",
        "USD IG axes, spread to UST\nTicker | Cpn | Maturity | Buy Sprd | Sell Sprd\nT | 2.55 | 12/01/2033 | 98 | 94",
        ["T 2.55 12/01/2033 spread_bench_bp 98/94 UST corp_ig"],
    ),
    (
        "Corp",
        "ISIN | Bid | Ask | Bid size (mm) | Ask size (mm)\nUSP2253TJQ33 | 94.25 | 94.75 | 1 | 2\nXS2661001003 | 88.1 | 88.9 | 2 | 1",
        ["USP2253TJQ33 price_pct 94.25/94.75 1000000x2000000", "XS2661001003 price_pct 88.1/88.9 2000000x1000000"],
    ),
    (
        "Preferred closes",
        "Symbol | Coupon | Close | 52w High | 52w Low\nJPM PRD | 5.75 | 24.91 | 26.1 | 22.8",
        ["JPM PRD 5.75 price_unit 24.91 mark"],
    ),
    (
        "Preferreds",
        "Issue | Bid | Offer\nWFC 7.5 PERP L | 1215 | 1222",
        ["WFC 7.5 PERP L price_unit 1215/1222 preferred"],
    ),
    (
        "Covered, levels vs MS",
        "Name | Bid | Offer\nCAFFIL 3 10/32 | 34 | 30",
        ["CAFFIL 3 10/32 spread_asw_bp 34/30 MS"],
    ),
    ("HY CDS upfronts", "Name | Bid | Offer\nCarvana | 1.00 | 2.25", ["Carvana upfront_pts 1/2.25"]),
    (
        "LatAm quasi axes",
        "Bond | Bid\nCODELCO 6.44 01/26/36 | 104.85",
        ["CODELCO 6.44 01/26/36 price_pct 104.85/ em_hard_ccy"],
    ),
    (
        "Angebote in Pfandbriefen",
        "Anleihe | Brief\nBayernLB 2,875 22.05.30 | 100,92",
        ["BayernLB 2,875 22.05.30 price_pct /100.92 covered_bond"],
    ),
    (
        "HY",
        "Name | Cpn | Mat | Bid | Ask\nCHTR | 4 | 6/1/32 | 86 | 87\nAverage | 4 | 2029 | 86 | 87\nTotal | 4 | 5.2 | 86 | 87",
        ["CHTR price_pct 86/87"],
    ),
    (
        "Obligations",
        "Désignation | Echéance | A l'achat | A la vente\nELIS 1,625% | 03/04/2028 | 96,20 | 96,70",
        ["ELIS 1,625% price_pct 96.2/96.7 due=2028-04-03"],
    ),
    ("Loan offers", "Name | Level | $mm\nIvanti 1L | 84 1/2 | 1", ["Ivanti 1L price_pct /84.5 1000000 USD"]),
    (
        "AT1",
        (
            "Emittente | Ced. | Div. | D/L | Taglio D | Taglio L\nUniCredit | 6,50 | EUR | 103,15/103,60 | 1 | 1\n"
            "BBVA | 4,75 | USD | 99,20/99,75 | 1 | 2"
        ),
        ["UniCredit 6,50 price_pct 103.15/103.6 EUR", "BBVA 4,75 price_pct 99.2/99.75 USD"],
    ),
    (
        "Canadian corps over interpolated GoC",
        "Issue | G Sprd bid | G Sprd ask\nRY 4.632 05/01/28 | 78 | 74",
        ["RY 4.632 05/01/28 spread_g_bp 78/74 corp_ig"],
    ),
    (
        "FRNs",
        "Issue | DM b/o | Px b/o | Up\nLLOYDS 29 | 41/37 | 100.55/100.65 | 5x5",
        ["LLOYDS 29 dm_bp 41/37 5000000x5000000", "LLOYDS 29 price_pct 100.55/100.65"],
    ),
    (
        "PE secondary",
        "LP interest | Vint. | Bid (% NAV) | Ask (% NAV)\nCarlyle VII | 2018 | 79.5 | 84",
        ["Carlyle VII pct_nav 79.5/84"],
    ),
    (
        "Zertifikate",
        "Bezeichnung | Rücknahmepreis | Ausgabepreis | Stück\nDiscount BMW 12/26 | 61,15 € | 61,25 € | 5.000",
        ["Discount BMW 12/26 price_unit 61.15/61.25 EUR"],
    ),
    (
        "HY EUR",
        (
            "Emittentin | Kupon | Fällig | Kurs G/B | Rend. (B) | Vol.\n"
            "CeramTec | 5,25 | 15.08.2030 | 97,75 - 98,50 | 5,71 | 1/2"
        ),
        [
            "CeramTec 5,25 15.08.2030 price_pct 97.75/98.5 due=2030-08-15 1000000x2000000",
            "CeramTec 5,25 15.08.2030 yield_pct /5.71",
        ],
    ),
    (
        "Covered bonds",
        "Line | MS bid | MS offer\nCFF 2.75 03/31 | 33 | 30\nCAFFIL 3 10/32 | 36 | 33",
        ["CFF 2.75 03/31 spread_asw_bp 33/30 MS", "CAFFIL 3 10/32 spread_asw_bp 36/33 MS"],
    ),
    (
        "Converts US",
        "Issue | Two-way | Ref | Delta | Shs/bond\nABNB 0 26 | 98.75 / 99.25 | 131.20 | 12 | 3.46",
        ["ABNB 0 26 price_vs_ref 98.75/99.25"],
    ),
    (
        "Sterling IG",
        "Bond | Gilt | Sprd b/o\nTESCO 5.125 34 | UKT 4.25 07/34 | 118/112\nVOD 5.625 53 | UKT 3.75 10/53 | 171/164",
        ["TESCO 5.125 34 spread_bench_bp 118/112 corp_ig", "VOD 5.625 53 spread_bench_bp 171/164 corp_ig"],
    ),
    (
        "EM corp axes",
        "WE ARE SELLERS |  |\nBond | Level | Size\nSUZANO 3.75 31 | 91.00 | 3mm",
        ["SUZANO 3.75 31 price_pct /91 3000000 axe"],
    ),
    (
        "Brokered CD offerings",
        "Bank / ST | Term | APY Rate | Settles | Matures\nGoldman Sachs NY | 24 mo | 4.20 | 11/24/26 | 11/24/28",
        ["Goldman Sachs NY 11/24/28 rate_pct /4.2 due=2028-11-24 24M"],
    ),
    (
        "AT1 EUR",
        "Name | Bid | Ask\nBNP 7.375 PERP | 104.10 | 104.50\nSANTAN 9.625 PERP ($) | 108.00 | 108.60",
        ["BNP 7.375 PERP price_pct 104.1/104.5 EUR", "SANTAN 9.625 PERP ($) price_pct 108/108.6 USD"],
    ),
    (
        "Post-reorg equities",
        "Post-reorg equities ($ per share) | |\nName | Bid | Offer\nNEWCO common | 14.25 | 15.00",
        ["NEWCO common price_unit 14.25/15 USD"],
    ),
    (
        "GBP IG",
        "Bond | Bid | Ask | G Bid | G Ask\nTSCOLN 2.75 04/27/30 | 93.05 | 93.45 | 88 | 83",
        ["TSCOLN 2.75 04/27/30 price_pct 93.05/93.45", "TSCOLN 2.75 04/27/30 spread_g_bp 88/83"],
    ),
    (
        "Floater axes",
        "Issuer | Maturity | Index | QM | Bid Px | Ask Px\nGS | 03/15/2028 | SOFR | 129 | 100.85 | 100.95",
        ["GS 03/15/2028 price_pct 100.85/100.95"],
    ),
    (
        "Brokered CD offerings",
        "Bank | Term | Rate | Maturity\nCitibank NA | 1Y | 4.20 | 11/27/2027",
        ["Citibank NA 11/27/2027 rate_pct /4.2 1Y"],
    ),
    (
        "HY runs",
        "Bond | Bid | Offer | B Sz | O Sz\nCHTR 4.5 8/15/30 | 91.25 | 91.75 | 2,000 | 500\nF 6.1 8/19/32 | 98 | 99 | 500 | 1,000",
        ["CHTR 4.5 8/15/30 price_pct 91.25/91.75 2000000x500000", "F 6.1 8/19/32 price_pct 98/99 500000x1000000"],
    ),
    (
        "Loans",
        "Loan | Bid | Ask\nLX131555 | 98.75 | 99.25\nLX204567 | 100 | 101",
        ["LX131555 price_pct 98.75/99.25", "LX204567 price_pct 100/101"],
    ),
    (
        "HY EUR",
        "Nom de l'émission | Nous achetons à | Nous vendons à\nLoxam 6,375% 2029 | 99,25 | 99,75",
        ["Loxam 6,375% 2029 price_pct 99.25/99.75"],
    ),
    (
        "Strukturierte Produkte",
        (
            "ISIN | Produkt | Whg. | Nehmen | Geben\nCH0224397213 | 8% BRC Nestlé | EUR | 97.40 | 98.40\n"
            "CH0224397353 | 6.5% BRC Roche | EUR | 101.15 | 102.15\nCH0224397445 | 9% BRC Tech | EUR | 88.60 | 89.60"
        ),
        [
            "CH0224397213 price_pct 97.4/98.4 EUR",
            "CH0224397353 price_pct 101.15/102.15 EUR",
            "CH0224397445 price_pct 88.6/89.6 EUR",
        ],
    ),
    (
        "European CBs",
        "Convert | We pay | We offer | 5d vol\nCellnex 0.75 31 | 88.75 | 89.25 | 18.2",
        ["Cellnex 0.75 31 price_vs_ref 88.75/89.25"],
    ),
    (
        "Hauspreise EUR",
        "Gattung | Kenn-Nr. | Nom.-Zins | Rückzahlung am | Wir zahlen | Wir fordern | Rendite v. St.\nBASF 1,5 v. 18(31) | XS1987654321 | 1,500 | 22.05.2031 | 92,35 | 92,75 | 3,12",
        [
            "XS1987654321 price_pct 92.35/92.75 cpn=1.5 due=2031-05-22 EUR",
            "XS1987654321 yield_pct 3.12",
        ],
    ),
    (
        "Niveles corporativos LatAm USD",
        "Emisora | Tasa | Vence | Px Compra | Px Venta | YTW Venta\nCemex | 5,45 | 19/11/2029 | 99,85 | 100,25 | 5,38",
        [
            "Cemex 5,45 19/11/2029 price_pct 99.85/100.25 cpn=5.45 due=2029-11-19 USD em_hard_ccy",
            "Cemex 5,45 19/11/2029 yield_pct /5.38",
        ],
    ),
    (
        "AT1",
        "Nom | Coupon | Achat | Vente | Marge (pb) vs swap Achat | Marge (pb) vs swap Vente\nBNPP 7 3/8 PERP | 7.375 | 105.5 | 105.9 | 312 | 301",
        ["BNPP 7 3/8 PERP price_pct 105.5/105.9", "BNPP 7 3/8 PERP spread_asw_bp 312/301 MS"],
    ),
    (
        "Prefs",
        "Sym | Issuer | Div | Indication Bid | Indication Ask | Stripped\nBAC PRK | BofA | 5.875% | 24.91 | 24.97 | 5.91",
        ["BAC PRK 5.875% price_unit 24.91/24.97 cpn=5.875", "BAC PRK 5.875% yield_pct 5.91"],
    ),
    (
        "LP secondaries",
        "Manager / Fund | Vintage | Buyers at | Sellers at | Remaining commitment\nVista Equity VII | 2018 | 88% | 92% | 8%",
        ["Vista Equity VII pct_nav 88/92"],
    ),
    (
        "EUR ECP offered levels (yield %)",
        "Programme | Short-term rtg | 1M | 3M\nBFCM | A-1/P-1 | 2.02 | 2.08",
        ["BFCM yield_pct /2.02 1M EUR", "BFCM yield_pct /2.08 3M"],
    ),
    (
        "CD offerings",
        "Issuer | Term | Coupon/APY | Maturity\nGoldman Sachs Bank USA | 3 month | 4.05% | 02/25/2027",
        ["Goldman Sachs Bank USA 02/25/2027 rate_pct /4.05 3M cd"],
    ),
    (
        "Covered bonds EUR",
        "Emetteur | Valeur | Prix demande | Prix offre\nCAFFIL | FR0013312378 | 100,12 | 100,31\nCFF | FR0011317783 | 99,02 | 99,20",
        ["FR0013312378 price_pct 100.12/100.31", "FR0011317783 price_pct 99.02/99.2"],
    ),
    (
        "Zertifikate Kurse",
        "Wertpapiername | Geldkurs | Briefkurs | Geldvol. (Stk) | Briefvol. (Stk)\nDiscount-Zertifikat auf DAX | 198,45 | 198,65 | 1.000 | 500",
        ["Discount-Zertifikat auf DAX price_unit 198.45/198.65 1000x500"],
    ),
    (
        "USD IG",
        "Bond | Market | Size\nAAPL 4.85 05/10/33 (US0378331005) | T+48/45 | 5x5\nMSFT 3.5 02/12/35 46625HRL6 | T+38/36 | 10x5",
        [
            "US0378331005 spread_bench_bp 48/45 cpn=4.85 5000000x5000000",
            "46625HRL6 spread_bench_bp 38/36 cpn=3.5 10000000x5000000",
        ],
    ),
    (
        "US converts",
        "Issuer | Two-way | Vs stock | Conv Prem\nRivian | 92.5-93.25 | $13.20 | 41%",
        ["Rivian price_vs_ref 92.5/93.25", "Rivian premium_pct 41"],
    ),
    (
        "$1000 prefs",
        "Security | Bid | Ask\nWFC 7.5 PRL | 1182.50 | 1188.00",
        ["WFC 7.5 PRL price_unit 1182.5/1188 cpn=7.5"],
    ),
    (
        "Pfandbriefe",
        "Emittent | Zins | Fällig | Geld | Brief\nBerlin Hyp | 3,000 | 11.07.2033 | 99,85 | 100,05",
        ["Berlin Hyp 3,000 11.07.2033 price_pct 99.85/100.05 due=2033-07-11"],
    ),
    (
        "CHF Corporates",
        "Name | Zins | Geldkurs | Briefkurs | Geldmenge | Briefmenge\nGeberit 1.6% 32 | 1.60 | 103.15 | 103.55 | 500'000 | 250'000",
        ["Geberit 1.6% 32 price_pct 103.15/103.55 500000x250000"],
    ),
    (
        "JPY credit",
        "Issuer | Coup | Bid (JGB+) | Ask (JGB+) | Ask px\nBPCE | 1.9 | 58 | 52 | 99.91",
        ["BPCE 1.9 spread_bench_bp 58/52 cpn=1.9", "BPCE 1.9 price_pct /99.91"],
    ),
    (
        "EM hard currency USD",
        "Credito | Tasso nom. | Rimborso | Domanda | Offerta\nTurchia 7,625 34 | 7,625 | 15/05/2034 | 104,10 | 104,60",
        ["Turchia 7,625 34 price_pct 104.1/104.6 cpn=7.625 due=2034-05-15"],
    ),
    (
        "Unternehmensanleihen",
        "Papier | Zinskupon | Ende | Nachfrage | Angebot\nEnBW 4 % 35 | 4,000 | 24.01.2035 | 103,12 | 103,45",
        ["EnBW 4 % 35 price_pct 103.12/103.45 cpn=4 due=2035-01-24"],
    ),
    (
        "Bonds LatAm corporates",
        "Nome | Juros % | Vence em | Melhor compra | Melhor venda\nPetrobras 33 | 6,5 | 03/07/2033 | 103,10 | 103,45",
        ["Petrobras 33 price_pct 103.1/103.45 cpn=6.5 due=2033-07-03"],
    ),
    (
        "AT1",
        "Titre | Prix demandé | Prix offert\nACA 7,25 AT1 | 104,75 | 105,20",
        ["ACA 7,25 AT1 price_pct 104.75/105.2 cpn=7.25"],
    ),
    (
        "US HY (USD)",
        "Bond | Bid | Ask\nF 6.1 32 | 98.25* | 98.75\nExample: ABC 5 30 | 98 | 99",
        ["F 6.1 32 price_pct 98.25/98.75"],
    ),
    (
        "Structured products",
        "Product | Underlying | Maturity | We buy | We sell\nBRC 7.5% | UBS / CS | 15/03/2027 | 98.40 | 99.40",
        ["BRC 7.5% UBS / CS price_pct 98.4/99.4 cpn=7.5"],
    ),
    (
        "Cédulas EUR",
        "Emisor | Cupón | Precio dinero | Precio papel | ASW dinero | ASW papel\nCaixaBank | 3,25 | 100,02 | 100,24 | 48 | 45",
        ["CaixaBank 3,25 price_pct 100.02/100.24", "CaixaBank 3,25 spread_asw_bp 48/45"],
    ),
    (
        "EM corps - Turkey",
        "Turkish banks & corporates (USD)\nName | Px bid | Px offer\nGARAN 8.375 34 | 103.10 | 103.60",
        ["GARAN 8.375 34 price_pct 103.1/103.6 USD em_hard_ccy"],
    ),
    (
        "USD IG healthcare",
        "Sym | Cpn | Mty | Bid Spd / Ask Spd | Curve\nAMGN | 5.25 | 03/02/33 | 72 / 68 | 10Y",
        ["AMGN 5.25 03/02/33 spread_bench_bp 72/68 10Y"],
    ),
    (
        "US preferreds",
        "Name | Dividend | Bid | Ask\nJPM PRD | 5.75 | 24.85 | 24.95",
        ["JPM PRD price_unit 24.85/24.95 cpn=5.75"],
    ),
    (
        "US HY",
        "Bond | Bid YTM | Bid YTW | Ask YTM | Ask YTW\nCHTR 4.5 32 | 7.2 | 7.1 | 7.15 | 7",
        ["CHTR 4.5 32 yield_pct 7.1/7"],
    ),
    (
        "EUR IG",
        "Issuer | Cpn | Mat | Bid | Ask\nTOTAL | 3.16 | 33 | ms+65 | ms+61\nORA | 3.5 | 35 | ms+70 | ms+66\nTotal | | | 67 | 63",
        ["TOTAL 3.16 33 spread_asw_bp 65/61 MS", "ORA 3.5 35 spread_asw_bp 70/66 MS"],
    ),
    (
        "New issue calendar",
        "ISIN | Bond | Bid | Ask\nXS2641318121 | ABC 4 33 | 98.2 | 98.6",
        ["XS2641318121 price_pct 98.2/98.6"],
    ),
    (
        "USD IG",
        "Name | | Bid | Ask\nCITIGROUP INC | 4.5 06/34 | 98.2 | 98.6\nBANK OF NY | 4 06/33 | 97.1 | 97.4",
        ["CITIGROUP INC 4.5 06/34 price_pct 98.2/98.6 cpn=4.5", "BANK OF NY 4 06/33 price_pct 97.1/97.4 cpn=4"],
    ),
    (
        "Soberanos LatAm USD",
        "Instrumento | Compra | Venta\nMEX 6,35 2035 | 103,20 | 103,60",
        ["MEX 6,35 2035 price_pct 103.2/103.6 USD em_hard_ccy"],
    ),
    (
        "EUR GC - O/N to 1M",
        "Collateral | O/N | 1M\nGermany GC | 1.92/1.88 | 1.95/1.91",
        ["Germany GC repo_rate_pct 1.92/1.88 ON", "Germany GC repo_rate_pct 1.95/1.91 1M"],
    ),
    (
        "USCP rates - Tier 1 & Tier 2",
        "Program | O/N | 1M\nDUKE ENERGY | 4.52 | 4.60",
        [
            "DUKE ENERGY discount_rate_pct 4.52 ON commercial_paper",
            "DUKE ENERGY discount_rate_pct 4.6 1M commercial_paper",
        ],
    ),
    (
        "Axen EUR Corporates",
        "Wir kaufen\nAnleihe | Geld\nVW 3,75 28 | 101,20",
        ["VW 3,75 28 price_pct 101.2/ axe"],
    ),
    (
        "IG",
        "Bond | Mat | Bid | Ask | Benchmark\nORCL 5.25 | 02/03/2032 | 104 | 100 | T 4.125 01/31/32",
        ["ORCL 5.25 spread_bench_bp 104/100 due=2032-02-03"],
    ),
    (
        "Perpetual",
        "ISIN | Descrizione | Denaro | Lettera\nXS2641318121 | ENEL PERP 6,375 | 105,30 | 105,70",
        ["XS2641318121 price_pct 105.3/105.7 financial_sub"],
    ),
    (
        "Covered",
        "Name | m/s bid | m/s offer\nDNBNO 2.75 31 | 29 | 26",
        ["DNBNO 2.75 31 spread_asw_bp 29/26 MS"],
    ),
    (
        "Canada covered",
        "Issuer | Cpn | Maturity | Bid (GoC+) | Ask (GoC+)\nBNS | 3.807 | 2028-11-15 | 88 | 85",
        ["BNS 3.807 2028-11-15 spread_bench_bp 88/85 CAD CAN"],
    ),
    (
        "Private credit secondaries",
        "Fund | Bid | Offer\nAres Capital Europe V | 96% NAV | 99% NAV",
        ["Ares Capital Europe V pct_nav 96/99"],
    ),
    (
        "Obligations convertibles",
        "Nom | Code ISIN | Cours achat | Cours vente\nORPAR 0% 2028 | XS2641318121 | 94,10 | 94,80",
        ["XS2641318121 price_vs_ref 94.1/94.8 cpn=0"],
    ),
    (
        "Loans",
        "Loan | Bid | Disc Margin (4Y)\nBoots TLB | 100.1 | 352",
        ["Boots TLB price_pct 100.1/", "Boots TLB dm_bp 352/"],
    ),
    (
        "AT1 run",
        "Name | Bid | Ask | YTM Bid | YTC Bid | YTM Ask | YTC Ask\nBACR 6.125 PERP | 98.25 | 98.75 | 6.42 | 6.91 | 6.38 | 6.8",
        ["BACR 6.125 PERP price_pct 98.25/98.75", "BACR 6.125 PERP yield_pct 6.91/6.8"],
    ),
    (
        "EUR covered",
        "BHH 0.375 10/28 | ms+18 | ms+15\nPBBGR 3.25 01/27 | ms+31 | ms+28\nACACB 0.625 03/29 | ms+35 | ms+32",
        [
            "BHH 0.375 10/28 spread_asw_bp 18/15 MS",
            "PBBGR 3.25 01/27 spread_asw_bp 31/28 MS",
            "ACACB 0.625 03/29 spread_asw_bp 35/32 MS",
        ],
    ),
    (
        "USD IG",
        "VZ 2.355 03/32 | 85 | 80 | 5 | 5\nT 2.55 12/33 | 105 | 100 | 5 | 10\nBAC 2.572 10/32 | 99 | 95 | 3 | 3",
        [
            "VZ 2.355 03/32 spread_bench_bp 85/80 5000000x5000000",
            "T 2.55 12/33 spread_bench_bp 105/100 5000000x10000000",
            "BAC 2.572 10/32 spread_bench_bp 99/95",
        ],
    ),
    (
        "Zertifikate",
        "ISIN | Name | Geld | Brief\nDE000SQ7ABC8 | Discount DAX 21000 | 98,45 | 98,65\nDE000SQ7ABD6 | Index DAX | 1.234,50 | 1.236,10",
        ["DE000SQ7ABC8 price_pct 98.45/98.65", "DE000SQ7ABD6 price_unit 1234.5/1236.1 structured_note"],
    ),
    ("Levels", "Claims | Level\nFTX Trading | 118", ["FTX Trading price_pct 118 trade_claim"]),
    ("Offers", "Name | Claims ($mm) | Offer\nFTX claims | 12 | 118", ["FTX claims price_pct /118 12000000"]),
    (
        "Par loans",
        "Name | Tranche | Bid | Ask | 3yr DM\nSedgwick | TL B | 99.875 | 100.125 | 258",
        ["Sedgwick TL B price_pct 99.875/100.125", "Sedgwick TL B dm_bp 258"],
    ),
    (
        "USD AT1",
        "Name | Bid | Offer | YTC | Z-to-call\nHSBC 6.5 PERP | 100.85 | 101.25 | 5.98 | 241",
        ["HSBC 6.5 PERP price_pct 100.85/101.25", "HSBC 6.5 PERP yield_pct 5.98", "HSBC 6.5 PERP spread_z_bp 241"],
    ),
    (
        "Leveraged loans",
        "Borrower | Tranche | Bid | Offer\nAcme | TLB | 92.50 | 94.00\nSebia | TLB | 99.875 | 100.375",
        ["Acme TLB price_pct 92.5/94", "Sebia TLB price_pct 99.875/100.375"],
    ),
    (
        "AM run",
        "Ticker | Cpn | Mat | Bid | Ask | Bmk | $ Bid | $ Ask\nF | 6.125 | 3/8/34 | 198 | 192 | 10Y | 98.11 | 98.50\nMRK | 4.5 | 5/17/33 | 48 | 44 | 10Y | 99.87 | 100.14",
        [
            "F 6.125 3/8/34 spread_bench_bp 198/192 10Y corp_ig",
            "F 6.125 3/8/34 price_pct 98.11/98.5",
            "MRK 4.5 5/17/33 spread_bench_bp 48/44 10Y corp_ig",
            "MRK 4.5 5/17/33 price_pct 99.87/100.14",
        ],
    ),
    (
        "Claims",
        "Cents on the dollar of allowed claim\nDebtor | Bid | Offer\nGenesis Global | 78 | 81",
        ["Genesis Global price_pct 78/81 USD"],
    ),
    (
        "LP secondaries",
        "Fund | Vintage | Bid (% NAV) | Ask (% NAV) | Available NAV\nApollo IX | 2017 | 88 | 91 | $12mm",
        ["Apollo IX pct_nav 88/91 12000000x12000000 USD"],
    ),
    (
        "HY",
        "Bond|Bid|Ask\nTEVA 3.15 10/26|off|off\nFYBR 5 05/28|away|away\nCYH 6 01/29|88|89",
        ["CYH 6 01/29 price_pct 88/89"],
    ),
    (
        "$25 preferreds",
        "Ticker | Issue | Bid | Ask\nRJF PRB | Raymond James 6.375 | 25.12 | 25.20",
        ["Raymond James 6.375 price_unit 25.12/25.2 cpn=6.375"],
    ),
    (
        "Nordic covered bonds",
        "ISIN | Covered bond | Mat | ASW Bid | ASW Ask\nXS4700000012 | DNBNO 2.875 03/29 | 12-Mar-29 | 24 | 21",
        ["XS4700000012 spread_asw_bp 24/21 cpn=2.875"],
    ),
    (
        "Prints",
        "Time | Bond | Size | Traded | Spread\n10:12 | F 6.1 08/32 | 5MM | 101.60 | T+172",
        ["F 6.1 08/32 price_pct 101.6 trade corp_ig", "F 6.1 08/32 spread_bench_bp 172 UST trade corp_ig"],
    ),
    (
        "RE: levels",
        "USD levels\nBond | Bid | Ask\nGhana 7.875 2/35 | 92.5 | 93.25",
        ["Ghana 7.875 2/35 price_pct 92.5/93.25 em_hard_ccy"],
    ),
    (
        "LP pricing (% of June NAV)",
        "Fund | Vintage | Indicative Bid | Indicative Ask\nEQT IX | 2020 | 94% | 97%",
        ["EQT IX pct_nav 94/97"],
    ),
    (
        "Preferreds",
        " | WFC PRL | BAC PRL\nCoupon | 7.50 | 7.25\nBid | 1,205.00 | 1,221.50\nAsk | 1,209.00 | 1,225.00",
        ["WFC PRL price_unit 1205/1209 cpn=7.5", "BAC PRL price_unit 1221.5/1225 cpn=7.25"],
    ),
]
