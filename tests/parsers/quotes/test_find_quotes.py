from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from parsers.codes import Flag
from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.text import text_lines
from parsers.quotes.context import PartContext
from parsers.quotes.finding import find_quotes

Part = Callable[..., PartContext]


def grid(*rows: tuple[str, ...]) -> Grid:
    return Grid(
        tuple(
            Row(number, tuple(Cell(text=text, column=at) for at, text in enumerate(cells, 1)))
            for number, cells in enumerate(rows, 1)
        ),
        table_idx=1,
    )


TABLE = grid(("ISIN", "Bid", "Ask"), ("XS2641318121", "98.25", "98.75"), ("US0378331005", "99.5", "100"))


def test_tables_and_lines_of_a_document_become_rows(part: Part) -> None:
    lines = tuple(text_lines("HY RUN\nXYZ 5 03/34 97/98\n"))
    found = find_quotes(Document((*lines, TABLE), parser="html"), part())
    assert {(quote.instrument_id or quote.description, quote.bid) for quote in found.quotes} == {
        ("XS2641318121", Decimal("98.25")),
        ("US0378331005", Decimal("99.5")),
        ("XYZ 5 03/34", Decimal(97)),
    }
    assert {quote.parser for quote in found.quotes} == {"html", "text_run"}


def test_a_greeting_behind_a_table_ends_the_part(part: Part) -> None:
    blocks = (Line(1, "HY run", 0), TABLE, Line(2, "Regards", 7), Line(3, "ABC 4 01/30 97/98", 15))
    found = find_quotes(Document(blocks, parser="html"), part())
    assert all(quote.line is None for quote in found.quotes)


def test_a_document_of_nothing_has_no_quotes(part: Part) -> None:
    assert find_quotes(Document((), parser="text"), part()).quotes == ()


def test_a_hidden_line_counts_only_where_nothing_visible_has_its_instrument(part: Part) -> None:
    lines = (Line(1, "HY run", 0), Line(2, "XS2641318121 90/91", 7, hidden=True), Line(3, "XYZ 5 03/34 97/98", 26))
    alone = find_quotes(Document(lines, parser="html"), part()).quotes
    assert [(quote.bid, Flag.hidden_source in quote.flags) for quote in alone] == [
        (Decimal(90), True),
        (Decimal(97), False),
    ]
    beside = find_quotes(Document((*lines, TABLE), parser="html"), part()).quotes
    assert Decimal(90) not in {quote.bid for quote in beside}
