"""The marks of a line to levels: values, sides, benchmarks, references (spec 4.3 to 4.9, rulings 1 and 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from parsers.codes import Flag, Notation, QuoteKind, QuoteType
from parsers.quotes.answers.measuring import Measured, is_cost
from parsers.quotes.answers.siding import on, sided
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Level
from parsers.quotes.headings.told import STRUCT
from parsers.quotes.runs.cutting.ground import Ground
from parsers.quotes.runs.levels.case import Case, values
from parsers.quotes.runs.levels.gathering import gathered, is_of_spread
from parsers.quotes.runs.levels.halved import halved
from parsers.quotes.runs.levels.measures import measure
from parsers.quotes.runs.levels.talking import talked
from parsers.quotes.runs.marked.marking import RUNNING
from parsers.quotes.runs.marked.reading import Mark, Reading
from parsers.values.benchmarks import bond
from parsers.values.levels import Pair
from parsers.values.markets import YIELDS
from parsers.values.numbers import number, raw_of, value_of
from parsers.values.times.tenors import tenor

_KINDS = {"cover": QuoteKind.cover, "trade": QuoteKind.trade, "mark": QuoteKind.mark}
_OVER = {"MS": QuoteType.spread_asw_bp, "MMD": QuoteType.spread_mmd_bp} | dict.fromkeys(
    ("UST", "CAN", "DBR", "UKT"), QuoteType.spread_bench_bp
)
"""The spreads that a heading's benchmark is under."""
_LEAST_PRICES = {QuoteType.price_pct: 40, QuoteType.price_unit: 15}
"""Above these no yield can be taken for a price."""
OPTIONED = frozenset({"swaption", "cds_tranche"})
_MARGIN = frozenset({"dm", "DM"})
_ONE_SIDED = frozenset({"cover", "trade"})
_REFERRING = frozenset({QuoteType.price_vs_ref, QuoteType.vol_pct, QuoteType.premium_pct})
_MOST_INFLATION = 40
_OTHERS = frozenset({QuoteKind.talk, QuoteKind.cover, QuoteKind.trade})
"""What came of a bond on a list is of one measure, where nothing else is printed."""
_PROTECTION = frozenset({"cds_single", "cds_index", "cds_tranche"})
_FAR = 5
"""A spread is no smaller part of its running coupon."""


def levels(reading: Reading, ground: Ground) -> tuple[Level, ...]:
    """The levels of a line, in the order printed; those that are no level in this class are left out."""
    ground = _beside_margins(ground, reading.marks)
    found: list[Level] = []
    told: list[str | None] = []  # whether a word says that a single value is a mid
    bare = 0
    kind = None
    for mark in halved(gathered(reading.marks, ground.asset_class), ground):
        is_bare = mark.token.prefix in (None, "") and mark.label is None and mark.kind is None
        hint = ground.hints[bare] if is_bare and bare < len(ground.hints) else None
        bare += is_bare
        level = _level(mark, reading, ground, _hint_beside(mark, found[-1], kind, hint) if found else hint, found)
        if level is not None:
            kind = level.quote_type.name if mark.kind or not found else kind
            found.append(_of_result(level, mark, found[-1]) if found else level)
            told.append("mid" if mark.side == "mid" else mark.label)
    structured = _structured(found, ground.structs)
    return tuple(_once(_without_coupons(sided(structured, told, reading.side, ground.side, ground.kind), ground)))


def _beside_margins(ground: Ground, marks: Sequence[Mark]) -> Ground:
    """What holds for a line that says itself what is the margin: `100.1/100.2  106/102dm`."""
    is_said = ground.measure is QuoteType.dm_bp and any(mark.token.unit in _MARGIN for mark in marks)
    return replace(ground, measure=None) if is_said else ground


def _structured(found: list[Level], structs: Sequence[str]) -> list[Level]:
    """The levels as those of the options that headings name, one each, where the line names none."""
    if len(structs) != len(found) or any(level.option_struct for level in found):
        return found
    return [replace(level, option_struct=name) for level, name in zip(found, structs, strict=True)]


def _hint_beside(mark: Mark, before: Level, kind: str | None, hint: str | None) -> str | None:
    """The measure that a trade or cover has after the level before it: `talk high 70s, cvr 77`."""
    if mark.kind in _ONE_SIDED and before.quote_kind in _OTHERS and not mark.token.unit:
        return hint or kind  # `82.50 cover, traded 83`
    return before.quote_type.name if mark.kind == "trade" and is_of_spread(mark, before) else hint


