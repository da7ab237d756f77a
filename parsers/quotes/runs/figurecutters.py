"""What figures are that are told by their form alone: dates, times, series, sizes, parts of names (spec 5.11)."""

from __future__ import annotations

import re
from functools import lru_cache

from parsers.quotes.runs import patterns
from parsers.quotes.runs.behind import Behind, is_grouped
from parsers.quotes.runs.cutline import CutLine
from parsers.quotes.runs.sizecutters import size_pair
from parsers.quotes.runs.token import LABEL, NUMBER, REFERENCE, WORD, Kind, Token

_FORMS = {
    "word": patterns.NAME_PART,
    "date": patterns.DATE,
    "time": patterns.TIME,
    "series": patterns.SERIES,
    "struct": patterns.STRUCT,
    "tranche": patterns.TRANCHE,
    "tenor": patterns.FORWARD,
    "size": patterns.SIZE_PAIR,
    "month": patterns.MONTH,
    "reference": patterns.REFERENCE_BEHIND,
}
"""By the kind of token, the likeliest first."""
_GATES = {name: Behind.of(pattern) for name, pattern in _FORMS.items()}
_KINDS = {str(kind): kind for kind in Kind}
_COUPON_AND_MONTH = re.compile(r"(?P<coupon>1?\d)\s[^\W\d_]+\.?[\-/]'?\d{2,4}")
"""`5 ago/50`, `4 Mar-34`: a day would be joined to its month as the month is to the year."""


def formed(line: CutLine, at: int, behind: re.Match[str]) -> Token | None:
    """`05/15/34`, `10:30`, `5s 34`, `25RR`, `0-3%`, `5x10`, `03/34`: what stands behind the figures says which.

    Args:
        line: being cut.
        at: where the figures begin.
        behind: the figures, and the first letter or mark behind them.
    """
    for name in _forms(behind["next"] or "", is_grouped(behind["figures"])):
        match = _FORMS[name].match(line.text, at)
        if match is not None:
            return _token(line, at, name, match)
    return None


@lru_cache(maxsize=1024)
def _forms(following: str, grouped: bool) -> tuple[str, ...]:  # noqa: FBT001 -- of a cache
    """The forms that figures can have that have this behind them."""
    return tuple(name for name, gate in _GATES.items() if gate.allows(following, is_grouped=grouped))


def _token(line: CutLine, at: int, name: str, match: re.Match[str]) -> Token | None:
    """What figures of a form are."""
    coupon = _COUPON_AND_MONTH.fullmatch(match[0]) if name == "date" else None
    if name == "date" and coupon is None and line.found and all(token.kind is WORD for token in line.found):
        coupon = patterns.FIRST_AND_MONTH.fullmatch(match[0])
    if coupon is not None:
        return Token(NUMBER, at, at + coupon.end("coupon"), coupon["coupon"])
    if name == "struct":
        return _struct(line, at)
    if name == "reference":
        return Token(REFERENCE, at, match.end(), match["value"]) if line.has_level else None
    return size_pair(line, at) if name == "size" else Token(_KINDS[name], at, match.end(), match[0])


def _struct(line: CutLine, at: int) -> Token | None:
    match = patterns.STRUCT.match(line.text, at)
    if match is None:
        return None
    name = "rr" if match[2].lower() == "rr" else "bf"
    return Token(LABEL, at, match.end(), match[0], key=f"{name}{match[1]}")
