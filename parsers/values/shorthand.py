"""What an ask in shorthand stands for beside its bid: `98.25/75`, `99-16+/17`, `3.45/40` (spec 4.3)."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec.structs import replace

from parsers.codes import Flag, Notation, QuoteType
from parsers.values.markets import PRICES, RATES, SPREADS, LevelRules, order, wide
from parsers.values.numbers import Number, fraction, number, tick

_TAILED = frozenset(["govt_intl", "irs", "inflation_swap", "fx_forward", "fx_option"])
_IN_TICKS = frozenset({Notation.thirty_seconds, Notation.futures_32})
_CEILED = (PRICES - {QuoteType.price_unit, QuoteType.price_vs_ref}) | RATES
_DECIMAL_NOTATION = Notation.decimal
_EXPANDED = frozenset({Flag.shorthand_expanded})
_LEAST_PRICE_CAP, _LEAST_SPREAD_CAP, _RATE_CAP = Fraction(3), Fraction(15), Fraction(1, 2)
_LEAST_WHOLE = 20
"""From which a price of two digits and decimals is one that leaves nothing out."""
_MOST_DECIMALS = 3
"""Of a side in shorthand; `1210.5/1215` has none."""
_NO_FLAGS: frozenset[Flag] = frozenset()
_DECIMALS = re.compile(r"[.,](\d+)\)?$")
_WHOLE_AND_DECIMALS = re.compile(r"[1-9]\d+[.,]\d+")
_DIGIT = re.compile(r"[0-9]")
_TICK_LIKE = re.compile(r"\d{2}(?:\+|\d|\.\d|\s?(?:[¼½¾⅛⅜⅝⅞]|\d/[248]))?")


def level_number(text: str, rules: LevelRules) -> Number | None:
    """The value that the whole text is, under the block's rules; prices in percent and rates end at 1000."""
    ceiling = 1000 if rules.quote_type in _CEILED else None
    return number(text, rules.locale, ticks=rules.thirty_seconds, ceiling=ceiling)


def expanded(bid: Number, text: str, rules: LevelRules) -> tuple[Number | None, frozenset[Flag]]:
    """The ask as its text means it beside this bid (spec 4.3), and whether shorthand was expanded."""
    if bid.notation in _IN_TICKS and _DIGIT.fullmatch(text) and bid.value >= 0:
        return Number(_with_last_digit(bid.value, int(text)), text, bid.notation), _EXPANDED
    direction = order(rules.quote_type, rules.asset_class)
    part = _part(text)
    if part is None and bid.notation in _IN_TICKS and _TICK_LIKE.fullmatch(text):
        in_ticks = tick(text, rules.thirty_seconds)
        ask = Number(_above(bid.value, in_ticks[0], direction), text, bid.notation, in_ticks[1]) if in_ticks else None
    elif part is not None:
        notation = Notation.decimal if text[0] in ".," else Notation.fraction  # `104.20 / .70`
        ask = Number(_above(bid.value, part, direction), text, notation)
    else:
        full = level_number(text, rules)
        if full is not None and full.notation in _IN_TICKS and text.startswith("00") and 99 <= bid.value < 100:
            return replace(full, value=full.value + 100), _EXPANDED  # `99-31+/00-00`
        if full is None or full.notation is not _DECIMAL_NOTATION or text[:1] in "+-−–(":
            return full, _NO_FLAGS
        value = _shortest(bid, text, full.value, direction, rules)
        if value is full.value or value.as_integer_ratio() == full.value.as_integer_ratio():
            return full, _NO_FLAGS
        ask = Number(value, text, full.notation, full.flags)
    return ask, _EXPANDED


def _part(text: str) -> Fraction | None:
    """What is less than one, as it is written: `.70`, `3/4`."""
    return Fraction(f"0.{text[1:]}") if text[0] in ".," and text[1:].isdecimal() else fraction(text)


def _with_last_digit(bid: Fraction, digit: int) -> Fraction:
    """The next 32nd from the bid on with this last digit: `99-16/8` is 99-18, `99-29/1` 99-31, `99-30/2` 100-02."""
    ticks = bid % 1 * 32
    at = next(one for one in range(int(ticks), 64) if one >= ticks and one % 32 % 10 == digit)
    return int(bid) + Fraction(at, 32)


def _above(bid: Fraction, part: Fraction, direction: str) -> Fraction:
    """The bid's handle with this part, rolled once to the right side; never over zero: there it is as written."""
    value = _in_handle(bid, part)
    rolled = value - 1 if direction == "Y" and value > bid else value + 1 if direction != "Y" and value < bid else value
    return part if (rolled < 0) != (bid < 0) else rolled


def _in_handle(bid: Fraction, part: Fraction) -> Fraction:
    """The bid's integer with this part, of the bid's sign: -1.75 for -1.25 and .75."""
    return int(bid) - part if bid < 0 else int(bid) + part


