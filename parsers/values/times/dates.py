"""Dates in quotes: maturities, in six languages, and telling dates from prices (spec 4.10)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from enum import StrEnum

from msgspec import Struct

from parsers.lexicon import compiled, spelled


class DateOrder(StrEnum):
    """What `05/06/34` means; a part above 12 and ISO dates decide for themselves."""

    mdy = "mdy"
    dmy = "dmy"


class Maturity(Struct, frozen=True):
    """A maturity as printed; a month or a year alone is no date (spec 2.1)."""

    date: date | None
    text: str
    ambiguous: bool = False  # both readings are dates, the order decided


_MONTHS = {
    1: "jan january januar jän jänner janv janvier ene enero janeiro gen gennaio",
    2: "feb february februar févr fevr fév février fevrier febrero fev fevereiro febbraio",
    3: "mar march mär märz mrz maerz mars marzo março marco",
    4: "apr april avr avril abr abril aprile",
    5: "may mai mayo maio mag maggio",
    6: "jun june juni juin junio junho giu giugno",
    7: "jul july juli juil juillet julio julho lug luglio",
    8: "aug august août aout ago agosto",
    9: "sep sept september septembre septiembre set setembro settembre",
    10: "oct october okt oktober octobre octubre out outubro ott ottobre",
    11: "nov november novembre noviembre novembro",
    12: "dec december dez dezember déc décembre decembre dic diciembre dezembro dicembre",
}
MONTHS = {name: month for month, names in _MONTHS.items() for name in names.split()}
"""Month names and abbreviations, lower case, in en de fr es pt it."""
DELIVERIES = spelled("{delivery_month}")
"""Pattern of the months by which what is delivered or expires in them is named, in lower case: English everywhere."""


def _by_letter(names: Iterable[str]) -> str:
    """The pattern of any of these names, the longest first; by first letters, for most words have none of them."""
    longest_first = sorted(names, key=len, reverse=True)
    return "|".join(
        rf"{first}(?:{'|'.join(name[1:] for name in longest_first if name[0] == first)})"
        for first in sorted({name[0] for name in longest_first})
    )


_NAME = rf"(?=[^\W\d_])(?:{_by_letter(MONTHS)})"  # where no letter stands no name is tried
_TRIPLE = re.compile(r"(\d{1,4})([/.\-])(\d{1,2})\2(\d{2,4})")
_NAMED = re.compile(rf"(\d{{1,2}})(?:\.|er|º|°)?[\s\-/]?({_NAME})\.?(?:[\s\-/,]*'?(\d{{4}}|\d{{2}}))?", re.IGNORECASE)
_AMERICAN = compiled(rf"({_NAME})\.?\s(\d{{1,2}})(?:{{ordinal}}?,?\s(\d{{4}})|/(20\d{{2}}|[2-9]\d))", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"({_NAME})\.?[\s\-/]?'?(\d{{4}}|\d{{2}})", re.IGNORECASE)
_SLASHED = re.compile(r"(\d{1,2})[/.\-](\d{4}|\d{2})")
_COMPACT = re.compile(r"(20\d{2})(\d{2})(\d{2})")
_PERPETUAL = compiled(r"{perpetual_word}(?:[\s/]*{call_word}?[\s']*\d{2,4}(?:/\d{2})?)?", re.IGNORECASE)
_YEAR_ALONE = re.compile(r"'?(\d{2}|20\d{2})")
_YEAR = re.compile(r"'(\d{2})|(20\d{2})")

FULL_DATE = (
    rf"(?:\d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d{{2}})|\d{{1,2}}\.\d{{1,2}}\.(?:\d{{4}}|\d{{2}})|\d{{4}}-\d{{2}}-\d{{2}}|"
    rf"\d{{1,2}}-\d{{1,2}}-(?:\d{{4}}|\d{{2}})|\d{{1,2}}(?:\.\s|[\s\-./])?(?i:{_NAME})\.?[\s\-/']{{0,2}}(?:20\d{{2}}|\d{{2}})|"
    rf"(?i:{_NAME})\.?\s(?:0?[1-9]|[12]\d|3[01]),?\s20[2-9]\d|"
    rf"(?:^|(?<=[\d½¼¾⅛⅜⅝⅞%]\s)(?<![A-Z]\d\d\s))(?i:{_NAME})\.?\s(?:0?[1-9]|[12]\d|3[01])/(?:20[2-9]\d|[2-9]\d))"
)
"""A date of day, month and year in running text, in front or behind a coupon as in `Jun 2/33` of Canada too.

