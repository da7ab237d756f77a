"""Coupon and maturity out of an instrument's text: `CAN 2 3/4 05/01/27`, `BNP 7.375 PERP`, `GOL 8 30` (spec 4.10)."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from parsers.values.dates import FULL_DATE, MONTH_DATE, MONTH_NAME
from parsers.values.indices import INDEX
from parsers.values.numbers import number
from parsers.values.separators import Locale
from parsers.values.tenors import TENOR, tenor

_DUE = rf"(?P<due>{FULL_DATE}|{MONTH_DATE}|20[2-9]\d|'?[2-9]\d(?!\d)|(?i:perp(?:etual)?)\S*|PNC\d{1, 2}\b)"
_RATE = r"(?P<rate>\d{1,2}[.,]\d{1,5}|\d{1,2}[ -][1-7]/(?:2|4|8|16|32)|[1-7]/(?:2|4|8|16)|\d{1,2})"
_BOND = re.compile(rf"(?<![\d.,/+\-]){_RATE}(?:\s?%|s)?(?:\s+(?:of|due))?\s+{_DUE}(?![\d/.,]*\d)")
_RATE_BEHIND = re.compile(
    r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ .&/\-]{0,40} "
    r"(?P<rate>\d{1,2}[.,]\d{1,5}|\d{1,2}[ -][1-7]/(?:2|4|8)|\d{1,2}(?=\s?%))(?:\s?%)?"
    r"(?:(?<=%) (?:\S{2,8}\d\d|\D{1,60}))?"
)
_RATE_AHEAD = re.compile(r"(?P<rate>\d{1,2}(?:[.,]\d{1,5}|[ -][1-7]/(?:2|4|8))?)\s?%\s")
_SHARE = re.compile(r"\b(?:PR|PFD|[/-]P)\s?[A-Z]?\s+(?P<rate>\d{1,2}(?:\.\d{1,4})?)(?:\s?%)?$")
_SHARE_BEHIND = re.compile(r"[A-Z]{1,5} (?P<rate>\d{1,2}(?:\.\d{1,4})?)\s?%? PR[A-Z]?")
_CAPITAL = re.compile(
    r"[A-Z][^\d]{0,40} (?P<rate>\d{1,2}[.,]\d{1,5}|\d{1,2} [1-7]/[248]|\d{1,2})(?:\s?%)? (?:AT1|RT1|T2|LT2)(?: .*)?"
)
_DELIVERY = re.compile(
    r"(?:FNCL|FNCI|FNCT|FNCN|FGLMC|FGCI|G2SF|GNSF|GNII|G2JO|GNJO|UMBS)\s+"
    rf"(?P<rate>\d(?:\.\d{{1,3}})?|\d [1-7]/8|\d 1/[24])"
    rf"s?(?:\s+(?:(?i:{MONTH_NAME})|(?:H?[LMH]LB|MAX|NY|TX|FL|\d{{2,3}}[kK])\b.*))?"
)
_DATED = re.compile(rf"[A-Za-z].*\s(?P<due>{FULL_DATE})$")
_TENOR = re.compile(rf"(?<![\w.]){TENOR}(?!\w)")
_INDEX = re.compile(rf"(?:LIBOR\b|{INDEX})\s?\d{{1,2}}[mM]\b", re.IGNORECASE)
"""A floating leg: its tenor is no swap's."""

_MOST = 20
"""Percent; a number above it in front of a date is no coupon."""


class Terms(Struct, frozen=True):
    """What a text says of its bond."""

    coupon: Fraction | None = None
    due: str | None = None  # as printed


@lru_cache(maxsize=4096)  # the same bonds come every day
def terms(text: str) -> Terms:
    """Coupon and maturity where they stand together; else the rate of a preferred, or of a TBA (`FNCI 4 Jan`)."""
    match = _BOND.search(text)
    if match is None:
        whole = (pattern.fullmatch(text) for pattern in (_SHARE_BEHIND, _CAPITAL, _DELIVERY))
        match = _SHARE.search(text) or next(filter(None, whole), None)
        due = None
    else:
        due = match["due"]
    if match is None:
        return Terms()
    rate = match["rate"].replace("-", " ")
    locale = Locale.comma if "," in rate else Locale.point
    found = number(rate, locale)
    is_glued = rate.isdigit() and text[: match.start("rate")][-1:].isalpha()  # a code's: `ELET16 25/04/2031`
    if found is None or found.value > _MOST or is_glued:
        return Terms()
    return Terms(found.value, due)


def rate_behind(text: str) -> Fraction | None:
    """The coupon of a name whose maturity has a column of its own: `SPGB 3,45`, `4 1/4% Treasury Gilt`."""
    match = _RATE_BEHIND.fullmatch(text) or _RATE_AHEAD.match(text)
    if match is None:
        return None
    rate = match["rate"].replace("-", " ")
    found = number(rate, Locale.comma if "," in rate else Locale.point)
    return found.value if found is not None and found.value <= _MOST else None


def due_behind(text: str) -> str | None:
    """The whole date that a name ends in: `CCTEU 15/04/2032`."""
    match = _DATED.search(text) if text[-1:].isdigit() else None
    return match["due"] if match is not None else None


@lru_cache(maxsize=4096)
def tenor_in(text: str) -> str | None:
    """The tenor in a name, the last: `5Y` of `IG45 5y 0-3%`, `10Y` of `EUR 6M Euribor 10y`."""
    found = _TENOR.findall(_INDEX.sub("", text))
    return tenor(found[-1]) if found else None