def _shortest(bid: Number, text: str, full: Fraction, direction: str, rules: LevelRules) -> Fraction:
    """F, D, R, T of spec 4.3: as written where that is a market, else the tightest shorthand that is one."""

    def right(value: Fraction) -> bool:
        return direction == "N" or (value >= bid.value if direction == "P" else value <= bid.value)

    tail = _tail(bid, text, direction) if rules.asset_class in _TAILED else None
    if tail is not None:
        return tail
    if -1 < bid.value < 0 <= full < 1 and right(full):  # `-0.11/0.09`: without whole ones nothing is left out
        return full
    cap = _cap(bid.value, rules.quote_type)
    if _is_market(bid.value, full, direction, cap) and not (text[0] == "0" and text.isdecimal() and len(text) > 1):
        return full
    widest = wide(bid.value, rules.quote_type) if text.isdecimal() else cap  # decimals are for what is no wide market
    candidates = []
    for value, step in _shorthands(bid, text, full) if not _is_whole(text, full, rules.quote_type) else ():
        if right(value):
            if abs(value - bid.value) <= widest:
                candidates.append(value)
            continue
        rolled = value + step if direction == "P" else value - step
        if right(rolled) and abs(rolled - bid.value) <= cap and (rolled >= 0) == (bid.value >= 0):
            candidates.append(rolled)
    if right(full):
        candidates.append(full)
    return min(candidates, key=lambda value: (value == bid.value, abs(value - bid.value)), default=full)


def _is_whole(text: str, full: Fraction, quote_type: QuoteType) -> bool:
    """`199.1/99.5`: the ask is a price as it stands, so it is the bid that is wrong."""
    return quote_type in PRICES and full >= _LEAST_WHOLE and _WHOLE_AND_DECIMALS.fullmatch(text) is not None


def _is_market(bid: Fraction, ask: Fraction, direction: str, cap: Fraction) -> bool:
    """Whether a bid and an ask are the right way round and no further apart; as integers, for speed."""
    over, below = bid.as_integer_ratio()
    ask_over, ask_below = ask.as_integer_ratio()
    cap_over, cap_below = cap.as_integer_ratio()
    width = ask_over * below - over * ask_below
    if (direction == "P" and width < 0) or (direction == "Y" and width > 0):
        return False
    return abs(width) * cap_below <= cap_over * below * ask_below


def _shorthands(bid: Number, text: str, full: Fraction) -> list[tuple[Fraction, int]]:
    """What the text may stand for beside the bid, each with the step it rolls by."""
    sign = -1 if bid.value < 0 else 1
    magnitude = abs(bid.value)
    found = []
    if text.isdecimal() and len(text) <= _MOST_DECIMALS and _decimals(bid):
        found.append((_in_handle(bid.value, Fraction(int(text), 10 ** len(text))), 1))
        if len(text) == _decimals(bid) and found[0][0] != bid.value:
            return found  # as many digits as the bid has decimals: they are its decimals
    whole = str(int(full))
    digits = len(text) if text.isdecimal() else len(whole)
    if 1 < digits == len(str(int(magnitude))) or digits < len(str(int(magnitude))):  # `7/0` leaves nothing out
        base = int(magnitude) // 10**digits * 10**digits
        found.append((sign * (base + full), 10**digits))
    return found


def _decimals(bid: Number) -> int:
    """How many decimals the bid was printed with; it is a plain decimal, in whatever locale."""
    match = _DECIMALS.search(bid.raw)
    is_grouped = bid.value.denominator == 1 and bid.value >= 1000
    return len(match[1]) if match is not None and not is_grouped else 0


def _tail(bid: Number, text: str, direction: str) -> Fraction | None:
    """T: the text replaces the bid's last decimals; rolled once like the other shorthands."""
    decimals = _decimals(bid)
    if not text.isdecimal() or len(text) >= decimals:
        return None
    unit = Fraction(1, 10**decimals)
    span: int = 10 ** len(text)
    ticks = int(abs(bid.value) / unit) // span * span + int(text)
    value = unit * (-ticks if bid.value < 0 else ticks)
    step = span * unit
    if direction == "P" and value < bid.value:
        return value + step
    return value - step if direction == "Y" and value > bid.value else value


def _cap(bid: Fraction, quote_type: QuoteType) -> Fraction:
    """The width up to which an ask is taken as written (spec 4.3); where it has no cap, that of a wide market."""
    if quote_type in PRICES:
        is_low = bid.numerator < 70 * bid.denominator
        return max(_LEAST_PRICE_CAP, abs(bid) * Fraction(15, 100)) if is_low else _LEAST_PRICE_CAP
    if quote_type in SPREADS:
        is_small = abs(bid.numerator) <= 60 * bid.denominator
        return _LEAST_SPREAD_CAP if is_small else max(_LEAST_SPREAD_CAP, abs(bid) / 4)
    if quote_type in RATES:
        return _RATE_CAP
    return wide(bid, quote_type)
