"""One number out of one piece of text, exactly (spec 4.1, 4.4)."""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from parsers.codes import Flag, Notation
from parsers.values.separators import Locale, decimal, exact


class Ticks(StrEnum):
    """Whether `99-16` is 99 and 16/32, and what a third digit means (spec 4.4)."""

    off = "off"
    cash = "cash"  # third digit: eighths of a 32nd
    unsure = "unsure"  # as cash, but 5 and 7 are flagged: they may be a future's
    futures = "futures"  # third digit 0, 2, 5, 7: quarters of a 32nd
    dotted = "dotted"  # a header says 32nds: `99.16` is 99 and 16/32 too


class Number(Struct, frozen=True, gc=False):
    """A number and the text it stood in."""

    value: Fraction
    raw: str
    notation: Notation = Notation.decimal
    flags: frozenset[Flag] = frozenset()


def value_of(found: Number | None) -> Fraction | None:
    """The value of a side, if it is printed."""
    return found.value if found is not None else None


def raw_of(found: Number | None) -> str | None:
    """The text of a side, if it is printed."""
    return found.raw if found is not None else None


MAX_NUMBER = 40
"""Characters; no number is longer, and hostile cells are not searched."""
NULL_WORDS = frozenset(
    ["-", "--", "---", "–", "—", ".", "n/a", "n.a.", "na", "#n/a", "nb", "no", "nr", "tbd", "k.a.", "n.d.", "s/c", "nd"]
) | {""}
"""Words that stand for an absent side or value."""
_LONGEST_NULL = max(map(len, NULL_WORDS))

_VULGAR = {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}
HALF = r"(?:(?<=[3-9]\d)|(?<=1[0-4]\d))(?:h(?!\w)|\s(?:and\s)?a\shalf\b)"
"""Behind a handle one half: `101h`, `101 and a half`; below 25 the letter would be an hour's."""
_HALF = re.compile(HALF)
_SPACES = re.compile(r"[\s\u00a0\u202f\u2009]+")
_FOOTNOTE = re.compile(r"(?:\s*[*†‡⁰¹²³⁴-⁹▲▼△▽↑↓]+|(?<=\d)\s*\(\d\))+$")
_CHANGE = re.compile(r"(?<=[\d+])\s*\([+\-−–][\d.,/ ]+%?\)$")
_UNIT = re.compile(r"\s*(?:%|bps?|bp\.)$", re.IGNORECASE)
_CURRENCY = re.compile(r"^[$€£¥]\s*")
_SIMPLE = re.compile(r"\d+(?:\.\d{1,2})?", re.ASCII)  # reads the same in every locale
_UNADORNED = re.compile(r"[\d.,]+", re.ASCII)  # nothing to clean
_SMALL_PART = re.compile(r"\d/(?:2|4|8|16|32|64)(?!\d)")  # a `/` that is not a fraction's parts two values
_WHOLE = re.compile(r"(?<=\d)([.,])[\-–—]{1,2}$")
"""Behind the mark no decimals: `103,-`, `1.234,--`, `63.-`."""
_FRACTION = re.compile(r"(\d{1,2})/(2|4|8|16|32|64)")
_MIXED = re.compile(r"(?P<whole>\d+|par)(?:\s+|-)(?P<n>\d{1,2})/(?P<d>2|4|8|16|32|64)", re.IGNORECASE)
_PART = r"(?P<two>\d{2})(?:(?P<plus>\+)|(?P<third>\d)|\.(?P<decimals>\d{1,3})|[ -]?(?P<part>\d{1,2}/\d{1,2}))?"
_TICKS = re.compile(rf"(?P<handle>\d{{1,3}})\s?[-':’]\s?{_PART}")
_DOTTED = re.compile(r"(?P<handle>\d{1,3})\.(?P<two>\d{2})(?:(?P<plus>\+)|(?P<third>\d))?")
_BARE_TICK = re.compile(_PART)
_NO_FLAGS: frozenset[Flag] = frozenset()
_DOTTED_TICKS, _NO_TICKS = (
    Ticks.dotted,
    Ticks.off,
)  # a member's name costs ten times a module's, and these are asked often
_EIGHTHS = {str(digit): Fraction(digit, 8) for digit in range(8)}
_FUTURES = {"0": Fraction(0), "2": Fraction(1, 4), "5": Fraction(1, 2), "7": Fraction(3, 4)}


def is_null(text: str) -> bool:
    """Whether the text is one of the words for `no value`."""
    word = text.strip()
    return len(word) <= _LONGEST_NULL and word.lower() in NULL_WORDS


def number(
    text: str, locale: Locale = Locale.point, *, ticks: Ticks = Ticks.off, ceiling: int | None = None
) -> Number | None:
    """The one number that the whole text is, or None.

    Args:
        text: a token or a cell; footnote marks, a bracketed change, a leading currency sign, `%` and `bp` are dropped.
        locale: what a lone separator before three digits means.
        ticks: whether 32nds are read.
        ceiling: a reading as a grouped number above it gives way to the decimal one (spec 4.2: `98,125` as a price).
    """
    raw = text.strip()
    if len(raw) > MAX_NUMBER:
        return None
    if ticks is not _DOTTED_TICKS and _SIMPLE.fullmatch(raw):
        return _simple(raw)
    return _number(raw, locale, ticks, ceiling)


@lru_cache(maxsize=8192)  # prices and coupons come again from line to line, read in several ways
def _simple(raw: str) -> Number:
    return Number(exact(raw), raw)


