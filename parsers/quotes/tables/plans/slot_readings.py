"""What one slot of a row holds: both sides, a lone value, talk, a price and a margin (spec 4.6, 4.9, 4.10)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import LISTS, QuoteKind, QuoteType
from parsers.document import Cell
from parsers.lexicon import compiled
from parsers.quotes.classes import rules_of
from parsers.quotes.headings.columns import Column
from parsers.quotes.tables.cells.cells import Nothing
from parsers.quotes.tables.cells.readings import Reading, both, of_both, sides, talked
from parsers.quotes.tables.plans.amounts import MOST_TALKED_PRICE
from parsers.quotes.tables.plans.planning import Planned
from parsers.quotes.tables.plans.units import in_unit, stated_unit
from parsers.values.markets import PRICES, SPREADS, LevelRules
from parsers.values.numbers import Number, number

_DOLLARS = compiled(
    r"[^\d+]*(?:[6-9]\d|1[0-2]\d)(?:(?<!0)(?:'?s|h)|\.\d+\s?{area_letter}?)$|{par_printed}\b|.*\d.*\b{px_word}$",
    re.IGNORECASE,
)
"""`VH99s`, `100.05 area` among margins: a decade of basis points ends in a nought."""
_PRICE = re.compile(r"(?:[6-9]\d|1[0-3]\d)[.,]\d+(?:\s?/\s?(?:[6-9]\d|1[0-3]\d)[.,]\d+)?")
"""`99.75` in a column of spreads over their curves."""
_PRICE_AND_MARGIN = re.compile(r"(?P<price>\d{2,3}(?:[.,]\d+)?)\s*/\s*(?P<margin>\d{2,4})\s?dm", re.IGNORECASE)


class Read(Struct, frozen=True, gc=False):
    """What one slot holds in one row, before lone values have found their side."""

    planned: Planned
    reading: Reading
    at: int  # cell index of the first price
    mid: Number | None = None


def read(
    planned: Planned, cells: Sequence[Cell], below: Sequence[Cell] | None, kind: QuoteKind | None
) -> Read | Nothing:
    """The reading of one slot.

    Args:
        planned: the slot.
        cells: of the row.
        below: of the ask row, where bid and ask rows are stacked.
        kind: what section or title say: in a list of bids wanted, a lone column is talk.
    """
    slot = planned.slot
    is_bare = slot.measure is None
    if is_bare and (unit := stated_unit(cells[slot.lead.at])) is not None:
        planned = in_unit(planned, unit)
    if slot.single is None:
        return _sided(planned, cells)
    at = slot.single.at
    if below is not None:
        found = sides(cells[at], below[at], planned.rules)
    elif planned.kind is QuoteKind.talk or (kind in LISTS and planned.kind is None):
        found = _talk(planned.rules, cells[at], is_bare=is_bare)
    else:
        found = _both(planned, cells[at], slot.single)
    return found if isinstance(found, Nothing) else Read(planned, found, at)


def _talk(rules: LevelRules, cell: Cell, *, is_bare: bool) -> Reading | Nothing:
    """A cell of talk; under a heading without a measure dollars are prices, and what is above all prices none."""
    if is_bare and rules.quote_type in SPREADS and _DOLLARS.match(cell.text) is not None:
        return _as_price(talked(cell, replace(rules, quote_type=QuoteType.price_pct)))
    found = talked(cell, rules)
    if is_bare and rules.quote_type in PRICES and isinstance(found, Reading):
        return _above_prices(found, cell, rules)
    return found


def _both(planned: Planned, cell: Cell, single: Column) -> Reading | Nothing:
    """A cell of both sides, or of one; a price among spreads stays a price."""
    rules = planned.rules
    is_price = planned.is_over and rules.quote_type in SPREADS and _PRICE.fullmatch(cell.text) is not None
    rules = replace(rules, quote_type=QuoteType.price_pct) if is_price else rules
    found = (of_both if single.side == "both" else both)(cell, rules)
    return replace(found, quote_type=rules.quote_type) if is_price and isinstance(found, Reading) else found


def _as_price(found: Reading | Nothing) -> Reading | Nothing:
    if isinstance(found, Nothing):
        return found
    return replace(found, quote_type=found.quote_type or QuoteType.price_pct)


def _above_prices(found: Reading, cell: Cell, rules: LevelRules) -> Reading:
    """`145-150` among talk of prices: the spread of its class, whose `mid 140s` are wider than those of a price."""
    low = found.talk.low if found.talk is not None else None
    is_price = found.quote_type is not None or low is None or low <= MOST_TALKED_PRICE
    spread = None if is_price else rules_of(rules.asset_class).spread
    again = talked(cell, replace(rules, quote_type=spread)) if spread is not None else found
    return replace(again, quote_type=spread) if isinstance(again, Reading) and spread is not None else found


def parted(item: Read, cells: Sequence[Cell]) -> tuple[Read, ...]:
    """`100.02 / 136dm` in one cell are a price and a margin, each a record (spec 4.10 no. 72); `135/130dm` is one."""
    planned, text = item.planned, cells[item.at].text
    two = _PRICE_AND_MARGIN.fullmatch(text) if planned.slot.single is not None and "dm" in text.lower() else None
    if two is None or planned.slot.measure == QuoteType.dm_bp or _are_margins(two["price"], two["margin"]):
        return (item,)
    found = []
    for quote_type, raw in ((QuoteType.price_pct, two["price"]), (QuoteType.dm_bp, two["margin"])):
        value = number(raw, planned.rules.locale)
        reading = Reading(single=value, quote_type=quote_type)
        found.append(Read(replace(planned, rules=replace(planned.rules, quote_type=quote_type)), reading, item.at))
    return tuple(found)


def _are_margins(first: str, second: str) -> bool:
    """Whether two figures are as near each other as the sides of a margin are, the bid's the wider (spec 4.3)."""
    return first.isdecimal() and 0 <= int(first) - int(second) <= max(15, int(first) // 4)


def _sided(planned: Planned, cells: Sequence[Cell]) -> Read | Nothing:
    slot, rules = planned.slot, planned.rules
    found = sides(
        cells[slot.bid.at] if slot.bid is not None else None,
        cells[slot.ask.at] if slot.ask is not None else None,
        rules,
    )
    mid = sides(cells[slot.mid.at], None, rules) if slot.mid is not None else None
    if isinstance(found, Nothing):
        if not isinstance(mid, Reading):
            return found if mid is None else max(found, mid, key=lambda nothing: nothing.value)
        found = Reading(quote_type=mid.quote_type, benchmark=mid.benchmark)
    middle = mid.bid if isinstance(mid, Reading) else None
    places = ((slot.bid, found.bid), (slot.ask, found.ask), (slot.mid, middle))
    at = min([column.at for column, value in places if column is not None and value is not None])
    return Read(planned, found, at, middle)
