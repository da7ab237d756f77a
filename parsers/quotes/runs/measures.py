"""What a level of a line measures: its own marks, then header, name, heading, class (spec 4.7, rulings 1 and 4)."""

from __future__ import annotations

import re
from collections.abc import Callable

from parsers.codes import Flag, QuoteType
from parsers.quotes.classes import rules_of
from parsers.quotes.classes.stating import quoted_by_name
from parsers.quotes.judging import is_in_range
from parsers.quotes.runs.attributes import SECURITISED
from parsers.quotes.runs.bare import by_bond, by_class, by_price, by_spot, real
from parsers.quotes.runs.case import Case, Measure, values
from parsers.values.levels import Pair
from parsers.values.markets import PRICES, RATES, YIELDS
from parsers.values.spreads import curve

_UNITS = {
    "dm": QuoteType.dm_bp,
    "disc margin": QuoteType.dm_bp,
    **dict.fromkeys(("yld", "yield", "ytm", "ytw", "ytc"), QuoteType.yield_pct),
    **dict.fromkeys(("nvol", "nvols", "bp vol", "bpvol", "bp vols", "bpvols"), QuoteType.vol_normal_bp),
    "ticks": QuoteType.roll_ticks,
}
_QUOTE_TYPES: dict[str, QuoteType] = dict(QuoteType.__members__)
_PRICE = QuoteType.price_pct
_MOST_PRICE = 200
_HIGH_YIELD = 12
_PRICE_LIKE = re.compile(r"(?:[6-9]\d|1[0-4]\d)[.,]\d{2,3}(?!\d)")
_IN_CENTS = re.compile(r"\d{1,2}\.\d\d\s?/\s?\d{1,2}\.\d\d")
_RATE = re.compile(r"\d\s?%")
"""In a name: what has a rate is quoted in percent."""
_BESIDE = {
    QuoteType.fx_rate: QuoteType.fwd_points,
    QuoteType.fwd_points: QuoteType.fx_rate,
    QuoteType.discount_rate_pct: QuoteType.yield_pct,
}
"""Of one forward the other measure, of a bill its yield: `outright 5.47/5.48 pts 250/260`."""
_SPREADLESS = frozenset({"tba_mbs"})
"""Classes of which a bare sign is of no level: `GN/FN 5.5 swap +9/+10`."""
_SIGNED_VALUES = frozenset(
    {"irs", "fx_forward", "fx_option", "cds_tranche", "repo", "swaption", "inflation_swap", "govt_latam_local"}
)
"""Classes in which a sign is a number's, not a spread's."""


def measure(case: Case) -> Measure | None:
    """What the level measures: the first rule that knows; None where it is no level of this class."""
    for rule in _RULES if case.is_marked else _OF_BARE:
        found = rule(case)
        if found is not None:
            return None if _is_of_bonds(found.quote_type, case.ground.asset_class) else found
    return None


def _is_of_bonds(kind: QuoteType, name: str) -> bool:
    """Whether a yield stands in a class that has none: `Rendite 10J 2,45%` among credit protection."""
    return kind in YIELDS and rules_of(name).curve and RATES.isdisjoint(rules_of(name).types)


def spread_of(name: str) -> QuoteType:
    """What a bare `bp` or a bare sign means in a class."""
    return rules_of(name).spread or QuoteType.spread_unspecified_bp


def price_of(name: str) -> QuoteType:
    """What a price is in a class."""
    return next((kind for kind in rules_of(name).types if kind in PRICES), _PRICE)


def _by_prefix(case: Case) -> Measure | None:
    if not case.mark.token.prefix:
        return None
    return Measure(*curve(case.mark.token.prefix, case.ground.asset_class))


def _by_unit(case: Case) -> Measure | None:
    unit, name = case.unit, case.ground.asset_class
    if not unit:
        return None
    if unit in _UNITS:
        return Measure(real(_UNITS[unit], name))
    if unit.startswith(("pt", "up")) or unit == "points":
        is_forward = name == "fx_forward"
        is_of_next = (
            is_forward and quoted_by_name(name, case.name) is QuoteType.fx_rate
        )  # `outright 5.47/5.48 pts 25/26`
        return None if is_of_next else Measure(QuoteType.fwd_points if is_forward else QuoteType.upfront_pts)
    if "nav" in unit:
        return Measure(QuoteType.pct_nav)
    if unit.startswith("v"):
        return Measure(QuoteType.vol_normal_bp if name == "swaption" else QuoteType.vol_pct)
    return None


def _by_label(case: Case) -> Measure | None:
    label = case.mark.label
    if label is None or label == "price":
        return None
    if label == "premium_bp" and case.ground.asset_class == "convertible":  # over parity
        return Measure(QuoteType.premium_pct) if case.unit == "%" else None
    is_unit = label != "price_unit" or label in rules_of(case.ground.asset_class).types  # `98/99 EUR` of a bond
    if not is_unit or (label == "price_unit" and _RATE.search(case.name)):  # `8.5% BRC ...  98/99 CHF`
        return None
    return Measure(real(QuoteType(label), case.ground.asset_class))


def _by_cents(case: Case) -> Measure | None:
    """`HY45 106 receiver 42/48c`: a cent on a hundred is a basis point."""
    is_premium = case.unit in ("c", "cents") and _is_option(_named(case))
    return Measure(QuoteType.premium_bp) if is_premium else None


