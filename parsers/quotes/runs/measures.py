"""What a level of a line measures: its own marks, then header, name, heading, class (spec 4.7, rulings 1 and 4)."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from parsers.codes import Flag, QuoteType
from parsers.quotes.classes import Unmarked, rules_of
from parsers.quotes.runs.ground import Ground
from parsers.quotes.runs.reading import Mark
from parsers.values.levels import Pair, pair
from parsers.values.markets import PRICES, LevelRules
from parsers.values.numbers import within
from parsers.values.shorthand import level_number
from parsers.values.spreads import curve


class Measure(Struct, frozen=True):
    """The quote type of a level, the curve under it, and what was assumed."""

    quote_type: QuoteType
    benchmark: str | None = None
    flags: frozenset[Flag] = frozenset()


class Case(Struct, frozen=True):
    """A level to be judged."""

    mark: Mark
    name: str  # of the instrument
    ground: Ground
    hint: str | None = None  # measure of its header column
    is_first: bool = True  # of its line
    is_behind_price: bool = False  # a price near par stands in front of it
    has_bond: bool = False  # it is the line's only level, and a benchmark bond is named beside it

    @property
    def unit(self) -> str:
        """What is printed behind the level, lower case."""
        return (self.mark.token.unit or "").strip().lower()


_UNITS = {
    "dm": QuoteType.dm_bp,
    "disc margin": QuoteType.dm_bp,
    **dict.fromkeys(("yld", "yield", "ytm", "ytw", "ytc"), QuoteType.yield_pct),
    **dict.fromkeys(("nvol", "nvols"), QuoteType.vol_normal_bp),
    "ticks": QuoteType.roll_ticks,
}
_LISTED_NAMES = (  # words of an instrument's name that say what it is quoted in, by class
    ("irs", re.compile(r"\bswap spreads?\b", re.IGNORECASE), QuoteType.swap_spread_bp),
    ("irs", re.compile(r"\b(?:basis|xccy|\d+s\d+s)\b", re.IGNORECASE), QuoteType.basis_bp),
    ("cds_tranche", re.compile(r"\bbase corr", re.IGNORECASE), QuoteType.base_corr_pct),
    (  # senior tranches of investment grade have no points up front
        "cds_tranche",
        re.compile(r"^(?!.*(?:\b(?:HY|EM)|over))(?:.*\s)?(?:[6-9]|[1-9]\d)\s?-\s?\d{2,3}(?!\d)", re.IGNORECASE),
        QuoteType.cds_spread_bp,
    ),
    ("tba_mbs", re.compile(r"\broll\b", re.IGNORECASE), QuoteType.roll_ticks),
    ("agency_mbs_cmo", re.compile(r"\bpay-?ups?\b", re.IGNORECASE), QuoteType.payup_32),
    ("agency_mbs_cmo", re.compile(r"\b(?:LLB|MLB|HLB|HHLB|MAX|\d{2,3}k)\b"), QuoteType.payup_32),
    ("fx_forward", re.compile(r"\b(?:pts|points|pontos|puntos)\b", re.IGNORECASE), QuoteType.fwd_points),
    (
        "govt_us",
        re.compile(r"\bbills?\b|^B (?:0 |\d{1,2}/)|\b\d{1,2}\s?(?:m|mo|wk|w)s?\b", re.IGNORECASE),
        QuoteType.discount_rate_pct,
    ),
)
_NAMES: dict[str, list[tuple[re.Pattern[str], QuoteType]]] = {}
for _owner, _pattern, _kind in _LISTED_NAMES:
    _NAMES.setdefault(_owner, []).append((_pattern, _kind))
_QUOTE_TYPES: dict[str, QuoteType] = dict(QuoteType.__members__)
_PRICE, _PAYUP, _ROLL = QuoteType.price_pct, QuoteType.payup_32, QuoteType.roll_ticks
_CROSSED, _TYPE_ASSUMED = Flag.crossed, frozenset({Flag.type_assumed})
_NO_FLAGS: frozenset[Flag] = frozenset()
_SIGNED_VALUES = frozenset({"irs", "fx_forward", "fx_option", "cds_tranche", "repo", "swaption", "inflation_swap"})
"""Classes in which a sign is a number's, not a spread's."""
_NEAR_PAR = (80, 120)
_SIMPLE_PAIR = re.compile(r"(\d[\d.]*)/[\d.]+")
_DECIMALS = re.compile(r"[.,](\d+)")


def measure(case: Case) -> Measure | None:
    """What the level measures: the first rule that knows; None where it is no level of this class."""
    for rule in _RULES:
        found = rule(case)
        if found is not None:
            return found
    return None


def values(mark: Mark, rules: LevelRules) -> Pair | None:
    """The values of a level, read as one of this type; `21+` of a pay-up or roll is 21 and a half."""
    text = mark.token.text
    if rules.quote_type is _PAYUP or rules.quote_type is _ROLL:
        text = re.sub(r"(\d)\+", r"\1.5", text)
    return pair(text, rules)


def spread_of(name: str) -> QuoteType:
    """What a bare `bp` or a bare sign means in a class."""
    return rules_of(name).spread or QuoteType.spread_unspecified_bp


def price_of(name: str) -> QuoteType:
    """What a price is in a class."""
    return next((kind for kind in rules_of(name).types if kind in PRICES), _PRICE)


def _real(kind: QuoteType, name: str) -> QuoteType:
    """The yield of a linker is a real one."""
    return QuoteType.real_yield_pct if kind is QuoteType.yield_pct and name == "inflation_linked" else kind


def _by_prefix(case: Case) -> Measure | None:
    if not case.mark.token.prefix:
        return None
    return Measure(*curve(case.mark.token.prefix, case.ground.asset_class))


def _by_unit(case: Case) -> Measure | None:
    unit, name = case.unit, case.ground.asset_class
    if not unit:
        return None
    if unit in _UNITS:
        return Measure(_real(_UNITS[unit], name))
    if unit.startswith(("pt", "upf")) or unit == "points":
        return Measure(QuoteType.fwd_points if name == "fx_forward" else QuoteType.upfront_pts)
    if "nav" in unit:
        return Measure(QuoteType.pct_nav)
    if unit.startswith("v"):
        return Measure(QuoteType.vol_normal_bp if name == "swaption" else QuoteType.vol_pct)
    return None


def _by_label(case: Case) -> Measure | None:
    label = case.mark.label
    if label is None or label == "price":
        return None
    return Measure(_real(QuoteType(label), case.ground.asset_class))


def _by_basis_points(case: Case) -> Measure | None:
    if not case.unit.startswith("bp"):
        return None
    named = _named(case)
    is_in_bp = named is not None and named.quote_type.endswith("_bp")
    return named if is_in_bp else Measure(spread_of(case.ground.asset_class))


def _by_sign(case: Case) -> Measure | None:
    """A bare `+`: what header or heading say, else the class's spread (spec 4.7)."""
    name = case.ground.asset_class
    if case.mark.token.prefix != "" or name in _SIGNED_VALUES:
        return None
    for kind in (case.hint, case.ground.measure):
        if kind is not None and kind in _QUOTE_TYPES and kind.startswith("spread_"):
            return Measure(_QUOTE_TYPES[kind])
    if name == "unknown":
        return Measure(QuoteType.spread_unspecified_bp, flags=frozenset({Flag.type_assumed}))
    return Measure(spread_of(name))


