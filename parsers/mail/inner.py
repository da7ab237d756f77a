"""The header of a mail forwarded inside a body: who wrote it, and when (spec 6.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

from parsers.mail.facts import Facts
from parsers.mail.fields import decoded
from parsers.values.times.dates import MONTHS
from parsers.values.times.zones import zone_of

_ADDRESS = re.compile(r"[<\[(]?(?:mailto:)?([\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+)[>\])]?", re.IGNORECASE)
_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})\.?\s+(?:de\s+)?({_NAME})\.?,?\s+(?:de\s+)?(\d{{4}})", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"\b({_NAME})\.?\s+(\d{{1,2}}),?\s+(\d{{4}})", re.IGNORECASE)
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_NUMERIC = re.compile(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b")
_TIME = re.compile(r"\b(\d{1,2})[:h](\d{2})(?::\d{2})?\s*([ap]\.?m\b)?", re.IGNORECASE)


def inner_facts(header: Mapping[str, str], zone: str | None, outer: Facts) -> Facts:
    """Facts of the forwarded mail. A time without zone is in the dealer's, else at the outer mail's offset (ruling 29).

    Args:
        header: from, date, to, subject as quoted; {} gives the outer facts without a sender.
        zone: the IANA zone of the desk that wrote it, where known.
        outer: of the mail that forwards.
    """
    sender, name = sender_of(header.get("from", ""))
    sent_at, offset = _moment(header.get("date", ""), zone, outer.sent_offset)
    return Facts(
        message_id=outer.message_id,
        sender=sender,
        sender_name=name,
        subject=header.get("subject") or outer.subject,
        sent_at=sent_at,
        sent_offset=offset,
        date_text=header.get("date"),
    )


def sender_of(text: str) -> tuple[str | None, str | None]:
    """(address, name) of a quoted From line."""
    text = decoded(text)
    match = _ADDRESS.search(text)
    name = (text[: match.start()] if match else text).strip(" \t\"'<[(*")
    return match[1].lower() if match else None, name or None


def _moment(text: str, zone: str | None, offset: timedelta | None) -> tuple[datetime | None, timedelta | None]:
    """The moment in UTC, and the offset it was written in."""
    try:
        exact = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        exact = None
    local = exact if exact is not None and exact.tzinfo is not None else _local(text) or exact
    if local is None or local.year in {MINYEAR, MAXYEAR}:  # which programs write for no date
        return None, None
    if local.tzinfo is None:
        local = local.replace(tzinfo=zone_of(zone) if zone else timezone(offset) if offset is not None else UTC)
    return local.astimezone(UTC), local.utcoffset()


def _local(text: str) -> datetime | None:
    """Day and time as printed; midnight when there is no time."""
    day = _day(text)
    if day is None:
        return None
    hour, minute = 0, 0
    if time := _TIME.search(text):
        hour, minute = int(time[1]), int(time[2])
        if time[3]:
            hour = hour % 12 + (12 if time[3].lower().startswith("p") else 0)
    try:
        return datetime(*day, hour, minute)  # noqa: DTZ001 -- its zone is the caller's question
    except ValueError:
        return None


def _day(text: str) -> tuple[int, int, int] | None:
    if match := _ISO.search(text):
        return int(match[1]), int(match[2]), int(match[3])
    if match := _DAY_FIRST.search(text):
        return int(match[3]), MONTHS[match[2].lower()], int(match[1])
    if match := _MONTH_FIRST.search(text):
        return int(match[3]), MONTHS[match[1].lower()], int(match[2])
    if match := _NUMERIC.search(text):
        first, second, year = int(match[1]), int(match[2]), int(match[3])
        # mailers write the month first only with slashes and am or pm
        is_american = "/" in match[0] and re.search(r"\b[ap]\.?m\b", text, re.IGNORECASE) is not None
        return (year, first, second) if is_american and first <= 12 else (year, second, first)
    return None
