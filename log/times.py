"""Timestamps as people write them: RFC 3339, always with a time zone."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def now_ms() -> int:
    """The clock's, in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def utc(timestamp_ms: int) -> datetime:
    """Milliseconds since the epoch as a time in UTC, exactly."""
    return datetime.fromtimestamp(timestamp_ms // 1000, UTC).replace(microsecond=timestamp_ms % 1000 * 1000)


def rfc3339(timestamp_ms: int) -> str:
    """Milliseconds since the epoch as UTC: 2026-03-01T14:05:07.123Z."""
    return utc(timestamp_ms).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class NoZone(ValueError):
    """A time that says neither its offset from UTC nor a zone."""


def timestamp_ms(text: str, zone: str | None = None) -> int:
    """Milliseconds since the epoch; `zone` (`Europe/London`) is where a time without an offset was read off a clock.

    Raises ValueError for what is no ISO 8601 time, for one without offset and zone, for one that the clock showed
    twice or never, as summer time began or ended, and for a zone that nobody knows.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no time such as 2026-03-01T14:05:00Z") from None
    if at.tzinfo is None:
        if zone is None:
            raise NoZone(f"{text!r} has no time zone: add Z, or one like +01:00")
        at = at.replace(tzinfo=_zone(zone))
        if at.utcoffset() != at.replace(fold=1).utcoffset():
            raise ValueError(f"{text!r} comes twice or not at all in {zone}, as the clocks change: add the offset")
    return round(at.timestamp() * 1000)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{name!r} is no time zone, such as Europe/London") from error
