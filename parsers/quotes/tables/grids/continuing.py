"""The header of a grid that stands on the page before, or in a table of its own (spec 5.7)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.document import Grid, Line
from parsers.quotes.headings.columns import Column
from parsers.quotes.tables.grids.headers import best_header


def last_header(before: Sequence[Line | Grid], grid: Grid) -> tuple[Column, ...] | None:
    """The columns of the grid right before, where this one may continue it."""
    if grid.sheet is not None or not grid.rows:
        return None
    if grid.rows[0].page is None:
        return _alone(before, len(grid.rows[0].cells))
    previous = next((block for block in reversed(before) if isinstance(block, Grid)), None)
    if previous is None or not previous.rows or len(previous.rows[0].cells) != len(grid.rows[0].cells):
        return None
    header = best_header(previous.rows)
    return header.columns if header is not None else None


def _alone(before: Sequence[Line | Grid], width: int) -> tuple[Column, ...] | None:
    """The columns of a table that is nothing but a header, over tables of one row each, as layouts have them."""
    for block in reversed(before):
        if not isinstance(block, Grid) or not 0 < len(block.rows) <= 2 or len(block.rows[0].cells) != width:
            return None
        header = best_header(block.rows)
        if header is not None:
            return header.columns if header.end == len(block.rows) else None
        if len(block.rows) > 1:
            return None
    return None
