"""What a block says about the levels of its lines."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from parsers.codes import LISTS, QuoteKind, QuoteType
from parsers.quotes.classes import rules_of
from parsers.quotes.runs.attributes import SECURITISED
from parsers.quotes.runs.block import Block
from parsers.quotes.runs.reading import Named
from parsers.quotes.runs.setting import Setting
from parsers.values.markets import PRICES, SPREADS, LevelRules
from parsers.values.numbers import Ticks
from parsers.values.separators import Locale

_OWN_TICKS = frozenset({"unknown", "agency_ssa", "govt_intl"})
"""Classes in which the `+` of the block's tokens can turn 32nds on (spec 4.4)."""
_OVER_BONDS = QuoteType.spread_bench_bp
_GOVERNMENTS = frozenset({"UST", "CAN", "DBR", "UKT"})
"""Whose bonds a spread is over where a heading says so."""


class Ground(Struct, frozen=True, gc=False):
    """The class of a line and what the headings over it say."""

    asset_class: str = "unknown"
    locale: Locale = Locale.point
    ticks: Ticks = Ticks.off
    side: str | None = None  # of values that do not say theirs
    kind: QuoteKind | None = None
    hints: tuple[str, ...] = ()  # measures of a header's level columns, left to right
    measure: QuoteType | None = None  # that a heading names
    halves: tuple[str, str] | None = None  # the two measures that a heading names: `price / ASW`
    listed: tuple[str, ...] = ()  # all of them, in order, if several: `px, real yield, BE`
    struct: str | None = None
    structs: tuple[str, ...] = ()  # of a line's levels, in order
    falls: bool = False  # most of the block's pairs have the higher value first
    falls_in_points: bool = False  # all of its pairs of whole numbers have
    running: Fraction | None = None  # a heading's `500 running`
    currency: str | None = None  # that headings state
    title: str = ""  # what the tenors or tranches under it are of
    benchmark: str | None = None  # of spreads under a heading that says so: `MS`, `UST` (ruling 1)

    def rules(self, quote_type: QuoteType) -> LevelRules:
        """How a level of this type is read here."""
        ticks = self.ticks if quote_type in PRICES else Ticks.off
        return LevelRules(quote_type, self.asset_class, self.locale, ticks)

    def is_term(self, named: Named) -> bool:
        """Whether a tenor is a pool's term or a deal's life, or of a bond whose terms are printed (ruling 11)."""
        is_dated = (named.maturity or named.coupon) is not None and not rules_of(self.asset_class).curve
        return is_dated or self.asset_class in SECURITISED


def ticks_of(name: str, setting: Setting, block: Block, instrument: str = "") -> Ticks:
    """Whether 32nds are read: as a header says, the class's way, or that of the block's plusses (spec 4.4).

    Under a header's word the handle may end in a point. A subject's does so in classes alone that are quoted
    in 32nds: other sections may stand below it.
    """
    ticks = rules_of(name).level_ticks(setting.currency or rules_of(name).currency, instrument)
    is_of_subject, has_ticks = setting.of_subject.thirty_seconds, ticks is not Ticks.off or name == "unknown"
    if ticks is Ticks.futures:
        return ticks
    if setting.said.thirty_seconds or (is_of_subject and has_ticks):
        return Ticks.dotted
    if ticks is not Ticks.off or not (is_of_subject or (block.plus_ticks and name in _OWN_TICKS)):
        return ticks
    return Ticks.unsure if name == "unknown" else Ticks.cash


def _is_measured(name: str, measure: QuoteType | None) -> bool:
    """Whether levels of a class can be what a heading says; any securitised bond may float."""
    is_margin = measure is QuoteType.dm_bp and name in SECURITISED
    return name == "unknown" or is_margin or measure in rules_of(name).types


def _measure_of(name: str, measure: QuoteType | None, over: str | None, *, is_list: bool) -> QuoteType | None:
    """What a heading says that levels are; a spread over what the class is not quoted over is, of talk, the class's."""
    if measure is QuoteType.spread_unspecified_bp and over in _GOVERNMENTS and _is_measured(name, _OVER_BONDS):
        return _OVER_BONDS  # `NVCC, spread to GoC`
    is_only = measure is QuoteType.spread_unspecified_bp and name == "irs"  # `Spreads` below rates
    if is_only or (is_list and measure in SPREADS and measure not in rules_of(name).types):
        return rules_of(name).spread
    return measure if measure is not QuoteType.spread_unspecified_bp and _is_measured(name, measure) else None


def _struct(name: str, setting: Setting) -> str | None:
    """The option that headings name; a straddle of currencies is what its market calls at the money."""
    if name == "swaption":
        return setting.struct
    if name != "fx_option" or setting.structs:
        return None
    said = setting.said.option_struct or setting.of_subject.option_struct
    return "atm" if said == "straddle" else said


def ground_of(name: str, setting: Setting, block: Block, instrument: str = "") -> Ground:
    """What holds for a line of this class, about this instrument, under these headings."""
    is_list = setting.kind in LISTS
    over = setting.said.benchmark or setting.of_subject.benchmark
    falls = block.falls and not setting.is_in_prices
    axe = setting.axe if setting.axe in ("bid", "ask") else None
    return Ground(
        asset_class=name,
        locale=block.locale,
        ticks=ticks_of(name, setting, block, instrument),
        side=None if is_list else setting.side or axe,
        kind=setting.kind,
        hints=setting.hints,
        measure=_measure_of(name, setting.measure, over, is_list=is_list),
        halves=setting.halves,
        listed=setting.listed,
        struct=_struct(name, setting),
        structs=setting.structs if name == "fx_option" else (),
        falls=falls or setting.measure is QuoteType.spread_unspecified_bp,  # `ABS spreads`
        falls_in_points=block.falls_in_points and not setting.is_in_prices,
        running=setting.running,
        currency=setting.currency,
        title=setting.issuer or "",
        benchmark=over,
    )
