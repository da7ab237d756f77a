"""No input makes the search slow: its time is linear in what it may look at, and it may not look at everything."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from parsers.document import Cell, Document, Grid, Line, Row
from parsers.quotes.context import PartContext
from parsers.quotes.finding import find_quotes
from parsers.quotes.runs.lines.skip import MAX_LINE

pytestmark = pytest.mark.slow

MEGABYTE = 10**6
HOSTILE = [
    "1", "1/", "1 / ", "1/2 ", "9.", "9,9", "1-", "+", "(+", "((", "5x", "5 x ", "x 5", "5mm x ", "T+", "T + 8 ", "'", "-", "--",
    "a", "a ", "A1", "ab  ", "CAN 3 1/4 06/34 ", "Jan", "Jan 1", "1 Jan ", "0-3%", "vs ", "vs 4", "talk ", "mid-", "sub ",
    "ISIN ", "CUSIP 1", "US0378331005 ", "037833100", "5y", "1y10y", "25d ", "25 delta ", "\u00bd", "1\u00bd", "\u00e9 ", "|", "\t", "1\t",
    "bid ", "offer 9", "PERP ", "BBCMS 2023-C19 A5 ", "+1 (212) ", "a. B", "total ", "$", "EUR 5", "5,000", "10:30", "99-16+",
]  # fmt: skip


def seconds(document: Document, context: PartContext) -> float:
    started = time.process_time()
    find_quotes(document, context)
    return time.process_time() - started


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_line_of_a_megabyte_takes_less_than_a_second(unit: str, part: Callable[..., PartContext]) -> None:
    whole = Line(1, (unit * MEGABYTE)[:MEGABYTE], 0)
    assert seconds(Document((whole,), "text"), part("HY run")) < 1
    read = tuple(Line(number, (unit * MAX_LINE)[:MAX_LINE], 0) for number in (1, 2))
    assert seconds(Document(read, "text"), part("HY run")) < 1


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_cell_of_a_megabyte_takes_less_than_a_second(unit: str, part: Callable[..., PartContext]) -> None:
    text = (unit * MEGABYTE)[:MEGABYTE]
    rows = [
        ("ISIN", "Name", "Bid", "Ask"),
        ("XS2641318121", text, "98.25", "98.75"),
        ("XS2641318121", "XYZ", text, text),
    ]
    for table in (rows, [*rows, (text, text, text, text)], [(text, "Bid", "Ask", "Name"), *rows]):
        made = tuple(
            Row(number, tuple(Cell(text=one, column=at + 1) for at, one in enumerate(row)))
            for number, row in enumerate(table, 1)
        )
        assert seconds(Document((Grid(made),), "xlsx_grid"), part("HY run")) < 1


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_line_and_its_continuation_of_any_length_take_less_than_a_second(
    unit: str, part: Callable[..., PartContext]
) -> None:
    texts = ("x", "    " + (unit * MAX_LINE)[: MAX_LINE - 5] + "x", "\t" + (unit * MAX_LINE)[: MAX_LINE - 1])
    lines = tuple(Line(number, text, number * MAX_LINE) for number, text in enumerate(texts, 1))
    assert seconds(Document(lines, "text"), part("HY run")) < 1


@pytest.mark.parametrize("word", ["talk", "WAL", "OF", "factor", "CE", "vs", "x"])
def test_blanks_behind_a_word_take_less_than_a_second(word: str, part: Callable[..., PartContext]) -> None:
    texts = tuple(f"CHTR 4.5 05/32 98/99 {word}{blank * (MAX_LINE - 40)}x 98" for blank in (" ", "\t", "\u00a0"))
    lines = tuple(Line(number, text, number * MAX_LINE) for number, text in enumerate(texts, 1))
    assert seconds(Document(lines, "text"), part("HY run")) < 1


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (("ACME 5 03/34 bonds",), ("    98.25/98.75",)),
        (("ACME 5 03/34  98/99",), ("    98.25/98.75 and more",)),
        ((), ("Name          Bid Px   Ask Px", "XYZ 5 03/34   98.25    98.75", "ABC 4 01/30   97.00    98.00", "", "")),
        ((), ("Name          Bid Px   Ask Px", "XYZ 5 03/34")),
    ],
)
def test_what_comes_again_and_again_takes_time_linear_in_it(
    first: tuple[str, ...], again: tuple[str, ...], part: Callable[..., PartContext], growth: Callable[..., float]
) -> None:
    def read(count: int) -> None:
        texts = [*first, *(again * count)]
        lines = tuple(Line(number, text, number * 100) for number, text in enumerate(texts, 1))
        find_quotes(Document(lines, "text"), part("HY run"))

    # The first four hundred short lines are one line and its continuation, read at once, for a fifth of the time.
    assert growth(read, 100 if len(again) > 1 else 2000) < 24


def test_a_megabyte_of_short_lines_takes_time_linear_in_it(part: Callable[..., PartContext]) -> None:
    text = "CHTR 4 1/2 05/32  86.25/86.75  2x2"
    lines = tuple(Line(number, text, number * 35) for number in range(1, 4001))
    few, many = (seconds(Document(lines[:count], "text"), part("HY run")) for count in (1000, 4000))
    assert many < 8 * few
