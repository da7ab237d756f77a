"""The first values of a level column, read as plain numbers: enough to tell what they measure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.document import Cell, Row
from parsers.quotes.answers.measuring import NO_SAMPLE, Sample
from parsers.quotes.headings.columns import Column
from parsers.quotes.tables.cells.cells import Nothing, one
from parsers.quotes.tables.cells.readings import Reading, both, has_prefix, of_both, talked
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.plans.slots import Slot
from parsers.values.benchmarks import bond
from parsers.values.markets import LevelRules
from parsers.values.numbers import Number, Ticks

_DECIMALS = re.compile(r"[.,](\d+)$")


def sampled(table: Table, slot: Slot, slots: Sequence[Slot]) -> tuple[Sample, QuoteKind | None]:
    """What tells the measure of a slot: values, and the kind by whose rule they are read; none where its heading does.

    A bare trade and a bare cover are of one measure, which either may tell.
    """
    if slot.measure is not None:
        return NO_SAMPLE, slot.kind
    own = sample_of(table, slot)
    other = next((one for one in slots if _are_of_one(one, slot)), None)
    if other is None or own.looks_like_price:
        return own, slot.kind
    beside = sample_of(table, other)
    joined = Sample([*own.values, *beside.values], prefixed=own.prefixed or beside.prefixed)
    return beside if beside.looks_like_price else joined, QuoteKind.cover


def _are_of_one(one: Slot, slot: Slot) -> bool:
    return one.measure is None and {one.kind, slot.kind} == {QuoteKind.cover, QuoteKind.trade}


def sample_of(table: Table, slot: Slot) -> Sample:
    """The slot's first values, read as plain numbers."""
    ticks = Ticks.dotted if slot.lead.thirty_seconds else Ticks.unsure
    rules = LevelRules(locale=table.locale, thirty_seconds=ticks)
    columns = [column for column in (slot.bid, slot.ask, slot.mid, slot.single) if column is not None]
    values: list[Fraction] = []
    bare: list[Fraction] = []  # of cells that do not say what they are over: what they are, the others do not tell
    low = high = prefixed = filled = 0
    for row in table.sample:
        pair: list[Fraction] = []
        is_prefixed = False
        for column in columns:
            cell = row.cells[column.at]
            is_prefixed = has_prefix(cell.text)
            prefixed += is_prefixed
            pair += _values(cell, rules, slot, column, is_prefixed=is_prefixed)
        if len(pair) == 2 and slot.single is None and (last := _last_digits(row, slot, pair)):
            low += last[0] < last[1]  # `40.11` beside `21`; `99.875` beside `125` tells nothing
            pair.pop()
        values += pair
        bare += () if is_prefixed else pair
        filled += bool(pair)
        if len(pair) >= 2 and slot.kind is not QuoteKind.talk:
            (over, below), (other_over, other_below) = pair[0].as_integer_ratio(), pair[1].as_integer_ratio()
            low += over * other_below < other_over * below
            high += over * other_below > other_over * below
    is_over = prefixed * 2 > (filled or len(table.sample))
    return Sample(
        values if is_over or not bare else bare,
        low,
        high,
        is_over,
        is_sided=slot.single is None,
        is_over_bond=_is_over_bonds(table),
    )


def _values(cell: Cell, rules: LevelRules, slot: Slot, column: Column, *, is_prefixed: bool) -> list[Fraction]:
    """The values of a cell: of one side, of both, or the ends of its talk."""
    found: Number | Reading | Nothing
    if column is not slot.single:
        found = both(cell, rules) if is_prefixed else one(cell, rules)  # `SOFR-15` | `SOFR+20`
    else:
        found = talked(cell, rules) if slot.kind is QuoteKind.talk else _either(cell, rules, column.side)
    if isinstance(found, Number):
        return [found.value]
    if isinstance(found, Nothing):
        return []
    values = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    return values + [end for end in (found.talk.low, found.talk.high) if end is not None] if found.talk else values


def _last_digits(row: Row, slot: Slot, pair: Sequence[Fraction]) -> tuple[str, str] | None:
    """The last digits of the bid, and the ask that is no more than such digits: `3.52` beside `51`."""
    bid, ask = (row.cells[column.at].text if column is not None else "" for column in (slot.bid, slot.ask))
    decimals = _DECIMALS.search(bid) if ask.isdecimal() else None
    if decimals is None or len(ask) > len(decimals[1]) or 9 * pair[0] <= 10 * pair[1] <= 12 * pair[0]:
        return None
    return bid[-len(ask) :], ask


def _either(cell: Cell, rules: LevelRules, side: str | None) -> Reading | Nothing:
    """What the cell holds; among ticks above 31 two values: `48-44`."""
    found = of_both(cell, rules) if side == "both" else both(cell, rules)
    return both(cell, replace(rules, thirty_seconds=Ticks.off)) if found is Nothing.unreadable else found


def _is_over_bonds(table: Table) -> bool:
    """Whether the rows name the bonds that their spreads are over."""
    columns = table.fields.at.get("benchmark", ())
    texts = [text for row in table.sample for at in columns if (text := row.cells[at].text)]
    return bool(texts) and all(map(bond, texts))
