"""What is still to be told: a row an event and sink, which goes when the sink has taken it.

Who is killed between a sink's answer and that tells it again, by the same id: sinks that know ids take it once.
"""

from __future__ import annotations

import json
import socket
import uuid
from collections import defaultdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from ops.alerts.file import changing, ms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator

GIVE_UP = timedelta(days=1)  # after which nobody is told what was once the case, and is not any more
FIRST_WAIT_MS = 30_000
LONGEST_WAIT_MS = 900_000

# Of one alarm the beginning is told before the end, whatever else waits. What is no JSON is SQLite's error: a damage.
_DUE = """
SELECT number, id, json(event), whom FROM outbox WHERE sink = ? AND due_ms <= ? AND NOT EXISTS (
    SELECT 1 FROM outbox AS earlier WHERE earlier.sink = outbox.sink AND earlier.kind = outbox.kind
    AND earlier.subject = outbox.subject AND earlier.number < outbox.number
) ORDER BY tries, number
"""
_OF_SINK = """
SELECT number, kind, subject, json_extract(event, '$.state'), made_ms, whom, is_more, EXISTS (
    SELECT 1 FROM alarms WHERE alarms.kind = outbox.kind AND alarms.subject = outbox.subject AND alarms.fires
) FROM outbox WHERE sink = ? ORDER BY number
"""
# Whether it was told before that it fires.
_PUT = """
INSERT INTO outbox SELECT NULL, ?1, ?2, ?3, ?4, ?5, ?6, 0, 0, '', '', EXISTS (
    SELECT 1 FROM told WHERE kind = ?3 AND subject = ?4 AND sink = ?1
)
"""
_LATER = "UPDATE outbox SET tries = tries + 1, due_ms = ? + min(? << min(tries, 10), ?), why = ? WHERE number = ?"
_LOST = "INSERT OR REPLACE INTO given_up SELECT number, ?, sink, ?, ? FROM outbox WHERE number = ?"
# When the settings had it last; of one that this file does not know yet, that is now.
_NAMED = "INSERT OR REPLACE INTO sinks SELECT value, ? FROM json_each(?)"
_UNKNOWN = "INSERT OR IGNORE INTO sinks SELECT sink, ? FROM (SELECT sink FROM outbox UNION SELECT sink FROM told)"
NO_SINK = "there is no sink of that name any more"


class Event(NamedTuple):
    """An alarm began to fire, or was resolved."""

    state: str  # firing, resolved; test
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
    whom: tuple[str, ...] = ()  # of those behind the sink; (): all


class Left(NamedTuple):
    """Who of those behind a sink has not taken what the others have."""

    later: tuple[str, ...]  # not now
    refused: tuple[str, ...]  # not ever


class Trouble(NamedTuple):
    """A sink that does not take what it is told, or not all of it."""

    sink: str
    waiting: int  # that failed at least once
    given_up: int  # in the last day: not told to all it should be
    why: str


def put(db: sqlite3.Connection, event: Event, sinks: Iterable[str]) -> None:
    """To be told to these, within the transaction that is open.

    Who alone of those behind a sink had not taken what was before it hears this alone: the others need not wait for it.
    """
    fields = event.fields()
    for sink in sinks:
        db.execute("DELETE FROM outbox WHERE sink = ? AND kind = ? AND subject = ? AND whom <> ''", (sink, *event[2:4]))
        row = (sink, uuid.uuid4().hex, event.kind, event.subject, json.dumps(fields), ms(event.at))
        db.execute(_PUT, row)


def due(db: sqlite3.Connection, sink: str, now: datetime) -> list[Told]:
    """What it is to be told now, what never failed first."""
    rows = db.execute(_DUE, (sink, ms(now)))
    return [Told(number, key, json.loads(event), tuple(whom.split())) for number, key, event, whom in rows]


def taken(db: sqlite3.Connection, number: int) -> None:
    """The sink has it."""
    with changing(db):
        db.execute("DELETE FROM outbox WHERE number = ?", (number,))
        db.execute("DELETE FROM given_up WHERE number = ? AND whom = ''", (number,))


def taken_in_part(db: sqlite3.Connection, number: int, left: Left, why: str, now: datetime) -> None:
    """Others have it by this sink. Who may take it yet is told alone; of who never will `troubles` tells for a day."""
    with changing(db):
        if left.refused:
            db.execute(_LOST, (" ".join(left.refused), ms(now), why, number))
        if left.later:
            db.execute("UPDATE outbox SET whom = ? WHERE number = ?", (" ".join(left.later), number))
            failed(db, number, why, now)
        else:
            db.execute("DELETE FROM outbox WHERE number = ?", (number,))


def failed(db: sqlite3.Connection, number: int, why: str, now: datetime) -> None:
    """The sink has not, or has not said so: the same later, each time after twice as long."""
    db.execute(_LATER, (ms(now), FIRST_WAIT_MS, LONGEST_WAIT_MS, why, number))