def _by_reference(case: Case) -> Measure | None:
    is_against_stock = case.mark.reference is not None and case.ground.asset_class in ("convertible", "unknown")
    return Measure(QuoteType.price_vs_ref) if is_against_stock else None


def _by_header(case: Case) -> Measure | None:
    if case.hint is None:
        return None
    if case.hint in _QUOTE_TYPES:
        return Measure(_QUOTE_TYPES[case.hint])
    if case.hint == "price":
        return Measure(price_of(case.ground.asset_class))
    return Measure(spread_of(case.ground.asset_class)) if case.hint == "spread" else None


def _named(case: Case) -> Measure | None:
    """What the instrument's name says, or its kind: some of a class trade on price."""
    for pattern, kind in _NAMES.get(case.ground.asset_class, ()):
        if pattern.search(case.name):
            return Measure(kind)
    on_price = rules_of(case.ground.asset_class).on_price
    return Measure(QuoteType.price_pct) if on_price is not None and on_price.search(case.name) else None


def _by_word(case: Case) -> Measure | None:
    return Measure(price_of(case.ground.asset_class)) if case.mark.label == "price" else None


def _by_heading(case: Case) -> Measure | None:
    """A heading's measure, for the first level of a line, where the values can be that."""
    kind = case.ground.measure
    if kind is None or not (case.is_first or case.mark.tenor is not None):
        return None
    found = values(case.mark, case.ground.rules(kind))
    if found is None:
        return None
    sides = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    is_rate = kind.endswith("yield_pct") or kind in (QuoteType.discount_rate_pct, QuoteType.breakeven_pct)
    if (is_rate and max(sides) > 40) or (kind is QuoteType.price_pct and min(sides) < 5):
        return None
    return Measure(kind)


