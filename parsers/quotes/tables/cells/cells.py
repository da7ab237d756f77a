"""What a cell says that holds one number, or that there is none (spec 4.1, 5.9). Of several: readings.py."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache

from parsers.codes import Flag, QuoteType
from parsers.document import Cell
from parsers.lexicon import compiled
from parsers.values.decimals import times
from parsers.values.markets import PRICES, RATES, LevelRules
from parsers.values.numbers import Number, Ticks, is_null, number
from parsers.values.separators import Locale

LONGEST_LEVEL = 80
"""Characters; no level is longer, and hostile cells are not searched."""


class Nothing(Enum):
    """Why a cell has no level."""

    absent = auto()
    withdrawn = auto()
    unreadable = auto()


ABSENT, TAKEN_AWAY, UNREADABLE = Nothing  # a member's name costs ten times a module's, and these are asked often
_NEVER_NOUGHT = frozenset({QuoteType.price_pct, QuoteType.price_unit, QuoteType.pct_nav, QuoteType.dm_bp})
IN_TICKS = frozenset({QuoteType.payup_32, QuoteType.roll_ticks})
_WITHDRAWN = compiled(r"{withdrawn}\.?", re.IGNORECASE)
RESULT = compiled(r"{outcome}\.?", re.IGNORECASE)
_FOOTNOTED = re.compile(r"[\d+)](?:\s*[*†‡⁰¹²³⁴-⁹])+$")
_TICKS = re.compile(r"(?:0-)?(?P<ticks>(?<=-)\d\d|\d+(?=\+))(?:(?P<plus>\+)|(?P<eighths>(?<=-\d\d)[0-7]))?")
SUFFIX = compiled(r"(?<=[\d/])\s*(?:{level_suffix}|[€£$¢])\.?$", re.IGNORECASE)
SUBJECT = re.compile(r"(?<=[\d+])\s*(?:sub|subj|subject|s)\.?$", re.IGNORECASE)


def one(cell: Cell, rules: LevelRules) -> Number | Nothing:
    """The number of a cell that holds one side; a price of nought, as databases print it, is none."""
    if cell.struck:
        return TAKEN_AWAY
    if cell.value is not None:
        found = nothing_in(cell) or typed_level(cell, cell.value, rules)
    else:
        found = no_level(cell.text) or _printed(cell.text, rules)
    is_nought = rules.quote_type in _NEVER_NOUGHT and isinstance(found, Number) and not found.value
    return ABSENT if is_nought else found


@lru_cache(maxsize=8192)  # half of all prices have been seen before
def _printed(text: str, rules: LevelRules) -> Number | Nothing:
    found = _number(counted_ticks(text) if rules.quote_type in IN_TICKS else text, rules)
    if found is None and (text[-1].isalpha() or text[-1] in "€£$¢"):
        found = _number(SUFFIX.sub("", SUBJECT.sub("", text)), rules)
    if found is None:
        return wordy(text)
    if not found.flags and text[-1] in "*†‡⁰¹²³⁴⁵⁶⁷⁸⁹" and _FOOTNOTED.search(text):
        return Number(found.value, found.raw, found.notation, frozenset({Flag.footnoted}))
    return found


def nothing_in(cell: Cell) -> Nothing | None:
    """Why a cell need not be read at all."""
    return TAKEN_AWAY if cell.struck else no_level(cell.text)


def no_level(text: str) -> Nothing | None:
    """Why a text need not be read: nothing stands there, or more than any level has."""
    if not text or is_null(text) or text[0] == "#":  # `#N/A`, `#REF!`
        return ABSENT
    return UNREADABLE if len(text) > LONGEST_LEVEL else None


def wordy(text: str) -> Nothing:
    """Words in place of a level: taken away, no level at all, or something nobody can read."""
    if _WITHDRAWN.fullmatch(text):
        return TAKEN_AWAY
    return ABSENT if RESULT.fullmatch(text) else UNREADABLE


def typed_level(cell: Cell, value: object, rules: LevelRules) -> Number | Nothing:
    """A workbook's own value goes before what it displays; dates and truths are no levels."""
    if not isinstance(value, Decimal):
        return UNREADABLE
    if rules.thirty_seconds is Ticks.dotted:
        in_ticks = _number(cell.text, rules)
        return in_ticks if in_ticks is not None else UNREADABLE
    return Number(times(value, _factor(cell)), cell.text)


def _factor(cell: Cell) -> int:
    """A hundred for a percent format, which stores a fraction."""
    return 100 if cell.number_format is not None and "%" in cell.number_format else 1


def _number(text: str, rules: LevelRules) -> Number | None:
    ceiling = 1000 if rules.quote_type in PRICES or rules.quote_type in RATES else None
    return number(text, rules.locale, ticks=rules.thirty_seconds, ceiling=ceiling)


def counted_ticks(text: str) -> str:
    """A number of ticks as a plain number: `4+` is 4 and a half, `0-12` is 12."""
    match = _TICKS.fullmatch(text)
    if match is None:
        return text
    part = 0.5 if match["plus"] else int(match["eighths"] or 0) / 8
    return f"{int(match['ticks']) + part:g}"


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
