"""When a quote is of: what its row and the words around it print, placed by the mail (spec 2.3, ruling 29)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache

from msgspec import Struct

from parsers.codes import Flag
from parsers.quotes.answers.dating import MONTH_FIRST_REGIONS
from parsers.quotes.context import MailContext
from parsers.quotes.regions import desk_of
from parsers.values.times.moments import UNKNOWN_ZONE, Printed
from parsers.values.times.zones import zone_of

CLOCKS_APART = timedelta(minutes=15)
"""A time that is later than its mail by more is of another zone, or no quote's."""
OLDEST_OF_A_ROW = timedelta(days=31)
"""A row's day further back is one of the instrument, or of the deal."""

_A_DAY = timedelta(days=1)


class Times(Struct, frozen=True):
    """Times of a quote."""

    quote_ts: datetime | None  # UTC; None: no time is printed, the mail's holds
    quote_date: date | None  # None: no day is printed
    as_of_ts: datetime | None  # UTC; of a day alone its beginning where the desk is
    flags: frozenset[Flag]  # stale, ambiguous_date


class _Moment(Struct, frozen=True):
    """What is printed, placed."""

    day: date
    at: datetime | None  # UTC; None: no time is printed, or it cannot be placed
    begins: datetime | None  # UTC; the day's beginning, or `at`
    is_ambiguous: bool


@lru_cache(maxsize=256)  # the rows of a table are of one time
def times_of(row: Printed | None, said: Printed | None, mail: MailContext) -> Times:
    """The times of a quote; what is later than its mail is none of its times.

    Args:
        row: what the row itself prints.
        said: what the words around it print.
        mail: of the part; its Date, offset and dealer place a time without day or zone.
    """
    around = _moment(said, None, mail) if said is not None else None
    nearest = (_own(row, around, mail) if row is not None else None) or around
    flags: set[Flag] = set()
    today = _today(mail, None)
    if nearest is not None and today is not None and nearest.day < today:
        flags.add(Flag.stale)
    if nearest is not None and nearest.is_ambiguous:
        flags.add(Flag.ambiguous_date)
    return Times(
        nearest.at if nearest is not None else None,
        nearest.day if nearest is not None and _has_day(row, said) else None,
        around.begins if around is not None and said is not None and said.is_as_of else None,
        frozenset(flags),
    )


def _own(row: Printed, around: _Moment | None, mail: MailContext) -> _Moment | None:
    """The time that a row prints, on the day that stands around it; None where it is too old for a quote's."""
    own = _moment(row, around.day if around is not None else None, mail)
    is_old = own is not None and mail.sent_at is not None and own.day < mail.sent_at.date() - OLDEST_OF_A_ROW
    return None if is_old else own


def _has_day(row: Printed | None, said: Printed | None) -> bool:
    return any(one is not None and (one.days or one.day_of_month) for one in (row, said))


def _moment(printed: Printed, day: date | None, mail: MailContext) -> _Moment | None:
    """The moment; `day` is that of a time without one, else the mail's is."""
    zone = _zone(printed, mail)
    placed = _placed(printed, day, _today(mail, zone), mail)
    if placed is None:
        return None
    found, is_told = placed
    begins = datetime.combine(found, time(), zone).astimezone(UTC) if zone is not None else None
    at = datetime.combine(found, printed.time, zone).astimezone(UTC) if zone is not None and printed.time else None
    if at is not None and mail.sent_at is not None and at > mail.sent_at + CLOCKS_APART:
        at = begins = None
    if at is None and printed.time is not None:
        if not (printed.days or printed.day_of_month):
            return None
        begins = None
    return _Moment(found, at, at or begins, not is_told)


def _placed(printed: Printed, day: date | None, today: date | None, mail: MailContext) -> tuple[date, bool] | None:
    """The day that is printed, and whether it has but one reading; without one `day`, else the mail's."""
    readings = [found for found in _days(printed, today) if today is None or found <= today]
    if readings:
        found = today if today is not None and today in readings else _likeliest(readings, today, mail)
        return found, today in readings or len(readings) < 2
    other = day or today
    if printed.days or printed.day_of_month or other is None:
        return None
    return other, True


def _likeliest(readings: Sequence[date], today: date | None, mail: MailContext) -> date:
    """Of two readings the only one of the last weeks, else that of the desk's order."""
    recent = [found for found in readings if today is not None and found >= today - OLDEST_OF_A_ROW]
    if len(recent) == 1:
        return recent[0]
    return readings[0] if desk_of(mail) in MONTH_FIRST_REGIONS else readings[-1]


def _days(printed: Printed, today: date | None) -> Iterator[date]:
    """The readings of the date; one without a year is of the year nearest to the mail, on its weekday if told.

    A close is never to come: `COB 20 Dec` in November is the last such day. What is tomorrow's, by a clock that is
    ahead of the mail's, is not of a year ago.
    """
    yield from printed.days
    for month, day in printed.day_of_month if today is not None else ():
        found = [found for year in _years(today) if (found := _day(year, month, day)) is not None]
        if printed.is_close and today is not None:
            found = [one for one in found if one <= today + _A_DAY]
        told = [one for one in found if one.weekday() == printed.weekday]
        if today is not None and found:
            yield min(told or found, key=lambda one: abs(one - today))


def _years(today: date | None) -> Iterable[int]:
    return range(today.year - 1, today.year + 2) if today is not None else ()


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _zone(printed: Printed, mail: MailContext) -> tzinfo | None:
    """The printed zone, else the dealer's, else that of the mail's clock (ruling 29)."""
    name = printed.zone
    if name == UNKNOWN_ZONE:
        return None
    if name is not None and name[0] in "+-":
        offset = timedelta(hours=int(name[1:3]), minutes=int(name[4:]))
        return timezone(offset if name[0] == "+" else -offset)
    name = name or (mail.dealer.zone if mail.dealer is not None else None)
    if name is not None:
        return zone_of(name)
    return timezone(mail.sent_offset) if mail.sent_offset is not None else None


def _today(mail: MailContext, zone: tzinfo | None) -> date | None:
    """The mail's day, on the clock of a zone, else the sender's."""
    if mail.sent_at is None:
        return None
    return (
        mail.sent_at.astimezone(zone) if zone is not None else mail.sent_at + (mail.sent_offset or timedelta())
    ).date()
