"""As much of a grid as the work left to its part allows (spec ruling 38)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from msgspec.structs import replace

from parsers.document import Grid, Row
from parsers.quotes.tables.grids.headers import SEARCHED_ROWS
from parsers.quotes.tables.grids.split import blocks
from parsers.quotes.work import RowCosts, Work


def fitted(grid: Grid, work: Work) -> tuple[Grid, Row | None]:
    """The grid up to where the work of its part ends, and the first row behind; what it takes is counted."""
    costs = _costs(grid.rows, work, headed=True)
    if sum(costs) > work.for_tables and not any(block.header for block in blocks(grid.rows[:SEARCHED_ROWS])):
        costs = _costs(grid.rows, work, headed=False)
    allowed = work.for_tables
    count = sum(1 for spent in accumulate(costs) if spent <= allowed)
    work.spend(sum(costs[:count]))
    if count == len(grid.rows):
        return grid, None
    work.spend(max(work.for_tables, 0))  # what the row would take, none of a smaller table behind it may
    return replace(grid, rows=grid.rows[:count]), grid.rows[count]


def _costs(rows: Sequence[Row], work: Work, *, headed: bool) -> list[int]:
    costs = RowCosts(headed=headed, of_look_ups=work.of_look_ups)
    return [costs.of([cell.text for cell in row.cells if cell.text]) for row in rows]
