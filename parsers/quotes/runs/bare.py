"""What a level measures that nothing marks: what stands beside it, its class and its values say (spec 4.7)."""

from __future__ import annotations

import re
from fractions import Fraction

from parsers.codes import Flag, QuoteType
from parsers.quotes.classes import Unmarked, rules_of
from parsers.quotes.runs.attributes import SECURITISED
from parsers.quotes.runs.case import Case, Measure, values
from parsers.values.levels import Pair
from parsers.values.markets import SPREADS
from parsers.values.numbers import Ticks
from parsers.values.outrights import forward_type
from parsers.values.separators import within
from parsers.values.shorthand import level_number

_PAYUP = QuoteType.payup_32
_CROSSED, _TYPE_ASSUMED = Flag.crossed, frozenset({Flag.type_assumed})
_NO_FLAGS: frozenset[Flag] = frozenset()
_NEAR_PAR = (80, 120)
_AT_PAR = (90, 105)
_SIMPLE_PAIR = re.compile(r"(\d[\d.]*)/[\d.]+")
_TICK = re.compile(r"\d{2,3}-[0-3]\d")
_RISING = re.compile(r"(\d{2,3}\.\d+)\s?[/-]\s?(\d{2,3})")
_WIDTH = 3
"""Points that a price is wide (spec 4.3)."""
_PRICE_IN_TICKS = re.compile(r"(?:[6-9]\d|1\d\d)-(?:0\d|[12]\d|3[01])")
"""A price where 32nds were read; a market of a spread only in shorthand: `120-15`."""
_IN_PARTS = re.compile(r"\d[ \-]\d{1,2}/(?:2|4|8|16|32|64)(?!\d)|[¼½¾⅛⅜⅝⅞]|/\s?\.\d")
"""Fractions, or a second side that begins with its point: `98 1/4`, `99.1/.3`."""
_YIELD = re.compile(r"\d{1,2}[.,]\d{2,3}")
"""Alone behind a price: `103.6/103.9  6.55`; with one decimal or none it may be a duration."""
_POINTS = re.compile(r"\d{2,3}")
_MOST_YIELD = 25
_STRESSED, _MOST_STRESSED = 70, 60
"""Below this price a yield is higher: `42/43.5  31.2/30.1`."""
_DECIMALS = re.compile(r"[.,](\d+)")


def by_bond(case: Case) -> Measure | None:
    """`49,0/--  CAN 2 1/4 12/53`: one side beside a benchmark is a spread (ruling 1), but for a price near par."""
    kind = rules_of(case.ground.asset_class).spread
    found = values(case.mark, case.ground.rules(kind)) if case.has_bond and kind is not None else None
    if kind is None or found is None:
        return None
    sides = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    is_price = not case.ground.falls and _NEAR_PAR[0] <= sides[0] <= _NEAR_PAR[1]
    return Measure(kind) if len(sides) == 1 and not is_price else None


def by_price(case: Case) -> Measure | None:
    """`91.35/91.65 7.95/7.90`: what falls behind a price, and is nowhere near it, is its yield."""
    text = case.mark.token.text
    is_percent = case.unit == "%"  # `98.87/98.91  2.642%`
    is_percent = is_percent and (not case.is_first or case.ground.asset_class in SECURITISED)  # `XA 6.2/5.9%`
    if not (case.price is not None or is_percent) or case.mark.token.prefix is not None:
        return None
    found = values(case.mark, case.ground.rules(QuoteType.yield_pct))
    if found is None:
        return None
    bid, ask = found.bid, found.ask
    if found.single is not None:
        is_like_one = _YIELD.fullmatch(text) is not None and _is_small(found, case)
        is_printed_so = is_percent or (is_like_one and case.ground.asset_class not in SECURITISED)
        is_yield = is_printed_so and 0 <= found.single.value <= _MOST_YIELD
    else:
        most = _MOST_YIELD if case.price is None or case.price > _STRESSED else _MOST_STRESSED
        is_yield = bid is not None and ask is not None and most >= bid.value >= ask.value >= 0
    return Measure(real(QuoteType.yield_pct, case.ground.asset_class)) if is_yield else None


def by_spot(case: Case) -> Measure | None:
    """A forward in a pair of currencies: its rate, or its points."""
    if case.ground.asset_class != "fx_forward":
        return None
    found = values(case.mark, case.ground.rules(QuoteType.fx_rate))
    kind = forward_type(f"{case.name} {case.ground.title}", found) if found is not None else None
    return Measure(kind) if kind is not None else None


