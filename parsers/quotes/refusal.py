"""A line that was meant as a quote and is none, with its place for people (spec 6.5)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from parsers.codes import Code
from parsers.document import Cell
from parsers.outcome import Reject
from parsers.quotes.context import PartContext

MAX_RAW = 500
"""Characters of a refused line that are kept (spec 6.5)."""


def refusal(context: PartContext, code: Code, *, where: str, text: str, parser: str = "") -> Reject:
    """The reject of a row; `where` is its `locator`."""
    return Reject(
        level="row", code=code, part_path=context.part_path, locator=where, raw_text=text[:MAX_RAW], parser=parser
    )


def row_text(cells: Iterable[Cell]) -> str:
    """A row of a table that is refused as such."""
    return " | ".join(cell.text for cell in cells if cell.text)


def locator(
    *,
    sheet: str | None = None,
    page: int | None = None,
    table_idx: int | None = None,
    row: int | None = None,
    column: int | None = None,
    line: int | None = None,
) -> str:
    """Where a line stands: `EUR IG!D17`, `page 2 row 31`, `table 1 row 4`, `line 8`; all numbers count from 1."""
    if sheet is not None and row is not None:
        return f"{sheet}!{cell_name(column or 1, row)}"
    places = {"page": page, "table": table_idx if page is None else None, "row": row, "line": line}
    return " ".join(f"{name} {number}" for name, number in places.items() if number is not None)


def line_places(page: int | None, number: int) -> tuple[str, str]:
    """What refusals call a line: as such, and as a row of a table that is typed out."""
    return locator(page=page, line=number), locator(page=page, row=number)


def cell_name(column: int, row: int) -> str:
    """`D17`, as workbooks name their cells."""
    return f"{_letters(column)}{row}"


@lru_cache(maxsize=256)
def _letters(column: int) -> str:
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters
