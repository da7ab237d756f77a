from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quote import Quote
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.columns.outcomes import is_traded, outcome_column

COLUMNS = [column(0, ("Deal",)), column(1, ("Color",)), column(2, ("Px",))]


def test_the_column_of_results_is_told_by_what_it_holds(grid: Callable[..., Grid]) -> None:
    rows = grid("A | Traded | 99\nB | DNT |").rows
    assert outcome_column(COLUMNS, rows) == 1
    assert [is_traded(row.cells, 1) for row in rows] == [True, False]
    assert outcome_column(COLUMNS, grid("A | traded up today | 99\nB | dnt |").rows) is None


def test_the_price_of_a_line_that_traded_is_a_trade(read: Callable[..., list[Quote]]) -> None:
    found = read("Deal | Color | Px\nHARVT 15X E | traded | 99.45\nBLACK 2021-1X D | dnt |", "CLO color")
    assert [(quote.quote_kind, str(quote.mid)) for quote in found] == [("trade", "99.45")]