def by_class(case: Case) -> Measure | None:
    """The first reading of the class that the values fit, uncrossed before crossed (data of `classes`)."""
    name = case.ground.asset_class
    if _TICK.fullmatch(case.mark.token.text) and (name == "unknown" or _is_in_ticks(case)):
        return None  # of a Treasury, or a market of two handles
    alone = values(case.mark, case.ground.rules(QuoteType.price_pct)) if case.price is not None else None
    if alone is not None and case.mark.token.prefix is None and _is_small(alone, case):
        return None
    flags = _TYPE_ASSUMED if name == "unknown" else _NO_FLAGS
    if name == "unknown" and case.ground.falls_in_points and _POINTS.fullmatch(case.mark.token.text):
        return Measure(QuoteType.spread_unspecified_bp, flags=flags)  # `97 bid` among `110/105` and `120/115`
    crossed: QuoteType | None = None
    for choice in rules_of(name).unmarked:
        if choice.quote_type in case.printed and case.mark.tenor is None:
            continue  # `T+85/80 98.5/99`: the spread is known, the rest is no second one
        if choice.quote_type in SPREADS and case.ground.ticks is Ticks.dotted:
            continue  # what a header says is in 32nds is a price, or nothing that can be read
        found = _fitting(choice, case)
        if found is None:
            continue
        if crossed is QuoteType.price_pct and name == "unknown" and _is_near_par_in_decimals(found, case):
            break  # a spread in hundredths of a basis point, at par: rather a price, the wrong way round
        if _CROSSED not in found.flags:
            return Measure(choice.quote_type, flags=flags)
        is_odd = name == "unknown" and choice.quote_type is not QuoteType.price_pct  # `4-6`: a price below all others?
        crossed = crossed or (None if choice.falling or is_odd else choice.quote_type)
    return Measure(crossed, flags=flags) if crossed is not None else None


def _is_small(found: Pair, case: Case) -> bool:
    """A lone value far below the price in front of it: whatever it is, no price."""
    return found.single is not None and case.price is not None and found.single.value * 2 < case.price


def _is_in_ticks(case: Case) -> bool:
    """`+44/+40   100-16` of a securitised bond: behind its spread no other, though its class has no 32nds."""
    return case.ground.ticks is Ticks.off and not case.is_first and case.ground.asset_class in SECURITISED


def real(kind: QuoteType, name: str) -> QuoteType:
    """The yield of a linker is a real one."""
    return QuoteType.real_yield_pct if kind is QuoteType.yield_pct and name == "inflation_linked" else kind


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
        is_market = found.bid.value >= found.ask.value and Flag.wide not in found.flags
        is_price = case.ground.ticks is not Ticks.off and _PRICE_IN_TICKS.fullmatch(text) is not None  # `112-08`
        return found if is_market and not (is_price or _is_price(text, found, falls=case.ground.falls)) else None
    sides = (found.bid, found.ask, found.single)
    near_par = not case.ground.falls and any(
        side is not None and _NEAR_PAR[0] <= side.value <= _NEAR_PAR[1] for side in sides
    )
    is_in_parts = text[0] in "pP" or _IN_PARTS.search(text) is not None  # `par`, `98 1/4`, `45 1/2`
    is_price = is_in_parts or (near_par and (decimals > 0 or _is_at_par(found, case)))
    return None if choice.decimals is not None and is_price else found


def _is_at_par(found: Pair, case: Case) -> bool:
    """`CARVL 2023-P1 N 97 bid`: with a side and no sign a value as near to par as this is a price."""
    sides = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    is_sided = case.mark.side is not None and case.ground.asset_class in SECURITISED
    return is_sided and all(within(side, *_AT_PAR) for side in sides)


def _is_near_par_in_decimals(found: Pair, case: Case) -> bool:
    """`101.50/100.75`."""
    sides = [side.value for side in (found.bid, found.ask) if side is not None]
    has_decimals = _DECIMALS.search(case.mark.token.text) is not None
    return has_decimals and not case.ground.falls and all(within(side, *_NEAR_PAR) for side in sides)


def _is_price(text: str, found: Pair, *, falls: bool) -> bool:
    """Whether a falling market is rather a price: in 32nds, or in shorthand that would fall below a bid near par."""
    bid = found.bid
    plain = _RISING.fullmatch(text) if Flag.shorthand_expanded in found.flags and not falls else None
    if plain is not None and 0 < Fraction(plain[2]) - Fraction(plain[1]) <= _WIDTH:  # `82.5/85`
        return True
    if Flag.shorthand_expanded not in found.flags:
        return _PRICE_IN_TICKS.fullmatch(text) is not None
    is_near_par = bid is not None and within(bid.value, *_NEAR_PAR)
    return is_near_par and not falls and _IN_PARTS.search(text) is not None


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
