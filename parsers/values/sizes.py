"""Sizes: `5mm x 10mm`, `5x10`, `2,5 Mio.`, `500 mil`, `2-4mm` (spec 4.8)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Flag
from parsers.lexicon import spelled
from parsers.values.currencies import CODE, SYMBOL, of_symbol
from parsers.values.numbers import is_null
from parsers.values.separators import Locale, decimal

MILLION, THOUSAND, BILLION = 10**6, 10**3, 10**9
SMALL_MONEYS = frozenset({"ARS", "CLP", "COP", "CRC", "HUF", "IDR", "INR", "JPY", "KRW", "MXN", "PHP", "TWD"})
"""Of these a thousand million is a size: `5,000M COP`."""


class SizeRules(Struct, frozen=True, gc=False):
    """What the block says about its sizes."""

    locale: Locale = Locale.point
    multiplier: int | None = None  # a header's or a remark's unit; beats what the token lacks (spec 4.8)
    m_is_thousand: bool = False  # the block also writes MM, or its class counts in thousands
    small_m_too: bool = False  # its class does; beside MM a small `m` stays a million
    thousands_of_m: bool = True  # `5,000M` counts thousands; not in moneys of which a thousand million is little
    unit: str = "face_ccy"  # what is counted when the token does not say: face_ccy, shares, contracts, notional
    in_thousands: bool = False  # the class counts so: a bare 100 and more is of thousands


class Size(Struct, frozen=True, gc=False):
    """One size in units of face, shares or contracts."""

    value: Fraction
    raw: str
    unit: str = "face_ccy"
    currency: str | None = None  # printed at the size: `€5m`
    factor: Fraction | None = None  # `10mm of .18`
    flags: frozenset[Flag] = frozenset()


class SizePair(Struct, frozen=True, gc=False):
    """Sizes of both sides; `single` is one size without a side."""

    bid: Size | None = None
    ask: Size | None = None
    single: Size | None = None


_UNITS = {
    **dict.fromkeys(["m", "mm", "mn", "mi", "mio", "mios", "mln", "mill", "million", "millions", "millionen"], MILLION),
    **dict.fromkeys(["millioni", "milioni", "millón", "millones", "milliones", "milhões", "milhoes", "mdp"], MILLION),
    **dict.fromkeys(["k", "tsd", "mil", "mila", "miles", "thousand", "thousands", "000s"], THOUSAND),
    **dict.fromkeys(
        [
            "b",
            "bn",
            "bi",
            "bio",
            "bln",
            "mrd",
            "yd",
            "yds",
            "billion",
            "billions",
            "milliarden",
            "milliards",
            "miliardi",
            "miles de millones",
            "mil millones",
        ],
        BILLION,
    ),
}
"""Lower case, without the point of an abbreviation; every pattern of a size's unit is made of these."""


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


UNIT = rf"(?:{_any_of(_UNITS)})"
"""The pattern of a unit, in lower case, the longest first."""
UNIT_WORD = rf"(?:{_any_of(word for word in _UNITS if len(word) > 2)})"
"""That of the units which are words: one or two letters are also sides, tenors and months."""
UNIT_IN_TEXT = spelled(rf"(?:{{size_unit}}[€£]?|(?i:{UNIT_WORD})\.?)")
"""That of a unit behind a figure of a line, whatever its case: `5mm`, `2,5 Mio.`, `10m€`."""
_NUMBER = r"\d[\d.,'’]*|\.\d+"
SIZE = spelled(
    rf"(?:(?P<symbol>{SYMBOL})\s?|(?P<code>{CODE})\s?)?"
    rf"(?P<number>{_NUMBER})(?:\s?[-/]\s?(?P<high>{_NUMBER}))?"
    rf"\s?(?P<unit>{UNIT}\.?)?(?P<more>\s?\+)?\s?(?P<after>{CODE}|€|£|[$])?"
    rf"(?:\s?(?P<things>{{size_thing}})\b)?"
    rf"(?:\s+of\s+(?P<factor>0?[.,]\d+|1\.0+))?(?P<up>\s+{{size_or_more}})?"
)
"""The pattern of one size, for `re.IGNORECASE`; groups: number, high, unit, symbol, code, after, things, factor."""
_SIZE = re.compile(SIZE, re.IGNORECASE)
_SPLIT = re.compile(r"\s*[x×]\s*", re.IGNORECASE)
_SLASH = re.compile(r"\s*/\s*")


def size(text: str, rules: SizeRules) -> Size | None:
    """The one size that the whole text is, or None."""
    text = text.strip().replace("\u00a0", " ").replace("\u202f", " ")
    if not text or len(text) > 40:
        return None
    match = _SIZE.fullmatch(re.sub(r"(?<=\d) (?=\d{3}\b)", "", text))
    return _size(match, text, rules) if match is not None else None


