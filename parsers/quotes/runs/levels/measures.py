"""What a level of a line measures: its own marks, then header, name, heading, class (spec 4.7, rulings 1 and 4)."""

from __future__ import annotations

import re
from collections.abc import Callable

from parsers.codes import QuoteType
from parsers.quotes.answers.measuring import Measured, Sample, if_fitting, in_class, of_class, of_sign, spread_of
from parsers.quotes.classes import SECURITISED
from parsers.quotes.classes.stating import quoted_by_name
from parsers.quotes.runs.levels.case import Case, values
from parsers.values.markets import SPREADS, YIELDS
from parsers.values.numbers import Ticks
from parsers.values.outrights import forward_type
from parsers.values.spreads import curve

_UNITS = {
    **dict.fromkeys(("dm", "disc margin"), "dm_bp"),
    **dict.fromkeys(("yld", "yield", "ytm", "ytw", "ytc"), "yield_pct"),
    **dict.fromkeys(("nvol", "nvols", "bp vol", "bpvol", "bp vols", "bpvols"), "vol_normal_bp"),
    "ticks": "roll_ticks",
}
_PRICE_LIKE = re.compile(r"(?:[6-9]\d|1[0-4]\d)[.,]\d{2,3}(?!\d)")
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
_TICK = re.compile(r"\d{2,3}-[0-3]\d")
_YIELD = re.compile(r"\d{1,2}[.,]\d{2,3}")
"""Alone behind a price: `103.6/103.9  6.55`; with one decimal or none it may be a duration."""
_MOST_YIELD = 25
_STRESSED, _MOST_STRESSED = 70, 60
"""Below this price a yield is higher: `42/43.5  31.2/30.1`."""


def measure(case: Case) -> Measured | None:
    """What the level measures: the first rule that knows; None where it is no level of this class."""
    if case.mark.token.prefix:
        return Measured(*curve(case.mark.token.prefix, case.ground.asset_class))
    word = _word_of(case.unit, case) or _labelled(case)
    if word is not None:
        return in_class(word, case.rules)
    for rule in _RULES if case.is_marked else _OF_BARE:
        found = rule(case)
        if found is not None:
            return found
    return None


def _word_of(unit: str, case: Case) -> str | None:
    """What is printed behind a level, as a word that headings have, too."""
    is_forward = case.ground.asset_class == "fx_forward"
    if unit in _UNITS:
        return _UNITS[unit]
    if unit.startswith(("pt", "up")) or unit == "points":
        is_of_next = is_forward and quoted_by_name("fx_forward", case.name) is QuoteType.fx_rate
        return None if is_of_next else "fwd_points" if is_forward else "upfront_pts"  # `outright 5.47/5.48 pts 25/26`
    if "nav" in unit:
        return "pct_nav"
    return "vol" if unit.startswith("v") else None


def _labelled(case: Case) -> str | None:
    """A word beside the level that says its measure; a price may yet be told from the name."""
    label, is_of_unit = case.mark.label, QuoteType.price_unit in case.rules.types
    if label == "premium_bp" and case.ground.asset_class == "convertible":  # over parity
        return "premium_pct" if case.unit == "%" else None
    if label == "price_unit" and (not is_of_unit or _RATE.search(case.name)):  # `98/99 EUR`, `8.5% BRC  98/99 CHF`
        return None
    return label if label != "price" else None


def _by_cents(case: Case) -> Measured | None:
    """`HY45 106 receiver 42/48c`: a cent on a hundred is a basis point."""
    is_premium = case.unit in ("c", "cents") and _is_option(_named(case))
    return Measured(QuoteType.premium_bp) if is_premium else None


def _is_option(named: Measured | None) -> bool:
    """Whether what is named is an option on an index, whose premium stands beside its vol."""
    return named is not None and named.quote_type is QuoteType.vol_pct


def _by_basis_points(case: Case) -> Measured | None:
    if not case.unit.startswith(("bp", "pb")):
        return None
    named = _named(case)
    if _is_option(named):
        return Measured(QuoteType.premium_bp)
    if named is not None and named.quote_type.endswith("_bp"):
        return named
    said = case.ground.measure
    is_said = said is not None and said.endswith("_bp") and case.is_first
    return Measured(said) if said is not None and is_said else spread_of(case.rules)


def _by_sign(case: Case) -> Measured | None:
    """A bare plus, in front of the level or of its second side; a pay-up by its name has one, too."""
    if not case.is_signed:
        return None
    own = _named(case)
    if own is not None and own.quote_type is QuoteType.payup_32:  # `FN 5.5 LLB +28/+30`
        return own
    is_none = case.ground.asset_class in _SPREADLESS
    title = case.hint or case.ground.measure
    return of_sign(case.rules, title, case.ground.currency) if not is_none or title else None


