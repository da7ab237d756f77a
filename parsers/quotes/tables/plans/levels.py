"""From the cells of a row to its levels: sides, kinds, talk and cover (spec 4.6, rulings 1, 3, 4, 15, 25, 31)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Flag, Notation, QuoteKind, QuoteType
from parsers.document import Cell
from parsers.quotes.answers.siding import sided
from parsers.quotes.draft import Level
from parsers.quotes.headings.phrases import option_struct
from parsers.quotes.tables.plans.amounts import MOST_TALKED_PRICE
from parsers.quotes.tables.plans.planning import OF_OPTIONS
from parsers.quotes.tables.plans.slot_readings import Read
from parsers.values.markets import PRICES, SPREADS
from parsers.values.numbers import raw_of, value_of

_TALK, _MARKET = QuoteKind.talk, QuoteKind.market
_AGAINST_REFERENCE, _OVER_BENCHMARK = QuoteType.price_vs_ref, QuoteType.spread_bench_bp
_FUNDING = QuoteType.funding_spread_bp
_BOND = re.compile(r"[A-Z]+ ?\d")
"""A benchmark that is a bond: over it the spread is."""
_ASSUMED = frozenset({Flag.type_assumed})
_TOLD = frozenset({QuoteKind.trade, QuoteKind.cover})
_MID_WORDS = frozenset({"price", "price_pct", "price_unit"})  # `Px`, `Kurs`: mid where nothing says a side (spec 4.6)


class RowWords(Struct, frozen=True, kw_only=True, gc=False):
    """What the row and its surroundings say about all its levels."""

    own: str | None = None  # bid, ask, mid: of the row's side column
    side: str | None = None  # the same of section, title, subject
    kind: QuoteKind | None = None  # of section or title
    tenor: str | None = None
    structs: tuple[str | None, ...] = ()  # texts of which the first that does may name a kind of option
    option_struct: str | None = None  # of a title
    benchmark: str | None = None  # of a benchmark column
    ref_price: Fraction | None = None
    delta: Fraction | None = None
    running: Fraction | None = None


def levels(
    found: Sequence[Read], cells: Sequence[Cell], words: RowWords, true_rows: Sequence[int] | None
) -> tuple[Level, ...]:
    """The row's levels; a value without a side takes that of the row's only price, else of the words around it.

    Args:
        found: what the slots hold.
        cells: of the row.
        words: of the row and around it.
        true_rows: of a transposed table, the row each cell stands in.
    """
    if len(found) > 1:
        found = [_as_talked(item, found) for item in found]
    made = [_level(item, cells, words, true_rows) for item in found]
    return sided(made, [_told(item) for item in found], words.own, words.side, words.kind)


def _told(item: Read) -> str | None:
    """What the column says of a lone value."""
    if item.reading.single is None:
        return "mid"
    return "price" if item.planned.slot.measure in _MID_WORDS else None


def _as_talked(item: Read, row: Sequence[Read]) -> Read:
    """`141` under `Traded` beside a talk of `low 140s`: basis points, though trades are prices by their word.

    So is `94.75` a price beside `mid 90s`, though the other covers of its column are margins.
    """
    planned, value = item.planned, item.reading.single
    is_told = planned.slot.measure is not None or planned.kind not in _TOLD
    if is_told or item.reading.quote_type is not None or value is None:
        return item
    talk = next((other for other in row if other.reading.talk is not None), None)
    kind = (talk.reading.quote_type or talk.planned.quote_type) if talk is not None else None
    is_dear = value.value > MOST_TALKED_PRICE
    is_other = kind in (SPREADS if is_dear else PRICES) and planned.quote_type in (PRICES if is_dear else SPREADS)
    return replace(item, reading=replace(item.reading, quote_type=kind)) if is_other else item


def _level(item: Read, cells: Sequence[Cell], words: RowWords, true_rows: Sequence[int] | None) -> Level:
    reading, lead = item.reading, item.planned.slot.lead
    bid, ask, mid, talk = reading.bid, reading.ask, item.mid or reading.single, reading.talk
    first = bid or ask or mid
    quote_type, flags = _type(item, words)
    cell = cells[item.at]
    start = _start(cells, item.at) if true_rows is None else None
    low, high = (talk.low, talk.high) if talk else (None, None)
    ref_price, delta = (words.ref_price, words.delta) if quote_type is _AGAINST_REFERENCE else (None, None)
    return Level(
        quote_type=quote_type,
        quote_kind=_kind(item),
        bid=value_of(bid),
        ask=value_of(ask),
        mid=value_of(mid),
        talk_low=low,
        talk_high=high,
        bid_raw=raw_of(bid),
        ask_raw=raw_of(ask),
        mid_raw=talk.raw if talk and not mid else raw_of(mid),
        notation=first.notation if first else Notation.words,
        tenor=_tenor(words.tenor, lead.tenor),
        option_struct=lead.option_struct or (_struct(words) if quote_type in OF_OPTIONS else None),
        benchmark=_benchmark(item, quote_type, words),
        running_coupon_bp=reading.running.value if reading.running is not None else words.running,
        ref_price=ref_price,
        delta_pct=delta,
        column=cell.column or None,
        row=true_rows[item.at] if true_rows is not None else None,
        char_start=start,
        char_end=start + len(cell.text) if start is not None else None,
        flags=flags,
    )


def _kind(item: Read) -> QuoteKind:
    """Of the heading, else by whether the cell holds talk."""
    return item.planned.kind or (_TALK if item.reading.talk is not None else _MARKET)


def _type(item: Read, words: RowWords) -> tuple[QuoteType, frozenset[Flag]]:
    """What a level measures: what its cell says; a spread of no kind is over the row's benchmark, if that is a bond."""
    quote_type, flags = item.reading.quote_type or item.planned.quote_type, item.planned.flags | item.reading.flags
    is_open = quote_type is QuoteType.spread_unspecified_bp
    is_over = is_open and words.benchmark is not None and _BOND.search(words.benchmark) is not None
    is_told = is_over or item.reading.quote_type is not None
    return _OVER_BENCHMARK if is_over else quote_type, flags - _ASSUMED if is_told else flags


def _tenor(own: str | None, headed: str | None) -> str | None:
    """The row's and the column's together: an expiry beside its tenor."""
    return (own or "") + (headed or "") or None


def _start(cells: Sequence[Cell], at: int) -> int:
    """Where a cell begins in the row's text."""
    return sum([len(before.text) for before in cells[:at]]) + at


def _struct(words: RowWords) -> str | None:
    return next(filter(None, map(option_struct, filter(None, words.structs))), words.option_struct)


def _benchmark(item: Read, quote_type: QuoteType, words: RowWords) -> str | None:
    """Of spreads only: the cell's curve, the benchmark column, the heading's curve (ruling 1)."""
    if quote_type is _FUNDING:  # `Bmk` of a total return swap: `SOFR`
        return words.benchmark
    if quote_type not in SPREADS:
        return None
    if quote_type is _OVER_BENCHMARK and words.benchmark is not None:
        return words.benchmark
    return item.reading.benchmark or item.planned.benchmark