def _of_result(level: Level, mark: Mark, before: Level) -> Level:
    """`traded 100.06, 118 DM`: the margin behind what came of a bond is of the same trade or cover."""
    is_told = mark.kind or mark.side or level.mid is None or level.quote_type is before.quote_type
    if is_told or before.quote_kind not in (QuoteKind.trade, QuoteKind.cover):
        return level
    return replace(level, quote_kind=before.quote_kind)


def _without_coupons(found: Sequence[Level], ground: Ground) -> Iterator[Level]:
    """The levels without the lone values in front of a market of the same measure: nobody quotes one thing twice.

    `Wolfram 5Y 100 45/50`: of a default swap it is the running coupon. A market far below that is no spread that fits
    it, and rather points that nothing calls so.
    """
    for at, level in enumerate(found):
        behind = found[at + 1] if at + 1 < len(found) else None
        ahead = found[at - 1] if at else None
        if behind is not None and _is_of_market(level, behind):
            continue
        if ahead is None or not _is_of_market(ahead, level):
            yield level
            continue
        running = ahead.mid if ground.asset_class in _PROTECTION and ahead.mid_raw in RUNNING else None
        is_far = running is not None and level.ask is not None and level.ask * _FAR < running
        flags = level.flags | {Flag.out_of_soft_range} if is_far else level.flags
        tenor_of_both = level.tenor or ahead.tenor
        yield replace(level, tenor=tenor_of_both, running_coupon_bp=level.running_coupon_bp or running, flags=flags)


def _is_of_market(lone: Level, market: Level) -> bool:
    """Whether a lone value, of which nothing says whose it is, stands in front of a market of its measure.

    Within the market, `2.28  2.265/2.295`, it is its mid.
    """
    if lone.mid is None or market.bid is None or market.ask is None or Flag.side_assumed not in lone.flags:
        return False
    own = (lone.quote_type, lone.quote_kind, lone.option_struct, lone.tenor)
    theirs = (market.quote_type, market.quote_kind, market.option_struct, market.tenor or lone.tenor)
    return own == theirs and not min(market.bid, market.ask) <= lone.mid <= max(market.bid, market.ask)


def _once(found: Iterable[Level]) -> Iterator[Level]:
    """The levels without markets that an instrument has already: one record a measure (spec 2).

    They are another instrument's that nothing here could name, `XYZ 5 33 T+85/80 F 6 34 T+92/88`, or the day's change.
    """
    seen: set[tuple[object, ...]] = set()
    printed: str | None = None  # the tenor in front of this level, or of one before
    for level in found:
        mid = level.mid if level.quote_type not in YIELDS else None  # `6.62 ytc / 6.71 ytw`
        values = (("bid", level.bid), ("ask", level.ask), ("mid", mid))
        printed = level.tenor or printed
        own = (level.quote_type, level.quote_kind, level.option_struct, printed, level.running_coupon_bp)
        keys = {(*own, side) for side, value in values if value is not None}
        is_change = mid is not None and seen >= {(*own, "bid"), (*own, "ask")}  # `180-185, +3`
        if level.quote_kind is not QuoteKind.market or (seen.isdisjoint(keys) and not is_change):
            yield level
        seen |= keys


def _level(mark: Mark, reading: Reading, ground: Ground, hint: str | None, before: Sequence[Level]) -> Level | None:
    if mark.kind == "talk":
        return talked(mark, ground)
    measured = measure(_case(mark, reading, ground, hint, before))
    found = values(mark, ground.rules(measured.quote_type)) if measured is not None else None
    if measured is None or found is None or _is_no_quote(measured.quote_type, mark, found, ground):
        return None
    level = _valued(mark, reading, ground, measured, found)
    if mark.token.key == "at" and ground.kind is QuoteKind.trade:
        return level
    is_bought = mark.token.key == "at" and "bid" in (ground.side, reading.side)
    is_told = level.quote_kind in (QuoteKind.market, QuoteKind.talk)
    return on(_of_offers(level, mark, ground), "bid" if is_bought else mark.side) if is_told else level


def _case(mark: Mark, reading: Reading, ground: Ground, hint: str | None, before: Sequence[Level]) -> Case:
    """What is known of a level before its measure is: the price in front of it, and the spreads that are printed."""
    has_bond = reading.bond is not None and len(reading.marks) == 1
    last = before[-1] if before else None
    price = last.bid or last.ask if last is not None and last.quote_type in _LEAST_PRICES else None
    is_price = price is not None and last is not None and price > _LEAST_PRICES[last.quote_type]
    printed = frozenset(level.quote_type for level in before if level.quote_type.startswith("spread_"))
    return Case(mark, reading.named.name, ground, hint, not before, price if is_price else None, printed, has_bond)


