"""How dealers mailed day by day, as it was counted: notes, which the tables fill anew where they are lost."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from ops.alerts.file import changing, keep_note, noted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

_COUNTED = "counted"
LEAST_DAYS = 20  # with mails: of dealers with fewer nothing is judged, and whoever writes from a new domain is one
KEEP = timedelta(days=400)  # the holidays of a year ago are asked for
_KNOWN = f"dealer IN (SELECT dealer FROM days GROUP BY dealer HAVING count(*) >= {LEAST_DAYS})"  # noqa: S608 -- a number


class Day(NamedTuple):
    """What a dealer sent on a day, in UTC, on which he sent anything."""

    dealer: str
    day: date
    region: str | None  # that of most quotes, where there is one
    mails: int
    first_minute: int  # of the day, when the first mail was received
    quotes: int
    refused: int  # rows, parts or mails that somebody is to look at
    cells: int  # of the columns that rows mostly have
    filled: int  # of these


class Counted(NamedTuple):
    """What was counted of the tables."""

    since: date  # the first day of it
    until: date | None  # the first day behind it that was not counted; None: there is none
    days: list[Day]
    formats: list[tuple[str, str, int]]  # dealer, content type, Unix ms of the first mail with it


class History(NamedTuple):
    """All that is known."""

    days: Mapping[str, Mapping[date, Day]]  # by dealer
    formats: Mapping[str, Mapping[str, datetime]]  # when each was seen first, by dealer


def keep(db: sqlite3.Connection, counted: Counted, now: datetime) -> None:
    """In the place of what was counted of the same days before; what is too old goes.

    The day to go on from never goes back: while lost tables are filled anew from the log, the days before it stay.
    """
    span = (counted.since.isoformat(), (counted.until or date.max).isoformat())
    with changing(db):
        db.execute("DELETE FROM days WHERE (day >= ? AND day < ?) OR day < ?", (*span, _oldest(now)))
        rows = [(each.dealer, each.day.isoformat(), *each[2:]) for each in counted.days]
        db.executemany("INSERT OR REPLACE INTO days VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        last = [counted.until] if counted.until else [each.day for each in counted.days]
        keep_note(db, _COUNTED, max([*map(date.toordinal, last), noted(db, _COUNTED) or 0]))
        first = "ON CONFLICT DO UPDATE SET first_ms = min(first_ms, excluded.first_ms)"
        db.executemany(f"INSERT INTO formats VALUES (?, ?, ?) {first}", counted.formats)  # noqa: S608 -- a constant
        db.execute("DELETE FROM formats WHERE dealer NOT IN (SELECT dealer FROM days)")


def last_day(db: sqlite3.Connection, now: datetime) -> date | None:
    """The last that was counted; of one that is to come, by a clock that was ahead, today."""
    found = noted(db, _COUNTED)
    return min(date.fromordinal(found), now.date()) if found else None


def history(db: sqlite3.Connection) -> History:
    """That of dealers who have mailed on enough days to be judged: 400 days of 200 dealers are 80,000 rows."""
    days: dict[str, dict[date, Day]] = defaultdict(dict)
    for dealer, day, *rest in db.execute(f"SELECT * FROM days WHERE {_KNOWN} ORDER BY day"):  # noqa: S608 -- constants
        days[dealer][date.fromisoformat(day)] = Day(dealer, date.fromisoformat(day), *rest)
    formats: dict[str, dict[str, datetime]] = defaultdict(dict)
    for dealer, name, first_ms in db.execute(f"SELECT * FROM formats WHERE {_KNOWN}"):  # noqa: S608 -- constants
        formats[dealer][name] = datetime.fromtimestamp(first_ms / 1000, UTC)
    return History(days, formats)


def _oldest(now: datetime) -> str:
    return (now - KEEP).date().isoformat()
