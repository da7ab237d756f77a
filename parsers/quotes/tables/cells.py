"""What a level cell says: one number, a pair, talk, or that there is none (spec 4.1, 5.4, 5.8, 5.9)."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import Flag, QuoteType
from parsers.document import Cell
from parsers.values.decimals import times
from parsers.values.levels import Pair, complete, pair
from parsers.values.markets import PRICES, RATES, SPREADS, LevelRules
from parsers.values.numbers import Number, Ticks, fraction, is_null, number
from parsers.values.separators import Locale
from parsers.values.spreads import SpreadPrefix, spread_prefix
from parsers.values.talk import Talk, talk

LONGEST_LEVEL = 80
"""Characters; no level is longer, and hostile cells are not searched."""


class Nothing(Enum):
    """Why a cell has no level."""

    absent = auto()
    withdrawn = auto()
    unreadable = auto()


_ABSENT, _TAKEN_AWAY, _UNREADABLE = Nothing  # a member's name costs ten times a module's, and these are asked often


class Reading(Struct, frozen=True, gc=False):
    """The values of one measure in one row, before they are a Level."""

    bid: Number | None = None
    ask: Number | None = None
    single: Number | None = None
    talk: Talk | None = None
    quote_type: QuoteType | None = None  # where the cell itself says it: `CAN+63.5/61.5`
    benchmark: str | None = None
    flags: frozenset[Flag] = field(default_factory=frozenset)


_NO_FLAGS: frozenset[Flag] = frozenset()
_IN_TICKS = frozenset({QuoteType.payup_32, QuoteType.roll_ticks})
_WITHDRAWN = re.compile(
    r"(?:subj(?:ect)?|off|away|pulled|withdrawn|traded(?: away)?|sold|gone|out|done|n/?b|no longer)\.?", re.IGNORECASE
)
_RESULT = re.compile(r"(?:dnt|did not trade|traded|yes|no|y|n|sold|call|rfq|poa|wtd|best|market)\.?", re.IGNORECASE)
_MARGIN = re.compile(r"\d'?s?\s*(?:a|area)?\s*dm\b", re.IGNORECASE)
_FOOTNOTED = re.compile(r"[\d+)](?:\s*[*†‡⁰¹²³⁴-⁹])+$")
_TICKS = re.compile(r"(?:0-)?(?P<ticks>(?<=-)\d\d|\d+(?=\+))(?:(?P<plus>\+)|(?P<eighths>(?<=-\d\d)[0-7]))?")
_SUFFIX = re.compile(r"(?<=[\d/])\s*(?:dm|bps?|pts?|v|vols?|€|£|\$|EUR|USD|GBP|CHF)\.?$", re.IGNORECASE)
_SUBJECT = re.compile(r"(?<=[\d+])\s*(?:sub|subj|subject|s)\.?$", re.IGNORECASE)


def one(cell: Cell, rules: LevelRules) -> Number | Nothing:
    """The number of a cell that holds one side."""
    if cell.struck:
        return _TAKEN_AWAY
    if cell.value is not None:
        return _nothing(cell) or _typed(cell, cell.value, rules)
    return _printed(cell.text, rules) if cell.text else _ABSENT


@lru_cache(maxsize=8192)  # half of all prices have been seen before
def _printed(text: str, rules: LevelRules) -> Number | Nothing:
    nothing = _no_level(text)
    if nothing is not None:
        return nothing
    found = _number(_counted_ticks(text) if rules.quote_type in _IN_TICKS else text, rules)
    if found is None and (text[-1].isalpha() or text[-1] in "€£$"):
        found = _number(_SUFFIX.sub("", _SUBJECT.sub("", text)), rules)
    if found is None:
        return _wordy(text)
    if not found.flags and text[-1] in "*†‡⁰¹²³⁴⁵⁶⁷⁸⁹" and _FOOTNOTED.search(text):
        return Number(found.value, found.raw, found.notation, frozenset({Flag.footnoted}))
    return found


def _nothing(cell: Cell) -> Nothing | None:
    """Why a cell need not be read at all."""
    return _TAKEN_AWAY if cell.struck else _no_level(cell.text)


def _no_level(text: str) -> Nothing | None:
    if not text or is_null(text) or text[0] == "#":  # `#N/A`, `#REF!`
        return _ABSENT
    return _UNREADABLE if len(text) > LONGEST_LEVEL else None


def _wordy(text: str) -> Nothing:
    """Words in place of a level: taken away, no level at all, or something nobody can read."""
    if _WITHDRAWN.fullmatch(text):
        return _TAKEN_AWAY
    return _ABSENT if _RESULT.fullmatch(text) else _UNREADABLE


def _typed(cell: Cell, value: object, rules: LevelRules) -> Number | Nothing:
    """A workbook's own value goes before what it displays; dates and truths are no levels."""
    if not isinstance(value, Decimal):
        return _UNREADABLE
    if rules.thirty_seconds is Ticks.dotted:
        in_ticks = _number(cell.text, rules)
        return in_ticks if in_ticks is not None else _UNREADABLE
    return Number(times(value, _factor(cell)), cell.text)


def _factor(cell: Cell) -> int:
    """A hundred for a percent format, which stores a fraction."""
    return 100 if cell.number_format is not None and "%" in cell.number_format else 1


def _number(text: str, rules: LevelRules) -> Number | None:
    ceiling = 1000 if rules.quote_type in PRICES or rules.quote_type in RATES else None
    found = number(text, rules.locale, ticks=rules.thirty_seconds, ceiling=ceiling)
    if found is not None and rules.thirty_seconds is Ticks.dotted and found.notation == "decimal":
        return found if found.value.denominator == 1 else None  # 99.5 under `32nds` is anybody's guess
    return found


