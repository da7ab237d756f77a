"""Each flag of spec 2.5 has a rule: the smallest document that sets it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from parsers.codes import Flag
from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.text import text_lines
from parsers.quotes.context import PartContext
from parsers.quotes.finding import find_quotes

HEAD = ("ISIN", "Bid", "Ask")
ROW = ("XS2641318121", "98.25", "98.75")


def grid(*rows: tuple[str, ...], **last: object) -> Grid:
    """A table; `last` changes the last cell of the last row."""
    made = [
        Row(number, tuple(Cell(text=text, column=at) for at, text in enumerate(texts, 1)))
        for number, texts in enumerate(rows, 1)
    ]
    *cells, end = made[-1].cells
    made[-1] = replace(made[-1], cells=(*cells, replace(end, **last)))
    return Grid(tuple(made), table_idx=1)


MERGED = Grid(
    tuple(
        replace(row, cells=(replace(row.cells[0], origin=(2, 1)), *row.cells[1:])) if row.number == 3 else row
        for row in grid(HEAD, ROW, ("", "97", "98")).rows
    ),
    table_idx=1,
)
DOCUMENTS: dict[Flag, str | Grid] = {
    Flag.crossed: "HY RUN\nXYZ 5 03/15/34 99.5/98.5",
    Flag.locked: "HY RUN\nXYZ 5 03/15/34 98.5/98.5",
    Flag.wide: "HY RUN\nXYZ 5 03/15/34 80.5/95.5",
    Flag.shorthand_expanded: "HY RUN\nXYZ 5 03/15/34 98.25/75",
    Flag.side_assumed: "HY RUN\nXYZ 5 03/15/34 98.25",
    Flag.size_unit_assumed: "HY RUN\nXYZ 5 03/15/34 98/99 2x5",
    Flag.size_range: "HY RUN\nXYZ 5 03/15/34 98/99 2-4mm",
    Flag.ccy_assumed: "HY RUN\nXYZ 5 03/15/34 98/99",
    Flag.type_assumed: "Levels\nXYZ 5 03/15/34 +120/115",
    Flag.ambiguous_number: grid(HEAD, ("XS2641318121", "98.25", "98,75"), ("US0378331005", "97,125", "97.75")),
    Flag.ambiguous_date: "HY RUN\nXYZ 5 05/06/34 98/99",
    Flag.ambiguous_tick: "Levels\nABC 4 1/4 05/15/34 99-16+/99-17+\nABC 4 05/15/35 99-165/99-17+\nABC 4 05/15/36 99-18+/99-19",
    Flag.locale_assumed: grid(("ISIN", "Geld", "Brief"), ("XS2641318121", "1,234", "1,236")),
    Flag.id_check_failed: grid(("Bond", *HEAD), ("XYZ 5 03/15/34", "XS2641318122", "98.25", "98.75")),
    Flag.id_conflict: grid(
        ("ISIN", "CUSIP", "Bid", "Ask"), ("US0378331005", "46625HJT8", "98", "99"), ("XS2641318121", "", "98", "99")
    ),
    Flag.hidden_source: replace(grid(HEAD, ROW), hidden=True),
    Flag.stale: "HY RUN COB 17 Nov 2026\nXYZ 5 03/15/34 98/99",
    Flag.footnoted: grid(HEAD, ("XS2641318121", "98.25", "98.75*")),
    Flag.out_of_soft_range: grid(HEAD, ("XS2641318121", "260.5", "261.5"), ROW),
    Flag.merged_fill: MERGED,
    Flag.formula_no_cache: grid((*HEAD, "Size"), (*ROW, ""), formula_no_cache=True),
}
ELSEWHERE = frozenset({Flag.from_history, Flag.rounded})
"""Of the mail (tests of reading), and of no notation that dealers use (tests of assembling)."""


def test_the_list_is_complete() -> None:
    assert DOCUMENTS.keys() | ELSEWHERE == set(Flag)


@pytest.mark.parametrize("flag", sorted(DOCUMENTS.keys() - ELSEWHERE))
def test_a_flag_is_set_by_the_smallest_document_that_earns_it(part: Callable[..., PartContext], flag: Flag) -> None:
    made = DOCUMENTS[flag]
    blocks: tuple[Grid | Line, ...] = tuple(text_lines(made + "\n")) if isinstance(made, str) else (made,)
    found = find_quotes(Document(blocks, parser="test"), part("HY levels" if isinstance(made, Grid) else None))
    assert any(flag in quote.flags for quote in found.quotes), (found.quotes, found.rejects)


@pytest.mark.parametrize("flag", sorted(Flag))
def test_a_clean_line_has_none_of_them(part: Callable[..., PartContext], flag: Flag) -> None:
    blocks = (Line(1, "HY RUN in USD", 0), Line(2, "XYZ 5 03/15/34 98/99 2mm x 5mm", 20))
    (quote,) = find_quotes(Document(blocks, parser="test"), part()).quotes
    assert flag not in quote.flags
