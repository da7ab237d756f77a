from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Grid
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.columns.sided import are_markets
from parsers.quotes.tables.grids.headers import header_at


@pytest.mark.parametrize(
    ("heading", "cells", "role"),
    [
        ("Action", ("Buying", "Selling"), "axe"),
        ("Art", ("Kaufinteresse", "Verkaufsinteresse"), "axe"),
        ("C/V", ("C", "V"), "axe"),
        ("K/V", ("K", "V"), "axe"),
        ("Note", ("A", "B"), "ignored"),
        ("Grade", ("A", "B"), "unknown"),
        ("Action", ("Buying", "call us"), "unknown"),
    ],
)
def test_a_column_whose_cells_are_sides_is_of_them(
    grid: Callable[..., Grid], heading: str, cells: tuple[str, str], role: str
) -> None:
    rows = "\n".join(f"{cell} | XYZ 5 3{at} | 9{at}.5" for at, cell in enumerate(cells))
    found = header_at(grid(f"{heading} | Bond | Price\n{rows}").rows, 0)
    assert found is not None
    assert found.columns[0].role == role


def test_values_under_tenors_are_markets_where_all_are_pairs(grid: Callable[..., Grid]) -> None:
    columns = [column(1, ("1Y",)), column(2, ("5Y",))]
    assert are_markets(columns, grid("Ford | 18/23 | 58/61\nGM | - | 64/68").rows)
    assert not are_markets(columns, grid("Ford | 18/23 | 58\nGM | - | 64/68").rows)