def give_up(db: sqlite3.Connection, sinks: Collection[str], now: datetime) -> None:
    """Let go what a sink has not taken for a day, which `troubles` tells for a day. `sinks` are those that there are.

    It is a day only once the sink has failed since: who was asleep, or whose clock was put forward, tries first. What
    fires still, or has ended since the sink took that it fires, is told on, and is a trouble each day. Of a sink that
    there is no more all is kept for a day, should it be named again: what waits, and of what it was told.
    """
    with changing(db):
        _set_right(db, now)
        db.execute("DELETE FROM given_up WHERE at_ms <= ?", (ms(now - GIVE_UP),))
        db.execute(_NAMED, (ms(now), json.dumps(list(sinks))))
        db.execute(_UNKNOWN, (ms(now),))
        for sink, named_ms in db.execute("SELECT name, named_ms FROM sinks").fetchall():
            if sink not in sinks:
                _keep_of_gone(db, sink, now, is_over=named_ms <= ms(now - GIVE_UP))
        failing = "SELECT sink, max(due_ms), why FROM outbox WHERE tries > 0 GROUP BY sink"
        for sink, tried_ms, why in db.execute(failing).fetchall():
            if sink not in sinks:
                continue
            before_ms = min(ms(now), tried_ms) - GIVE_UP // timedelta(milliseconds=1)
            rows = [_Row(*row) for row in db.execute(_OF_SINK, (sink,))]
            for number, is_over in _old(rows, before_ms):
                db.execute(_LOST, ("", ms(now), why, number))
                if is_over:
                    db.execute("DELETE FROM outbox WHERE number = ?", (number,))
                else:
                    db.execute("UPDATE outbox SET made_ms = ? WHERE number = ?", (ms(now), number))


def _keep_of_gone(db: sqlite3.Connection, sink: str, now: datetime, *, is_over: bool) -> None:
    """What a sink that there is no more has not taken is a trouble; once that is over, nothing is known of the sink."""
    gone = "UPDATE outbox SET tries = max(tries, 1), due_ms = ?, why = ? WHERE sink = ?"
    db.execute(gone, (ms(now), NO_SINK, sink))
    if is_over:
        for (number,) in db.execute("SELECT number FROM outbox WHERE sink = ?", (sink,)).fetchall():
            db.execute(_LOST, ("", ms(now), NO_SINK, number))
        db.execute("DELETE FROM outbox WHERE sink = ?", (sink,))
        db.execute("DELETE FROM told WHERE sink = ?", (sink,))
        db.execute("DELETE FROM sinks WHERE name = ?", (sink,))


class _Row(NamedTuple):
    number: int
    kind: str
    subject: str
    state: str
    made_ms: int
    whom: str
    is_more: int  # the sink was told before that it fires
    fires: int  # still


def _old(rows: Iterable[_Row], before_ms: int) -> Iterator[tuple[int, bool]]:
    """Of one sink's, in their order, those made so long ago, or that nobody needs without these; and whether to let go.

    Of an alarm's events each stays for as long as it is what the sink must hear next: that it fires, as long as it
    does; that it has ended, where the beginning was taken. What only some of those behind a sink have not is none.
    """
    by_alarm: dict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in rows:
        by_alarm[row.kind, row.subject].append(row)
    for events in by_alarm.values():
        was_heard = True  # that it fires: what was told before the first is not here any more
        for row in events:
            is_old = row.made_ms <= before_ms
            if row.state == "firing":
                if is_old:
                    yield row.number, not (row.fires and row is events[-1])
                was_heard = bool(row.whom) or not is_old or (bool(row.is_more) and was_heard)
            elif is_old or not was_heard:
                yield row.number, bool(row.whom) or not was_heard


def _set_right(db: sqlite3.Connection, now: datetime) -> None:
    """A clock was ahead, and is not any more: what was noted by it is of now."""
    db.execute("UPDATE outbox SET due_ms = ? WHERE due_ms > ?", (ms(now), ms(now) + LONGEST_WAIT_MS))
    db.execute("UPDATE outbox SET made_ms = ? WHERE made_ms > ?", (ms(now), ms(now)))
    db.execute("UPDATE given_up SET at_ms = ? WHERE at_ms > ?", (ms(now), ms(now)))
    db.execute("UPDATE sinks SET named_ms = ? WHERE named_ms > ?", (ms(now), ms(now)))


def troubles(db: sqlite3.Connection) -> list[Trouble]:
    """Sinks that do not take what they are told, by name."""
    waiting = dict(db.execute("SELECT sink, count(*) FROM outbox WHERE tries > 0 GROUP BY sink"))
    lost = dict(db.execute("SELECT sink, count(DISTINCT number) FROM given_up GROUP BY sink"))
    why = dict(db.execute("SELECT sink, why FROM given_up ORDER BY number, whom"))
    why |= dict(db.execute("SELECT sink, why FROM outbox WHERE tries > 0 ORDER BY number"))
    return [Trouble(sink, waiting.get(sink, 0), lost.get(sink, 0), why[sink]) for sink in sorted(why)]
