"""How the rows of a table are read: resolved once a table and class, so that rows only look values up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Flag, QuoteKind, QuoteType
from parsers.quotes.classes import ClassRules, rules_of
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.phrases import EXERCISED, heading
from parsers.quotes.headings.roles import LEVEL, SIZE
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.amounts import MOST_TALKED_PRICE, are_dear, are_far_from_spot, are_small_percents, cannot_be
from parsers.quotes.tables.counting import counted_in, size_columns, size_rules
from parsers.quotes.tables.measures import Sample, settle
from parsers.quotes.tables.sampling import over_bonds, sample_of, sampled
from parsers.quotes.tables.slots import Slot, slots
from parsers.quotes.tables.table import Table
from parsers.quotes.tables.widths import is_width
from parsers.values.markets import PRICES, SPREADS, YIELDS, LevelRules
from parsers.values.numbers import Ticks
from parsers.values.separators import within
from parsers.values.sizes import SizeRules

VOLS = frozenset({QuoteType.vol_pct, QuoteType.vol_normal_bp})
OF_OPTIONS = VOLS | {QuoteType.premium_bp}
"""What options are quoted in."""

_OVER_BENCHMARKS = frozenset({QuoteType.spread_bench_bp, QuoteType.spread_mmd_bp})
_CURVED = SPREADS - {QuoteType.cds_spread_bp, QuoteType.swap_spread_bp, QuoteType.funding_spread_bp}
_COUPON_IS_RATE = frozenset({"cd", "commercial_paper", "repo", "irs", "inflation_swap", "swaption", "trs"})
_LOAN_SPREAD = frozenset({"leveraged_loan"})
_FLOATING = frozenset({"SOFR", "ESTR"})
_TO_CALL = re.compile(r"ytc|\bcall\b", re.IGNORECASE)
_FAR_APART = 3
"""Times; forwards of one pair are near each other, their points grow with the time."""
_POINTS, _UPFRONT = QuoteType.fwd_points, QuoteType.upfront_pts


class Planned(Struct, frozen=True):
    """One record of each row, ready to be read."""

    slot: Slot
    quote_type: QuoteType
    rules: LevelRules
    kind: QuoteKind | None
    benchmark: str | None
    flags: frozenset[Flag]


class Plan(Struct, frozen=True):
    """How to read the rows of one class of a table."""

    levels: tuple[Planned, ...]
    sizes: tuple[tuple[Column, SizeRules], ...]
    orig_face: tuple[Column, SizeRules] | None  # never a size (ruling 2)
    unit_par: int | None  # cell of a preferred's par
    margin: int | None = None  # cell of a loan's contractual spread
    coupon: int | None = None  # cell of a coupon, under `Rate` too (ruling 14)


def plan_of(
    table: Table,
    class_name: str,
    said: Surroundings,
    currency: str | None,
    *,
    stated: str | None = None,
    instrument: str = "",
) -> Plan:
    """The plan for the rows of one class.

    Args:
        table: the table.
        class_name: its rows' class.
        said: what stands around the rows.
        currency: of the rows, where known: agencies are in 32nds in dollars only.
        stated: what the rows themselves say that their bare levels measure: those of the class that trade on price.
        instrument: text of one of them: futures have 32nds of their own.
    """
    knowledge = rules_of(class_name)
    counted = next(filter(None, (counted_in(column, knowledge.size_unit) for column in table.columns)), None)
    by_unit = counted == "shares" or knowledge.size_unit == "shares" or said.unit_par is not None
    by_unit = by_unit or said.measure == "price_unit"
    columns = _columns(table, class_name)
    planned: list[Planned] = []
    for slot in (found := slots(_believed(columns, is_named=table.is_named))):
        if _is_anyones_guess(slot, class_name, table) or is_width(table, slot):
            continue
        sample, kind = sampled(table, slot, found)
        measure = stated if stated and _is_open(slot, stated) else _measure(slot, sample, knowledge, table)
        is_forward = measure is None and class_name == "fx_forward"
        if is_forward and (are_far_from_spot(table) or (not table.is_named and sample.spans > _FAR_APART)):
            measure = _POINTS
        may_be_dear = measure in {None, "price"} and QuoteType.price_unit in knowledge.types
        is_dear = may_be_dear and are_dear(table, slot, sample_of(table, slot))
        measure = "price" if is_dear else measure
        hint = _talked(slot, sample, planned) or said.measure
        settled = settle(measure, knowledge, sample, hint=hint, by_unit=by_unit or is_dear, kind=kind)
        if settled is None or cannot_be(settled.quote_type, table, slot):
            continue
        if slot.lead.option_struct in EXERCISED and settled.quote_type not in OF_OPTIONS:  # cents of an option on CDX
            continue
        settled = over_bonds(settled, table) if slot.measure is said.measure is None else settled
        ticks = Ticks.off
        if settled.quote_type in PRICES:
            is_said = any(column.thirty_seconds for column in slot.columns) or said.thirty_seconds
            ticks = Ticks.dotted if is_said else knowledge.level_ticks(currency, instrument)
            if ticks is Ticks.off and table.plus_ticks:
                ticks = Ticks.unsure
        rules = LevelRules(settled.quote_type, class_name, table.locale, ticks)
        flags = {Flag.type_assumed} if settled.assumed else set()
        if any(column.side_assumed for column in slot.columns):
            flags.add(Flag.side_assumed)
        benchmark = slot.lead.benchmark if settled.quote_type in SPREADS else None
        is_bare = slot.measure in {None, "spread"} and settled.quote_type in SPREADS
        is_over_swaps = is_bare and said.benchmark == "MS"  # `Bid Sprd` under `spreads vs mid-swaps`
        if benchmark is None and (settled.quote_type in _OVER_BENCHMARKS or is_over_swaps):
            benchmark = said.benchmark
        planned.append(Planned(slot, settled.quote_type, rules, slot.kind, benchmark, frozenset(flags) | table.doubts))
    sizes, unit_par = size_columns(
        table, columns, class_name, said, knowledge.size_unit if counted is None else counted
    )
    face = next((column for column in table.columns if column.role == "orig_face"), None)
    faces = (face, size_rules(table, face, class_name, said, "face_ccy")) if face is not None else None
    margin = next((column.at for column in columns if column.role == "margin"), None)
    coupon = next((column.at for column in columns if column.role == "coupon"), None)
    return Plan(tuple(planned), sizes, faces, unit_par, margin, coupon)


def _believed(columns: Sequence[Column], *, is_named: bool) -> list[Column]:
    """The level columns that are understood; where there are none, the only two alike but for their sides.

    `Punta Compra`, `Punta Venta`: whatever the other word says, they are a market, and so is one of both sides.
    """
    levels = [column for column in columns if column.is_level]
    clear = [column for column in levels if column.clear or not is_named]
    if clear:
        return clear
    sided = [column for column in levels if column.side in {"bid", "ask"}]
    if len(levels) == 1 and levels[0].side == "both":
        return levels
    if [column.side for column in sided] != ["bid", "ask"] or sided[0].measure != sided[1].measure:
        return []
    bid, ask = (heading(column.text).unknown for column in sided)
    return sided if bid == ask else []


def _is_open(slot: Slot, stated: str) -> bool:
    """Whether a row's own word goes before the heading's: `IPCA+` of a row says what its `Taxa` is."""
    if stated in _CURVED:
        return slot.measure == "spread"
    return slot.measure is None or (stated == QuoteType.real_yield_pct and slot.measure in {"yield_pct", "rate"})


def _is_anyones_guess(slot: Slot, class_name: str, table: Table) -> bool:
    """A level of a curve under its name, tenor or month alone, where nothing says what curves these are."""
    is_alone = slot.lead.tenor is not None or (not table.is_named and slot.single is not None)
    is_alone = is_alone or slot.lead.month is not None or "tenor" in table.fields.at
    return class_name == "unknown" and slot.measure is None and is_alone


def _columns(table: Table, class_name: str) -> list[Column]:
    """The columns, those whose meaning the class settles settled.

    `Rate` is a level of money markets and swaps, elsewhere a coupon (ruling 14), and so it is beside a price; a loan's
    `Spread` is its margin, and so is a floater's beside its discount margin.
    """
    is_rate = class_name in _COUPON_IS_RATE and not any(column.measure == "price" for column in table.columns)
    types = rules_of(class_name).types
    has_vols = not types or not VOLS.isdisjoint(types) or "strike" in table.fields.at
    has_dm = any(column.measure == "dm_bp" for column in table.columns)
    is_margin = class_name in _LOAN_SPREAD or (has_dm and rules_of(class_name).spread is QuoteType.dm_bp)
    settled = []
    for column in table.columns:
        if column.role == "rate":
            settled.append(replace(column, role=LEVEL if is_rate else "coupon"))
        elif is_margin and column.measure == "spread" and column.side is None and column.kind is None:
            settled.append(replace(column, role="margin"))
        elif column.measure == "vol" and not has_vols:  # `Bid Vol` of a bond
            settled.append(replace(column, role=SIZE, measure=None))
        elif class_name == "fx_forward" and column.mark == "pts" and not column.is_level:  # beside `Outright`
            settled.append(replace(column, role=LEVEL, measure=_POINTS))
        else:
            settled.append(column)
    return _to_call(settled, table) if rules_of(class_name).to_call else settled


def _to_call(columns: list[Column], table: Table) -> list[Column]:
    """The columns; where all rows have a yield to the call, which is how their class is quoted, no other yield."""
    yields = [column for column in columns if column.measure == "yield_pct" and column.is_level]
    called = [column for column in yields if _TO_CALL.search(column.text)]
    is_whole = bool(called) and all(row.cells[column.at].text for row in table.sample for column in called)
    return [column for column in columns if column not in yields or column in called] if is_whole else columns


def _talked(slot: Slot, sample: Sample, before: Sequence[Planned]) -> str | None:
    """The spread of the talk in front of trades that are no prices: `+95a | 93`."""
    if slot.kind is not QuoteKind.trade or sample.looks_like_price:
        return None
    return next(
        (item.quote_type for item in before if item.kind is QuoteKind.talk and item.quote_type in SPREADS), None
    )


def _measure(slot: Slot, sample: Sample, knowledge: ClassRules, table: Table) -> str | None:
    """The slot's measure; of a bare one, `pts` in the heading and curves in the cells (`T+85/80`) say it.

    Under `Sprd` small percents stay yields (spec 5.4).
    """
    is_exercised = slot.lead.option_struct in EXERCISED and slot.measure in {None, "spread"}
    if is_exercised and any(column.measure in VOLS for column in table.columns):  # what the option costs
        return "premium_bp"
    if slot.measure == QuoteType.spread_bench_bp and slot.lead.benchmark in _FLOATING:  # spec 4.7, ruling 27
        slot = replace(slot, measure=next((kind for kind in knowledge.types if kind is QuoteType.dm_bp), slot.measure))
    if slot.measure is not None:
        return "yield_pct" if slot.measure == "spread" and are_small_percents(table, slot) else slot.measure
    if any(column.mark == "pts" for column in slot.columns):
        return next((kind for kind in (_POINTS, _UPFRONT) if kind in knowledge.types), None)
    if slot.kind is QuoteKind.talk and sample.values and not sample.prefixed:
        first = knowledge.unmarked[0]
        if first.quote_type in YIELDS and within(sample.middle, first.low, first.high):  # of munis `3.95-4.00`
            return first.quote_type
        return "price" if sample.middle <= MOST_TALKED_PRICE else "spread"
    return "spread" if sample.prefixed else None
