from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quotes.tables.grids.separators import joined


def test_a_column_of_slashes_joins_its_neighbours(grid: Callable[..., Grid]) -> None:
    rows = grid("ONT 4.15 06/34 | 62 | / | 60\nQ 3.65 05/32 | 55 | / |").rows
    found = joined(rows, frozenset({0, 1}), 0, 4)
    assert [[cell.text for cell in row.cells] for row in found] == [
        ["ONT 4.15 06/34", "62/60", "", ""],
        ["Q 3.65 05/32", "55/", "", ""],
    ]


def test_sides_with_headings_of_their_own_stay_apart(grid: Callable[..., Grid]) -> None:
    rows = grid("ONT | 62 | / | 60").rows
    assert joined(rows, frozenset({0, 1, 3}), 0, 4) == rows


def test_a_column_that_holds_more_than_separators_is_kept(grid: Callable[..., Grid]) -> None:
    rows = grid("ONT | 62 | / | 60\nQ | 55 | 5 | 53").rows
    assert joined(rows, frozenset({0, 1}), 0, 4) == rows
