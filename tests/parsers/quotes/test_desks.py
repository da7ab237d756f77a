"""Lines and tables as desks write them, each with what it states: what was once misread stays read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Cell, Document, Grid, Row
from parsers.documents.text import text_lines
from parsers.quotes import find_quotes
from parsers.quotes.context import PartContext
from parsers.values.decimals import decimal_text

Part = Callable[..., PartContext]

LINES = [  # subject, text, what it states
    ("UST run", "OLD 10s 98-30+/31", ["OLD 10s price_pct 98.953125/98.96875"]),
    ("UST run", "T 4 1/4 11/15/34 99-22 3/4 / 23 1/4", ["T 4 1/4 11/15/34 price_pct 99.7109375/99.7265625"]),
    ("CDX tranches", "IG45 5y 7-15% 52/54", ["IG45 5y 7-15% cds_spread_bp 52/54 5Y"]),
    ("CDX tranches", "HY45 5y 15-25% 22/23", ["HY45 5y 15-25% upfront_pts 22/23 5Y"]),
    ("CDS", "INTESA sub 5y 122/127", ["INTESA sub 5y cds_spread_bp 122/127 5Y"]),
    ("CDS", "European names, 5y snr unless stated\nBMW 41/43", ["BMW cds_spread_bp 41/43 5Y EUR"]),
    ("Trade claims", "Genesis - better seller at 98", ["Genesis price_pct /98"]),
    ("Sterling HY", "IDXFIN 7 3/8 30  £97.5-98.5", ["IDXFIN 7 3/8 30 price_pct 97.5/98.5 GBP"]),
    ("SSA USD", "IBRD 3 7/8 30  ms+41/39", ["IBRD 3 7/8 30 spread_asw_bp 41/39 MS"]),
    ("CMO run", "GNR 2020-133 IO 11-08/11-24", ["GNR 2020-133 IO price_pct 11.25/11.75"]),
    ("CLO color", "NEUB 2017-26A BR3: traded high 99s", []),
    ("Post-reorg", "AMC 7.5 29 78-80 flat", ["AMC 7.5 29 price_pct 78/80 distressed_debt"]),
    ("Soberanos", "Bopreal S1C 101,2/101,8", ["Bopreal S1C price_pct 101.2/101.8"]),
    ("USD swaptions", "5y5y straddle 92/93.5 nvol", ["5y5y straddle vol_normal_bp 92/93.5 straddle"]),
    ("NDF", "USD/KRW 1M 1391.20/1391.80", ["USD/KRW 1M fx_rate 1391.2/1391.8 1M KRW"]),
    ("HY offers", "AAL 5.75 4/29 par 1/8", ["AAL 5.75 4/29 price_pct /100.125"]),
    ("IG", "BA 5.15 30 - 65/62", ["BA 5.15 30 spread_bench_bp 65/62"]),
    ("CAD corps", "RY 4.632 05/01/28 C+78/74", ["RY 4.632 05/01/28 spread_bench_bp 78/74 CAN corp_ig"]),
    ("Bills", "WI 3m 4.235/4.23", ["WI 3m discount_rate_pct 4.235/4.23 3M"]),
    ("Bonos Tesorería", "BTU 1.90 09/30  2,41/2,37", ["BTU 1.90 09/30 real_yield_pct 2.41/2.37 CLP"]),
    ("BWIC - IG", "5mm MSFT 2.921 3/17/52 talk T+62 area", ["MSFT 2.921 3/17/52 spread_bench_bp talk UST"]),
    (
        "HY CDS",
        "5Y pts upfront, 500 running\nDISH 3y 9.25/10.75   5y 17/18.5",
        ["DISH upfront_pts 9.25/10.75 3Y", "DISH upfront_pts 17/18.5 5Y"],
    ),
    ("Sov CDS", "ARGENT 5y 22.5/24 upf", ["ARGENT 5y upfront_pts 22.5/24"]),
    (
        "levels",
        "for your list: XS2641318121 99.10/99.60, US0378331005 98 bid",
        ["XS2641318121 price_pct 99.1/99.6", "US0378331005 price_pct 98/"],
    ),
    (
        "Spec pools",
        "FN 5.5 LLB 85k 21/23\nGN 5.0 MAX 225k 10+ bid",
        ["FN 5.5 LLB 85k payup_32 21/23", "GN 5.0 MAX 225k payup_32 10.5/"],
    ),
    ("Rolls", "G2SF 5.5 Dec/Jan roll 5+/5.75", ["G2SF 5.5 Dec/Jan roll roll_ticks 5.5/5.75"]),
    (
        "EM corp axes",
        "We can offer\nSUZANO 3.75 31 90.25 2mm\nBuy\nCSNABZ 5.875 32 85.5",
        ["SUZANO 3.75 31 price_pct /90.25 em_hard_ccy", "CSNABZ 5.875 32 price_pct 85.5/"],
    ),
    ("Govies colour", "CT5  99-18+ / 18 3/4", ["CT5 price_pct 99.578125/99.5859375 govt_us"]),
    ("Futures & basis", "USZ6 117-08/09", ["USZ6 price_pct 117.25/117.28125"]),
    (
        "EM corps",
        "MINSUR 4.5 31   94.10/94.60 (5.62/5.53)",
        ["MINSUR 4.5 31 price_pct 94.1/94.6", "MINSUR 4.5 31 yield_pct 5.62/5.53"],
    ),
    (
        "Muni two ways",
        "NYS UDC 5s 3/15/38  3.62/3.55  500x1000",
        ["NYS UDC 5s 3/15/38 yield_pct 3.62/3.55 500000x1000000"],
    ),
    (
        "AUD SSA & ACGB",
        "ACGB 3.75 21-Apr-37   95.421/95.511\nKFW 4.1 30  ASW 22/19",
        ["ACGB 3.75 21-Apr-37 price_pct 95.421/95.511 govt_intl", "KFW 4.1 30 spread_asw_bp 22/19 agency_ssa"],
    ),
    ("CMBS BWIC color", "GSMS 2018-GS9 AS  10mm   J+145 cvr", ["GSMS 2018-GS9 AS spread_swap_bp 145/ cover"]),
    ("CMBS BWIC color", "WFCM 2016-C34 B  cvr 92-16", []),
    ("CLO run", "HARVT 20X SUB  62 / 65", ["HARVT 20X SUB price_pct 62/65"]),
    ("Asia IG", "BABA 4.5 34  T+78/74", ["BABA 4.5 34 spread_bench_bp 78/74 USD"]),
    ("HY levels", "CCL 6 5/1/29 now 100.5-101 (were 100-100.5)", ["CCL 6 5/1/29 price_pct 100.5/101"]),
    (
        "HY levels",
        "RCL 5.5 4/1/28 101 1/4 bid, 101 3/4 offered (1x2)\nNCLH 5 27: 100.125 bid / 100.5 offer",
        ["RCL 5.5 4/1/28 price_pct 101.25/101.75 1000000x2000000", "NCLH 5 27 price_pct 100.125/100.5"],
    ),
    (
        "CEEMEA local",
        "HGB 4.75 11/32 6.51/6.46\nTURKGB 26.2 10/33 27.4/27.1",
        ["HGB 4.75 11/32 yield_pct 6.51/6.46 HUF govt_intl", "TURKGB 26.2 10/33 yield_pct 27.4/27.1 TRY"],
    ),
    ("ECP levels", "BFCM 3M 2.12 offered 50m", ["BFCM 3M yield_pct /2.12 3M 50000000 EUR"]),
    (
        "IG bids",
        "1. INTC 5.7 2/10/53 - 188 bid / 182 offer",
        ["INTC 5.7 2/10/53 spread_bench_bp 188/182"],
    ),
    ("Index", "HY45 107-5/8 107-3/4", ["HY45 price_pct 107.625/107.75"]),
    (
        "iTraxx Main tranches",
        "Main S44 5y\n0-3  36.25/36.75\n6-12  48/51",
        ["Main S44 5y 0-3 upfront_pts 36.25/36.75 5Y EUR", "Main S44 5y 6-12 cds_spread_bp 48/51"],
    ),
    ("agencies", "FFCB 4.5 11/20/29 NC1   100-00/100-04", ["FFCB 4.5 11/20/29 NC1 price_pct 100/100.125 USD"]),
    ("axes", "better buyer: HCA 5.5 6/1/33 @ +118", ["HCA 5.5 6/1/33 spread_unspecified_bp 118/"]),
    ("IG axes", "COP 5.5 1/15/55 T+98/95", ["COP 5.5 1/15/55 spread_bench_bp 98/95 USD"]),
    ("Provinces", "Bonjour, voici nos niveaux\nONT 4,15 02/06/34   60/58", ["ONT 4,15 02/06/34 spread_bench_bp 60/58"]),
    ("Provinces", "CAN 3,25 01/12/34  100,22/100,25", ["CAN 3,25 01/12/34 price_pct 100.22/100.25 govt_canada"]),
    ("Repo", "DBR 2,6 08/33  T/N  1,55/1,45", ["DBR 2,6 08/33 T/N repo_rate_pct 1.55/1.45 TN EUR"]),
    ("ABS", "AMCAR 2024-1 C  I+135 / 99.50", ["AMCAR 2024-1 C spread_i_bp 135", "AMCAR 2024-1 C price_pct 99.5"]),
    ("IG run", "DELL 8.1 36   +165/160  10 up", ["DELL 8.1 36 spread_bench_bp 165/160 10000000x10000000"]),
    ("PE interests", "Bids due Friday. Prices as % of 9/30 NAV.", []),
    ("PE interests", "EQT IX    101% / 104%", ["EQT IX pct_nav 101/104"]),
    ("levels", "F 5.8 3/5/27 98.5/99", ["F 5.8 3/5/27 price_pct 98.5/99 due=2027-03-05"]),
    ("Canadian strips", "CAN 0 06/01/40 3.92/3.88", ["CAN 0 06/01/40 yield_pct 3.92/3.88 CAD"]),
    (
        "Pfandbrief run",
        "DHY 2 7/8 01/30   mid swaps +35/+32   100,15/100,30",
        ["DHY 2 7/8 01/30 spread_asw_bp 35/32 MS", "DHY 2 7/8 01/30 price_pct 100.15/100.3"],
    ),
    ("Credit daily", "CDX talk\nTop movers: F 6.1 32 closed 2 pts higher.", []),
    (
        "ABS BWIC results",
        "DTAOT 2023-2 D $3,000,000 cover 101.6",
        ["DTAOT 2023-2 D price_pct 101.6/ 3000000 cover"],
    ),
    (
        "Renten",
        "Bundesrep. 2,50% 15.02.35   98,87 / 98,91",
        ["Bundesrep. 2,50% 15.02.35 price_pct 98.87/98.91 EUR govt_intl"],
    ),
    ("CDS run - US IG 5y", "ORCL 118/122 (+3)", ["ORCL cds_spread_bp 118/122 5Y USD"]),
    (
        "Muni offerings",
        """QTY  DESCRIPTION        CPN  MATURITY    PRICE
