"""Tables with prices that nobody makes: holdings, confirmations, research, market wraps (spec 2.9)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.quotes.headings.columns import IDENTIFIERS, Column
from parsers.quotes.tables.sections import is_market_talk
from parsers.quotes.tables.table import Table
from parsers.values.currencies import PAIR

_LIKELY = 2
"""Columns that a price list may have too, of which so many make a statement."""

_MONITORED = 2
"""Rows of share indices, commodities, currencies from which a table may be a monitor."""


def is_record(columns: Sequence[Column]) -> bool:
    """Whether the columns are those of what is held, done or recommended, and none is a bid or an ask."""
    if any(column.is_level and column.side in {"bid", "ask", "both"} for column in columns):
        return False
    marks = [column.record for column in columns if column.record is not None]
    return "sure" in marks or len(marks) >= _LIKELY


def is_monitor(table: Table) -> bool:
    """Whether a third of the rows are share indices, commodities and currencies: a wrap of the day."""
    if not table.fields.at.keys().isdisjoint(IDENTIFIERS):
        return False
    names = [name for row in table.sample if (name := table.fields.name(row.cells))]
    shares = sum(1 for name in names if is_market_talk(name))
    crosses = sum(1 for name in names if PAIR.fullmatch(name.strip()))
    return shares >= _MONITORED and (shares + crosses) * 3 >= len(names)
