"""From the cells of a row to its levels: sides, kinds, talk and cover (spec 4.6, rulings 1, 3, 4, 15, 25, 31)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import LISTS, Flag, Notation, QuoteKind, QuoteType
from parsers.document import Cell
from parsers.quotes.draft import Level
from parsers.quotes.headings.phrases import option_struct
from parsers.quotes.tables.amounts import MOST_TALKED_PRICE
from parsers.quotes.tables.planning import OF_OPTIONS
from parsers.quotes.tables.slot_readings import Read
from parsers.values.markets import PRICES, SPREADS

_MIDDLES = frozenset({QuoteKind.trade, QuoteKind.mark})
_TALK, _MARKET, _COVER = QuoteKind.talk, QuoteKind.market, QuoteKind.cover
_AGAINST_REFERENCE, _OVER_BENCHMARK = QuoteType.price_vs_ref, QuoteType.spread_bench_bp
_BOND = re.compile(r"[A-Z]+ ?\d")
"""A benchmark that is a bond: over it the spread is."""
_TOLD = frozenset({QuoteKind.trade, QuoteKind.cover})
_SIDE_ASSUMED = frozenset({Flag.side_assumed})
_MID_WORDS = frozenset({"price", "price_pct", "price_unit"})  # `Px`, `Kurs`: mid where nothing says a side (spec 4.6)


class RowWords(Struct, frozen=True, kw_only=True, gc=False):
    """What the row and its surroundings say about all its levels."""

    side: str | None = None  # bid, ask, mid: of the row's side column, else of section, title, subject
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
    has_bid = any(item.reading.bid is not None for item in found)
    has_ask = any(item.reading.ask is not None for item in found)
    if has_bid and has_ask and words.side is not None:  # two-way: an axe beside it is no side
        words = replace(words, side=None)
    only = None if has_bid == has_ask else "bid" if has_bid else "ask"  # a two-way row has none (ruling 25)
    return tuple([_level(item, cells, words, only, true_rows) for item in found])


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


def _level(
    item: Read, cells: Sequence[Cell], words: RowWords, only: str | None, true_rows: Sequence[int] | None
) -> Level:
    planned, reading, lead = item.planned, item.reading, item.planned.slot.lead
    kind = planned.kind or (words.kind if words.kind not in LISTS else None)
    if kind is None:
        kind = _TALK if reading.talk is not None else _MARKET
    values = {"bid": reading.bid, "ask": reading.ask, "mid": item.mid}
    flags = planned.flags | reading.flags
    if reading.single is not None:
        side = _side_of_single(item, kind, words, only)
        values[side or "mid"] = reading.single
        flags = flags | _SIDE_ASSUMED if side is None else flags
    bid, ask, mid = values["bid"], values["ask"], values["mid"]
    first = bid or ask or mid
    quote_type = reading.quote_type or planned.quote_type
    if quote_type is QuoteType.spread_unspecified_bp and words.benchmark is not None and _BOND.search(words.benchmark):
        quote_type, flags = _OVER_BENCHMARK, flags - {Flag.type_assumed}
    cell = cells[item.at]
    start = sum([len(before.text) for before in cells[: item.at]]) + item.at if true_rows is None else None
    talk = reading.talk
    return Level(
        quote_type=quote_type,
        quote_kind=kind,
        bid=bid.value if bid else None,
        ask=ask.value if ask else None,
        mid=mid.value if mid else None,
        talk_low=talk.low if talk else None,
        talk_high=talk.high if talk else None,
        bid_raw=bid.raw if bid else None,
        ask_raw=ask.raw if ask else None,
        mid_raw=mid.raw if mid else talk.raw if talk else None,
        notation=first.notation if first else Notation.words,
        tenor=(words.tenor or "") + (lead.tenor or "") or None,
        option_struct=lead.option_struct or (_struct(words) if quote_type in OF_OPTIONS else None),
        benchmark=_benchmark(item, quote_type, words),
        running_coupon_bp=reading.running.value if reading.running is not None else words.running,
        ref_price=words.ref_price if quote_type is _AGAINST_REFERENCE else None,
        delta_pct=words.delta if quote_type is _AGAINST_REFERENCE else None,
        column=cell.column or None,
        row=true_rows[item.at] if true_rows is not None else None,
        char_start=start,
        char_end=start + len(cell.text) if start is not None else None,
        flags=flags,
    )


def _struct(words: RowWords) -> str | None:
    return next(filter(None, map(option_struct, filter(None, words.structs))), words.option_struct)


def _side_of_single(item: Read, kind: QuoteKind, words: RowWords, only: str | None) -> str | None:
    """Whose a value without a side is (spec 4.6, rulings 4 and 28); None: nothing says."""
    if kind in _MIDDLES:
        return words.side if kind is QuoteKind.mark and words.side is not None else "mid"
    if kind is _COVER:
        return "ask" if words.kind is QuoteKind.owic else "bid"
    if only is not None:
        return only
    if words.side is not None:
        return words.side
    return "mid" if item.planned.slot.measure in _MID_WORDS else None


def _benchmark(item: Read, quote_type: QuoteType, words: RowWords) -> str | None:
    """Of spreads only: the cell's curve, the benchmark column, the heading's curve (ruling 1)."""
    if quote_type not in SPREADS:
        return None
    if quote_type is _OVER_BENCHMARK and words.benchmark is not None:
        return words.benchmark
    return item.reading.benchmark or item.planned.benchmark