@lru_cache(maxsize=4096)  # a line is looked at in several ways, and prices come again from line to line
def _number(raw: str, locale: Locale, ticks: Ticks, ceiling: int | None) -> Number | None:
    if ticks is not _DOTTED_TICKS and _UNADORNED.fullmatch(raw) and raw != ".":
        plain = decimal(raw, locale, ceiling)
        return Number(plain, raw) if plain is not None else None
    if raw.lower() in NULL_WORDS:
        return None
    if "/" in raw and "(" not in raw and "⁄" not in raw and not _SMALL_PART.search(raw):
        return None
    body = _cleaned(raw)
    negative, body = _sign(body)
    found = _unsigned(body, locale, ticks, ceiling)
    if found is None:
        return None
    value, notation, flags = found
    if ticks is _DOTTED_TICKS and notation is Notation.decimal and value.denominator != 1:
        return None  # 99.5 under `32nds` is anybody's guess
    return Number(-value if negative else value, raw, notation, flags)


def fraction(text: str) -> Fraction | None:
    """A lone fraction `3/8` or `⅜`, less than one; None for anything else."""
    if "/" not in text and text.isascii():
        return None
    match = _FRACTION.fullmatch(_spelled_out(text.strip()))
    if match is None:
        return None
    value = Fraction(int(match[1]), int(match[2]))
    return value if value < 1 else None


def tick(text: str, ticks: Ticks) -> tuple[Fraction, frozenset[Flag]] | None:
    """A lone tick `17+`, `166`, `02` as the part of a point above a handle (spec 4.3)."""
    match = _BARE_TICK.fullmatch(_SPACES.sub(" ", _spelled_out(text)))
    return _tick_value(match, ticks) if match is not None and ticks is not Ticks.off else None


def without_footnotes(text: str) -> str:
    """The text without the marks behind its number: `75¹`, `98.25*`, `99(2)`."""
    return text if text[-1:].isdecimal() else _FOOTNOTE.sub("", text)


def _cleaned(text: str) -> str:
    text = _spelled_out(_SPACES.sub(" ", text))
    if text[-1:].isdecimal():  # every one of these ends in something else
        return text
    return _WHOLE.sub(r"\g<1>00", _UNIT.sub("", without_footnotes(_CHANGE.sub("", text))))


def _spelled_out(text: str) -> str:
    """Unicode fractions as ` n/d`, and the letter or words for a half as ` 1/2`."""
    if text[-1:] in {"h", "f"}:
        text = _HALF.sub(" 1/2", text)
    if text.isascii():
        return text.strip()
    for sign, spelled in _VULGAR.items():
        if sign in text:
            text = text.replace(sign, f" {spelled}")
    return text.replace("⁄", "/").strip()


def _sign(text: str) -> tuple[bool, str]:
    """Whether the number is negative, and the text without its sign; a currency sign goes too."""
    text = _CURRENCY.sub("", text)
    if text.startswith("(") and text.endswith(")"):
        return True, text[1:-1].strip()
    if text[:1] in "+-−–" and text:
        return text[0] != "+", _CURRENCY.sub("", text[1:].lstrip())
    return False, text


def _unsigned(
    text: str, locale: Locale, ticks: Ticks, ceiling: int | None
) -> tuple[Fraction, Notation, frozenset[Flag]] | None:
    none = _NO_FLAGS
    if text.lower() == "par":
        return Fraction(100), Notation.words, none
    if not text[:1].isdigit() and text[:1] not in ".," and text[:3].lower() != "par":
        return None
    if "/" in text:
        match = _MIXED.fullmatch(text)
        if match is not None and (ticks is _NO_TICKS or len(match["n"]) == 1 or "-" not in text):  # `97-14/16`: two
            part = Fraction(int(match["n"]), int(match["d"]))
            whole = 100 if match["whole"].lower() == "par" else int(match["whole"])
            return (whole + part, Notation.fraction, none) if part < 1 else None
        alone = fraction(text)
        if alone is not None:
            return alone, Notation.fraction, none
    if ticks is not _NO_TICKS:
        in_ticks = _in_ticks(text, ticks)
        if in_ticks is not None:
            return in_ticks
    value = decimal(text, locale, ceiling)
    return None if value is None else (value, Notation.decimal, none)


def _in_ticks(text: str, ticks: Ticks) -> tuple[Fraction, Notation, frozenset[Flag]] | None:
    match = _TICKS.fullmatch(text)
    if match is not None and match["third"] and len(match["handle"]) == 1 and text[1] in "'’":
        return None  # 1'234 is a Swiss thousand
    if match is None and ticks is Ticks.dotted:
        match = _DOTTED.fullmatch(text)
    value = _tick_value(match, ticks) if match is not None else None
    if match is None or value is None:
        return None
    notation = Notation.futures_32 if ticks is Ticks.futures else Notation.thirty_seconds
    return int(match["handle"]) + value[0], notation, value[1]


def _tick_value(match: re.Match[str], ticks: Ticks) -> tuple[Fraction, frozenset[Flag]] | None:
    """32nds in points; None above 31 or with a third digit that nobody prints."""
    found = match.groupdict()
    extra: Fraction | None = Fraction(0)
    if found["plus"]:
        extra = Fraction(1, 2)
    elif found["third"]:
        extra = (_FUTURES if ticks is Ticks.futures else _EIGHTHS).get(found["third"])
    elif found.get("decimals"):
        extra = Fraction(f"0.{found['decimals']}")
    elif found.get("part"):
        extra = fraction(found["part"])
    whole = int(found["two"])
    if whole > 31 or extra is None:
        return None
    is_unsure = ticks is Ticks.unsure and found["third"] in ("5", "7")
    return (whole + extra) / 32, frozenset({Flag.ambiguous_tick}) if is_unsure else frozenset()
