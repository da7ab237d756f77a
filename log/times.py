"""Timestamps as people write them: RFC 3339, always with a time zone."""

from __future__ import annotations

from datetime import UTC, datetime


def rfc3339(timestamp_ms: int) -> str:
    """Milliseconds since the epoch as UTC: 2026-03-01T14:05:07.123Z."""
    at = datetime.fromtimestamp(timestamp_ms // 1000, UTC).replace(microsecond=timestamp_ms % 1000 * 1000)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def timestamp_ms(text: str) -> int:
    """Milliseconds since the epoch. Raises ValueError for what is no ISO 8601 time, or says no time zone."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone: add Z, or one like +01:00")
    return round(at.timestamp() * 1000)
