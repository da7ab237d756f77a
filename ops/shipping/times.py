"""When was a line said? By its own word where that is sure, which says a zone or is syslog's, and is not to come.

Syslog's time is this machine's clock, which in autumn has an hour twice. It is the second one if the line before was
said later than the first would be; of a source's first line, if that one has only just come.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

MOST_AHEAD = timedelta(minutes=5)  # clocks of two machines may be apart by so much
_MOST_BEHIND = timedelta(seconds=10)  # lines of several programs are not quite in their order

_ISO = re.compile(
    r"\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d))\]?(?:[^\S\n]|$)", re.ASCII
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SYSLOG = re.compile(rf"({'|'.join(_MONTHS)}) ([ 0-3]\d) (\d\d):(\d\d):(\d\d) ", re.ASCII)


class Clock(NamedTuple):
    """What is known of a line's time without it; both in UTC."""

    arrived: datetime  # when it was read
    before: datetime | None = None  # what the line before says of its own; None: there was none


class OwnTime(NamedTuple):
    """What a line says of its time."""

    at: datetime  # UTC
    end: int  # where the line goes on behind it


def own_time(line: str, begin: int, clock: Clock) -> OwnTime | None:
    """The time that stands at `begin`; None where there is none, or none that is sure.

    Sure is ISO 8601 with an offset from UTC, and syslog's of RFC 3164, which is this machine's clock, of the latest
    year that makes it no time to come. What is later than the arrival by more than MOST_AHEAD is not believed.
    """
    if found := _ISO.match(line, begin):
        at = _from_iso(found[1])
    elif found := _SYSLOG.match(line, begin):
        latest = clock.arrived + timedelta(days=1)
        times = _from_syslog(found.groups(), latest.astimezone().year)
        if times and times[0] > latest:
            times = _from_syslog(found.groups(), times[0].astimezone().year - 1)
        at = _one_of(times, clock) if times else None
    else:
        return None
    return OwnTime(at, found.end()) if at and is_believed(at, clock.arrived) else None


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


def _one_of(times: tuple[datetime, datetime], clock: Clock) -> datetime:
    first, second = times
    if first == second or not is_believed(second, clock.arrived):
        return first
    if clock.before is None:
        return second if clock.arrived - second <= MOST_AHEAD else first
    return first if first >= clock.before - _MOST_BEHIND else second


@lru_cache(maxsize=256)  # many lines of a second
def _from_syslog(said: tuple[str, ...], year: int) -> tuple[datetime, datetime] | None:
    """The first and the second time that this machine's clock shows that: the same but for one hour a year."""
    month = _MONTHS.index(said[0]) + 1
    day, hour, minute, second = map(int, said[1:])
    try:
        first = datetime(year, month, day, hour, minute, second).astimezone(UTC)  # of this machine's zone
        other = datetime(year, month, day, hour, minute, second, fold=1).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    shown = other.astimezone()
    is_twice = (shown.hour, shown.minute) == (hour, minute)  # and it is no hour that is left out in spring
    return first, other if is_twice else first
