from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Cell
from parsers.quotes.tables.stating import stated_measure


@pytest.mark.parametrize(
    ("text", "measure"),
    [("bps", "spread"), ("pts upf", "upfront_pts"), ("Px", "price"), ("DM", "dm_bp"), ("TMT", None), ("Bid", None)],
)
def test_a_cell_states_a_measure_as_a_heading_would(text: str, measure: str | None) -> None:
    assert stated_measure(Cell(text)) == measure


def test_each_row_is_read_in_what_it_says(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    table = "Tranche | Bid | Offer | Type\n0-3% | 32.5 | 33.5 | pts upf\n7-15% | 72 | 78 | bps"
    assert levels(table, "IG42 tranches") == [
        ("0-3%", "upfront_pts", "32.5", "33.5", None),
        ("7-15%", "cds_spread_bp", "72", "78", None),
    ]


def test_a_column_of_sectors_states_nothing(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    table = "Bond | Bid | Ask | Type\nABC 5 34 | 98.5 | 99 | TMT\nDEF 6 33 | 97.25 | 98 | Autos"
    assert {level[1] for level in levels(table, "HY run")} == {"price_pct"}
