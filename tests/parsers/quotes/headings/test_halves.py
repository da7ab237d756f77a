from __future__ import annotations

import pytest

from parsers.quotes.headings.halves import halves_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EUR covered bonds - price / ASW", ("price", "spread_asw_bp")),
        ("Spread/Upf", ("spread", "upfront_pts")),
        ("Price/Yield", ("price", "yield_pct")),
        ("Bid/ask prices", None),
        ("Bid/ask, price/ASW", None),
        ("ATM vol/rate", None),
    ],
)
def test_a_heading_of_two_measures_has_one_on_either_side_of_its_only_slash(
    text: str, expected: tuple[str, str] | None
) -> None:
    assert halves_in(text) == expected