def _by_reference(case: Case) -> Measured | None:
    is_against_stock = case.mark.reference is not None and case.ground.asset_class in ("convertible", "unknown")
    return Measured(QuoteType.price_vs_ref) if is_against_stock else None


def _by_header(case: Case) -> Measured | None:
    return in_class(case.hint, case.rules, hint=case.ground.measure) if case.hint else None


def _named(case: Case) -> Measured | None:
    """What the instrument's name says, or its kind: some of a class trade on price."""
    is_part = case.ground.asset_class in ("cds_tranche", "fx_forward")  # of the index or pair in the heading
    name = f"{case.ground.title} {case.name}" if is_part else case.name
    kind = quoted_by_name(case.ground.asset_class, name)
    if not case.is_first and case.mark.tenor is None and kind is not None:
        beside = _BESIDE.get(kind, kind)
        kind = None if beside in YIELDS and _PRICE_LIKE.match(case.mark.token.text) else beside
    return if_fitting(kind, case.rules, case.sample)


def _by_word(case: Case) -> Measured | None:
    return in_class("price", case.rules) if case.mark.label == "price" else None


def _by_heading(case: Case) -> Measured | None:
    """A heading's measure, for the first level of a line."""
    is_asked = case.is_first or case.mark.tenor is not None
    return if_fitting(case.ground.measure, case.rules, case.sample) if is_asked else None


def _by_price(case: Case) -> Measured | None:
    """`91.35/91.65 7.95/7.90`: what falls behind a price, and is nowhere near it, is its yield."""
    is_percent = case.unit == "%"  # `98.87/98.91  2.642%`
    is_percent = is_percent and (not case.is_first or case.ground.asset_class in SECURITISED)  # `XA 6.2/5.9%`
    if not (case.price is not None or is_percent) or case.mark.token.prefix is not None:
        return None
    found = case.sample(QuoteType.yield_pct)
    if found is None:
        return None
    if len(found.values) == 1:
        is_like_one = _YIELD.fullmatch(case.mark.token.text) is not None and _is_small(found, case)
        is_printed_so = is_percent or (is_like_one and case.ground.asset_class not in SECURITISED)
        is_yield = is_printed_so and 0 <= found.values[0] <= _MOST_YIELD
    else:
        most = _MOST_YIELD if case.price is None or case.price > _STRESSED else _MOST_STRESSED
        bid, ask = found.values
        is_yield = most >= bid >= ask >= 0
    return in_class("yield_pct", case.rules) if is_yield else None


def _by_spot(case: Case) -> Measured | None:
    """A forward in a pair of currencies: its rate, or its points."""
    if case.ground.asset_class != "fx_forward":
        return None
    found = values(case.mark, case.ground.rules(QuoteType.fx_rate))
    kind = forward_type(f"{case.name} {case.ground.title}", found) if found is not None else None
    return Measured(kind) if kind is not None else None


def _by_class(case: Case) -> Measured | None:
    """The first reading of the class that the values fit (data of `classes`)."""
    name = case.ground.asset_class
    if case.mark.token.prefix == "" and name in _SPREADLESS:
        return None
    if _TICK.fullmatch(case.mark.token.text) and (name == "unknown" or _is_in_ticks(case)):
        return None  # of a Treasury, or a market of two handles
    alone = case.sample(QuoteType.price_pct) if case.price is not None and case.mark.token.prefix is None else None
    if alone is not None and _is_small(alone, case):
        return None
    return of_class(case.rules, lambda kind: None if _is_known(kind, case) else case.sample(kind))


def _is_known(kind: QuoteType, case: Case) -> bool:
    """Whether a level is not asked for a type: a spread in front of it is known, `T+85/80 98.5/99`.

    What a header says is in 32nds is a price, or nothing that can be read.
    """
    is_printed = kind in case.printed and case.mark.tenor is None
    return is_printed or (kind in SPREADS and case.ground.ticks is Ticks.dotted)


def _is_small(found: Sample, case: Case) -> bool:
    """A lone value far below the price in front of it: whatever it is, no price."""
    return len(found.values) == 1 and case.price is not None and found.values[0] * 2 < case.price


def _is_in_ticks(case: Case) -> bool:
    """`+44/+40   100-16` of a securitised bond: behind its spread no other, though its class has no 32nds."""
    return case.ground.ticks is Ticks.off and not case.is_first and case.ground.asset_class in SECURITISED


_OF_MARKS = (_by_cents, _by_basis_points, _by_sign, _by_reference)
_OF_BARE: tuple[Callable[[Case], Measured | None], ...] = (
    _by_header,
    _named,
    _by_word,
    _by_heading,
    _by_price,
    _by_spot,
    _by_class,
)
_RULES = (*_OF_MARKS, *_OF_BARE)
