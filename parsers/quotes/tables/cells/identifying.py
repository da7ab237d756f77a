"""The identifiers of a row: of their own cells, and in names (spec 3)."""

from __future__ import annotations

import re
from functools import lru_cache

from parsers.values.finding import find
from parsers.values.identifiers import check, compact

_ANY_KIND = ("isin", "cusip", "figi", "loanx_id", "sedol", "wkn")  # of a column that only says `identifier`
_FORMED = ("isin", "figi", "loanx_id")  # forms that cannot be mistaken, whatever the heading says
_IN_NAMES = frozenset({"isin", "cusip"})
_SHORTEST_WITH_CODE = 9
_LENGTHS = {
    "isin": (12,),
    "cusip": (9,),
    "sedol": (7,),
    "figi": (12,),
    "lei": (20,),
    "loanx_id": (8,),
    "red_code": (6, 9),
    "common_code": (9,),
    "wkn": (6,),
    "valor": (5, 6, 7, 8, 9),
}
"""Of identifiers whose check digit is wrong: text of another length under their heading is none."""
_DAMAGED_ISIN = re.compile(r"[A-Z]{2}(?=(?:[A-Z]*\d){5})[A-Z0-9]{9}(?:[A-Z0-9]{2})?")
"""But for an ISIN with a character too few or too many."""


@lru_cache(maxsize=8192)
def in_name(text: str) -> tuple[tuple[str, str], ...]:
    """Kind and value of the ISINs and CUSIPs in a name: `AAPL 4.85 05/10/33 (US037833EV87)`."""
    if len(text) < _SHORTEST_WITH_CODE:
        return ()
    return tuple(
        (found.kind, found.value) for found in find(text, priced=True) if found.kind in _IN_NAMES and found.valid
    )


@lru_cache(maxsize=8192)  # the same bonds come every day
def identifier(role: str, text: str) -> tuple[str, str] | None:
    """Kind and compact value of an identifier cell; an ISIN under `CUSIP` is an ISIN all the same."""
    value = compact(text)
    is_code = role == "local_code" and "-" in value and check(role, value)  # `BENDE-N`
    if len(value) > 24 or value.isalpha() or not (is_code or any(map(str.isdigit, value))):
        return None
    if role == "identifier":
        return _of_any_kind(value)
    if check(role, value):
        return role, value
    other = next((kind for kind in _FORMED if kind != role and check(kind, value)), None)
    if other is not None:
        return other, value
    if role == "isin" and check("cusip", value):
        return "cusip", value
    return (role, value) if _may_be_meant(role, value) else None


def _of_any_kind(value: str) -> tuple[str, str] | None:
    """Of a column that names no kind: the first that it is valid as, else by its length a faulty ISIN."""
    kind = next((kind for kind in _ANY_KIND if check(kind, value)), None)
    if kind is not None:
        return kind, value
    return ("isin", value) if len(value) == 12 else None


def _may_be_meant(role: str, value: str) -> bool:
    """Whether what is no identifier of a kind has the length of one: with a wrong digit, or an ISIN short of one."""
    lengths = _LENGTHS.get(role)
    is_damaged = role == "isin" and _DAMAGED_ISIN.fullmatch(value) is not None
    return is_damaged or lengths is None or len(value) in lengths
