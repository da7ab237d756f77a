"""When was a line said? By its own word where that is sure, which says a zone or is syslog's, and is not to come."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

MOST_AHEAD = timedelta(minutes=5)  # clocks of two machines may be apart by so much

_ISO = re.compile(
    r"\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d))\]?(?:[^\S\n]|$)", re.ASCII
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SYSLOG = re.compile(rf"({'|'.join(_MONTHS)}) ([ 0-3]\d) (\d\d):(\d\d):(\d\d) ", re.ASCII)


class OwnTime(NamedTuple):
    """What a line says of its time."""

    at: datetime  # UTC
    end: int  # where the line goes on behind it


def own_time(line: str, begin: int, arrived: datetime) -> OwnTime | None:
    """The time that stands at `begin`; None where there is none, or none that is sure.

    Sure is ISO 8601 with an offset from UTC, and syslog's of RFC 3164, which is this machine's clock, of the latest
    year that makes it no time to come. What is later than `arrived` by more than MOST_AHEAD is not believed.
    """
    if found := _ISO.match(line, begin):
        at = _from_iso(found[1])
    elif found := _SYSLOG.match(line, begin):
        at = _from_syslog(found.groups(), (arrived + timedelta(days=1)).astimezone().year)
        if at and at > arrived + timedelta(days=1):
            at = _from_syslog(found.groups(), at.astimezone().year - 1)
    else:
        return None
    return OwnTime(at, found.end()) if at and is_believed(at, arrived) else None


def is_believed(at: datetime, arrived: datetime) -> bool:
    """Whether something can have been said then that came at `arrived`."""
    return at <= arrived + MOST_AHEAD


def iso(at: datetime) -> str:
    """As records have it: UTC, with microseconds."""
    return f"{at.isoformat(timespec='microseconds')[:-6]}Z"


def _from_iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):  # the 31st of February; the first hours of the year 1
        return None


@lru_cache(maxsize=256)  # many lines of a second
def _from_syslog(said: tuple[str, ...], year: int) -> datetime | None:
    month = _MONTHS.index(said[0]) + 1
    day, hour, minute, second = map(int, said[1:])
    try:
        return datetime(year, month, day, hour, minute, second).astimezone(UTC)  # of this machine's zone
    except (ValueError, OverflowError):
        return None
