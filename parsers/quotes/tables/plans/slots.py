"""Which columns make one record of a row: bid beside ask of one measure, one tenor, one kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.quotes.headings.columns import Column

_TO_WORST = re.compile(r"ytw|worst", re.IGNORECASE)


class Slot(Struct, frozen=True, kw_only=True, dict=True):
    """The columns of one record: those of its sides, or the one that holds all there is."""

    measure: str | None = None  # as in Column; None: the class and the values say
    bid: Column | None = None
    ask: Column | None = None
    mid: Column | None = None
    single: Column | None = None  # no side printed: a value, a pair, or talk

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Its columns, left to right."""
        named = (self.bid, self.ask, self.mid, self.single)
        return tuple(sorted((column for column in named if column is not None), key=lambda column: column.at))

    @cached_property
    def lead(self) -> Column:
        """The first of its columns, whose words hold for the record."""
        return self.columns[0]

    @property
    def kind(self) -> QuoteKind | None:
        """The kind its heading names."""
        return self.lead.kind


def slots(columns: Iterable[Column]) -> tuple[Slot, ...]:
    """The records that the level columns make, in the order of their first columns.

    A second column for a side that is taken is left out: nothing says which of the two is the market.
    """
    made: dict[tuple[object, ...], Slot] = {}
    for found in columns:
        if not found.is_level:
            continue
        key = _key(found)
        slot = made.get(key, Slot(measure=found.measure))
        made[key] = _with(slot, found)
    return tuple(sorted(_joined(_told_once(list(made.values()))), key=lambda slot: slot.lead.at))


def _told_once(made: list[Slot]) -> list[Slot]:
    """The slots, of lone yields one: `YTM` beside `YTW`."""
    kept: dict[tuple[object, ...], Slot] = {}
    for slot in made:
        is_lone_yield = slot.single is not None and slot.measure == "yield_pct" and slot.single.side is None
        key = _key(slot.lead)[: None if not is_lone_yield else -1]
        kept[key] = slot if key not in kept else replace(slot, single=_told(kept[key].single, slot.lead))
    return list(kept.values())


def _with(slot: Slot, found: Column) -> Slot:
    """The slot with one more column, unless its place is taken: of two yields by the one to worst."""
    if found.side == "bid":
        return replace(slot, bid=_told(slot.bid, found))
    if found.side == "ask":
        return replace(slot, ask=_told(slot.ask, found))
    if found.side == "mid":
        return replace(slot, mid=slot.mid or found)
    return replace(slot, single=slot.single or found)


def _told(taken: Column | None, found: Column) -> Column:
    return found if taken is None or (_is_to_worst(found) and not _is_to_worst(taken)) else taken


def _is_to_worst(found: Column) -> bool:
    return found.measure == "yield_pct" and _TO_WORST.search(found.text) is not None


def _key(found: Column) -> tuple[object, ...]:
    alone = found.at if found.side not in {"bid", "ask", "mid"} else None
    return (
        found.measure,
        found.kind,
        found.tenor,
        found.month,
        found.option_struct,
        found.title,
        found.thirty_seconds,
        alone,
    )


def _joined(made: Sequence[Slot]) -> list[Slot]:
    """`Bid` beside `Ask Px`, `Bid Px` beside `Ask`: a side without a measure is of the only lone measure opposite."""
    bare = [slot for slot in made if slot.measure is None and (slot.bid is None) != (slot.ask is None)]
    if len(bare) != 1:
        return list(made)
    lone = bare[0]
    missing, own = ("bid", "ask") if lone.bid is None else ("ask", "bid")
    partners = [
        slot
        for slot in made
        if slot.measure is not None
        and getattr(slot, missing) is not None
        and getattr(slot, own) is None
        and _key(slot.lead)[1:7] == _key(lone.lead)[1:7]
    ]
    if len(partners) != 1:
        return list(made)
    partner = _with(partners[0], lone.lead)
    return [partner if slot is partners[0] else slot for slot in made if slot is not lone]
