"""How a workbook shows a date or a time (ECMA-376 18.8.31)."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from functools import lru_cache

_TOKENS = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[[^][]*+\]|(y+|m+|d+|h+|s+|AM/PM|A/P)|(.)', re.IGNORECASE | re.DOTALL)
_ANY_DATE = re.compile(r"[ymdh]", re.IGNORECASE)
_HALF_DAY = re.compile(r"AM/PM|A/P", re.IGNORECASE)
_BEFORE_SECONDS = re.compile(r"[^ymdh]*s", re.IGNORECASE)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LONG_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


@lru_cache(maxsize=4096)  # the maturities of a dealer's book come again in each of its mails
def shown_date(value: date | datetime | time, code: str | None) -> str:
    """A date or time as the format shows it; ISO where the format leaves it to the reader's locale."""
    pieces = _pieces(code) if code else None
    if pieces is None:
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    texts = (text if width == 0 else _date_field(value, text, width) for text, width in pieces)
    return "".join(texts).strip()


@lru_cache(maxsize=256)
def _pieces(code: str) -> tuple[tuple[str, int], ...] | None:
    """What a format shows, piece by piece; None where it says nothing of dates.

    Literals have the width 0. Fields have their letter (`n` for minutes, `i` for hours of a half day) and their width.
    """
    if code == "General" or not _ANY_DATE.search(code):
        return None
    section = code.partition(";")[0]
    half_day = _HALF_DAY.search(section) is not None
    pieces: list[tuple[str, int]] = []
    after_hours = False
    for match in _TOKENS.finditer(section):
        quoted, escaped, letters, other = match.groups()
        if letters is None:
            pieces.append((quoted or escaped or other or "", 0))
            continue
        kind, width = letters[0].lower(), len(letters)
        if kind == "m" and (after_hours or _BEFORE_SECONDS.match(section[match.end() :])):
            kind = "n"
        after_hours = kind == "h" or (after_hours and kind not in "ymd")
        pieces.append(("i" if kind == "h" and half_day else kind, width))
    return tuple(pieces)


def _date_field(value: date | datetime | time, kind: str, width: int) -> str:  # noqa: PLR0911 -- one a letter
    if kind in "hinsa":
        return _time_field(
            value if isinstance(value, time) else value.time() if isinstance(value, datetime) else time(), kind, width
        )
    if isinstance(value, time):
        return ""
    if kind == "y":
        return str(value.year) if width > 2 else f"{value.year % 100:02d}"
    if kind == "d":
        if width > 2:
            return _DAYS[value.weekday()] if width > 3 else _DAYS[value.weekday()][:3]
        return str(value.day).rjust(width, "0")
    if width > 2:
        return _LONG_MONTHS[value.month - 1] if width == 4 else _MONTHS[value.month - 1]
    return str(value.month).rjust(width, "0")


def _time_field(clock: time, kind: str, width: int) -> str:
    if kind == "a":
        return "AM" if clock.hour < 12 else "PM"
    number = {"h": clock.hour, "i": clock.hour % 12 or 12, "n": clock.minute, "s": clock.second}[kind]
    return str(number).rjust(min(width, 2), "0")