`IBOXHY Dec 25/27` is a market."""
MONTH_NAME = rf"(?:{_NAME})"
"""A month's name or abbreviation, for `re.IGNORECASE`."""
MONTH_DATE = (
    r"(?:(?:0?[1-9]|1[0-2])(?:/(?:2[01]\d{2}|[2-9]\d)|-20[2-9]\d)|"
    rf"(?i:{_NAME})\.?[\-/ ']?(?:20\d{{2}}|\d{{2}}))"
)
"""A date of month and year in running text."""


def maturity(text: str, order: DateOrder) -> Maturity | None:
    """The maturity that the whole text is; None where it is none."""
    text = text.strip()
    if not text or len(text) > 30:
        return None
    full = _full(text, order)
    if full is not None:
        return full
    if _PERPETUAL.fullmatch(text) or _YEAR.fullmatch(text) or _MONTH_YEAR.fullmatch(text):
        return Maturity(None, text)
    match = _SLASHED.fullmatch(text)
    if match is not None and 1 <= int(match[1]) <= 12:
        return Maturity(None, text)
    return None


def is_date(text: str) -> bool:
    """Whether the text is a whole date, so never a price."""
    return _full(text.strip(), DateOrder.dmy) is not None


def month_year(text: str) -> tuple[int, int] | None:
    """Month and full year of a maturity as printed, whole date or month alone, for naming a benchmark bond."""
    text = text.strip()
    match = _SLASHED.fullmatch(text)
    if match is not None:
        return (int(match[1]), _full_year(match[2])) if 1 <= int(match[1]) <= 12 else None
    match = _MONTH_YEAR.fullmatch(text)
    month = MONTHS.get(match[1].lower()) if match is not None else None
    return (month, _full_year(match[2])) if match is not None and month is not None else None


def due_in(day: date | None, text: str | None) -> str | None:
    """As much of a maturity as is printed, in the form of ISO 8601: `2046-02-23`, `2046-02`, `2046`.

    Args:
        day: that it is, if a whole date is printed.
        text: of it, as printed: `2/46`, `Feb46`, `46`.
    """
    if day is not None or text is None:
        return day.isoformat() if day is not None else None
    if (named := month_year(text)) is not None:
        return f"{named[1]}-{named[0]:02}"
    year = _YEAR_ALONE.fullmatch(text.strip())
    return str(_full_year(year[1])) if year is not None else None


def _full(text: str, order: DateOrder) -> Maturity | None:
    if not text[-1:].isdecimal():  # a year
        return None
    if not text[0].isdecimal():
        match = _AMERICAN.fullmatch(text)
        return _named(_full_year(match[3] or match[4]), match[1], int(match[2]), text) if match is not None else None
    match = _TRIPLE.fullmatch(text)
    if match is not None:
        return _numeric(match[1], match[3], match[4], order, text)
    match = _NAMED.fullmatch(text)
    if match is not None and match[3]:
        return _named(_full_year(match[3]), match[2], int(match[1]), text)
    match = _COMPACT.fullmatch(text)
    return _dated(int(match[1]), int(match[2]), int(match[3]), text) if match is not None else None


def _numeric(first: str, second: str, third: str, order: DateOrder, text: str) -> Maturity | None:
    if len(first) == 4:
        return _dated(int(first), int(second), int(third), text)
    if len(first) > 2 or len(third) == 3:
        return None
    a, b, year = int(first), int(second), _full_year(third)
    month_first = order is DateOrder.mdy
    if a > 12 or b > 12:
        month_first = b > 12
    month, day = (a, b) if month_first else (b, a)
    return _dated(year, month, day, text, ambiguous=a <= 12 and b <= 12 and a != b)


def _named(year: int, name: str, day: int, text: str) -> Maturity | None:
    """The pattern's fold of cases takes letters that `lower` keeps, as in `aprıl`: such a name is no month."""
    month = MONTHS.get(name.lower())
    return _dated(year, month, day, text) if month is not None else None


def _dated(year: int, month: int, day: int, text: str, *, ambiguous: bool = False) -> Maturity | None:
    try:
        return Maturity(date(year, month, day), text, ambiguous)
    except ValueError:
        return None


def _full_year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text)
