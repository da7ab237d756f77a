"""Identifiers: their check digits, and finding them in text without mistaking words for them (spec section 3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from stdnum import cusip as _cusip
from stdnum import figi as _figi
from stdnum import isin as _isin
from stdnum import lei as _lei
from stdnum.gb import sedol as _sedol

KINDS = ("isin", "cusip", "figi", "sedol", "loanx_id", "red_code", "common_code", "wkn", "valor", "local_code")
"""The kinds that can key an instrument, best first (spec 2.1)."""


@dataclass(frozen=True, slots=True)
class Found:
    """An identifier in a text. `valid` is the check digit's verdict; True where the kind has none."""

    kind: str
    value: str
    start: int
    end: int
    valid: bool = True


_NOISE = re.compile(r"[\s\u00a0\u200b-\u200d\u2060\ufeff]+")
_LABEL = re.compile(
    r"^(?:isin|cusip|cins|sedol|figi|bbgid|lei|wkn|valor|valoren|red|common code|lxid|loanx)\s*(?:id|code|no\.?|nr\.?)?\s*[:#]?\s*|^#\s*",
    re.IGNORECASE,
)
_FORMS = {
    "isin": re.compile(r"[A-Z]{2}[A-Z0-9]{9}\d"),
    "cusip": re.compile(r"[A-Z0-9*@#]{8}\d"),
    "sedol": re.compile(r"[0-9B-DF-HJ-NP-TV-Z]{6}\d"),
    "figi": re.compile(r"[B-DF-HJ-NP-TV-Z]{2}G[0-9B-DF-HJ-NP-TV-Z]{8}\d"),
    "lei": re.compile(r"[A-Z0-9]{18}\d{2}"),
    "loanx_id": re.compile(r"LX\d{6}"),
    "red_code": re.compile(r"[A-Z0-9]{6}(?:[A-Z0-9]{3})?"),
    "wkn": re.compile(r"[A-HJ-NP-Z0-9]{6}"),
    "valor": re.compile(r"\d{5,9}"),
    "common_code": re.compile(r"\d{9}"),
    "local_code": re.compile(r"[A-Z0-9]{1,12}"),
}
_NO_FIGI = ("BS", "BM", "GG", "GB", "GH", "KY", "VG")
_WITHOUT_COUNTRY = re.compile(r"(?:EZ|XE|XF|XK|QS)[A-Z0-9]{9}\d")


def compact(text: str) -> str:
    """Upper case without spaces, zero-width characters and a leading label."""
    return _NOISE.sub("", _LABEL.sub("", text.strip())).upper()


@lru_cache(maxsize=16_384)
def check(kind: str, value: str) -> bool:
    """Whether a compact value has the form of its kind and its check digit, where the kind has one."""
    form = _FORMS.get(kind)
    if form is None or not form.fullmatch(value):
        return False
    verdict = _CHECKS.get(kind)
    return verdict is None or verdict(value)


def derived(isin: str) -> tuple[str, str] | None:
    """The national number inside a valid ISIN: cusip, sedol, wkn, valor or common code (spec 3.9)."""
    country, body = isin[:2], isin[2:11]
    if country in ("US", "CA"):
        return "cusip", body
    if country == "GB" and body.startswith("00"):
        return "sedol", body[2:]
    if country == "DE" and body.startswith("000"):
        return "wkn", body[3:]
    if country == "XS":
        return "common_code", body
    if country == "CH":
        return "valor", body.lstrip("0")
    return None


def _check_isin(value: str) -> bool:
    if _WITHOUT_COUNTRY.fullmatch(value):
        return bool(_isin.calc_check_digit(value[:-1]) == value[-1])
    return bool(_isin.is_valid(value))


def _check_figi(value: str) -> bool:
    return value[:2] not in _NO_FIGI and bool(_figi.is_valid(value))


def _check_red(value: str) -> bool:
    return len(value) == 6 or bool(_cusip.is_valid(value))


_CHECKS: dict[str, Callable[[str], bool]] = {
    "isin": _check_isin,
    "cusip": lambda value: bool(_cusip.is_valid(value)),
    "sedol": lambda value: bool(_sedol.is_valid(value)),
    "figi": _check_figi,
    "lei": lambda value: bool(_lei.is_valid(value)),
    "red_code": _check_red,
}

_LABELLED = re.compile(
    r"\b(?P<label>ISIN|CUSIP|CINS|SEDOL|FIGI|BBGID|LEI|WKN|VALOR(?:EN)?|RED|COMMON CODE|LXID|SELIC|CLAVE)"
    r"(?:[ ]?(?:ID|CODE|NO\.?|NR\.?))?\s?[:#=]?\s?(?P<value>[A-Z0-9]{5,20})\b",
    re.IGNORECASE,
)
_LABEL_KINDS = {
    "ISIN": "isin",
    "CUSIP": "cusip",
    "CINS": "cusip",
    "SEDOL": "sedol",
    "FIGI": "figi",
    "BBGID": "figi",
    "LEI": "lei",
    "WKN": "wkn",
    "VALOR": "valor",
    "VALOREN": "valor",
    "RED": "red_code",
    "COMMON CODE": "common_code",
    "LXID": "loanx_id",
    "SELIC": "local_code",
    "CLAVE": "local_code",
}
_WORD = re.compile(r"(?<![A-Za-z0-9@#*.,+/-])[A-Za-z0-9@#*]{6,20}(?![A-Za-z0-9@#*])")
_MONTH_DATE = re.compile(r"(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\d{6}")
_TRAILING_DIGITS = re.compile(r"[A-Z]+\d{1,2}")


