"""Runs pasted into one column of a sheet or table: each row is a line of text (spec 5.11)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from parsers.document import Grid, Line, Row
from parsers.outcome import Reject
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft
from parsers.quotes.refusal import locator
from parsers.quotes.runs import read_lines

_LEAST_ROWS = 2


def read_pasted(grid: Grid, context: PartContext) -> tuple[tuple[Draft, ...], tuple[Reject, ...]]:
    """The quotes of a grid whose text stands in one column, and the rows refused; none of any other grid.

    Spans are counted in the cell, whose text is the row's.
    """
    column = _only_column(grid)
    if column is None:
        return (), ()
    found = read_lines(list(_lines(grid, column)), context, after_tables=False)
    drafts = tuple(_placed(draft, grid, column) for draft in found.drafts)
    homes = {locator(page=row.page, line=row.number): _cell(grid, row, column) for row in grid.rows}
    return drafts, tuple(replace(reject, locator=homes[reject.locator or ""]) for reject in found.rejects)


def _only_column(grid: Grid) -> int | None:
    """The index of the only column with text, where it has at least two rows."""
    places: set[int] = set()
    rows = 0
    for row in grid.rows:
        filled = [at for at, cell in enumerate(row.cells) if cell.text]
        places.update(filled)
        rows += bool(filled)
        if len(places) > 1:
            return None
    return places.pop() if rows >= _LEAST_ROWS else None


def _lines(grid: Grid, column: int) -> Iterator[Line]:
    for row in grid.rows:
        cell = row.cells[column]
        yield Line(row.number, cell.text, 0, row.page, struck=cell.struck)


def _placed(draft: Draft, grid: Grid, column: int) -> Draft:
    """The draft of a line, at home in its cell."""
    levels = tuple(replace(level, column=column + 1) for level in draft.levels)
    return replace(draft, levels=levels, sheet=grid.sheet, table_idx=grid.table_idx, row=draft.line, line=None)


def _cell(grid: Grid, row: Row, column: int) -> str:
    return locator(sheet=grid.sheet, table_idx=grid.table_idx, row=row.number, column=column + 1)
