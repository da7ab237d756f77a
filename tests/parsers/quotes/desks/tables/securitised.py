"""Tables of desks: mortgages, ABS and CLO."""

from __future__ import annotations

from tests.parsers.quotes.desks.case import Case

CASES: list[Case] = [  # subject, rows, what they state
    (
        "CMBS axes",
        "Bid/Offer | Size | Bond | Level\nBid | 5mm | BMARK 2021-B25 A4 | J+92\nOffer | 10mm | BBCMS 2022-C17 B | J+235",
        ["BMARK 2021-B25 A4 spread_swap_bp 92/ axe", "BBCMS 2022-C17 B spread_swap_bp /235 axe"],
    ),
    (
        "TBA",
        " | FNCL Dec | FNCL Jan | GNSF Dec\n5.0 | 97-16+ | 97-12 | 97-28\n5.5 | 99-08 | 99-03+ | 99-20",
        [
            "FNCL 5.0 Dec price_pct 97.515625 tba_mbs",
            "FNCL 5.0 Jan price_pct 97.375 tba_mbs",
            "GNSF 5.0 Dec price_pct 97.875 tba_mbs",
            "FNCL 5.5 Dec price_pct 99.25 tba_mbs",
            "FNCL 5.5 Jan price_pct 99.109375 tba_mbs",
            "GNSF 5.5 Dec price_pct 99.625 tba_mbs",
        ],
    ),
    ("EUR CLO", "Deal | Cl | DM bid | DM offer\nPENTA 2021-9X | E | 615 | 590", ["PENTA 2021-9X E dm_bp 615/590 clo"]),
    (
        "CLO",
        "Name|Market\nMAGNE 2021-31A C|215dm/205dm\nOCT67 2023-1A D|410dm/395dm",
        ["MAGNE 2021-31A C dm_bp 215/205", "OCT67 2023-1A D dm_bp 410/395"],
    ),
    (
        "CMBS",
        "Name|Side|Level\nBANK 2022-BNK40 A4|Offer|J+94\nBMARK 2021-B25 AS|Bid|J+155",
        ["BANK 2022-BNK40 A4 spread_swap_bp /94", "BMARK 2021-B25 AS spread_swap_bp 155/"],
    ),
    (
        "Mortgages",
        "Cpn|Dec\nUMBS 5|96-16/96-16+\nUMBS 5.5|98-16/98-16+",
        ["UMBS 5 Dec price_pct 96.5/96.515625 tba_mbs", "UMBS 5.5 Dec price_pct 98.5/98.515625 tba_mbs"],
    ),
    (
        "Spec pool pay-ups",
        "Coupon | Story | Payup bid | Payup ask\nFN 5.5 | 85k max | 18 | 22\nFN 5.5 | NY | 40 | 46",
        ["FN 5.5 85k max payup_32 18/22", "FN 5.5 NY payup_32 40/46"],
    ),
    (
        "UK auto ABS",
        "Deal | Tranche | Bid (SONIA+) | Offer (SONIA+)\nPCLF 2024-1 | A | 58 | 52",
        ["PCLF 2024-1 A dm_bp 58/52 abs"],
    ),
    (
        "CLO run",
        "Deal | Bid (SOFR+) | Offer (SOFR+)\nOCT 2019-42A AR | 135 | 130",
        ["OCT 2019-42A AR dm_bp 135/130"],
    ),
    (
        "CMBS run",
        "Deal | Class | Bid | Ask | Quote Type\nBBCMS 2023-C19 | A5 | 105 | 100 | Spread\nBMARK 2019-B12 | D | 88 | 89.25 | Price",
        ["BBCMS 2023-C19 A5 spread_swap_bp 105/100", "BMARK 2019-B12 D price_pct 88/89.25"],
    ),
    (
        "CLO offerings",
        "Deal | Par Sub | Offer DM | Amount ($mm)\nOCT 2019-42A AR | 37.1 | 121 | 10",
        ["OCT 2019-42A AR dm_bp /121 10000000"],
    ),
    (
        "Spec pools",
        "Payups in 32nds over Dec TBA\nStory | Bid | Offer\nFNCL 5.5 LLB | 14 | 16\nFNCL 6 MLB | 18 | 20",
        ["FNCL 5.5 LLB payup_32 14/16 cpn=5.5 agency_mbs_cmo", "FNCL 6 MLB payup_32 18/20 cpn=6"],
    ),
    (
        "TBA grid",
        "Cpn | Dec-26 Bid | Dec-26 Ask\nFNCL 5 | 98-16 | 98-17",
        ["FNCL 5 Dec price_pct 98.5/98.53125"],
    ),
    (
        "CMBS offers",
        "Cl | Deal | Price\nA | COMM 2014-CR20 | 98.5\nB | COMM 2014-CR20 | 92.5\nC | COMM 2014-CR20 | 82.5",
        ["COMM 2014-CR20 A price_pct /98.5", "COMM 2014-CR20 B price_pct /92.5", "COMM 2014-CR20 C price_pct /82.5"],
    ),
    (
        "Auto ABS offerings & BWIC covers",
        "1) Offerings |\nBond | Spread\nGMCAR 2025-3 B | I+78",
        ["GMCAR 2025-3 B spread_i_bp /78"],
    ),
    (
        "Pool offerings",
        "Low loan balance\nPool | Cpn | Payup (32nds)\nFN MA4600 | 5.5 | 21\n\nPool | Cpn | Payup (32nds)\nFN CB2001 | 6 | 34",
        ["FN MA4600 payup_32 /21", "FN CB2001 payup_32 /34"],
    ),
    (
        "EUR CLO BWIC",
        "Bond | Orig | Talk\nPENTA 2021-9X D | 3m | 400a dm\nSPAUL 11X E | 1m | E+155a\nSPAUL 11X ER | 2.5m | mid 90s",
        ["PENTA 2021-9X D dm_bp talk", "SPAUL 11X E dm_bp talk", "SPAUL 11X ER price_pct talk"],
    ),
    (
        "CMBS offers",
        "Shelf | Class | CUSIP | O/F (mm) | C/F (mm) | Offer spread (J)\nBANK 2022-BNK39 | A4 | 46625HRL6 | 25.0 | 24.5 | J+98",
        ["46625HRL6 spread_swap_bp /98 24500000"],
    ),
    (
        "RMBS BWIC",
        "Security | Guidance\nJPMMT 2018-5 A3 | 94-00\nCWALT 2006-OA10 1A1 | 88-90",
        ["CWALT 2006-OA10 1A1 price_pct talk"],
    ),
    (
        "TBA screens",
        "FNCL | | | | G2SF | | |\nCpn | Dec | Jan | Drop | Cpn | Dec | Jan | Drop\n5 | 98-04+ | 98-00 | 4+ | 5.5 | 100-01 | 99-28 | 5",
        [
            "FNCL 5 Dec price_pct 98.140625 cpn=5",
            "FNCL 5 Jan price_pct 98",
            "FNCL 5 roll_ticks 4.5",
            "G2SF 5.5 Dec price_pct 100.03125 cpn=5.5",
            "G2SF 5.5 Jan price_pct 99.875",
            "G2SF 5.5 roll_ticks 5",
        ],
    ),
    (
        "ABS run",
        "Bond | WAL | Bid | Offer | Curve | Bid $ | Offer $\nFORDO 2025-C A3 | 1.4 | 46 | 42 | I | 100.51 | 100.57",
        ["FORDO 2025-C A3 spread_i_bp 46/42", "FORDO 2025-C A3 price_pct 100.51/100.57 USD"],
    ),
    (
        "SASB run",
        "Deal | Class | Mkt (S+) | Mkt ($)\nBX 2025-ROIC | A | 120/112 | 99.9/100.1",
        ["BX 2025-ROIC A dm_bp 120/112", "BX 2025-ROIC A price_pct 99.9/100.1"],
    ),
    (
        "US CLO",
        "Paper | Slice | Bid dollar | Offer dollar | Bid margin | Offer margin\nOCP 2019-17A | CR2 | 99.95 | 100.15 | 192 | 183",
        ["OCP 2019-17A CR2 price_pct 99.95/100.15", "OCP 2019-17A CR2 dm_bp 192/183"],
    ),
    (
        "ABS offerings",
        "Name | WAL (yrs) | Offer spread (bp over I-curve) | Offer price\nHART 2025-B A3 | 1.7 | 41 | 100.31",
        ["HART 2025-B A3 spread_i_bp /41", "HART 2025-B A3 price_pct /100.31"],
    ),
    (
        "CLO BWIC",
        "Deal | Class | Current Face | Dealer talk\nTICP 2018-11A | AR | 10000000 | par area",
        ["TICP 2018-11A AR price_pct talk 10000000"],
    ),
    (
        "CLO BWIC",
        "Deal | Class | Dealer talk\nMAGNE 2019-24A | DR | low 300s\nTICP 2018-11A | AR | par area\nOCT 2021-56A | E | mid 500s",
        ["MAGNE 2019-24A DR dm_bp talk", "TICP 2018-11A AR price_pct talk", "OCT 2021-56A E dm_bp talk"],
    ),
    (
        "Pool pay-ups",
        "Coupon | LLB | MLB\nFN 5.0 | 28/32 | 22/26\nFN 5.5 | 36/40 | 30/34",
        [
            "LLB FN 5.0 payup_32 28/32",
            "MLB FN 5.0 payup_32 22/26",
            "LLB FN 5.5 payup_32 36/40",
            "MLB FN 5.5 payup_32 30/34",
        ],
    ),
    (
        "CLO BWIC",
        "Deal | Class | Talk | Cover\nOCP 2019-17A | CR2 | 190a | 191\nMAGNE 2014-8A | ER2 | low 90s px | 91.75",
        [
            "OCP 2019-17A CR2 dm_bp talk",
            "OCP 2019-17A CR2 dm_bp 191/ cover",
            "MAGNE 2014-8A ER2 price_pct talk",
            "MAGNE 2014-8A ER2 price_pct 91.75/ cover",
        ],
    ),
    (
        "CLO AAA",
        "OCP 2016-11X AR | 135/130dm | 5x5\nBATLN 2023-19A A | 127/122dm | 5x5\nOCT 2019-42A AR | 121/117dm | 5x5",
        [
            "OCP 2016-11X AR dm_bp 135/130 5000000x5000000 clo",
            "BATLN 2023-19A A dm_bp 127/122",
            "OCT 2019-42A AR dm_bp 121/117",
        ],
    ),
    (
        "CLO run",
        "Name | DM | Px\nOCP 2016-11X AR | 135/130dm | 99.5/100",
        ["OCP 2016-11X AR dm_bp 135/130", "OCP 2016-11X AR price_pct 99.5/100"],
    ),
    (
        "TBA screen",
        "Product | Coupon | Dec Bid | Dec Ask\nFNCL | 5.5 | 100-04 | 100-05\nG2SF | 6 | 101-09 | 101-10+",
        ["FNCL 5.5 Dec price_pct 100.125/100.15625 cpn=5.5", "G2SF 6 Dec price_pct 101.28125/101.328125 cpn=6"],
    ),
    (
        "CLO equity",
        "Deal | Offer Px | Yield (IRR)\nCIFC 2021-4A SUB | 58.50 | 14.2",
        ["CIFC 2021-4A SUB price_pct /58.5", "CIFC 2021-4A SUB irr_pct /14.2"],
    ),
    (
        "BWIC 11am",
        "Bond | Current | Px Talk\nJPALT 2006-A2 1A1 | 3,880,100 | LM70s\nNAA 2007-1 1A4 | 1,010,400 | 22 area",
        ["JPALT 2006-A2 1A1 price_pct talk rmbs_nonagency", "NAA 2007-1 1A4 price_pct talk rmbs_nonagency"],
    ),
    (
        "CRT run",
        "Deal | Class | Orig Sprd | Bid | Offer\nSTACR 2024-DNA1 | M2 | 195 | 168 | 158",
        ["STACR 2024-DNA1 M2 dm_bp 168/158"],
    ),
    (
        "Covered FRNs",
        "Name | Maturity | DM Bid | DM Ask\nNWIDE SONIA+48 27 | 20/04/2027 | 38 | 33",
        ["NWIDE SONIA+48 27 dm_bp 38/33 GBP"],
    ),
    (
        "TBA run",
        "Security | Settle | Bid | Ask\nGNII 5.5 | Dec | 100-10 | 100-11",
        ["GNII 5.5 price_pct 100.3125/100.34375 cpn=5.5"],
    ),
    (
        "CLO trades",
        "Deal | Class | Size | Level | Type\nMAGNE 2021-30A | AR2 | 15mm | DM 118 | Traded\nOAKCL 2019-3A | DR2 | 4mm | DM 305 | Traded\nVOYA 2022-1A | ER | 3mm | 99.75 | Traded",
        ["MAGNE 2021-30A AR2 dm_bp 118", "OAKCL 2019-3A DR2 dm_bp 305", "VOYA 2022-1A ER price_pct 99.75 trade"],
    ),
    (
        "CLO trades",
        "Deal | Class | Level | Type\nMAGNE 2021-30A | AR2 | Z+210 | Traded\nVOYA 2022-1A | ER | 99.75 | Traded",
        ["MAGNE 2021-30A AR2 spread_z_bp 210", "VOYA 2022-1A ER price_pct 99.75"],
    ),
    (
        "RMBS BWIC",
        "Lot | Bond | ISIN | Orig Size (k) | Talk\n1 | TWRBG 2021-2 A | XS4120000014 | 12000 | S+55a\n2 | TWRBG 2021-2 B | XS4120000022 | 3000 | S+85a",
        ["XS4120000014 dm_bp talk rmbs_nonagency", "XS4120000022 dm_bp talk rmbs_nonagency"],
    ),
    (
        "TBA markets",
        "30 YR | Dec Bid | Dec Ask | Jan Bid | Jan Ask\nFNCL 5.0 | 98-20 | 98-20+ | 98-16 | 98-17\nFNCL 6.0 | 101-12 | 101-12+ | 101-08 | 101-09",
        [
            "FNCL 5.0 Dec price_pct 98.625/98.640625",
            "FNCL 5.0 Jan price_pct 98.5/98.53125",
            "FNCL 6.0 Dec price_pct 101.375/101.390625",
            "FNCL 6.0 Jan price_pct 101.25/101.28125",
        ],
    ),
    (
        "SASB floaters",
        "Deal | Class | Index | Bid Px | Offer Px\nBX 2025-BIO3 | A | SOFR | 99.95 | 100.10",
        ["BX 2025-BIO3 A price_pct 99.95/100.1 cmbs"],
    ),
    (
        "ABS BWIC color",
        "Lot | Bond | CUSIP | Face ($mm) | Cover\n1 | SDART 2024-5 D | 80288AAA0 | 4.5 | I+178",
        ["80288AAA0 spread_i_bp 178/ 4500000 cover"],
    ),
]
