"""What a part may be is counted in work, so that the same bytes end at the same place, and what was read stands."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import chain, repeat

import pytest
from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.text import text_lines
from parsers.quote import Quote
from parsers.quotes.context import PartContext
from parsers.quotes.finding import Found, find_quotes
from parsers.quotes.work import FOR_LINES, MOST, RowCosts, Work, of_typed_row

Part = Callable[..., PartContext]
PRICE = "XYZ 5 03/15/34 98.25/98.75"


def prices(count: int) -> str:
    return "HY RUN\n" + "\n".join(f"{letters(at)} 5 03/15/34 98.25/98.75" for at in range(count))


def but_for_trust(quote: Quote) -> Quote:
    """Without what rests on the rows beside it."""
    return replace(quote, confidence=Decimal(1))


def letters(number: int) -> str:
    return "".join(chr(ord("A") + int(digit)) for digit in f"{number:05}")


def grid(count: int, head: tuple[str, ...] = ("ISIN", "Bid", "Ask")) -> Grid:
    texts = chain([head], repeat(("XS2641318121", "98.25", "98.75"), count))
    return Grid(
        tuple(
            Row(number, tuple(Cell(text=text, column=at) for at, text in enumerate(row, 1)))
            for number, row in enumerate(texts, 1)
        ),
        table_idx=1,
    )


def refused(found: Found) -> list[tuple[str, str | None]]:
    return [(reject.code, reject.locator) for reject in found.rejects if reject.code is Code.PART_TOO_LARGE]


def test_lines_end_where_the_work_does_and_what_was_read_stands(part: Part) -> None:
    document = Document(tuple(text_lines(prices(100))), "text")
    whole = find_quotes(document, part())
    cut = find_quotes(document, part(), Work(20_000))
    assert 0 < len(cut.quotes) < len(whole.quotes) == 100
    assert [*map(but_for_trust, cut.quotes)] == [*map(but_for_trust, whole.quotes[: len(cut.quotes)])]
    assert refused(cut) == [(Code.PART_TOO_LARGE, f"line {len(cut.quotes) + 2}")]
    assert cut.rejects[-1].raw_text == document.blocks[len(cut.quotes) + 1].text  # type: ignore[union-attr]
    assert not refused(whole)


def test_the_same_bytes_end_at_the_same_line_however_warm_the_caches_are(part: Part) -> None:
    document = Document(tuple(text_lines(prices(200))), "text")
    ends = [refused(find_quotes(document, part(), Work(50_000))) for _ in range(3)]
    assert ends[0] == ends[1] == ends[2] != []


def test_a_table_ends_at_a_row_and_leaves_work_to_the_lines_around_it(part: Part) -> None:
    above = Line(1, PRICE, 0)
    found = find_quotes(Document((above, grid(500)), "html"), part(), Work(FOR_LINES + 10_000))
    assert refused(found) == [
        (Code.PART_TOO_LARGE, f"table 1 row {len(found.quotes) + 1}")
    ]  # with the header; one is of the line
    assert len(found.quotes) > 100
    assert [quote.isin for quote in found.quotes].count(None) == 1


def test_a_table_typed_in_text_ends_at_a_line(part: Part) -> None:
    text = "ISIN\tBid\tAsk\n" + "XS2641318121\t98.25\t98.75\n" * 500
    found = find_quotes(Document(tuple(text_lines(text)), "text"), part(), Work(20_000))
    ((code, where),) = refused(found)
    assert code is Code.PART_TOO_LARGE
    assert where is not None
    assert where.startswith("line ")
    assert 0 < len(found.quotes) < int(where.removeprefix("line "))


def test_a_grid_that_is_a_run_ends_at_a_row(part: Part) -> None:
    rows = tuple(Row(at, (Cell(text=f"{letters(at)} 5 03/15/34 98.25/98.75", column=1),)) for at in range(1, 200))
    found = find_quotes(Document((Grid(rows, table_idx=1),), "html"), part("HY run"), Work(FOR_LINES + 20_000))
    assert found.quotes
    assert refused(found) == [(Code.PART_TOO_LARGE, f"table 1 row {len(found.quotes) + 1}")]
    none = find_quotes(Document((Grid(rows, table_idx=1),), "html"), part("HY run"), Work(FOR_LINES))
    assert refused(none) == [(Code.PART_TOO_LARGE, "table 1 row 1")]


def test_pages_of_a_pdf_end_at_a_line_of_a_page(part: Part) -> None:
    lines = [
        Line(at % 50 + 1, f"{letters(at)} 5 03/15/34 98.25/98.75", at * 40, page=at // 50 + 1) for at in range(200)
    ]
    ((_, where),) = refused(find_quotes(Document(tuple(lines), "pdf"), part("HY run"), Work(80_000)))
    assert where is not None
    assert where.startswith("page ")


def test_what_is_ordinary_and_large_is_read_whole() -> None:
    costs = RowCosts()
    row = ["XS2641318121", "XYZ 5 03/15/34", "98.25", "98.75", "5.12", "USD", "BBB", "5", "5", "T", "120"]
    assert 200_000 * costs.of(row) < MOST - FOR_LINES
    work = Work()
    for _ in range(20_000):
        work.line(PRICE)
    assert not work.is_done


@pytest.mark.parametrize("text", ["", "a", "1", "x" * 5000, "5" * 5000])
def test_all_work_counts(text: str) -> None:
    work = Work()
    lefts = [work.left]
    for count in (work.line, work.passed):
        count(text)
        lefts.append(work.left)
    assert lefts == sorted(set(lefts), reverse=True)
    assert of_typed_row(text) > 0
    assert RowCosts().of([text]) > 0
    assert RowCosts(headed=False).of([text]) > 0
