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