def _is_no_quote(kind: QuoteType, mark: Mark, found: Pair, ground: Ground) -> bool:
    """Whether values cannot be quoted so: a trade or cover of two sides, a premium, no inflation."""
    if mark.kind in _ONE_SIDED and found.bid is not None and found.ask is not None:
        return True
    if _is_premium(kind, mark, found, ground):
        return True
    return kind is QuoteType.breakeven_pct and _is_no_inflation(found, ground)


def _valued(mark: Mark, reading: Reading, ground: Ground, measured: Measured, found: Pair) -> Level:
    """The level with its values, and the words that belong to it."""
    kind = measured.quote_type
    headed = mark.token.prefix in (None, "") and ground.benchmark is not None
    over = ground.benchmark if headed and kind is _spread_over(ground.benchmark or "") else None
    return Level(
        quote_type=kind,
        quote_kind=_KINDS.get(mark.kind or "", QuoteKind.market),
        bid=value_of(found.bid),
        ask=value_of(found.ask),
        mid=value_of(found.single),
        bid_raw=raw_of(found.bid),
        ask_raw=raw_of(found.ask),
        mid_raw=raw_of(found.single),
        by_order=found.single is None and mark.side is None and mark.token.key is None,
        notation=_notation(found),
        tenor=tenor(mark.tenor) if mark.tenor and not ground.is_term(reading.named) else None,
        option_struct=_struct(reading.named.name, mark, ground),
        benchmark=_benchmark(reading, measured.benchmark or over) if kind.startswith("spread_") else None,
        running_coupon_bp=_running(mark, kind, ground),
        ref_price=_plain(mark.reference, ground) if kind in _REFERRING else None,
        delta_pct=_plain(mark.delta.strip("dΔelta %"), ground) if mark.delta else None,
        char_start=mark.token.start,
        char_end=mark.token.end,
        flags=measured.flags | found.flags,
    )


def _of_offers(level: Level, mark: Mark, ground: Ground) -> Level:
    """`105.375 / 3mm` under a heading of offers: the slash parts the size, and makes no bid."""
    is_parted = level.bid is not None and level.ask is None and mark.token.text.rstrip().endswith("/")
    if not is_parted or mark.side is not None or ground.side != "ask":
        return level
    return replace(level, ask=level.bid, ask_raw=level.bid_raw, bid=None, bid_raw=None)


def _is_no_inflation(found: Pair, ground: Ground) -> bool:
    """Whether a breakeven is in basis points, or that of an option."""
    in_points = any(side.value > _MOST_INFLATION for side in (found.bid, found.ask, found.single) if side)
    return in_points or ground.asset_class == "swaption"


def _is_premium(kind: QuoteType, mark: Mark, found: Pair, ground: Ground) -> bool:
    """Whether what no word calls a vol is what an option costs, in a unit that nobody prints or another."""
    if kind is QuoteType.premium_bp:  # in percent it is a hundred times as much
        return mark.token.unit == "%"
    values = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    return mark.token.unit is None and is_cost(kind, values, rules_of(ground.asset_class))


def _struct(name: str, mark: Mark, ground: Ground) -> str | None:
    """What an option's name, its heading or a label says that it is (ruling 21); a fly of swaps is no option."""
    match = STRUCT.search(name.lower()) if ground.asset_class in OPTIONED else None
    if match is not None:
        return match[1]
    if ground.asset_class == "fx_option":
        return mark.struct or ground.struct
    return ground.struct or (mark.struct if mark.struct == "atm" else None)


def _notation(found: Pair) -> Notation:
    sides = [side.notation for side in (found.bid, found.ask, found.single) if side is not None]
    return next((notation for notation in sides if notation is not Notation.decimal), Notation.decimal)


def _spread_over(benchmark: str) -> QuoteType | None:
    """The spread that a curve or a bond is under."""
    return QuoteType.spread_bench_bp if " " in benchmark else _OVER.get(benchmark)


def _benchmark(reading: Reading, curve_name: str | None) -> str | None:
    """A bond named beside the spread, else the curve's name (ruling 1)."""
    return (bond(reading.bond) if reading.bond else None) or curve_name


def _running(mark: Mark, kind: QuoteType, ground: Ground) -> Fraction | None:
    """The running coupon beside points up front: the line's, else the heading's."""
    own = _plain(mark.running, ground)
    return own if own is not None or kind is not QuoteType.upfront_pts else ground.running


def _plain(text: str | None, ground: Ground) -> Fraction | None:
    found = number(text.lstrip("$"), ground.locale) if text else None
    return found.value if found is not None else None