def sides(bid: Cell | None, ask: Cell | None, rules: LevelRules) -> Reading | Nothing:
    """Bid and ask out of their own cells; shorthand is only read where the ask cannot be meant in full."""
    curve = _curve(bid, rules) or _curve(ask, rules)
    if curve is not None and curve.quote_type is not None:  # `J+105` | `J+100`
        bare = replace(rules, quote_type=curve.quote_type)
        return _over(curve, sides(_without_curve(bid, rules), _without_curve(ask, rules), bare))
    left = one(bid, rules) if bid is not None else _ABSENT
    right = one(ask, rules) if ask is not None else _ABSENT
    if isinstance(left, Number) and isinstance(right, Number):
        if bid is not None and ask is not None and _is_short(left, right, ask, rules):
            both = complete(bid.text, ask.text, rules)
            return Reading(both.bid, both.ask, flags=both.flags)
        return Reading(left, right, flags=left.flags | right.flags)
    if isinstance(left, Number):
        return Reading(bid=left, flags=left.flags) if not _is_lost(right, ask) else _UNREADABLE
    if isinstance(right, Number):
        return Reading(ask=right, flags=right.flags) if not _is_lost(left, bid) else _UNREADABLE
    return _worse(left, right)


def _is_lost(side: Number | Nothing, cell: Cell | None) -> bool:
    """Whether figures stand where nobody can read a level: the other side alone would be half of the market."""
    return side is _UNREADABLE and cell is not None and any(map(str.isdigit, cell.text))


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


def _is_short(bid: Number, ask: Number, cell: Cell, rules: LevelRules) -> bool:
    """`98 1/4` beside `3/4`, `99-16` beside `18`, `98.25` beside `75`, `99.875` beside `125`: no market as written."""
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
        return _both_printed(cell.text, rules)
    typed = _nothing(cell) or _typed(cell, cell.value, rules)
    return Reading(single=typed) if isinstance(typed, Number) else typed


@lru_cache(maxsize=4096)  # a level is read once to tell what it measures, and once for its values
def _both_printed(text: str, rules: LevelRules) -> Reading | Nothing:
    nothing = _no_level(text)
    if nothing is not None:
        return nothing
    quote_type, benchmark = None, None
    prefix = spread_prefix(text, rules.asset_class) if not text[0].isdigit() else None
    if prefix is not None and (rules.quote_type in SPREADS or prefix.quote_type is not None):
        text, quote_type, benchmark = text[prefix.end :].lstrip("+"), prefix.quote_type, prefix.benchmark
        if quote_type is not None:
            rules = replace(rules, quote_type=quote_type)
    if rules.quote_type in _IN_TICKS:
        text = _counted_ticks(text)
    found = pair(text, rules) or pair(_SUFFIX.sub("", text), rules)
    if found is None:
        return _wordy(text)
    return _of_pair(found, quote_type, benchmark)


def _counted_ticks(text: str) -> str:
    """A number of ticks as a plain number: `4+` is 4 and a half, `0-12` is 12."""
    match = _TICKS.fullmatch(text)
    if match is None:
        return text
    part = 0.5 if match["plus"] else int(match["eighths"] or 0) / 8
    return f"{int(match['ticks']) + part:g}"


def has_prefix(text: str) -> bool:
    """Whether a level starts as a spread does: `T+85/80`, `+120/115`."""
    return bool(text) and not text[0].isdigit() and spread_prefix(text) is not None and text[0] not in "-−–"


def _of_pair(found: Pair, quote_type: QuoteType | None, benchmark: str | None) -> Reading:
    return Reading(found.bid, found.ask, found.single, None, quote_type, benchmark, found.flags)


def talked(cell: Cell, rules: LevelRules) -> Reading | Nothing:
    """A cell of price talk: `mid 80s`, `VH99s`, `100.05 area`."""
    nothing = _nothing(cell)
    if nothing is not None:
        return nothing
    if isinstance(cell.value, Decimal):
        typed = _typed(cell, cell.value, rules)
        return Reading(talk=Talk(typed.value, None, typed.raw)) if isinstance(typed, Number) else typed
    over = spread_prefix(cell.text, rules.asset_class)
    if over is not None and over.quote_type is not None:  # `S+155a`
        spoken = talk(cell.text[over.end :], rules.locale, spread=True)
        if spoken is not None:
            return Reading(talk=spoken, quote_type=over.quote_type, benchmark=over.benchmark)
    found = talk(cell.text, rules.locale, spread=rules.quote_type in SPREADS, ticks=rules.thirty_seconds)
    if found is None:
        return _ABSENT if _RESULT.fullmatch(cell.text) else _UNREADABLE
    return Reading(talk=found, quote_type=QuoteType.dm_bp if _MARGIN.search(cell.text) else None)


def plain(cell: Cell, locale: Locale = Locale.point, *, ceiling: int | None = 1000) -> Fraction | None:
    """A coupon, factor or the like: the cell's number, a percent format's stored fraction times 100.

    Args:
        cell: the cell.
        locale: of the table.
        ceiling: what no such number exceeds: `2,951` is a decimal, but of a share's price.
    """
    if isinstance(cell.value, Decimal):
        return times(cell.value, _factor(cell))
    if cell.value is not None or not cell.text:
        return None
    found = number(cell.text, locale, ceiling=ceiling)
    return found.value if found is not None else None
