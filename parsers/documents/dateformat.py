"""How a workbook shows a date or a time (ECMA-376 18.8.31)."""

from __future__ import annotations

import re
from datetime import date, datetime, time

_TOKENS = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]|(y+|m+|d+|h+|s+|AM/PM|A/P)|(.)', re.IGNORECASE | re.DOTALL)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LONG_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def shown_date(value: date | datetime | time, code: str | None) -> str:
    """A date or time as the format shows it; ISO where the format leaves it to the reader's locale."""
    if not code or not re.search(r"[ymdh]", code, re.IGNORECASE) or code == "General":
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    section = code.split(";")[0]
    half_day = re.search(r"AM/PM|A/P", section, re.IGNORECASE) is not None
    out: list[str] = []
    after_hours = False
    for match in _TOKENS.finditer(section):
        quoted, escaped, letters, other = match.groups()
        if letters is None:
            out.append(quoted or escaped or other or "")
            continue
        letters = letters.lower()
        if letters[0] == "m" and (after_hours or re.match(r"[^ymdh]*s", section[match.end() :], re.IGNORECASE)):
            letters = "n" * min(len(letters), 2)
        after_hours = letters[0] == "h" or (after_hours and letters[0] not in "ymd")
        out.append(_date_field(value, letters, half_day=half_day))
    return "".join(out).strip()


def _date_field(value: date | datetime | time, letters: str, *, half_day: bool) -> str:  # noqa: PLR0911 -- one a letter
    kind, width = letters[0], len(letters)
    if kind in "hnsa":
        clock = value if isinstance(value, time) else value.time() if isinstance(value, datetime) else time()
        if kind == "a":
            return "AM" if clock.hour < 12 else "PM"
        number = {"h": (clock.hour % 12 or 12) if half_day else clock.hour, "n": clock.minute, "s": clock.second}[kind]
        return str(number).rjust(min(width, 2), "0")
    if isinstance(value, time):
        return ""
    if kind == "y":
        return str(value.year) if width > 2 else f"{value.year % 100:02d}"
    if kind == "d":
        names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
        if width > 2:
            return names[value.weekday()] if width > 3 else names[value.weekday()][:3]
        return str(value.day).rjust(width, "0")
    if width > 2:
        return _LONG_MONTHS[value.month - 1] if width == 4 else _MONTHS[value.month - 1]
    return str(value.month).rjust(width, "0")
