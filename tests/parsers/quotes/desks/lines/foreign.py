"""Lines of desks that do not write English."""

from __future__ import annotations

from tests.parsers.quotes.desks.case import Case

CASES: list[Case] = [  # subject, text, what it states
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
]
