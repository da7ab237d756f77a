from __future__ import annotations

from collections.abc import Callable


def test_the_curve_beside_a_spread_says_what_it_is(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    rows = "AMCAR 2024-1 C | I | 95 | 88\nAMXCA 2024-3 A | SOFR | 44 | 40"
    found = levels(f"Deal | Bench | Bid Sprd | Offer Sprd\n{rows}", "ABS")
    assert [level[1] for level in found] == ["spread_i_bp", "dm_bp"]


def test_the_index_over_its_tranches_says_what_they_are_quoted_in(
    levels: Callable[..., list[tuple[str | None, ...]]],
) -> None:
    hy = levels("HY47 | Bid | Ask\n15-25% | 5.75 | 6.25\n25-35% | 4.10 | 4.30", "CDX tranches")
    assert [level[1] for level in hy] == ["upfront_pts"] * 2