750  OHIO ST GO         5    05/01/2036  116.21
2000 WASHINGTON ST GO   5    08/01/2041  111.87""",
        ["OHIO ST GO price_pct /116.21 750000", "WASHINGTON ST GO price_pct /111.87 2000000"],
    ),
    (
        "HY runs",
        "CYH 10 7/8 1/15/32  103 3/8 - 103 7/8  7.95%",
        ["CYH 10 7/8 1/15/32 price_pct 103.375/103.875", "CYH 10 7/8 1/15/32 yield_pct 7.95"],
    ),
    ("TIPS run", "5y TIPS 1.42/1.41", ["5y TIPS real_yield_pct 1.42/1.41 5Y USD"]),
    (
        "SSA EUR",
        "Axes vendeuses:\nUNEDIC 3,125 25/04/33   MS+52",
        ["UNEDIC 3,125 25/04/33 spread_asw_bp /52 EUR axe"],
    ),
    ("Credit indices", "CDX IG 45      50.63", ["CDX IG 45 cds_spread_bp 50.63"]),
    ("CEEMEA", "EGYPT 7.3 33      89.5/90.25  +25c", ["EGYPT 7.3 33 price_pct 89.5/90.25"]),
    (
        "Secondary loans",
        "Can offer:\nLX131555 par 1/4, 2mm\nIvanti 1L 84 1/2",
        ["LX131555 price_pct /100.25 2000000", "Ivanti 1L price_pct /84.5"],
    ),
    ("EURGBP vol run", "1W 4.9/5.4", ["EURGBP 1W vol_pct 4.9/5.4 1W"]),
    ("EURGBP vol run", "ON 5.1/6.3", ["EURGBP ON vol_pct 5.1/6.3 ON"]),
    ("IG run", "SCHW 6.136 8/24/34  /+84    x5", ["SCHW 6.136 8/24/34 spread_bench_bp /84 5000000"]),
    ("TBA", "FN 4.5 96-20/21  5.0 98-24+/25+", ["FN 4.5 price_pct 96.625/96.65625"]),
    ("CMBS", "BMARK 2024-V5 A3   J+98/94  $102-08", ["BMARK 2024-V5 A3 spread_swap_bp 98/94"]),
    ("HY-Anleihen", "wir suchen:\nBMW 3,25 07/30 zu 100,35", ["BMW 3,25 07/30 price_pct 100.35/"]),
    (
        "Term loans",
        "Asurion B-12   97.625/98.125\nMedline (Mozart) TL 100/100 3/8",
        ["Asurion B-12 price_pct 97.625/98.125", "Medline (Mozart) TL price_pct 100/100.375"],
    ),
    ("HY", "SABHLD 8 5/8 27 - 100 1/2 offered", ["SABHLD 8 5/8 27 price_pct /100.5"]),
    ("HY", "AMCX 10 1/4 29   98.25¹/98.75*", ["AMCX 10 1/4 29 price_pct 98.25/98.75"]),
    ("AT1", "DB 10 PERP 27 @ 105.25", ["DB 10 PERP 27 price_pct /105.25"]),
    ("AT1", "Axed bid:\nBACR 8 PERP c29   101.5", ["BACR 8 PERP c29 price_pct 101.5/ axe"]),
    (
        "IG fins",
        "GS 5.049 30 76a\nMS 5.32 35 91b/88o",
        ["GS 5.049 30 spread_bench_bp /76", "MS 5.32 35 spread_bench_bp 91/88"],
    ),
    (
        "IG",
        "Better buyers of the belly, IG47 52.\nDIS 4.7 50 +92 / (5mm up)",
        ["DIS 4.7 50 spread_bench_bp 92/ 5000000"],
    ),
    ("UST off the runs", "dbl old 10s 98-06/06+", ["dbl old 10s price_pct 98.1875/98.203125"]),
    ("Bills & WI", "1y bill 3.52/51", ["1y bill discount_rate_pct 3.52/3.51 1Y"]),
    ("Zertifikate", "Discount BMW   61,15/61,25 EUR", ["Discount BMW price_unit 61.15/61.25"]),
    ("Prefs", "$1000 par\nWFC PRL 7.5   1,182/1,188", ["WFC PRL 7.5 price_unit 1182/1188"]),
    (
        "NDF",
        "USDBRL 1M 212/218\nUSDBRL 1M 5.472/5.479",
        ["USDBRL 1M fwd_points 212/218 1M", "USDBRL 1M fx_rate 5.472/5.479 1M"],
    ),
    (
        "CLO offers",
        "ELMW9 2021-2A ER   99.25 / 655dm",
        ["ELMW9 2021-2A ER price_pct /99.25", "ELMW9 2021-2A ER dm_bp /655"],
    ),
    (
        "SSA EUR",
        "Levels vs mid-swaps:\nKFW 2.5 01/31   ms +11 / +9",
        ["KFW 2.5 01/31 spread_asw_bp 11/9 MS agency_ssa"],
    ),
    ("Pfandbriefe", "MS, Geld/Brief\nLBBW 0,01 07/28  22/19", ["LBBW 0,01 07/28 spread_asw_bp 22/19 MS"]),
    ("CBs", "RIVN 4.625 29 101/101.75 v 13.2 48%", ["RIVN 4.625 29 price_vs_ref 101/101.75"]),
    ("ABS", "JDOT 2025-A A4 1.8y  +61/57   100-02", ["JDOT 2025-A A4 spread_i_bp 61/57"]),
    (
        "CMBS",
        "WFCM 2015-NXS2 XA  J+350 / 1.05",
        ["WFCM 2015-NXS2 XA spread_swap_bp 350", "WFCM 2015-NXS2 XA price_pct 1.05"],
    ),
    ("RMBS color", "SAMI 2006-AR7 A1A   12mm cf    cvr 88.25", ["SAMI 2006-AR7 A1A price_pct 88.25/ 12000000 cover"]),
    ("TIPS & b/e", "TII 2 1/8 2/54  2.41/2.395  BE 232/233.5", ["TII 2 1/8 2/54 real_yield_pct 2.41/2.395"]),
    ("LP secondaries", "Silver Lake VI   offered at 99", ["Silver Lake VI pct_nav /99"]),
    ("CDS", "XRX 5y 28/29.5 up + 500", ["XRX 5y upfront_pts 28/29.5"]),
    (
        "Swaption straddles",
        "1y10y 69/70.5 nvol (412/421bp)",
        ["1y10y vol_normal_bp 69/70.5 straddle", "1y10y premium_bp 412/421 straddle"],
    ),
    ("EM sovs", "ELSALV 9.65 54   104.20 / .70", ["ELSALV 9.65 54 price_pct 104.2/104.7"]),
    ("TRS", "IBXXELTR Mar27 TRS  €STR-15/+15", ["IBXXELTR Mar27 TRS funding_spread_bp -15/15 EUR"]),
    ("Agencies", "FHLB 4.5 11/26/30 nc3m   par offered", ["FHLB 4.5 11/26/30 nc3m price_pct /100"]),
    ("Main tranches", "Main S46 5y\n0-3   33 1/8 / 33 5/8", ["Main S46 5y 0-3 upfront_pts 33.125/33.625"]),
    ("Marks as of 3pm", "XS1987654321  101.25", ["XS1987654321 price_pct 101.25 mark"]),
    ("UST 7:45", "30Y 97-14/16", ["30Y price_pct 97.4375/97.5 30Y"]),
    ("Loans", "*Axe: sellers of Polaris TL 96.25*", ["Polaris TL price_pct /96.25 axe"]),
    ("IG", "VZ 4.78 2/15/35     10yr   74/71", ["VZ 4.78 2/15/35 spread_bench_bp 74/71"]),
    ("CMBS color", "Conduit last cash +78, AS +125. BWIC results:", []),
    ("GBP swaps and swap spreads", "GBP SONIA 2y 3.612/3.617", ["GBP SONIA 2y rate_pct 3.612/3.617 2Y GBP"]),
    (
        "MBS",
        "UMBS 30yr (Dec)\n4.5  96-10+ / 96-11",
        ["UMBS 30yr (Dec) 4.5 price_pct 96.328125/96.34375 cpn=4.5 tba_mbs"],
    ),
    (
        "FX vols",
        "USDBRL ATM: 1W 12.4/13.6, 1M 13/13.8",
        ["USDBRL ATM vol_pct 12.4/13.6 1W atm", "USDBRL ATM vol_pct 13/13.8 1M atm"],
    ),
    ("FX vols", "USDMXN 1M 25RR 1.1/1.5", ["USDMXN 1M 25RR vol_pct 1.1/1.5 1M rr25"]),
    ("Bonos soberanos", "AL30   63,40 / 63,85", ["AL30 price_pct 63.4/63.85 em_hard_ccy"]),
    ("ABS", "Offering the following\nSDART 2023-4 D 3mm +158 (5.92%)", ["SDART 2023-4 D spread_i_bp /158 3000000"]),
    ("US swaptions", "1y10y payer +50   90.5/92", ["1y10y payer vol_normal_bp 90.5/92 payer"]),
    ("Inflation", "HICPxT zc indic:\n5y 1.845/875", ["HICPxT zc indic 5y rate_pct 1.845/1.875 5Y EUR"]),
    ("Structured notes", "XS1987654321  5y Autocall SX5E 8.5%   bid 97.10", ["XS1987654321 price_pct 97.1/"]),
    ("PE", "Bain Capital Fund XIII 2020   bid 97", ["Bain Capital Fund XIII 2020 pct_nav 97/"]),
    (
        "Gilt linkers + nominals",
        "Nominals: UKT 1.25 41  57.20/57.30, UKT 3.75 38  88.05/88.12\nLinkers: UKTI 0.75 33  1.12/1.11",
        [
            "UKT 1.25 41 price_pct 57.2/57.3 govt_intl",
            "UKT 3.75 38 price_pct 88.05/88.12",
            "UKTI 0.75 33 real_yield_pct 1.12/1.11 inflation_linked",
        ],
    ),
    ("USCP", "NORDEA 1M 3.99", ["NORDEA 1M discount_rate_pct 3.99 1M"]),
    ("TruPS", "Seller of:\nPRETSL 27 A1 92", ["PRETSL 27 A1 price_pct /92"]),
    ("EUR IG", "ORANGE 3.25 35      i+62 / i+59", ["ORANGE 3.25 35 spread_i_bp 62/59"]),
    (
        "Obligations convertibles",
        "UBIFP 2,875 12/31    84,5/85,5      réf 9,82",
        ["UBIFP 2,875 12/31 price_vs_ref 84.5/85.5"],
    ),
    ("HY", "NWL 6 5/8 32       98 3/4a 1mm", ["NWL 6 5/8 32 price_pct /98.75 1000000"]),
    ("CMBS BWIC", "BX 2024-XL5 A    orig 25mm / cf 22.4mm   talk par area", ["BX 2024-XL5 A price_pct talk 22400000"]),
    ("CMBS BWIC", "BANK 2020-BNK28 AS  8mm   talk J+150s", ["BANK 2020-BNK28 AS spread_swap_bp talk 8000000"]),
    ("Indices", "IG S47 5Y   51.6/51.9   (ref 51.75)", ["IG S47 5Y cds_spread_bp 51.6/51.9 5Y"]),
    ("Munis", "UNIV CALIF CA 4.858s 2112   T+88/83", ["UNIV CALIF CA 4.858s 2112 spread_bench_bp 88/83 cpn=4.858 UST"]),
    ("Vol run G10", "USDJPY\n1W  8.9/9.7", ["USDJPY 1W vol_pct 8.9/9.7 1W fx_option"]),
    ("Specs", "FN 2.5s MLB  18/20", ["FN 2.5s MLB payup_32 18/20 cpn=2.5"]),
    (
        "AT1",
        "AXES - looking for:\nBNP 7.375 PERP c30 2mm @ 105.60",
        ["BNP 7.375 PERP c30 price_pct 105.6/ 2000000 axe"],
    ),
    ("Bank CDs", "MUFG NY 3M  4.02/3.98", ["MUFG NY 3M rate_pct 4.02/3.98 3M cd"]),
    ("Claims", "Genesis Global BTC   bid 88 / off 91", ["Genesis Global BTC price_pct 88/91"]),
    ("Warrants", "Cyxtera wts  $1.10/$1.40", ["Cyxtera wts price_unit 1.1/1.4"]),
    ("HY tranches", "HY47 5Y\n25-35  -1.75/-1.25", ["HY47 5Y 25-35 upfront_pts -1.75/-1.25 5Y"]),
    (
        "CRT",
        "STACR 2024-DNA2 M1   118/112   101-08",
        ["STACR 2024-DNA2 M1 dm_bp 118/112", "STACR 2024-DNA2 M1 price_pct 101.25"],
    ),
    (
        "Corporates",
        "spread vs midswap:\nISPIM 3,625 10/30  84/80\nTITIM 6,875 02/28  offerti 107,90",
        ["ISPIM 3,625 10/30 spread_asw_bp 84/80 MS", "TITIM 6,875 02/28 price_pct /107.9"],
    ),
    (
        "CLO covers",
        "AIMCO 2018-AA D cvr 99.82 (345dm)",
        ["AIMCO 2018-AA D price_pct 99.82/ cover", "AIMCO 2018-AA D dm_bp 345/ cover"],
    ),
    ("HY names", "US HY 5y, pts upfront +500bp running\nLUMN  9.25/10.25", ["LUMN upfront_pts 9.25/10.25 5Y"]),
    ("Prefs", "GS PRD  21.05b / 21.20o", ["GS PRD price_unit 21.05/21.2"]),
    ("CMO", "FHMS K150 A2  J+32/29  98-24", ["FHMS K150 A2 spread_swap_bp 32/29", "FHMS K150 A2 price_pct 98.75"]),
    ("CBs", "JD 0.25 29  102.1/102.6 v. 33.4 (delta 52)", ["JD 0.25 29 price_vs_ref 102.1/102.6"]),
    ("Distressed", "ETHOPI 6.625 24   101-102", ["ETHOPI 6.625 24 price_pct 101/102"]),
    ("PE", "Advent GPE IX (€)   94 / 96.5 % NAV", ["Advent GPE IX (€) pct_nav 94/96.5 EUR"]),
    ("Re: block", "We'd pay 98-16 for the 46625HRL6 block", []),
    ("Strukturierte", "CH1122334456 BRC 8,00% Nestlé  97,20 / 98,20", ["CH1122334456 price_pct 97.2/98.2 cpn=8"]),
    (
        "Agences: niveaux contre swap (MS)",
        "AGFRNC 3,125 20/03/34   98,70/98,90   +41/+38",
        ["AGFRNC 3,125 20/03/34 price_pct 98.7/98.9 agency_ssa", "AGFRNC 3,125 20/03/34 spread_asw_bp 41/38 MS"],
    ),
    ("RMBS", "LXS 2006-16N A4A  15mm x .21  84-86", ["LXS 2006-16N A4A price_pct 84/86 15000000x15000000"]),
    ("CMBS", "BMARK 2021-B29 A5 J+92/89 10x10 WAL 4.7", ["BMARK 2021-B29 A5 spread_swap_bp 92/89"]),
    ("CMBS", "COMM 2016-COR1 AM    97-24 / 98-08", []),
    ("CLO", "ELMW9 2021-2A ER   BB   99.25/99.75", ["ELMW9 2021-2A ER price_pct 99.25/99.75"]),
    ("index tranche + corr", "IG47 5y\n0-3   31.25/31.75", ["IG47 5y 0-3 upfront_pts 31.25/31.75 5Y"]),
    (
        "CLO offerings",
        "AAA  BLACK 2021-1A A1R   10mm   100.08   121dm",
        ["BLACK 2021-1A A1R price_pct /100.08", "BLACK 2021-1A A1R dm_bp /121"],
    ),
    ("Specs, pay-ups", "FR 5 low WALA   6 offered 50mm", ["FR 5 low WALA payup_32 /6"]),
    ("SASB BWIC", "BX 2024-AIRC B  6mm  talk +150a", ["BX 2024-AIRC B spread_swap_bp talk"]),
    ("SASB BWIC", "GSMS 2019-GC42 A4  20mm  talk J+85-90", ["GSMS 2019-GC42 A4 spread_swap_bp talk"]),
    ("AUD swaps", "AUD 3m/6m basis 5y  4.5/6.5", ["AUD 3m/6m basis 5y basis_bp 4.5/6.5 5Y AUD"]),
    (
        "Munis",
        "TEXAS ST TRANSN COMMN 5s 4/1/33   +12/+8 MMD",
        ["TEXAS ST TRANSN COMMN 5s 4/1/33 spread_mmd_bp 12/8 MMD"],
    ),
    (
        "FX OPTION run - EURUSD",
        "spot ref 1.1612\n1W 6.1/6.7  rr 0.05/0.20",
        ["EURUSD 1W vol_pct 6.1/6.7 1W atm", "EURUSD 1W vol_pct 0.05/0.2 1W rr25"],
    ),
    ("repo", "DE GC  1.95/1.91   FR GC  1.99/1.96", ["DE GC repo_rate_pct 1.95/1.91", "FR GC repo_rate_pct 1.99/1.96"]),
    ("Linkers", "CAN RRB 4 12/1/31    1.12/1.09", ["CAN RRB 4 12/1/31 real_yield_pct 1.12/1.09 CAD"]),
    (
        "re: your bonds",
        "US500630ABC8 is 101.30/101.70. The XS1987654321 we'd bid 94.50.",
        ["US500630ABC8 price_pct 101.3/101.7", "XS1987654321 price_pct 94.5/"],
    ),
    ("notes", "XS2718281822 Callable zero 2045   bid 41.25 / offer 42.75", ["XS2718281822 price_pct 41.25/42.75"]),
    ("Bonos", "BONTE 29,5% 05/30   98,10/98,90", ["BONTE 29,5% 05/30 price_pct 98.1/98.9 cpn=29.5"]),
    ("Tranches", "Xover S46 5y\n0-10   54.5/55.5", ["Xover S46 5y 0-10 upfront_pts 54.5/55.5 5Y EUR"]),
    ("Gamma", "EURUSD vols\n2W 6.4/6.9", ["EURUSD 2W vol_pct 6.4/6.9 2W fx_option"]),
    ("EM bonds", "TURKEY 25/8 - bid 98", ["TURKEY price_pct 98/"]),
    ("Agency floaters", "FHLB SOFR+11 2/27    100.02/100.04", ["FHLB SOFR+11 2/27 price_pct 100.02/100.04 frn"]),
    (
        "Specials - repo",
        "10y OTR  lend 3.75 / borrow 3.85\n5y OTR 3.95/3.85",
        ["5y OTR repo_rate_pct 3.95/3.85 5Y repo"],
    ),
    ("Taxable munis", "NJ TPK 7.102 1/1/41   +95/90", ["NJ TPK 7.102 1/1/41 spread_bench_bp 95/90"]),
    ("HY flow", "97 1/4 - 3/4   AAL 5 3/4 29   3x3", ["AAL 5 3/4 29 price_pct 97.25/97.75 3000000x3000000"]),
    ("HY flow", "98.5 bid CHTR 5 1/8 27", ["CHTR 5 1/8 27 price_pct 98.5/"]),
    ("CLO BWIC results", "ARES 2019-54A D   3mm   DNT, high bid 91", []),
    ("fins", "C 5.61 34   +101/98", ["C 5.61 34 spread_bench_bp 101/98"]),
    ("Converts", "SNAP 0.5 30   112 @ 15.10", ["SNAP 0.5 30 price_vs_ref 112"]),
    ("Asia rates", "KTB 3.25 6/33   3.215/3.205", ["KTB 3.25 6/33 yield_pct 3.215/3.205 KRW"]),
    ("Gilts", "UKT 0 5/8 10/50  40.11-21", ["UKT 0 5/8 10/50 price_pct 40.11/40.21"]),
    ("Preferidas", "BBVASM 6 PERP c26   99.75 / 100.25", ["BBVASM 6 PERP c26 price_pct 99.75/100.25 financial_sub"]),
    (
        "[MUNI] offerings",
        "500   NYC TFA 5s 11/1/40    3.62 ytw   (call 11/1/33)\n240M  TEXAS WTR 5s 10/15/38 3.41 to 33 call",
        ["NYC TFA 5s 11/1/40 yield_pct /3.62", "TEXAS WTR 5s 10/15/38 yield_pct /3.41"],
    ),
    (
        "USCP - A1/P1",
        "JPM Sec 1M 4.36  3M 4.41",
        ["JPM Sec discount_rate_pct 4.36 1M", "JPM Sec discount_rate_pct 4.41 3M"],
    ),
    ("CLO list", "CVC Cordatus XX B1   5mm   talk E+175a", ["CVC Cordatus XX B1 dm_bp talk EUR"]),
    ("convertibles Europe", "SAFFP 0 28   184.25 / 185  vs 218.30", ["SAFFP 0 28 price_vs_ref 184.25/185 EUR"]),
    (
        "Structured notes",
        "DE000A0D6554 Express Zertifikat  Geld 98,15 Brief 99,15 EUR",
        ["DE000A0D6554 price_unit 98.15/99.15"],
    ),
    ("LPs", "Warburg Pincus GG XIV - bids at 88%", ["Warburg Pincus GG XIV pct_nav 88/"]),
    ("HY new issues", "Acme 8.25 32 priced at 99.5", []),
    ("Chile", "BTP 5.0 03/35   5,62/5,58  CLP", ["BTP 5.0 03/35 yield_pct 5.62/5.58 CLP govt_latam_local"]),
    ("inflation EUR & UK", "UK RPI zero coupon\n2y 3.21/3.27", ["UK RPI zero coupon 2y rate_pct 3.21/3.27 2Y GBP"]),
    ("Mortgages", "GN2 5.5 Jan  99-24/24+", ["GN2 5.5 Jan price_pct 99.75/99.765625 tba_mbs"]),
    ("Distressed", "Puerto Rico GO CVI  61.5-62.25", ["Puerto Rico GO CVI price_pct 61.5/62.25"]),
    ("Bonos en pesos", "LECAP S31E7   compra 138,20  venta 138,35", ["LECAP S31E7 price_pct 138.2/138.35 ARS"]),
    (
        "muni trades",
        "Traded today:\nCALIF ST GO 5s 9/1/35   2mm @ 3.12",
        ["CALIF ST GO 5s 9/1/35 yield_pct 3.12 trade"],
    ),
    ("Aussie SSA", "ACGB 3.5 12/34     4.21/4.205", ["ACGB 3.5 12/34 yield_pct 4.21/4.205 AUD govt_intl"]),
    (
        "Deuda corporativa USD",
        "Ofrecemos:\nBBVA 5.381 29 - 3MM - 101.15",
        ["BBVA 5.381 29 price_pct /101.15 3000000"],
    ),
    ("RMBS UK", "RMS 32 B     100.25 / 100.75", ["RMS 32 B price_pct 100.25/100.75 GBP"]),
    ("CRT BWIC", "STACR 2022-DNA3 M2   5mm   talk 200a", ["STACR 2022-DNA3 M2 dm_bp talk"]),
    ("SOFR OIS / basis", "USD OIS 1y 3.71/3.715", ["USD OIS 1y rate_pct 3.71/3.715 1Y USD"]),
    ("Term CDs", "Goldman Sachs Bk 12mo 4.15%", ["Goldman Sachs Bk 12mo rate_pct 4.15 12M"]),
    ("PE", "Thoma Bravo XV, paying 96% of 9/30 NAV", ["Thoma Bravo XV pct_nav 96/"]),
    ("EM", "NGERIA 7 7/8 02/32   96.1/96.6  -.25", ["NGERIA 7 7/8 02/32 price_pct 96.1/96.6"]),
    ("Crédit HY", "CASINO 6 26         offre à 42,50", ["CASINO 6 26 price_pct /42.5"]),
    ("Loan axes (US)", "BETTER BUYER\nUKG 1L  99.875 for 5mm", ["UKG 1L price_pct 99.875/ 5000000"]),
    ("Swaptions", "3m2y   62/64     breakeven 3.9bp/day", ["3m2y vol_normal_bp 62/64 3M2Y"]),
    ("Levels", "MSTR 0 29      82.0/83.0 @ 290", ["MSTR 0 29 price_vs_ref 82/83"]),
    ("Convs", "LCID 1 1/4 26  trading 84-85 v. 2.20", ["LCID 1 1/4 26 price_vs_ref 84/85 convertible"]),
    ("CMBS", "MSBAM 2016-C32 AS  12.5mm  98.40 ofd", ["MSBAM 2016-C32 AS price_pct /98.4 12500000"]),
    (
        "Mexico",
        "TIIE 1y 7.42/7.46\nCetes 6M 7.31/7.27",
        ["TIIE 1y rate_pct 7.42/7.46 MXN", "Cetes 6M yield_pct 7.31/7.27 6M"],
    ),
    ("CLO color", "BB traded 97-98 handle, equity low-mid 50s.", []),
    (
        "Nachranganleihen",
        "Wir verkaufen:\nALVGR 3 1/2 PERP      98,10       2 Mio.",
        ["ALVGR 3 1/2 PERP price_pct /98.1 2000000"],
    ),
    ("Bundesanleihen", "Bund 2,60% 15.08.2033    100,45", ["Bund 2,60% 15.08.2033 price_pct 100.45 EUR"]),
    (
        "LatAm",
        "PANAMA 8 38    107.9-108.4  5.11%-5.05%",
        ["PANAMA 8 38 price_pct 107.9/108.4", "PANAMA 8 38 yield_pct 5.11/5.05"],
    ),
    ("cov bond axes", "Buyer DB 3.125 05/33 ms+36 10m", ["DB 3.125 05/33 spread_asw_bp 36/ axe covered_bond"]),
    ("TBA", "G2 5.5 Dec/Jan  3.1/3.4", ["G2 5.5 Dec/Jan roll_ticks 3.1/3.4"]),
    (
        "CD brokered",
        "Wells Fargo 3mo 4.20 / 6mo 4.15",
        ["Wells Fargo rate_pct 4.2 3M", "Wells Fargo rate_pct 4.15 6M"],
    ),
    (
        "Notes structurées",
        "FR0013312378 Autocall SX5E 7%   achat 96,20 vente 97,20",
        ["FR0013312378 price_pct 96.2/97.2"],
    ),
    ("EU single names 5y", "VW 92/95", ["VW cds_spread_bp 92/95 5Y EUR"]),
    ("Best axes", "Better seller $10mm ECOPET 8.375 36 @ 104", ["ECOPET 8.375 36 price_pct /104 axe em_hard_ccy"]),
    ("Gilts", "UKTB 6m           3.93/3.90", ["UKTB 6m yield_pct 3.93/3.9 6M GBP"]),
    ("Sr NP EUR", "INTNED 4.75 05/34c33 ms 104/99", ["INTNED 4.75 05/34c33 spread_asw_bp 104/99 corp_ig"]),
    ("CMO", "FHR 4977 Z    98-24 / 99-08", ["FHR 4977 Z price_pct 98.75/99.25"]),
    ("CMO", "GNR 2019-152 FA  1m+45  99-18+ bid", ["GNR 2019-152 FA 1m+45 price_pct 99.578125/"]),
    ("BWIC covers", "INDX 2006-AR8 A3A   cover: 64 1/4", ["INDX 2006-AR8 A3A price_pct 64.25/ cover"]),
    ("Preferred yields", "WFC PRZ 4.75   20.10/20.20", ["WFC PRZ 4.75 price_unit 20.1/20.2"]),
    (
        "Main tranches",
        "Main S44 0-3  36 1/4 / 36 3/4, 3-6  88/92",
        ["Main S44 0-3 upfront_pts 36.25/36.75", "3-6 upfront_pts 88/92"],
    ),
    (
        "vols EM",
        "USDTRY 1M ATM 13/15, USDZAR 1M ATM 14.1/14.9",
        ["USDTRY 1M ATM vol_pct 13/15 1M", "USDZAR 1M ATM vol_pct 14.1/14.9 1M"],
    ),
    ("$1000 prefs", "BAC 7.25 PRL     1210.5/1215", ["BAC 7.25 PRL price_unit 1210.5/1215"]),
    ("AT1 €", "BNP 7 3/8 c30   106.875/107.25", ["BNP 7 3/8 c30 price_pct 106.875/107.25 cpn=7.375 EUR"]),
    ("2L & stressed TLs", "Ivanti 1L old      62 - 64", ["Ivanti 1L old price_pct 62/64 leveraged_loan"]),
    ("Corporate EM", "BRASKM 4.5 30         48/50", ["BRASKM 4.5 30 price_pct 48/50 em_hard_ccy"]),
    ("MUNIS - BWIC", "2,500 LA DWP 5s 7/1/45   talk 3.90 area", ["LA DWP 5s 7/1/45 yield_pct talk 2500000"]),
    ("ABS", "TAOT 2025-B A3   1.8yr   +44/+40   100-16", ["TAOT 2025-B A3 spread_i_bp 44/40"]),
    (
        "SASB offers",
        "BX 2025-ROIC A   10mm    99.875 / S+118",
        ["BX 2025-ROIC A price_pct /99.875", "BX 2025-ROIC A dm_bp /118"],
    ),
    ("CLO generics", "T1 AAA 115-118, T2 AAA 122-126, AA 155, A 185.", []),
    ("EM", "XS1987654321 Petrobras CLN 28   97.5/98.5", ["XS1987654321 price_pct 97.5/98.5 structured_note"]),
    ("Bonos UY/CR", "COSTAR 7.3 54     106,1/106,7", ["COSTAR 7.3 54 price_pct 106.1/106.7 em_hard_ccy"]),
    ("Reorg", "Hertz wts  3.10 x 3.30", ["Hertz wts price_unit 3.1/3.3"]),
    ("HY, please ignore below", "HCA 5.5 33 101/102", []),
    ("HY", "Pls disregard the run below, stale\nHCA 5.5 33 101/102", []),
    ("HY", "Please disregard my earlier run, levels below\nHCA 5.5 33 101/102", ["HCA 5.5 33 price_pct 101/102"]),
    ("USD vol", "3m x 10y   99.5/101", ["3m x 10y vol_normal_bp 99.5/101 3M10Y"]),
    (
        "CAD HY & converts",
        "Superior Plus 4.25 5/18/28  95.75/96.5",
        ["Superior Plus 4.25 5/18/28 price_pct 95.75/96.5"],
    ),
    ("Term loans", "Proofpoint 1L  100 bid/100 3/8 offer", ["Proofpoint 1L price_pct 100/100.375"]),
    ("Bills", "CMB 12/22/26   3.90/3.885", ["CMB 12/22/26 discount_rate_pct 3.9/3.885"]),
    ("Gilt run", "UKT 3.5 10/25   matured", []),
]
TABLES = [  # subject, rows, what they state
    (
        "Pool offerings",
        "Low loan balance\nPool | Cpn | Payup (32nds)\nFN MA4600 | 5.5 | 21\n\nPool | Cpn | Payup (32nds)\nFN CB2001 | 6 | 34",
        ["FN MA4600 payup_32 /21", "FN CB2001 payup_32 /34"],
    ),
    (
        "TES COP",
        "Referencia | Vencimiento | Tasa Compra | Tasa Venta\nTES 7.00 | 26/03/2031 | 10,45 | 10,40",
        ["TES 7.00 yield_pct 10.45/10.4 cpn=7"],
    ),
    (
        "USDBRL vol surface",
        "Tenor | ATM Bid | ATM Ask | 25d RR\n1M | 13.1 | 13.9 | 1.35",
        ["USDBRL vol surface vol_pct 13.1/13.9 1M atm", "USDBRL vol surface vol_pct 1.35 1M rr25"],
    ),
    (
        "SSA run",
        "Issuer | Cpn | Mat | Bid T+ | Ask T+\nEIB | 3.875 | 15/03/2028 | 9 | 7",
        ["EIB 3.875 15/03/2028 spread_bench_bp 9/7 UST"],
    ),
    (
        "GBP IG",
        "Bond | Bid | Ask | G Bid | G Ask\nTSCOLN 2.75 04/27/30 | 93.05 | 93.45 | 88 | 83",
        ["TSCOLN 2.75 04/27/30 price_pct 93.05/93.45", "TSCOLN 2.75 04/27/30 spread_g_bp 88/83"],
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
        "EUR CLO BWIC",
        "Bond | Orig | Talk\nPENTA 2021-9X D | 3m | 400a dm\nSPAUL 11X E | 1m | E+155a\nSPAUL 11X ER | 2.5m | mid 90s",
        ["PENTA 2021-9X D dm_bp talk", "SPAUL 11X E dm_bp talk", "SPAUL 11X ER price_pct talk"],
    ),
    (
        "EUR/USD & USD/JPY vols",
        "Tenor | EURUSD ATM | USDJPY ATM\n1M | 6.9/7.2 | 9.8/10.2",
        ["EURUSD vol_pct 6.9/7.2 1M fx_option atm", "USDJPY vol_pct 9.8/10.2 1M atm"],
    ),
    (
        "USD swaption premium (bp)",
        "Structure | Strike | Bid | Offer\n6m5y payer | 4.00 | 98.5 | 101.5",
        ["6m5y payer premium_bp 98.5/101.5 6M5Y payer"],
    ),
    (
        "Sovereign CDS closing, 5Y USD CR14",
        "Sovereign | Bid | Offer\nTurkey | 248 | 252",
        ["Turkey cds_spread_bp 248/252 5Y USD mark"],
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
]


def stated(document: Document, part: PartContext, expected: list[str]) -> list[str]:
    """The quotes as texts, each with as many of its facts as were asked for."""
    found = []
    for quote, wanted in zip(find_quotes(document, part).quotes, [*expected, *[""] * 9], strict=False):
        sides = [decimal_text(side) if side is not None else "" for side in (quote.bid, quote.ask)]
        level = "/".join(sides) if any(sides) else decimal_text(quote.mid) if quote.mid is not None else "talk"
        text = f"{quote.instrument_id or quote.description} {quote.quote_type} {level}"
        sizes = "x".join(decimal_text(size) for size in (quote.bid_size, quote.ask_size) if size is not None)
        coupon = f"cpn={decimal_text(quote.coupon)}" if quote.coupon is not None else None
        more = (
            coupon,
            f"due={quote.maturity}",
            quote.tenor,
            sizes,
            quote.currency,
            quote.benchmark,
            quote.quote_kind if quote.quote_kind != "talk" else None,
            quote.asset_class,
            quote.option_struct,
        )
        found.append(" ".join([text, *(fact for fact in more if fact and fact in wanted.split())]))
    return found


@pytest.mark.parametrize(("subject", "text", "expected"), LINES, ids=[text for _, text, _ in LINES])
def test_a_line_of_a_desk_states_what_it_states(subject: str, text: str, expected: list[str], part: Part) -> None:
    document = Document(tuple(text_lines(text)), parser="text")
    assert stated(document, part(subject), expected) == expected


@pytest.mark.parametrize(
    ("subject", "text", "expected"), TABLES, ids=[text.partition("\n")[0] for _, text, _ in TABLES]
)
def test_a_table_of_a_desk_states_what_it_states(subject: str, text: str, expected: list[str], part: Part) -> None:
    rows = [
        Row(number, tuple(Cell(text=cell.strip(), column=at) for at, cell in enumerate(line.split("|"), 1)))
        for number, line in enumerate(text.splitlines(), 1)
    ]
    width = max(len(row.cells) for row in rows)
    filled = [Row(row.number, (*row.cells, *(Cell(text="", column=at) for at in range(len(row.cells) + 1, width + 1)))) for row in rows]  # fmt: skip
    assert stated(Document((Grid(tuple(filled), table_idx=1),), parser="html"), part(subject), expected) == expected