def size_pair(text: str, rules: SizeRules) -> SizePair | None:
    """`5x10`, `5mm x 10mm`, `5MM X`, `X 300M`, `10/20`, or one size; None where the text is no size.

    A unit on the last part carries back to the first.
    """
    text = text.strip()
    return _size_pair(text, rules) if text and len(text) <= 60 else None


@lru_cache(maxsize=2048)  # the same few from line to line
def _size_pair(text: str, rules: SizeRules) -> SizePair | None:
    parts = _SPLIT.split(text)
    if len(parts) == 1:
        parts = _SLASH.split(text)
        if len(parts) != 2 or not all(part[:1].isdigit() for part in parts) or re.search(r"up|\+", text):
            alone = size(text, rules)
            return SizePair(single=alone) if alone is not None else None
    if len(parts) != 2:
        return None
    first, second = parts
    if is_null(first) and is_null(second):
        return None
    ask = None if is_null(second) else size(second, rules)
    bid = None if is_null(first) else size(first, rules)
    if (ask is None and not is_null(second)) or (bid is None and not is_null(first)):
        return None
    if bid is not None and ask is not None and Flag.size_unit_assumed in bid.flags:
        unit = _unit_of(second, rules)
        if unit is not None:
            bare = size(first, replace(rules, multiplier=unit))
            bid = replace(bare, raw=first, unit=ask.unit) if bare is not None else bid
    return SizePair(bid=bid, ask=ask)


def unit_word(text: str, rules: SizeRules) -> int | None:
    """The multiplier that a unit word stands for in this block: `mm`, `Mio.`, `M`, `000s`."""
    word = text.strip().removesuffix(".")
    is_thousand = rules.m_is_thousand and (word == "M" or (word == "m" and rules.small_m_too))
    return THOUSAND if is_thousand else _UNITS.get(word.lower())


def _unit_of(text: str, rules: SizeRules) -> int | None:
    match = _SIZE.fullmatch(text.strip())
    number = decimal(match["number"].strip("'’"), rules.locale) if match is not None else None
    return _multiplier(match["unit"], number, rules) if match is not None and match["unit"] and number else None


def _multiplier(unit: str, number: Fraction, rules: SizeRules) -> int | None:
    return THOUSAND if _is_in_thousands(unit, number, rules) else unit_word(unit, rules)


def _is_in_thousands(unit: str | None, number: Fraction, rules: SizeRules) -> bool:
    """`5,000M`: nobody counts a thousand millions of dollars so, and `M` is also a thousand."""
    return unit == "M" and number >= THOUSAND and rules.thousands_of_m


def _unit(match: re.Match[str]) -> str:
    """The unit as printed; `€75m` are millions, also where dollars are counted in thousands."""
    is_million = match["unit"] == "m" and match["symbol"] in ("€", "£")
    return "mm" if is_million else match["unit"]


def _size(match: re.Match[str], text: str, rules: SizeRules) -> Size | None:
    number = decimal(match["number"].strip("'’"), rules.locale)
    if number is None:
        return None
    flags = {Flag.size_unit_assumed} if _is_in_thousands(match["unit"], number, rules) else set()
    if match["high"]:
        flags.add(Flag.size_range)
        high = decimal(match["high"], rules.locale)
        if high is None or high < number:
            return None
    multiplier = _multiplier(_unit(match), number, rules) if match["unit"] else None
    if match["unit"] and multiplier is None:
        return None  # the pattern's fold of cases takes letters that `lower` keeps
    unit = rules.unit
    if match["things"]:
        multiplier = multiplier or 1
        unit = "contracts" if match["things"].lower() in {"contracts", "lots"} else "shares"
    if multiplier is None:
        multiplier = rules.multiplier
    if multiplier is None:
        multiplier = _assumed_multiplier(number, unit, rules)
        flags |= {Flag.size_unit_assumed} if multiplier > 1 else set()
    factor = Fraction(match["factor"].replace(",", ".")) if match["factor"] else None
    return Size(number * multiplier, text, unit, _currency(match), factor, frozenset(flags))


def _currency(match: re.Match[str]) -> str | None:
    """The currency of a size, by a code or symbol in front of it, else behind it."""
    symbol, code, after = match["symbol"], match["code"], match["after"]
    currency = code.upper() if code else of_symbol(symbol) if symbol else None
    if currency is None and after:
        return of_symbol(after) or after.upper()
    return currency


def _assumed_multiplier(number: Fraction, unit: str, rules: SizeRules) -> int:
    """What a bare number counts: pieces or money itself, else thousands or millions by how large it is."""
    if number >= 10_000 or unit in {"shares", "contracts"}:
        return 1
    return MILLION if number < (100 if rules.in_thousands else 1_000) else THOUSAND
