"""How a slot of a table is read in a class: what it measures, in which ticks, over what (spec 4.4, 4.7, 5.3, 5.4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import LISTS, Flag, QuoteKind, QuoteType
from parsers.quotes.answers.measuring import Measured, Sample, if_fitting, in_class, is_cost, of_class, of_sign, titled
from parsers.quotes.answers.ticking import ticks_of
from parsers.quotes.classes import ClassRules, rules_of
from parsers.quotes.headings.phrases import EXERCISED
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.plans.amounts import (
    MOST_TALKED_PRICE,
    are_dear,
    are_far_from_spot,
    are_small_percents,
    cannot_be,
)
from parsers.quotes.tables.plans.sampling import sample_of, sampled
from parsers.quotes.tables.plans.slots import Slot
from parsers.quotes.tables.plans.widths import is_width
from parsers.values.markets import PRICES, SPREADS, YIELDS, LevelRules
from parsers.values.numbers import Ticks
from parsers.values.separators import within

VOLS = frozenset({QuoteType.vol_pct, QuoteType.vol_normal_bp})
OF_OPTIONS = VOLS | {QuoteType.premium_bp}
"""What options are quoted in."""

_OVER_BENCHMARKS = frozenset({QuoteType.spread_bench_bp, QuoteType.spread_mmd_bp})
_CURVED = SPREADS - {QuoteType.cds_spread_bp, QuoteType.swap_spread_bp, QuoteType.funding_spread_bp}
_FLOATING = frozenset({"SOFR", "ESTR"})
_PRICED = frozenset({QuoteKind.trade, QuoteKind.mark})
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
    is_over: bool = False  # most cells say what they are over: `J+105`


class Planner(Struct, frozen=True):
    """What is known of the table's rows of a class when its slots are planned."""

    table: Table
    class_name: str
    said: Surroundings
    by_unit: bool  # prices are of a piece
    stated: str | None
    currency: str | None
    instrument: str

    @property
    def _knowledge(self) -> ClassRules:
        return rules_of(self.class_name)

    def planned(self, slot: Slot, beside: Sequence[Slot], before: Sequence[Planned]) -> Planned | None:
        """How a slot is read, given those beside it and those planned before it; None where it has no levels."""
        table, said = self.table, self.said
        if _is_anyones_guess(slot, self.class_name, table) or is_width(table, slot):
            return None
        sample, kind = sampled(table, slot, beside)
        measure = self._measure(slot, sample)
        is_open = measure == "price" or (measure is None and not sample.prefixed)
        may_be_dear = is_open and QuoteType.price_unit in self._knowledge.types
        is_dear = may_be_dear and are_dear(table, slot, sample_of(table, slot))
        measure = "price" if is_dear else measure
        hint = _talked(slot, sample, before) or said.measure
        by_unit = self.by_unit or is_dear
        if measure is None:
            settled = self._of_bare(sample, kind, hint, by_unit=by_unit)
        else:
            settled = in_class(measure, self._knowledge, hint=hint, by_unit=by_unit)
        if settled is None or self._is_none(slot, settled.quote_type, sample):
            return None
        rules = LevelRules(settled.quote_type, self.class_name, table.locale, self._ticks(slot, settled.quote_type))
        flags = settled.flags | table.doubts
        if any(column.side_assumed for column in slot.columns):
            flags |= {Flag.side_assumed}
        benchmark = self._benchmark(slot, settled.quote_type)
        is_over = slot.measure is None and sample.prefixed
        return Planned(slot, settled.quote_type, rules, slot.kind, benchmark, flags, is_over)

    def _is_none(self, slot: Slot, quote_type: QuoteType, sample: Sample) -> bool:
        """Whether values that were taken for a measure are no level, but what an option on a credit index costs."""
        if cannot_be(quote_type, self.table, slot):
            return True
        if slot.lead.option_struct in EXERCISED and quote_type not in OF_OPTIONS:
            return True
        return slot.measure is None and is_cost(quote_type, sample.values, self._knowledge)

    def _of_bare(self, sample: Sample, kind: QuoteKind | None, hint: str | None, *, by_unit: bool) -> Measured | None:
        """`Bid`, `Geld`: what signs or a title say, else the class; `Last`, `Close` are prices, never a bare spread."""
        rules, said = self._knowledge, self.said
        signed = of_sign(rules, hint, self.currency) if sample.prefixed else None
        if signed is not None:
            return signed
        named = titled(hint, rules, said.benchmark, is_list=said.kind in LISTS)
        found = if_fitting(named, rules, lambda _: sample)
        is_spread = kind in _PRICED and rules.unmarked[0].falling and not sample.looks_like_price
        if found is not None or is_spread or not sample.values:
            return found
        return of_class(rules, lambda _: sample, by_unit=by_unit)

    def _measure(self, slot: Slot, sample: Sample) -> str | None:
        """What the slot is of, by the rows where its heading leaves that open; points of forwards far from any spot."""
        table = self.table
        if self.stated and _is_open(slot, self.stated, is_told=table.stating is not None):
            measure: str | None = self.stated
        else:
            measure = _measure(slot, sample, self._knowledge, table)
        if measure is not None or self.class_name != "fx_forward":
            return measure
        is_far = are_far_from_spot(table, self.instrument) or (not table.is_named and sample.spans > _FAR_APART)
        return _POINTS if is_far else None

    def _ticks(self, slot: Slot, quote_type: QuoteType) -> Ticks:
        if quote_type not in PRICES:
            return Ticks.off
        is_said = any(column.thirty_seconds for column in slot.columns) or self.said.thirty_seconds
        plusses = self.table.plus_ticks
        return ticks_of(self.class_name, self.currency, self.instrument, said=bool(is_said), plusses=plusses)

    def _benchmark(self, slot: Slot, quote_type: QuoteType) -> str | None:
        """Of spreads: the heading's curve, else what stands around the table."""
        benchmark = slot.lead.benchmark if quote_type in SPREADS else None
        is_bare = slot.measure in {None, "spread"} and quote_type in SPREADS
        is_over_swaps = is_bare and self.said.benchmark == "MS"  # `Bid Sprd` under `spreads vs mid-swaps`
        if benchmark is None and (quote_type in _OVER_BENCHMARKS or is_over_swaps):
            return self.said.benchmark
        return benchmark


