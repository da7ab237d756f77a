"""What level cells say together: bid and ask, a pair in one cell, talk (spec 5.4, 5.8, 5.9)."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import Flag, QuoteType
from parsers.document import Cell
from parsers.quotes.tables.cells.cells import (
    ABSENT,
    IN_TICKS,
    RESULT,
    SUBJECT,
    SUFFIX,
    UNREADABLE,
    Nothing,
    counted_ticks,
    no_level,
    nothing_in,
    one,
    typed_level,
    wordy,
)
from parsers.values.levels import Pair, complete, pair
from parsers.values.markets import PRICES, RATES, SPREADS, LevelRules
from parsers.values.numbers import Number, Ticks, fraction, number
from parsers.values.spreads import SpreadPrefix, spread_prefix
from parsers.values.talk import Talk, talk


class Reading(Struct, frozen=True, gc=False):
    """The values of one measure in one row, before they are a Level."""

    bid: Number | None = None
    ask: Number | None = None
    single: Number | None = None
    talk: Talk | None = None
    quote_type: QuoteType | None = None  # where the cell itself says it: `CAN+63.5/61.5`
    benchmark: str | None = None
    running: Number | None = None  # of points up front, behind them
    flags: frozenset[Flag] = field(default_factory=frozenset)


_VALUE = r"\d{1,4}(?:[.,]\d{1,5}|-\d\d[\d+]?|\s\d/\d{1,2}|[¼½¾⅛⅜⅝⅞])"
_TWO = re.compile(rf"({_VALUE})\s+({_VALUE})")
_RUNNING = re.compile(
    r"\s?(?:pts?|points)?\s?(?:up(?:f(?:ront)?)?)?\s[+@]\s?(?P<running>25|100|500|1000)$", re.IGNORECASE
)
_UNIT_OF_BID = re.compile(r"(?<=\d)\s?(?:dm|bps?|% ?NAV)(?=\s?/)", re.IGNORECASE)
"""Said of the ask, too: `190dm/180dm`."""
_MARGIN = re.compile(r"\d'?s?\s*(?:a|area)?\s*dm\b", re.IGNORECASE)


def sides(bid: Cell | None, ask: Cell | None, rules: LevelRules) -> Reading | Nothing:
    """Bid and ask out of their own cells; shorthand is only read where the ask cannot be meant in full."""
    curve = _curve(bid, rules) or _curve(ask, rules)
    if curve is not None and curve.quote_type is not None:  # `J+105` | `J+100`
        bare = replace(rules, quote_type=curve.quote_type)
        return _over(curve, sides(_without_curve(bid, rules), _without_curve(ask, rules), bare))
    left, right = _side(bid, rules), _side(ask, rules)
    if bid is not None and ask is not None and isinstance(left, Number) and _is_short(left, right, ask, rules):
        whole = _completed(bid, ask, rules, is_number=isinstance(right, Number))
        if whole is not None:
            return whole
    if isinstance(left, Number) and isinstance(right, Number):
        return Reading(left, right, flags=left.flags | right.flags)
    if _is_lost(right, ask) or _is_lost(left, bid):
        return UNREADABLE
    if isinstance(left, Number):
        return Reading(bid=left, flags=left.flags)
    return Reading(ask=right, flags=right.flags) if isinstance(right, Number) else _worse(left, right)


def _side(cell: Cell | None, rules: LevelRules) -> Number | Nothing:
    return one(cell, rules) if cell is not None else ABSENT


def _completed(bid: Cell, ask: Cell, rules: LevelRules, *, is_number: bool) -> Reading | None:
    """The sides, the ask's shorthand completed from the bid; None where it is neither that nor a number."""
    found = complete(bid.text, ask.text, rules)
    return Reading(found.bid, found.ask, flags=found.flags) if found.ask is not None or is_number else None


def _is_lost(side: Number | Nothing, cell: Cell | None) -> bool:
    """Whether figures stand where nobody can read a level: the other side alone would be half of the market."""
    return side is UNREADABLE and cell is not None and any(map(str.isdigit, cell.text))


def _curve(cell: Cell | None, rules: LevelRules) -> SpreadPrefix | None:
    """The curve that a cell's level is printed with, if any."""
    if cell is None or cell.value is not None or not cell.text or not (cell.text[0].isalpha() or cell.text[0] == "€"):
        return None
    found = spread_prefix(cell.text, rules.asset_class)
    return found if found is not None and found.quote_type is not None else None


def _over(curve: SpreadPrefix, read: Reading | Nothing) -> Reading | Nothing:
    """The level over its curve."""
    return replace(read, quote_type=curve.quote_type, benchmark=curve.benchmark) if isinstance(read, Reading) else read


def _without_curve(cell: Cell | None, rules: LevelRules) -> Cell | None:
    found = _curve(cell, rules)
    return replace(cell, text=cell.text[found.end :].lstrip("+ ")) if cell is not None and found is not None else cell


