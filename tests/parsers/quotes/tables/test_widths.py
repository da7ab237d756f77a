from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize(
    ("spreads", "types"),
    [
        (("0,52", "0,50"), {"price_pct"}),
        (("0,50", "0,50"), {"price_pct"}),
        (("0,52", "1,70"), {"price_pct", "spread_unspecified_bp"}),
    ],
)
def test_what_bid_and_ask_are_apart_is_no_spread(
    levels: Callable[..., list[tuple[str | None, ...]]], spreads: tuple[str, str], types: set[str]
) -> None:
    first, second = spreads
    rows = f"Bayer 9% | 96,40 | 96,90 | {first}\nSAP 5% | 99,10 | 99,60 | {second}"
    assert {level[1] for level in levels(f"Name | Geld | Brief | Spread %\n{rows}", "Aktienanleihen")} == types


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ("Bayer 9% | 98,5 | 0,5\nSAP 5% | 97,25 | 1", 2),
        ("Bayer 9% | 98,5 | 98,25/98,75\nSAP 5% | 97,25 | 97/97,5", 4),
        ("Bayer 9% | 5,4 | 98,5\nSAP 5% | 5,6 | 97,25", 4),
    ],
)
def test_lone_numbers_under_both_sides_that_are_small_beside_the_level_are_their_width(
    rows: str, count: int, levels: Callable[..., list[tuple[str | None, ...]]]
) -> None:
    heading = "Rendite" if "5,4" in rows else "Kurs"
    assert len(levels(f"Name | {heading} | B/O\n{rows}", "Aktienanleihen")) == count
