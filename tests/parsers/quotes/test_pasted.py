from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from parsers.document import Cell, Document, Grid, Line, Row
from parsers.quotes.context import PartContext
from parsers.quotes.finding import find_quotes
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


CELLS = sheet(
    ("HY run", "", ""),
    ("CHTR 4 1/2 05/32", "86 1/4 - 3/4 2x2", ""),
    ("", "", ""),
    ("BHCCN 11 09/28", "par-101", "2x2"),
)


def test_names_and_markets_in_cells_without_headings_are_lines(part: Part) -> None:
    found = find_quotes(Document((CELLS,), parser="xlsx_grid"), part()).quotes
    assert [(quote.description, quote.bid, quote.ask, quote.bid_size, quote.cell) for quote in found] == [
        ("CHTR 4 1/2 05/32", Decimal("86.25"), Decimal("86.75"), Decimal(2000000), "B2"),
        ("BHCCN 11 09/28", Decimal(100), Decimal(101), Decimal(2000000), "B4"),
    ]


def test_under_headings_that_nobody_knows_they_are_none(part: Part) -> None:
    rows = (("CHTR 4.5 05/32", "86.25/88.75"), ("BHCCN 11 09/28", "92/101"))
    assert len(read_pasted(sheet(*rows), part())[0]) == 2
    assert read_pasted(sheet(("Bond", "52w range"), *rows), part()) == ((), ())


def test_rows_of_which_most_are_no_quotes_are_no_run(part: Part) -> None:
    rows = [(f"Team {number}", f"{number}/12") for number in range(2, 8)]
    assert read_pasted(sheet(("CHTR 4.5 05/32", "86.25/88.75"), *rows), part()) == ((), ())


def test_what_is_refused_below_a_header_line_names_its_cell(part: Part) -> None:
    rows = [("Name  Bid Px  Ask Px",), ("XYZ 5 03/34  98.25  98.75",), ("ABC 4 01/30  n/a  withdrawn",)]
    assert [reject.locator for reject in read_pasted(sheet(*rows), part())[1]] == ["Run!A3"]


def test_two_levels_of_one_cell_are_two_records(part: Part) -> None:
    cells = sheet(("CHTR 4.5 05/32 cvr 98.5 traded 97",), ("F 6.1 08/32 cvr 101 traded 100",))
    quotes = find_quotes(Document((cells,), parser="xlsx_grid"), part("BWIC results")).quotes
    assert len({quote.record_id for quote in quotes}) == len(quotes) == 4


def test_one_name_and_market_is_no_run(part: Part) -> None:
    assert read_pasted(sheet(("CHTR 4.5 05/32", "86.25/88.75"), ("Regards", "Remy")), part()) == ((), ())


def test_lines_side_by_side_are_read_column_by_column_under_the_title_above(part: Part) -> None:
    rows = [
        ("We are buyers", "We are sellers"),
        ("ARQIVA 7.21 45 96.25 1mm", "VMED 4.5 07/31 89.5 5mm"),
        ("HEATHR 6.45 31 107.1 3mm", "BELLIS 8.125 05/30 97.25 2mm"),
    ]
    title = Line(1, "GBP credit axes", 0)
    quotes = find_quotes(Document((title, sheet(*rows)), parser="pdf"), part("Axes")).quotes
    assert [(quote.bid, quote.ask, quote.currency) for quote in quotes] == [
        (Decimal("96.25"), None, "GBP"),
        (Decimal("107.1"), None, "GBP"),
        (None, Decimal("89.5"), "GBP"),
        (None, Decimal("97.25"), "GBP"),
    ]


def test_a_grid_under_coupons_is_no_run(part: Part) -> None:
    rows = [("Story", "5.0", "5.5", "6.0"), ("LLB 85k", "22/25", "34/38", "48/53"), ("NY", "14/17", "22/26", "31/36")]
    assert read_pasted(sheet(*rows), part("Spec pool payups, ticks")) == ((), ())
    assert len(read_pasted(sheet(*rows[1:]), part("Spec pool payups, ticks"))[0]) == 2