def find(
    text: str, *, headed: frozenset[str] = frozenset(), columns: frozenset[int] = frozenset(), priced: bool = False
) -> list[Found]:
    """The identifiers of a line, left to right; a found span is consumed, the longest match wins (spec 3.12).

    Args:
        text: one line.
        headed: kinds that a header or the block names: 6-character RED codes, all-digit CUSIPs and SEDOLs need one.
        columns: character positions where several lines of the block hold a valid CUSIP (spec 3.10).
        priced: the line has a price, so a CUSIP of letters and digits counts.
    """
    found: list[Found] = []
    taken: list[tuple[int, int]] = []
    for match in _LABELLED.finditer(text) if _may_be_labelled(text) else ():
        kind = _LABEL_KINDS[match["label"].upper()]
        value = match["value"].upper()
        if any(letter.isdigit() for letter in value) and _FORMS[kind].fullmatch(value):
            found.append(Found(kind, value, match.start("value"), match.end("value"), check(kind, value)))
            taken.append(match.span("value"))
    for match in _WORD.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        kind = _kind_of(match[0], headed, in_column=match.start() in columns, priced=priced)
        if kind is not None:
            value = match[0].upper()
            found.append(Found(kind, value, match.start(), match.end(), check(kind, value)))
    return sorted(found, key=lambda item: item.start)


def _may_be_labelled(text: str) -> bool:
    upper = text.upper()
    return any(
        label in upper
        for label in (
            "ISIN",
            "CUSIP",
            "CINS",
            "SEDOL",
            "FIGI",
            "BBGID",
            "LEI",
            "WKN",
            "VALOR",
            "RED",
            "CODE",
            "LXID",
            "SELIC",
            "CLAVE",
        )
    )


def _kind_of(word: str, headed: frozenset[str], *, in_column: bool, priced: bool) -> str | None:
    """What kind of identifier a free word is, in the order of spec 3.12; None for a mere word."""
    upper = word.upper()
    digits = sum(letter.isdigit() for letter in word)
    if digits == 0:
        return "wkn" if "wkn" in headed and word == upper and _FORMS["wkn"].fullmatch(upper) else None
    length = len(word)
    if length == 12:
        return _twelve(word, upper, headed)
    if length == 20 and "lei" in headed | {"lei"} and check("lei", upper):
        return "lei"
    if length == 9:
        return _nine(word, upper, digits, headed, in_column=in_column, priced=priced)
    if length == 8 and _FORMS["loanx_id"].fullmatch(upper):
        return "loanx_id"
    if length == 7 and "sedol" in headed and check("sedol", upper):
        return "sedol"
    if (
        length == 7
        and digits not in (0, 7)
        and word == upper
        and upper[0].isalpha()
        and priced
        and check("sedol", upper)
        and digits >= 2
    ):
        return "sedol"
    if length == 6 and "wkn" in headed and _FORMS["wkn"].fullmatch(upper):
        return "wkn"
    if length == 6 and "red_code" in headed and word == upper:
        return "red_code"
    if word.isdigit() and length in (6, 7, 8, 9) and "valor" in headed:
        return "valor"
    return None


def _twelve(word: str, upper: str, headed: frozenset[str]) -> str | None:
    if _FORMS["isin"].fullmatch(upper):
        inner = sum(letter.isdigit() for letter in upper[2:11])
        if check("isin", upper):
            return "isin" if inner >= 2 or "isin" in headed else None
        if _check_figi_form(upper):
            return "figi"
        if inner >= 4 and word == upper and (upper[:2] in _PRINTED_COUNTRIES or "isin" in headed):
            return "isin"  # the form of one, its check digit wrong: kept and flagged
        return None
    return "figi" if _check_figi_form(upper) else None


def _check_figi_form(upper: str) -> bool:
    return bool(_FORMS["figi"].fullmatch(upper)) and upper[:2] not in _NO_FIGI and _check_figi(upper)


_PRINTED_COUNTRIES = frozenset(
    ["XS", "US", "CA", "DE", "FR", "IT", "ES", "GB", "NL", "BE", "AT", "CH", "PT", "IE", "LU", "SE", "NO", "DK", "FI", "GR", "PL", "MX", "BR", "CO", "CL", "PE", "AR", "UY", "EU"]
)


def _nine(word: str, upper: str, digits: int, headed: frozenset[str], *, in_column: bool, priced: bool) -> str | None:
    if not _FORMS["cusip"].fullmatch(upper):
        return "red_code" if "red_code" in headed and word == upper and _FORMS["red_code"].fullmatch(upper) else None
    if "red_code" in headed and "cusip" not in headed:
        return "red_code"
    if "common_code" in headed and digits == 9:
        return "common_code"
    if not check("cusip", upper):
        return "cusip" if ("cusip" in headed or in_column) and digits >= 4 and word == upper else None
    if "cusip" in headed or in_column:
        return "cusip"
    if digits == 9 or _MONTH_DATE.fullmatch(upper) or _TRAILING_DIGITS.fullmatch(upper) or word != upper:
        return None
    return "cusip" if priced else None
