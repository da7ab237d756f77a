from __future__ import annotations

import pytest

from parsers.quotes.headings.halves import halves_in, listed_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EUR covered bonds - price / ASW", ("price", "spread_asw_bp")),
        ("Spread/Upf", ("spread", "upfront_pts")),
        ("Price/Yield", ("price", "yield_pct")),
        ("Bid/ask prices", None),
        ("Bid/ask, price/ASW", None),
        ("CDS 5Y (bid/offer, bp)", None),
        ("ATM vol/rate", None),
    ],
)
def test_a_heading_of_two_measures_has_one_on_either_side_of_its_only_slash(
    text: str, expected: tuple[str, str] | None
) -> None:
    assert halves_in(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TIPS (px 32nds / real yld / BE)", ("price", "real_yield_pct", "breakeven_pct")),
        ("EM sovereigns (px, Z, YTM)", ("price", "spread_z_bp", "yield_pct")),
        ("Covered bonds, ASW", ()),
    ],
)
def test_a_heading_lists_the_measures_of_its_lines_in_order(text: str, expected: tuple[str, ...]) -> None:
    assert listed_in(text) == expected
