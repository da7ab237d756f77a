"""What stands among quotes and became none is refused with its place, whatever rule passed over it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.text import text_lines
from parsers.outcome import Reject
from parsers.quotes.context import PartContext
from parsers.quotes.finding import Found, find_quotes
from parsers.quotes.unended import unended

Part = Callable[..., PartContext]

FIRST = "CHTR 4 1/2 32  86 1/4 - 3/4  2x2"


def read(part: Part, text: str, subject: str = "HY run") -> Found:
    return find_quotes(Document(tuple(text_lines(text)), parser="text"), part(subject))


def refused(found: Found) -> list[tuple[Code, str | None, str | None]]:
    return [(reject.code, reject.locator, reject.raw_text) for reject in found.rejects]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("AAL 5.75 29  closed 99.5, now 98.75-99.25", Code.ROW_NO_PRICE),
        ("RABOBK FRN 05/28 was 99.2 now 99.4", Code.ROW_NO_PRICE),
        ("XS2641318121 OTP 7.35 2026 abc 101.10 foo 101.60", Code.ROW_NO_PRICE),
        ("closed 99.5, now 98.75-99.25", Code.ROW_NO_INSTRUMENT),
    ],
)
def test_a_line_of_a_run_that_no_rule_reads_is_refused(part: Part, line: str, code: Code) -> None:
    found = read(part, f"{FIRST}\n{line}\n")
    assert [quote.line for quote in found.quotes] == [1]
    assert refused(found) == [(code, "line 2", line)]


@pytest.mark.parametrize(
    "line",
    ["We like the name", "new issue due 11/30/26", "AAL 5.75 29  5mm", "2024-2026 targets", "> AAL 5.75 29 sold 98.5"],
)
def test_words_days_and_sizes_among_quotes_are_not(part: Part, line: str) -> None:
    assert refused(read(part, f"{FIRST}\n{line}\n")) == []


def test_what_stands_in_no_run_is_not(part: Part) -> None:
    assert refused(read(part, f"{FIRST}\n\nAAL 5.75 29  closed 99.5, now 98.75-99.25\n")) == []


def test_a_name_in_the_form_of_a_quoted_one_is_refused_with_its_figure(part: Part) -> None:
    found = read(part, "10y bei 228.5/229\n5y bei 2.285/2.29\n", "TIPS breakevens")
    assert [quote.line for quote in found.quotes] == [2]
    assert refused(found) == [(Code.ROW_NO_PRICE, "line 1", "10y bei 228.5/229")]


def test_a_line_struck_through_is_withdrawn(part: Part) -> None:
    lines = (Line(1, FIRST, 0), Line(2, "AAL 5.75 29  98.75-99.25", len(FIRST) + 1, struck=True))
    found = find_quotes(Document(lines, parser="docx"), part("HY run"))
    assert [reject.code for reject in found.rejects] == [Code.ROW_WITHDRAWN]


def test_a_line_that_goes_on_is_one(part: Part) -> None:
    assert refused(read(part, f"{FIRST}\nXS2641318121 OTP 7.35 26\n    101.10/101.60  z+412\n")) == []


def test_two_typed_rows_that_make_one_quote_are_both_its_source(part: Part) -> None:
    text = "Security    Side  Level\nUKRPI 5y    Bid   1.885\nUKRPI 5y    Ask   1.910\nHICPxT 2y   Bid   3.15\nHICPxT 2y   Ask   3.20\n"
    found = read(part, text, "ZC inflation")
    assert refused(found) == []
    for quote in found.quotes:
        assert quote.raw_text == "\t".join(text.splitlines()[(quote.line or 0) - 1 : (quote.line or 0) + 1])
        assert text[quote.char_start : quote.char_end].endswith(quote.ask_raw or "-")


def test_where_reading_ended_early_one_refusal_tells_of_all_behind(part: Part) -> None:
    lines = Document(tuple(text_lines(f"{FIRST}\nAAL 5.75 29  98.5\nBAC 4.5 05/34  99\n")), parser="text")
    found = find_quotes(lines, part("HY run"))
    ended = Reject(level="row", code=Code.PART_TOO_LARGE, locator="line 2")
    assert list(unended(lines, found.quotes[:1], (ended,), part("HY run"))) == []
    assert len(list(unended(lines, found.quotes[:1], (), part("HY run")))) == 2


@pytest.mark.parametrize(
    ("subject", "texts", "lost"),
    [
        ("HY run", (FIRST, "AAL 5.75 29  closed 99.5, now 98.75-99.25", "F 6.1 32  98.5/99", "98-31/99"), [2, 4]),
        ("UST run", ("T 4 1/8 11/15/32  100-18+/100-19", "98-31/99", "T 3 7/8 08/15/33  98-30/31"), [2]),
    ],
)
def test_a_row_of_a_run_on_a_page_is_refused_once_with_page_and_row(
    part: Part, subject: str, texts: tuple[str, ...], lost: list[int]
) -> None:
    rows = tuple(replace(row(number, text), page=2) for number, text in enumerate(texts, 1))
    found = find_quotes(Document((Grid(rows, table_idx=1),), parser="pdf"), part(subject))
    assert [quote.row for quote in found.quotes] == [1, 3]
    assert sorted(str(reject.locator) for reject in found.rejects) == [f"page 2 row {number}" for number in lost]


def row(number: int, *texts: str) -> Row:
    return Row(number, tuple(Cell(text=text, column=at) for at, text in enumerate(texts, 1)))


def test_a_row_of_a_table_with_an_identifier_and_a_figure_that_gave_nothing_is_refused(part: Part) -> None:
    rows = (
        row(1, "ISIN", "Bid", "Ask"),
        row(2, "XS2641318121", "98.25", "98.75"),
        row(3, "US0378331005", "99.5", "100"),
    )
    table = Document((Grid(rows, table_idx=1),), parser="html")
    found = find_quotes(table, part("HY run"))
    (lost,) = unended(table, found.quotes[:1], (), part("HY run"))
    assert (lost.code, lost.locator, lost.parser) == (Code.ROW_NO_PRICE, "table 1 row 3", "html")
    assert list(unended(table, found.quotes, (), part("HY run"))) == []
    assert list(unended(table, found.quotes[:1], (lost,), part("HY run"))) == []
    hidden = replace(table, blocks=(Grid((*rows[:2], replace(rows[2], hidden=True)), table_idx=1),))
    assert list(unended(hidden, found.quotes[:1], (), part("HY run"))) == []


def test_the_headings_of_a_turned_table_are_no_row(part: Part) -> None:
    rows = (
        row(1, "Security", "T 2.625 04/15/31", "T 6.125 01/28/31"),
        row(2, "Bid", "98.5", "99"),
        row(3, "Ask", "98.6", "99.1"),
    )
    found = find_quotes(Document((Grid(rows, table_idx=1),), parser="html"), part("UST"))
    assert len(found.quotes) == 2
    assert refused(found) == []