def _by_bond(case: Case) -> Measure | None:
    """`49,0/--  CAN 2 1/4 12/53`: one side beside a benchmark is a spread (ruling 1), but for a price near par."""
    kind = rules_of(case.ground.asset_class).spread
    found = values(case.mark, case.ground.rules(kind)) if case.has_bond and kind is not None else None
    if kind is None or found is None:
        return None
    sides = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    is_price = not case.ground.falls and _NEAR_PAR[0] <= sides[0] <= _NEAR_PAR[1]
    return Measure(kind) if len(sides) == 1 and not is_price else None


def _by_price(case: Case) -> Measure | None:
    """`91.35/91.65 7.95/7.90`: what falls behind a price, and is nowhere near it, is its yield."""
    is_percent = case.unit == "%" and not case.is_first  # `98.87/98.91  2.642%`
    if not (case.is_behind_price or is_percent) or case.mark.token.prefix is not None:
        return None
    found = values(case.mark, case.ground.rules(QuoteType.yield_pct))
    if found is None:
        return None
    if found.single is not None:
        is_yield = is_percent and 0 <= found.single.value <= 25
    else:
        is_yield = found.bid is not None and found.ask is not None and 25 >= found.bid.value >= found.ask.value >= 0
    return Measure(_real(QuoteType.yield_pct, case.ground.asset_class)) if is_yield else None


def _by_class(case: Case) -> Measure | None:
    """The first reading of the class that the values fit, uncrossed before crossed (data of `classes`)."""
    name = case.ground.asset_class
    flags = _TYPE_ASSUMED if name == "unknown" else _NO_FLAGS
    crossed: QuoteType | None = None
    for choice in rules_of(name).unmarked:
        found = _fitting(choice, case)
        if found is None:
            continue
        if _CROSSED not in found.flags:
            return Measure(choice.quote_type, flags=flags)
        crossed = crossed or (None if choice.falling else choice.quote_type)
    return Measure(crossed, flags=flags) if crossed is not None else None


_RULES: tuple[Callable[[Case], Measure | None], ...] = (
    _by_prefix,
    _by_unit,
    _by_label,
    _by_basis_points,
    _by_sign,
    _by_reference,
    _by_header,
    _named,
    _by_word,
    _by_heading,
    _by_bond,
    _by_price,
    _by_class,
)


def _fitting(choice: Unmarked, case: Case) -> Pair | None:
    """The values as this reading of a bare level, or None where they do not look like one."""
    text = case.mark.token.text
    found = _in_range(choice, case)
    if found is None:
        return None
    if choice.decimals is None and not choice.falling:
        return found
    decimals = max((len(match) for match in _DECIMALS.findall(text)), default=0)
    if choice.decimals is not None and decimals > choice.decimals:
        return None
    if not choice.falling:
        return found
    if found.bid is not None and found.ask is not None:
        return found if found.bid.value >= found.ask.value else None
    sides = (found.bid, found.ask, found.single)
    near_par = not case.ground.falls and any(
        side is not None and _NEAR_PAR[0] <= side.value <= _NEAR_PAR[1] for side in sides
    )
    return None if choice.decimals is not None and decimals and near_par else found


def _in_range(choice: Unmarked, case: Case) -> Pair | None:
    """The values, where all are in the reading's range; of a plain pair the bid alone may tell that they are not."""
    rules = case.ground.rules(choice.quote_type)
    simple = _SIMPLE_PAIR.fullmatch(case.mark.token.text)
    if simple is not None and choice.quote_type is not _PAYUP:
        bid = level_number(simple[1], rules)
        if bid is None or not within(bid.value, choice.low, choice.high):
            return None
    found = values(case.mark, rules)
    if found is None:
        return None
    sides = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    return found if all(within(value, choice.low, choice.high) for value in sides) else None
