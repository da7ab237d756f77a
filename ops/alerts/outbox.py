"""What is still to be told: a row an event and sink, which goes when the sink has taken it.

Who is killed between a sink's answer and that tells it again, by the same id: sinks that know ids take it once.
"""

from __future__ import annotations

import json
import socket
import uuid
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from ops.alerts.file import changing, ms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

GIVE_UP = timedelta(days=1)  # after which nobody is told what was once the case, and is not any more
FIRST_WAIT_MS = 30_000
LONGEST_WAIT_MS = 900_000

# Of one alarm the beginning is told before the end, whatever else waits.
_DUE = """
SELECT number, id, event FROM outbox WHERE sink = ? AND due_ms <= ? AND NOT EXISTS (
    SELECT 1 FROM outbox AS earlier WHERE earlier.sink = outbox.sink AND earlier.kind = outbox.kind
    AND earlier.subject = outbox.subject AND earlier.number < outbox.number
) ORDER BY tries, number
"""
# What fires still, and was not told anew since.
_KEEP_ON = """
UPDATE outbox SET made_ms = ? WHERE sink = ? AND made_ms <= ? AND json_extract(event, '$.state') = 'firing' AND EXISTS (
    SELECT 1 FROM alarms WHERE alarms.kind = outbox.kind AND alarms.subject = outbox.subject AND alarms.fires
) AND NOT EXISTS (
    SELECT 1 FROM outbox AS later WHERE later.sink = outbox.sink AND later.kind = outbox.kind
    AND later.subject = outbox.subject AND later.number > outbox.number
)
"""
_LATER = "UPDATE outbox SET tries = tries + 1, due_ms = ? + min(? << min(tries, 10), ?), why = ? WHERE number = ?"


class Event(NamedTuple):
    """An alarm began to fire, or was resolved."""

    state: str  # firing, resolved
    level: str
    kind: str
    subject: str
    text: str
    since: datetime
    at: datetime

    def fields(self) -> dict[str, str]:
        """As it is told."""
        times = {"since": self.since.isoformat(timespec="seconds"), "at": self.at.isoformat(timespec="seconds")}
        return {**self._asdict(), **times, "host": socket.gethostname()}


class Told(NamedTuple):
    """What is to be told to one sink."""

    number: int
    id: str  # the same at each try
    fields: dict[str, str]  # of the event


class Trouble(NamedTuple):
    """A sink that does not take what it is told, or not all of it."""

    sink: str
    waiting: int  # that failed at least once
    given_up: int  # in the last day: not told to all it should be
    why: str


def put(db: sqlite3.Connection, event: Event, sinks: Iterable[str]) -> None:
    """To be told to these, within the transaction that is open."""
    fields = event.fields()
    for sink in sinks:
        row = (sink, uuid.uuid4().hex, event.kind, event.subject, json.dumps(fields), ms(event.at))
        db.execute("INSERT INTO outbox VALUES (NULL, ?, ?, ?, ?, ?, ?, 0, 0, '')", row)


def due(db: sqlite3.Connection, sink: str, now: datetime) -> list[Told]:
    """What it is to be told now, what never failed first."""
    return [Told(number, key, json.loads(event)) for number, key, event in db.execute(_DUE, (sink, ms(now)))]


def taken(db: sqlite3.Connection, number: int) -> None:
    """The sink has it."""
    with changing(db):
        db.execute("DELETE FROM outbox WHERE number = ?", (number,))
        db.execute("DELETE FROM given_up WHERE number = ?", (number,))


def taken_in_part(db: sqlite3.Connection, number: int, why: str, now: datetime) -> None:
    """Some have it by this sink, and others do not: it is told no more, which `troubles` tells for a day."""
    with changing(db):
        lost = "SELECT number, sink, ?, ? FROM outbox WHERE number = ?"
        db.execute(f"INSERT OR REPLACE INTO given_up {lost}", (ms(now), why, number))
        db.execute("DELETE FROM outbox WHERE number = ?", (number,))


def failed(db: sqlite3.Connection, number: int, why: str, now: datetime) -> None:
    """The sink has not, or has not said so: the same later, each time after twice as long."""
    db.execute(_LATER, (ms(now), FIRST_WAIT_MS, LONGEST_WAIT_MS, why, number))


def give_up(db: sqlite3.Connection, sinks: Iterable[str], now: datetime) -> None:
    """Let go what a sink has not taken for a day, which `troubles` tells for a day, and what is for no sink any more.

    It is a day only once the sink has failed since: who was asleep, or whose clock was put forward, tries first. What
    fires still is told on, and is a trouble each day.
    """
    with changing(db):
        _set_right(db, now)
        db.execute("DELETE FROM given_up WHERE at_ms <= ?", (ms(now - GIVE_UP),))
        left = {sink for (sink,) in db.execute("SELECT DISTINCT sink FROM outbox")} - set(sinks)
        db.executemany("DELETE FROM outbox WHERE sink = ?", [(sink,) for sink in left])
        failing = "SELECT sink, max(due_ms), why FROM outbox WHERE tries > 0 GROUP BY sink"
        for sink, tried_ms, why in db.execute(failing).fetchall():
            old = (sink, min(ms(now), tried_ms) - GIVE_UP // timedelta(milliseconds=1))
            lost = "SELECT number, sink, ?, ? FROM outbox WHERE sink = ? AND made_ms <= ?"
            db.execute(f"INSERT OR REPLACE INTO given_up {lost}", (ms(now), why, *old))
            db.execute(_KEEP_ON, (ms(now), *old))
            db.execute("DELETE FROM outbox WHERE sink = ? AND made_ms <= ?", old)


def _set_right(db: sqlite3.Connection, now: datetime) -> None:
    """A clock was ahead, and is not any more: what was noted by it is of now."""
    db.execute("UPDATE outbox SET due_ms = ? WHERE due_ms > ?", (ms(now), ms(now) + LONGEST_WAIT_MS))
    db.execute("UPDATE outbox SET made_ms = ? WHERE made_ms > ?", (ms(now), ms(now)))
    db.execute("UPDATE given_up SET at_ms = ? WHERE at_ms > ?", (ms(now), ms(now)))


def troubles(db: sqlite3.Connection) -> list[Trouble]:
    """Sinks that do not take what they are told, by name."""
    waiting = dict(db.execute("SELECT sink, count(*) FROM outbox WHERE tries > 0 GROUP BY sink"))
    lost = dict(db.execute("SELECT sink, count(*) FROM given_up GROUP BY sink"))
    why = dict(db.execute("SELECT sink, why FROM given_up ORDER BY number"))
    why |= dict(db.execute("SELECT sink, why FROM outbox WHERE tries > 0 ORDER BY number"))
    return [Trouble(sink, waiting.get(sink, 0), lost.get(sink, 0), why[sink]) for sink in sorted(why)]