def _is_open(slot: Slot, stated: str, *, is_told: bool) -> bool:
    """Whether a row's own word goes before the heading's: `IPCA+` of a row says what its `Taxa` is.

    A curve in the column of benchmarks makes no spread of a price; one in a column that says what levels are does.
    """
    if stated in _CURVED:
        return slot.measure == "spread" or (is_told and slot.measure is None)
    return slot.measure is None or (stated == QuoteType.real_yield_pct and slot.measure in {"yield_pct", "rate"})


def _is_anyones_guess(slot: Slot, class_name: str, table: Table) -> bool:
    """A level of a curve under its name, tenor or month alone, where nothing says what curves these are."""
    is_alone = slot.lead.tenor is not None or (not table.is_named and slot.single is not None)
    is_alone = is_alone or slot.lead.month is not None or "tenor" in table.fields.at
    return class_name == "unknown" and slot.measure is None and is_alone


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
    if _is_cost_of_option(slot, table):
        return "premium_bp"
    if slot.measure == QuoteType.spread_bench_bp and slot.lead.benchmark in _FLOATING:  # spec 4.7, ruling 27
        slot = replace(slot, measure=next((kind for kind in knowledge.types if kind is QuoteType.dm_bp), slot.measure))
    if slot.measure is not None:
        return "yield_pct" if slot.measure == "spread" and are_small_percents(table, slot) else slot.measure
    if any(column.mark == "pts" for column in slot.columns):
        return next((kind for kind in (_POINTS, _UPFRONT) if kind in knowledge.types), None)
    is_talk = slot.kind is QuoteKind.talk and bool(sample.values) and not sample.prefixed
    return _of_talk(sample, knowledge) if is_talk else None


def _is_cost_of_option(slot: Slot, table: Table) -> bool:
    """Whether what stands beside vols is what the option costs."""
    is_exercised = slot.lead.option_struct in EXERCISED and slot.measure in {None, "spread"}
    return is_exercised and any(column.measure in VOLS for column in table.columns)


def _of_talk(sample: Sample, knowledge: ClassRules) -> str:
    """What talk is of, where no heading says it: the yield that its class trades on, a price, or a spread."""
    first = knowledge.unmarked[0]
    if first.quote_type in YIELDS and within(sample.middle, first.low, first.high):  # of munis `3.95-4.00`
        return first.quote_type
    return "price" if sample.middle <= MOST_TALKED_PRICE else "spread"
