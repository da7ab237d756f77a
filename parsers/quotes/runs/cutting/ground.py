"""What a block says about the levels of its lines."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from parsers.codes import LISTS, QuoteKind, QuoteType
from parsers.quotes.answers.measuring import titled
from parsers.quotes.answers.named import Named
from parsers.quotes.answers.ticking import IN_PART, ticks_of
from parsers.quotes.classes import SECURITISED, rules_of
from parsers.quotes.headings.setting import Setting
from parsers.quotes.runs.lines.block import Block
from parsers.values.markets import PRICES, LevelRules
from parsers.values.numbers import Ticks
from parsers.values.separators import Locale


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


def ticks_under(name: str, setting: Setting, block: Block, instrument: str = "") -> Ticks:
    """Whether 32nds are read under these headings."""
    return ticks_of(
        name,
        setting.currency or rules_of(name).currency,
        instrument,
        said=bool(setting.said.thirty_seconds),
        said_of_all=bool(setting.of_subject.thirty_seconds or setting.usual.thirty_seconds),
        plusses=block.plus_ticks and name in IN_PART | {"unknown"},
    )


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
        ticks=ticks_under(name, setting, block, instrument),
        side=None if is_list else setting.side or axe,
        kind=setting.kind,
        hints=setting.hints,
        measure=titled(setting.measure or setting.usual.measure, rules_of(name), over, is_list=is_list),
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
