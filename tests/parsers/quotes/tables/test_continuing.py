from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid, Line
from parsers.quotes.tables.grids.continuing import last_header

HEADER, ROW = "ISIN | Bid | Ask", "DE000BU2Z031 | 97 | 98"


def test_a_table_that_is_a_header_heads_the_tables_of_its_width_below(grid: Callable[..., Grid]) -> None:
    found = last_header([grid(HEADER), grid(ROW)], grid(ROW))
    assert [column.text for column in found or ()] == ["ISIN", "Bid", "Ask"]


def test_a_table_with_rows_or_a_line_between_heads_no_other(grid: Callable[..., Grid]) -> None:
    assert last_header([grid(f"{HEADER}\n{ROW}")], grid(ROW)) is None
    assert last_header([grid(HEADER), Line(1, "Kind regards", 0)], grid(ROW)) is None
    assert last_header([grid("ISIN | Bid")], grid(ROW)) is None
