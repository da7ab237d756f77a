"""What fires since when, who was told of it, what is silenced. A change and what is to be told are one transaction.

An alarm fires once so many looks in a row have found it, and is resolved once as many have not: what comes and goes
tells nobody. It is told when it begins to fire, when it becomes critical, and when it is resolved: each once.
"""

from __future__ import annotations

from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from ops.alerts.alarm import looks_of, rule_of
from ops.alerts.file import changing, ms
from ops.alerts.outbox import Event, put

if TYPE_CHECKING:
    import sqlite3

    from conf.alerting import AlertSettings, Kind
    from ops.alerts.alarm import Alarm, Found, Level

_KNOWN = """
SELECT kind, subject, level, text, since_ms, seen, missed, fires, told FROM alarms ORDER BY since_ms, kind, subject
"""
_KEEP = "INSERT OR REPLACE INTO alarms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_DROP = "DELETE FROM alarms WHERE kind = ? AND subject = ?"


class Known(NamedTuple):
    """An alarm as it is kept."""

    kind: Kind
    subject: str
    level: Level
    text: str
    since_ms: int  # of the first look that found it
    seen: int  # looks that found it, since one did not
    missed: int  # looks that did not, since one did
    fires: int
    told: Level | None  # as what it was told last

    @property
    def since(self) -> datetime:
        """See above."""
        return datetime.fromtimestamp(self.since_ms / 1000, UTC)


class Silence(NamedTuple):
    """Alarms that nobody is told of for a while."""

    kind: str  # a glob, as the subject
    subject: str
    until_ms: int
    reason: str

    def covers(self, kind: str, subject: str) -> bool:
        """Whether it is about this alarm."""
        return fnmatchcase(kind, self.kind) and fnmatchcase(subject, self.subject)


def firing(db: sqlite3.Connection) -> list[Known]:
    """What fires, that first which does so for longest."""
    return [each for each in _known(db) if each.fires]


def silences(db: sqlite3.Connection, now: datetime) -> list[Silence]:
    """Those that have not ended."""
    rows = db.execute("SELECT * FROM silences WHERE until_ms > ? ORDER BY until_ms", (ms(now),))
    return [Silence(*row) for row in rows]


def silence(db: sqlite3.Connection, what: Silence, now: datetime) -> None:
    """Tell nobody of these alarms for so long; one that fires still when that has ended is told then."""
    with changing(db):
        db.execute("DELETE FROM silences WHERE until_ms <= ?", (ms(now),))
        db.execute("INSERT OR REPLACE INTO silences VALUES (?, ?, ?, ?)", what)


def note(db: sqlite3.Connection, found: Found, settings: AlertSettings, now: datetime) -> None:
    """Keep what a look found, and put into the outbox what is to be told of it."""
    with changing(db):
        look = _Look(db, settings, silences(db, now), now)
        known = {(each.kind, each.subject): each for each in _known(db)}
        alarms = {(each.kind, each.subject): each for each in found.alarms}
        for key, alarm in alarms.items():
            if rule_of(settings, *key).tell:
                look.note_found(alarm, known.get(key))
        for key, was in known.items():
            if not rule_of(settings, *key).tell:
                db.execute(_DROP, key)
            elif key not in alarms and was.kind not in found.unseen:
                look.note_missed(was)


def _known(db: sqlite3.Connection) -> list[Known]:
    return [Known(*row) for row in db.execute(_KNOWN)]


class _Look(NamedTuple):
    db: sqlite3.Connection
    settings: AlertSettings
    silences: list[Silence]
    now: datetime

    def note_found(self, alarm: Alarm, was: Known | None) -> None:
        """One that this look has found."""
        was = was or Known(*alarm[:2], alarm.level, alarm.text, ms(self.now), 0, 0, 0, None)
        fires = was.fires or was.seen + 1 >= looks_of(self.settings, *alarm[:2])
        is_news = was.told is None or (was.told == "warning" and alarm.level == "critical")
        now = Known(*alarm[:2], alarm.level, alarm.text, was.since_ms, was.seen + 1, 0, int(fires), was.told)
        if fires and is_news and not any(each.covers(*alarm[:2]) for each in self.silences):
            self._tell("firing", now)
            now = now._replace(told=alarm.level)
        self.db.execute(_KEEP, now)

    def note_missed(self, was: Known) -> None:
        """One that this look has not found."""
        missed = was.missed + 1
        if was.fires and missed < looks_of(self.settings, was.kind, was.subject):
            self.db.execute(_KEEP, was._replace(missed=missed))
            return
        if was.told is not None:
            self._tell("resolved", was)
        self.db.execute(_DROP, (was.kind, was.subject))

    def _tell(self, state: str, known: Known) -> None:
        event = Event(state, known.level, known.kind, known.subject, known.text, known.since, self.now)
        chosen = rule_of(self.settings, known.kind, known.subject).sinks
        put(self.db, event, [sink.name for sink in self.settings.sinks] if chosen is None else chosen)