def _is_option(named: Measure | None) -> bool:
    """Whether what is named is an option on an index, whose premium stands beside its vol."""
    return named is not None and named.quote_type is QuoteType.vol_pct


def _by_basis_points(case: Case) -> Measure | None:
    if not case.unit.startswith(("bp", "pb")):
        return None
    named = _named(case)
    if _is_option(named):
        return Measure(QuoteType.premium_bp)
    if named is not None and named.quote_type.endswith("_bp"):
        return named
    said = case.ground.measure
    is_said = said is not None and said.endswith("_bp") and case.is_first
    return Measure(said if said is not None and is_said else spread_of(case.ground.asset_class))


def _by_sign(case: Case) -> Measure | None:
    """A bare `+`: what header or heading say, else the class's spread (spec 4.7)."""
    name = case.ground.asset_class
    is_value = name in _SIGNED_VALUES or (name == "cds_single" and case.mark.token.text[:1] in ("-", "−"))
    if case.mark.token.prefix != "" or is_value:  # no protection costs less than nothing a year: points are up front
        return None
    for kind in (case.hint, case.ground.measure):
        if kind is not None and kind in _QUOTE_TYPES and kind.startswith(("spread_", "payup_")):
            return Measure(_QUOTE_TYPES[kind])
    own = _named(case)
    if own is not None and own.quote_type is QuoteType.payup_32:  # `FN 5.5 LLB +28/+30`
        return own
    if name in _SPREADLESS:
        return None
    is_over_anything = name == "corp_ig" and case.ground.currency not in {None, "USD"}  # governments or swaps
    if name == "unknown" or is_over_anything:
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


def _is_no_rate(kind: QuoteType, case: Case) -> bool:
    """`-18.4/-17.9` under `Points and outrights`: no currency costs less than nothing."""
    return kind is QuoteType.fx_rate and case.mark.token.text[:1] in "-−"


def _named(case: Case) -> Measure | None:
    """What the instrument's name says, or its kind: some of a class trade on price."""
    is_part = case.ground.asset_class in ("cds_tranche", "fx_forward")  # of the index or pair in the heading
    name = f"{case.ground.title} {case.name}" if is_part else case.name
    kind = quoted_by_name(case.ground.asset_class, name)
    if not case.is_first and case.mark.tenor is None and kind is not None:
        beside = _BESIDE.get(kind, kind)
        kind = None if beside in YIELDS and _PRICE_LIKE.match(case.mark.token.text) else beside
    if kind is None or _is_no_rate(kind, case) or (kind is _PRICE and _is_far_above_par(case)):  # `HY 5y 322/326`
        return None
    return Measure(kind)


def _is_far_above_par(case: Case) -> bool:
    found = values(case.mark, case.ground.rules(_PRICE))
    sides = (found.bid, found.ask, found.single) if found is not None else ()
    return any(side is not None and side.value > _MOST_PRICE for side in sides)


def _by_word(case: Case) -> Measure | None:
    return Measure(price_of(case.ground.asset_class)) if case.mark.label == "price" else None


def _falls(found: Pair) -> bool:
    return found.bid is not None and found.ask is not None and found.bid.value > found.ask.value


def _is_strip(case: Case) -> bool:
    """`XA 5.10/5.20` among spreads: what rises in hundredths is the price of a deal's interest."""
    return case.ground.asset_class in SECURITISED and _IN_CENTS.fullmatch(case.mark.token.text) is not None


def _by_heading(case: Case) -> Measure | None:
    """A heading's measure, for the first level of a line, where the values can be that."""
    kind = case.ground.measure
    if kind is None or _is_no_rate(kind, case) or not (case.is_first or case.mark.tenor is not None):
        return None
    found = values(case.mark, case.ground.rules(kind))
    if found is None:
        return None
    sides = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    if (
        (kind.startswith("spread_") or kind is QuoteType.dm_bp)
        and (_PRICE_LIKE.match(case.mark.token.text) or _is_strip(case))
        and not _falls(found)
    ):
        return None  # `offerti 107,90` among spreads
    is_rate = kind.endswith("yield_pct") or kind in (QuoteType.discount_rate_pct, QuoteType.breakeven_pct)
    is_outside = not all(is_in_range(side, kind) for side in sides)
    is_no_yield = is_rate and min(sides) > _HIGH_YIELD and Flag.crossed in found.flags  # `20.10/20.20`
    if is_outside or is_no_yield or (is_rate and max(sides) > 40) or (kind is QuoteType.price_pct and min(sides) < 5):
        return None
    return Measure(kind)


def _by_class(case: Case) -> Measure | None:
    is_signed = case.mark.token.prefix == "" and case.ground.asset_class in _SPREADLESS
    return None if is_signed else by_class(case)


_OF_MARKS = (_by_prefix, _by_unit, _by_label, _by_cents, _by_basis_points, _by_sign, _by_reference)
_OF_BARE: tuple[Callable[[Case], Measure | None], ...] = (
    _by_header,
    _named,
    _by_word,
    _by_heading,
    by_bond,
    by_price,
    by_spot,
    _by_class,
)
_RULES = (*_OF_MARKS, *_OF_BARE)