def _is_short(bid: Number, ask: Number | Nothing, cell: Cell, rules: LevelRules) -> bool:
    """`98 1/4` beside `3/4`, `99-16` beside `18` or `06+`, `98.25` beside `75`, `99.875` beside `125`: as no market."""
    if not isinstance(ask, Number):
        return ask is UNREADABLE and rules.thirty_seconds is not Ticks.off
    if cell.value is not None or rules.quote_type not in PRICES:
        is_rate = cell.value is None and rules.quote_type in RATES  # `2,621` beside `618`
        return is_rate and cell.text.isdecimal() and ask.value > 20 and bid.value.denominator > 1
    if fraction(cell.text) is not None:
        return True
    over, below = bid.value.as_integer_ratio()
    ask_over, ask_below = ask.value.as_integer_ratio()
    left, right = over * ask_below, ask_over * below  # both in parts of one; integers compare faster than fractions
    is_far = right * 10 < left * 9 or right * 10 > left * 12
    return over > 20 * below and right >= 0 and (right * 2 < left or (is_far and cell.text.isdecimal()))


def _worse(first: Nothing, second: Nothing) -> Nothing:
    return max(first, second, key=lambda nothing: nothing.value)


def both(cell: Cell, rules: LevelRules) -> Reading | Nothing:
    """A cell that may hold a pair: `98.25/98.75`, `CAN+63.5/61.5`, `127/`, `98.5 bid`, or one value."""
    if cell.value is None and not cell.struck:
        return no_level(cell.text) or _both_printed(cell.text, rules)
    typed = nothing_in(cell) or typed_level(cell, cell.value, rules)
    return Reading(single=typed) if isinstance(typed, Number) else typed


def of_both(cell: Cell, rules: LevelRules) -> Reading | Nothing:
    """A cell under a heading of both sides, where a line's end may part them: `98.25<br>98.75`."""
    if cell.value is None and (two := _TWO.fullmatch(cell.text)) is not None:
        return both(replace(cell, text=" / ".join(two.groups())), rules)
    return both(cell, rules)


@lru_cache(maxsize=4096)  # a level is read once to tell what it measures, and once for its values
def _both_printed(text: str, rules: LevelRules) -> Reading | Nothing:
    quote_type, benchmark = None, None
    prefix = spread_prefix(text, rules.asset_class) if not text[0].isdigit() else None
    if prefix is not None and (rules.quote_type in SPREADS or prefix.quote_type is not None):
        text, quote_type, benchmark = _of_curve(text, prefix.end), prefix.quote_type, prefix.benchmark
        if quote_type is not None:
            rules = replace(rules, quote_type=quote_type)
    if rules.quote_type in IN_TICKS:
        text = counted_ticks(text)
    found = pair(text, rules) or pair(_UNIT_OF_BID.sub("", SUFFIX.sub("", SUBJECT.sub("", text))), rules)
    running = _RUNNING.search(text) if found is None else None
    if running is not None:  # `12.5/13.5 pts up +500`
        quote_type, found = QuoteType.upfront_pts, pair(text[: running.start()], rules)
    if found is None:
        return wordy(text)
    read = _of_pair(found, quote_type, benchmark)
    return read if running is None else replace(read, running=number(running["running"]))


def _of_curve(text: str, end: int) -> str:
    """The values of spreads over a curve, which both may name: `T+85/80`, `MS+31/MS+28`."""
    curve, values = text[:end], text[end:].lstrip("+")
    bid, slash, ask = values.partition("/")
    ask = ask.lstrip()
    return f"{bid}/{ask[end:].lstrip('+')}" if slash and curve and ask.startswith(curve) else values


def has_prefix(text: str) -> bool:
    """Whether a level starts as a spread does: `T+85/80`, `+120/115`."""
    return bool(text) and not text[0].isdigit() and spread_prefix(text) is not None and text[0] not in "-−–"


def _of_pair(found: Pair, quote_type: QuoteType | None, benchmark: str | None) -> Reading:
    return Reading(found.bid, found.ask, found.single, None, quote_type, benchmark, flags=found.flags)


def talked(cell: Cell, rules: LevelRules) -> Reading | Nothing:
    """A cell of price talk: `mid 80s`, `VH99s`, `100.05 area`."""
    nothing = nothing_in(cell)
    if nothing is not None:
        return nothing
    if isinstance(cell.value, Decimal):
        typed = typed_level(cell, cell.value, rules)
        return Reading(talk=Talk(typed.value, None, typed.raw)) if isinstance(typed, Number) else typed
    over = spread_prefix(cell.text, rules.asset_class)
    if over is not None and over.quote_type is not None:  # `S+155a`
        spoken = talk(cell.text[over.end :], rules.locale, spread=True)
        if spoken is not None:
            return Reading(talk=spoken, quote_type=over.quote_type, benchmark=over.benchmark)
    found = talk(cell.text, rules.locale, spread=rules.quote_type in SPREADS, ticks=rules.thirty_seconds)
    if found is None:
        return ABSENT if RESULT.fullmatch(cell.text) else UNREADABLE
    return Reading(talk=found, quote_type=QuoteType.dm_bp if _MARGIN.search(cell.text) else None)
