"""A `Spread` that is no level: how far bid and ask of the row are apart."""

from __future__ import annotations

from fractions import Fraction

from parsers.document import Row
from parsers.quotes.tables.cells import plain
from parsers.quotes.tables.slots import Slot
from parsers.quotes.tables.table import Table

_LEAST_ROWS = 2
_ROUNDING = Fraction(5, 100)


def is_width(table: Table, slot: Slot) -> bool:
    """Whether all values of a lone spread are the row's ask less its bid, in points or per cent."""
    if slot.measure != "spread" or slot.single is None:
        return False
    sides = {column.side: column.at for column in table.columns if column.is_level and column.side in {"bid", "ask"}}
    if len(sides) < 2:
        return False
    found = [
        near
        for row in table.sample
        if (near := _is_near(row, table, slot.single.at, sides["bid"], sides["ask"])) is not None
    ]
    return len(found) >= _LEAST_ROWS and all(found)


def _is_near(row: Row, table: Table, at: int, bid_at: int, ask_at: int) -> bool | None:
    """None where the row has not all three."""
    value, bid, ask = (plain(row.cells[index], table.locale) for index in (at, bid_at, ask_at))
    if not value or not bid or ask is None:
        return None
    width = abs(ask - bid)
    return any(abs(value - apart) <= value * _ROUNDING for apart in (width, width * 100 / bid, width * 100 / ask))
