"""Columns that are no levels: how far bid and ask of the row are apart."""

from __future__ import annotations

from fractions import Fraction

from parsers.document import Row
from parsers.quotes.headings.columns import Column
from parsers.quotes.tables.cells.cells import plain
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.plans.slots import Slot

_LEAST_ROWS = 2
_ROUNDING = Fraction(5, 100)
_WIDEST, _LEAST_TIMES = 40, 3
"""Points or basis points, and how many times as much the level is."""


def is_width(table: Table, slot: Slot) -> bool:
    """Whether a slot holds no levels: values under both sides in one, or a `Spread` that is ask less bid."""
    if slot.single is None:
        return False
    if slot.single.side == "both":
        return any(_are_widths(table, slot.single, found) for found in table.columns)
    return slot.measure == "spread" and _is_ask_less_bid(table, slot.single.at)


def _are_widths(table: Table, found: Column, beside: Column) -> bool:
    """Whether all under `Bid/Ask` are lone numbers, small beside those of a column of levels: `98.5 | 0.5`."""
    is_of_same = (found.tenor, found.option_struct) == (beside.tenor, beside.option_struct)
    if not beside.is_level or beside.side == "both" or not is_of_same:
        return False
    texts = [row.cells[found.at].text for row in table.sample]
    values = [plain(row.cells[found.at], table.locale) for row in table.sample]
    levels = [plain(row.cells[beside.at], table.locale) for row in table.sample]
    pairs = [(value, level) for value, level in zip(values, levels, strict=True) if value is not None and level]
    is_all = len(pairs) == sum(map(bool, texts)) > 0
    is_small = all(0 < value < _WIDEST for value, _ in pairs)
    return is_all and is_small and _LEAST_TIMES * sum(value for value, _ in pairs) <= sum(level for _, level in pairs)


def _is_ask_less_bid(table: Table, at: int) -> bool:
    """Whether all values of a lone spread are the row's ask less its bid, in points or per cent."""
    sides = {column.side: column.at for column in table.columns if column.is_level and column.side in {"bid", "ask"}}
    if len(sides) < 2:
        return False
    found = [near for row in table.sample if (near := _is_near(row, table, at, sides["bid"], sides["ask"])) is not None]
    return len(found) >= _LEAST_ROWS and all(found)


def _is_near(row: Row, table: Table, at: int, bid_at: int, ask_at: int) -> bool | None:
    """None where the row has not all three."""
    value, bid, ask = (plain(row.cells[index], table.locale) for index in (at, bid_at, ask_at))
    if not value or not bid or ask is None:
        return None
    width = abs(ask - bid)
    return any(abs(value - apart) <= value * _ROUNDING for apart in (width, width * 100 / bid, width * 100 / ask))
