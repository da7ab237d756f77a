"""What fires since when, who was told of it, what is silenced. A change and what is to be told are one transaction.

An alarm fires once so many looks in a row have found it, and is resolved once as many have not: what comes and goes
tells nobody. A sink is told when it begins to fire, when it becomes critical, and when it is resolved: each once. Where
rules or sinks are edited meanwhile, who was told that it fires is told that it does not, and who is to be told now is.
"""

from __future__ import annotations

from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from ops.alerts.alarm import bound_of, looks_of, rule_of
from ops.alerts.file import changing, ms
from ops.alerts.outbox import Event, put

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from conf.alerting import AlertSettings, Kind
    from ops.alerts.alarm import Alarm, Found, Level

_KNOWN = """
SELECT kind, subject, level, text, since_ms, seen, missed, fires, bound FROM alarms ORDER BY since_ms, kind, subject
"""
_KEEP = "INSERT OR REPLACE INTO alarms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_DROP = "DELETE FROM alarms WHERE kind = ? AND subject = ?"
_TOLD = "SELECT sink, level FROM told WHERE kind = ? AND subject = ?"
_KEEP_TOLD = "INSERT OR REPLACE INTO told VALUES (?, ?, ?, ?)"
_DROP_TOLD = "DELETE FROM told WHERE kind = ? AND subject = ? AND sink = ?"
_DROP_ALL_TOLD = "DELETE FROM told WHERE kind = ? AND subject = ?"
UNTOLD = "a rule says now that it is not told"
ELSEWHERE = "the rule that told it here is gone, and it fires still"
OTHER_LIMIT = "its rule is gone or has another limit, by which nothing is wrong"


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
    bound: float | None  # the limit beyond which it was found last, of a kind that has one

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
                look.end(was, UNTOLD)
            elif key not in alarms and not found.is_unseen(*key):
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
        bound = bound_of(self.settings, *alarm[:2])
        was = was or Known(*alarm[:2], alarm.level, alarm.text, ms(self.now), 0, 0, 0, bound)
        fires = was.fires or was.seen + 1 >= looks_of(self.settings, *alarm[:2])
        now = Known(*alarm[:2], alarm.level, alarm.text, was.since_ms, was.seen + 1, 0, int(fires), bound)
        self.db.execute(_KEEP, now)
        if fires:
            told, chosen = self._told(now), self._chosen(now)
            elsewhere = [sink for sink in self._sinks() if sink in told and sink not in chosen]
            self._tell("resolved", now, elsewhere, ELSEWHERE)
            if not any(each.covers(*alarm[:2]) for each in self.silences):
                self._tell("firing", now, [sink for sink in chosen if told.get(sink) not in {alarm.level, "critical"}])

    def note_missed(self, was: Known) -> None:
        """One that this look has not found."""
        missed = was.missed + 1
        is_by_rule = was.bound != bound_of(self.settings, was.kind, was.subject)
        if was.fires and missed < looks_of(self.settings, was.kind, was.subject):
            self.db.execute(_KEEP, was._replace(missed=missed))
            return
        self.end(was, OTHER_LIMIT if is_by_rule else "")

    def end(self, was: Known, why: str = "") -> None:
        """It fires no more; why, where that is not for being right again. Who was told that it does hears it."""
        self._tell("resolved", was, list(self._told(was)), why)
        self.db.execute(_DROP, (was.kind, was.subject))
        self.db.execute(_DROP_ALL_TOLD, (was.kind, was.subject))

    def _sinks(self) -> list[str]:
        return [sink.name for sink in self.settings.sinks]

    def _chosen(self, known: Known) -> Sequence[str]:
        """Who is to be told of it, as the rules are now."""
        chosen = rule_of(self.settings, known.kind, known.subject).sinks
        return self._sinks() if chosen is None else chosen

    def _told(self, known: Known) -> dict[str, str]:
        """Who was told that it fires, and as what."""
        return dict(self.db.execute(_TOLD, (known.kind, known.subject)))

    def _tell(self, state: str, known: Known, sinks: Sequence[str], why: str = "") -> None:
        text = known.text
        if state == "resolved":  # its advice is not to be followed any more
            text = f"{why}; what fired: {text}" if why else f"it was: {text}"
        put(self.db, Event(state, known.level, known.kind, known.subject, text, known.since, self.now), sinks)
        for sink in sinks:
            if state == "firing":
                self.db.execute(_KEEP_TOLD, (known.kind, known.subject, sink, known.level))
            else:
                self.db.execute(_DROP_TOLD, (known.kind, known.subject, sink))
