from __future__ import annotations

import pytest

from parsers.quotes.headings.measuring import is_sided, measure_of, over_a_curve, side_of
from parsers.quotes.headings.phrases import heading


@pytest.mark.parametrize(
    ("text", "side"),
    [("Bid Px", "bid"), ("Offer", "ask"), ("Bid / Ask", "both"), ("B YTM", "bid"), ("B", None), ("Offer Talk", None)],
)
def test_a_side_is_a_word_or_a_letter_beside_a_measure_and_in_talk_none(text: str, side: str | None) -> None:
    assert side_of(heading(text)) == side


def test_two_letters_are_sides_of_anything() -> None:
    assert is_sided(heading("B x A (MM)").meanings)
    assert not is_sided(heading("Size (MM)").meanings)


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("Price", "price"),
        ("Price / Yield", ""),
        ("CDS upfront", "upfront_pts"),
        ("Bid bp", "spread"),
        ("Vol (bp)", "vol_normal_bp"),
        ("Size", None),
        ("Spread vs MS achat", "spread_asw_bp"),
        ("Spread over Bund bid", "spread_bench_bp"),
    ],
)
def test_the_one_measure_of_a_heading_is_the_more_precise_and_of_two_none(text: str, measure: str | None) -> None:
    assert measure_of(heading(text)) == measure


@pytest.mark.parametrize(
    ("text", "measure"), [("10Y vs DBR", "spread_bench_bp"), ("vs DBR", None), ("10Y vs MMD", None)]
)
def test_a_curve_over_a_tenor_says_the_measure_where_no_word_does(text: str, measure: str | None) -> None:
    assert over_a_curve(heading(text), text) == measure
