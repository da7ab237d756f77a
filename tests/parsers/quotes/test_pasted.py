from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from parsers.document import Cell, Document, Grid, Row
from parsers.quotes import find_quotes
from parsers.quotes.context import PartContext
from parsers.quotes.pasted import read_pasted

Part = Callable[..., PartContext]


def sheet(*rows: tuple[str, ...]) -> Grid:
    made = (
        Row(number, tuple(Cell(text=text, column=at) for at, text in enumerate(cells, 1)))
        for number, cells in enumerate(rows, 1)
    )
    return Grid(tuple(made), sheet="Run", table_idx=1)


RUN = sheet(("", "EUR HY run"), ("", "VERISR 5.25 29 99 1/8 - 5/8"), ("", ""), ("", "TITIM 7.875 28 108.25/75"))


def test_a_run_pasted_into_one_column_is_read_line_by_line(part: Part) -> None:
    found = find_quotes(Document((RUN,), parser="xlsx_grid"), part()).quotes
    assert [(quote.bid, quote.ask) for quote in found] == [
        (Decimal("99.125"), Decimal("99.625")),
        (Decimal("108.25"), Decimal("108.75")),
    ]


def test_its_quotes_are_at_home_in_their_cells(part: Part) -> None:
    last = find_quotes(Document((RUN,), parser="xlsx_grid"), part()).quotes[-1]
    assert (last.sheet, last.cell, last.row, last.line) == ("Run", "B4", 4, None)
    assert last.raw_text[last.char_start : last.char_end] == "108.25/75"


def test_what_is_refused_names_its_cell(part: Part) -> None:
    _, refused = read_pasted(sheet(("VERISR 5.25 29 99 1/8 - 5/8",), ("TITIM 7.875 28 withdrawn",)), part())
    assert [reject.locator for reject in refused] == ["Run!A2"]


def test_a_grid_of_two_columns_is_no_text(part: Part) -> None:
    assert read_pasted(sheet(("A 5 29", "99/100"), ("B 6 28", "98/99")), part()) == ((), ())
