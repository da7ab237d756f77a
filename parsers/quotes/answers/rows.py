"""A row of a table or a line of a run, understood: the same value for both, of which the rest is asked once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct, field

from parsers.codes import LISTS, Firmness, Flag, QuoteKind, QuoteType
from parsers.quotes.answers.kinds import axed, of_list
from parsers.quotes.answers.sizing import sided
from parsers.quotes.answers.told import Told
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Draft, Instrument, Level, Sizes
from parsers.quotes.headings.surroundings import Surroundings
from parsers.values.sizes import SizePair
from parsers.values.times.moments import Printed

_PER_UNIT = QuoteType.price_unit
_OPEN = frozenset({QuoteKind.market, QuoteKind.axe, *LISTS})
"""Kinds of levels that can be dealt on."""


class Row(Struct, frozen=True, kw_only=True, gc=False):
    """What a row or line says of its one instrument; None: nothing."""

    instrument: Instrument
    asset_class: str
    class_source: str
    told: Told
    heads: tuple[str, ...]  # what the columns that it stands in hold
    levels: tuple[Level, ...]  # of the kinds that their own words or columns say, on their sides
    said: Surroundings  # by what stands around it
    sizes: SizePair = SizePair()
    size_text: str | None = None  # that they were read from
    axe: str | None = None  # bid, ask, both, any
    firmness: Firmness | None = None
    is_flat: bool = False
    unit_par: Fraction | None = None
    settle: str | None = None
    printed: Printed | None = None  # a day or time of its own
    language: str | None = None
    headed: bool = False
    flags: frozenset[Flag] = field(default_factory=frozenset)


def drafted(row: Row) -> Draft:
    """The draft of a row, without its place."""
    said, rules = row.said, rules_of(row.asset_class)
    is_axe_bid, is_axe_ask, levels = axed(of_list(row.levels, said.kind), row.axe, said.axe)
    sizes = sided(_own_or_said(row, levels), levels, said.kind, row.size_text)
    unit_par = row.unit_par if row.unit_par is not None else said.unit_par
    is_by_unit = unit_par is not None and any(level.quote_type is _PER_UNIT for level in levels)
    return Draft(
        instrument=row.instrument,
        levels=levels,
        sizes=Sizes() if rules.is_of_deal(sizes.bid or sizes.ask) else sizes,
        asset_class=row.asset_class,
        class_source=row.class_source,
        told=row.told,
        heads=row.heads,
        firmness=row.firmness or said.firmness or Firmness.unknown,
        is_axe_bid=is_axe_bid,
        is_axe_ask=is_axe_ask,
        is_flat=row.is_flat or said.flat or rules.flat,
        unit_par=unit_par if is_by_unit else None,
        settle_text=row.settle or said.settle,
        printed=row.printed if said.kind not in LISTS else None,  # the auction's
        said_at=said.printed,
        language=row.language,
        headed=row.headed,
        flags=row.flags,
    )


def _own_or_said(row: Row, levels: Sequence[Level]) -> SizePair:
    """The sizes that the row prints, else those that a heading says of all lines; what is done has its own.

    Where `m` may be thousands, as in munis, a heading says too little.
    """
    said = row.said.sizes
    if said is None or row.sizes != SizePair() or rules_of(row.asset_class).thousands:
        return row.sizes
    return said if all(level.quote_kind in _OPEN for level in levels) else SizePair()
