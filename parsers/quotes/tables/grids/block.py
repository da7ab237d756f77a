"""One table of a grid, cut out of it (spec 5.7)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parsers.document import Row
from parsers.quotes.tables.grids.headers import Header


class Block(Struct, frozen=True):
    """One table: what stands above it, its header, and the rows below."""

    titles: tuple[str, ...]  # top-down
    header: Header | None  # None where no header was found
    body: tuple[Row, ...]
    first: int  # the table's cells are [first, last) of each row
    last: int
    turned: tuple[int, ...] | None = None  # of a transposed table: the true row number of each cell


def titles_of(rows: Sequence[Row], first: int, last: int) -> tuple[str, ...]:
    """The texts above a header; of a band its own, and titles of the whole sheet."""
    found = []
    for row in rows:
        own = [cell.text for cell in row.cells[first:last] if cell.text]
        if not own and sum(1 for cell in row.cells if cell.text) == 1:
            own = [cell.text for cell in row.cells if cell.text]
        if own:
            found.append(" ".join(own))
    return tuple(found)
