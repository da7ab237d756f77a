from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quotes.tables.grids.block import titles_of


def test_a_stretch_has_its_own_titles_and_those_of_the_whole_sheet(grid: Callable[..., Grid]) -> None:
    rows = grid("Run of today | | | |\nUS HY | | | EUR HY |").rows
    assert titles_of(rows, 0, 3) == ("Run of today", "US HY")
    assert titles_of(rows, 3, 5) == ("Run of today", "EUR HY")
