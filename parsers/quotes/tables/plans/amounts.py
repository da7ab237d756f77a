"""What the values of a slot cannot be, by how they are shown and how large they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from parsers.codes import QuoteType
from parsers.document import Row
from parsers.quotes.answers.measuring import Sample
from parsers.quotes.headings.columns import Column
from parsers.quotes.tables.cells.cells import plain
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.plans.sampling import sample_of
from parsers.quotes.tables.plans.slots import Slot
from parsers.values.markets import SPREADS, YIELDS
from parsers.values.outrights import may_be_rate, rough_of

MOST_TALKED_PRICE = 130
"""Percent of par; talk above it, and talk with a plus, is of a spread."""

_PU = re.compile(r"\bPU\b", re.IGNORECASE)
_MOST_PRICE = 250
"""Percent of par (spec 2.8); what is above, as a preço unitário of 1,000 reais of face, cannot be one."""
_MOST_YIELD = 10
_MOST_BREAKEVEN = 30
"""Percent; above it stand basis points, which no quote type of a breakeven has."""
_MONEY = tuple("$€£¥")
_FAR_APART = 2
"""Times; outrights of one pair are near each other, whatever their tenors."""


def cannot_be(kind: QuoteType, table: Table, slot: Slot) -> bool:
    """Whether the values are none of this type: a yield in dollars, a breakeven in basis points, a PU in percent."""
    if kind is QuoteType.breakeven_pct or (kind is QuoteType.price_pct and _PU.search(slot.lead.text)):
        sample = sample_of(table, slot)
        return bool(sample.values) and sample.middle > (_MOST_PRICE if kind is QuoteType.price_pct else _MOST_BREAKEVEN)
    if kind is QuoteType.spread_mmd_bp:  # what MMD yields
        sample = sample_of(table, slot)
        return bool(sample.values) and sample.middle < _MOST_YIELD and sample.is_finer_than(1)
    if kind is QuoteType.premium_bp and "%" in slot.lead.text:
        return True
    return kind in SPREADS | YIELDS and _are_amounts(table, slot)


def are_dear(table: Table, slot: Slot, sample: Sample) -> bool:
    """Whether the values are the money that a piece costs: `912,50 €`, or no percents: `312,40`."""
    if not sample.values:
        return False
    is_above = max(sample.values) > _MOST_PRICE and min(sample.values) > MOST_TALKED_PRICE
    return is_above or (sample.middle > MOST_TALKED_PRICE and _are_amounts(table, slot))


def _are_amounts(table: Table, slot: Slot) -> bool:
    """Whether the values are money: no basis points and no yield are shown as `$3,388`."""
    texts = [row.cells[column.at].text for row in table.sample for column in slot.columns]
    marked = sum(1 for text in texts if (text[:1] in _MONEY and text[:4] != "€STR") or text[-1:] in _MONEY)
    return marked * 2 > sum(1 for text in texts if text)


def are_small_percents(table: Table, slot: Slot) -> bool:
    """Whether the values are shown in percent and are below 10: yields, whatever their heading."""
    cells = [cell for row in table.sample for column in slot.columns if (cell := row.cells[column.at]).text]
    shown = [cell for cell in cells if cell.text.endswith("%") or "%" in (cell.number_format or "")]
    values = [plain(replace(cell, text=cell.text.rstrip(" %")), table.locale) for cell in shown]
    return len(shown) * 2 > len(cells) and all(value is not None and abs(value) < 10 for value in values)


def are_far_from_spot(table: Table, instrument: str = "") -> bool:
    """Whether most values are nowhere near what their pair is worth, or far apart: points, no outright rates.

    Args:
        table: of forwards, with a column of spots, or pairs in its headings.
        instrument: of a row, which may name the pair: without spots its rows alone are looked at then.
    """
    spot = next((column for column in table.columns if column.text.casefold().startswith("spot")), None)
    rough = rough_of(instrument) if spot is None else None
    rows = table.sample if rough is None else [row for row in table.sample if _is_of_pair(row, rough)]
    found = [one for row in rows for one in _values(row, table, spot, rough)]
    near = sum(is_near for _, is_near in found)
    values = [value for value, _ in found]
    are_apart = rough is not None and bool(values) and max(values) > _FAR_APART * min(values)
    return len(found) > 2 * near or are_apart


def _values(row: Row, table: Table, spot: Column | None, rough: Fraction | None) -> Iterator[tuple[Fraction, bool]]:
    """The values of a row that stand beside what a pair is worth, each with whether it is near that."""
    at = plain(row.cells[spot.at], table.locale) if spot is not None else None
    for column in (one for one in table.columns if one.at in table.bare and one is not spot):
        cell = row.cells[column.at]
        value = plain(replace(cell, text=cell.text.partition("/")[0].strip()), table.locale)
        worth = at or rough_of(column.text) or rough
        if worth and value is not None:
            yield value, abs(value - worth) * 2 <= worth if at else may_be_rate(value, worth)


def _is_of_pair(row: Row, rough: Fraction) -> bool:
    """Whether no cell of a row names a pair of another worth."""
    return all(rough_of(cell.text) in (None, rough) for cell in row.cells)
