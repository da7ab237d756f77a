"""Identifiers: their forms and check digits (spec section 3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from stdnum import cusip as _cusip
from stdnum import figi as _figi
from stdnum import isin as _isin
from stdnum import lei as _lei
from stdnum.gb import sedol as _sedol

from parsers.lexicon import compiled

KINDS = ("isin", "cusip", "figi", "sedol", "loanx_id", "red_code", "common_code", "wkn", "valor", "local_code")
"""The kinds that can key an instrument, best first (spec 2.1)."""


_NOISE = re.compile(r"[\s\u00a0\u200b-\u200d\u2060\ufeff]+")
_LABEL = compiled(
    r"^{identifier_label}\s*{label_more}?"
    r"\s*[:#]?\s*|^#\s*",
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
    "local_code": re.compile(r"(?=.{1,12}$)[A-Z0-9]+(?:-[A-Z0-9]+)*"),
}
_NO_FIGI = ("BS", "BM", "GG", "GB", "GH", "KY", "VG")
_WITHOUT_COUNTRY = compiled(r"{isin_without_country}[A-Z0-9]{9}\d")


def compact(text: str) -> str:
    """Upper case without spaces, zero-width characters and a leading label."""
    value = _LABEL.sub("", text.strip())
    return (value if value.isalnum() else _NOISE.sub("", value)).upper()


@lru_cache(maxsize=16_384)
def check(kind: str, value: str) -> bool:
    """Whether a compact value has the form of its kind and its check digit, where the kind has one."""
    form = _FORMS.get(kind)
    if form is None or not form.fullmatch(value):
        return False
    verdict = _CHECKS.get(kind)
    return verdict is None or verdict(value)


def names_an_issue(kind: str, value: str) -> bool:
    """Whether an identifier names one: a SELIC code names a kind of bond (ruling 10)."""
    return kind != "local_code" or not (len(value) == 6 and value.isdigit())


def derived(isin: str) -> tuple[str, str] | None:
    """The national number inside a valid ISIN: cusip, sedol, wkn, valor or common code (spec 3.9)."""
    body = isin[2:11]
    for prefix, kind in _NATIONAL:
        if isin.startswith(prefix):
            number = body[len(prefix) - 2 :]
            return kind, number.lstrip("0") if kind == "valor" else number
    return None


def in_conflict(numbers: Mapping[str, str]) -> bool:
    """Whether identifiers by kind are of two instruments: an ISIN and a CUSIP that is not the one in it (spec 3.11)."""
    inner = derived(numbers["isin"]) if "isin" in numbers else None
    return inner is not None and inner[0] == "cusip" and numbers.get("cusip", inner[1]) != inner[1]


_NATIONAL = (
    ("US", "cusip"),
    ("CA", "cusip"),
    ("GB00", "sedol"),
    ("DE000", "wkn"),
    ("XS", "common_code"),
    ("CH", "valor"),
)


def _check_isin(value: str) -> bool:
    is_checked = _isin.calc_check_digit(value[:-1]) == value[-1]
    return is_checked and (_is_country(value[:2]) or _WITHOUT_COUNTRY.fullmatch(value) is not None)


@lru_cache(maxsize=1024)
def _is_country(prefix: str) -> bool:
    """Whether ISINs begin so: asked of one whose check digit is right, for a whole check takes twice as long."""
    body = f"{prefix}000000000"
    return bool(_isin.is_valid(body + _isin.calc_check_digit(body)))


def _check_cusip(value: str) -> bool:
    return bool(_cusip.calc_check_digit(value[:-1]) == value[-1])


def _check_figi(value: str) -> bool:
    return value[:2] not in _NO_FIGI and bool(_figi.is_valid(value))


def _check_red(value: str) -> bool:
    return len(value) == 6 or _check_cusip(value)


_CHECKS: dict[str, Callable[[str], bool]] = {
    "isin": _check_isin,
    "cusip": _check_cusip,
    "sedol": lambda value: bool(_sedol.is_valid(value)),
    "figi": _check_figi,
    "lei": lambda value: bool(_lei.is_valid(value)),
    "red_code": _check_red,
}
