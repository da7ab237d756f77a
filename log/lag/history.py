"""What was seen of groups before: a small SQLite file in the log's root, `lag.sqlite`, which several processes write.

Whoever looks leaves a sighting of each partition: one a minute, the last one where the group has come further, and one
whenever its state is another. Those of a day are kept, then one an hour, for thirty days: 300 KiB a partition. They are
notes, and never needed: where the file cannot be used, or is damaged, that is said once, and nothing is kept. Nothing
is written into a log that is another user's. A topic's sightings go by its id, so that those of one that was made anew
are its own. None counts that is later than the clock; one that is so by more than an hour goes.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from log.disk.files import FILE_MODE, error_in_words
from log.errors import LogUnusable
from log.lag.judging import Seen
from log.times import now_ms, rfc3339

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

T = TypeVar("T")

_UNUSABLE = (
    sqlite3.Error,
    OSError,
    ValueError,
    TypeError,
    OverflowError,
)  # the last ones: what somebody else wrote there

logger = logging.getLogger(__name__)

FILE = "lag.sqlite"
BUSY_S = 2.0
SPARE_MS = 60_000  # between two sightings of a partition whose state is the same
HOUR_MS = 3_600_000
FINE_MS = 24 * HOUR_MS  # all sightings are kept so long ...
COARSE_MS = 30 * 24 * HOUR_MS  # ... and the first of each hour so long

_TABLE = """
CREATE TABLE IF NOT EXISTS sightings (
    "group" TEXT NOT NULL, topic_id TEXT NOT NULL, partition INTEGER NOT NULL, at_ms INTEGER NOT NULL,
    topic TEXT NOT NULL, committed INTEGER, "end" INTEGER, lag INTEGER NOT NULL, bytes INTEGER, age_s REAL,
    state TEXT NOT NULL, committed_at_ms INTEGER, generation INTEGER NOT NULL,
    PRIMARY KEY ("group", topic_id, partition, at_ms)
) STRICT, WITHOUT ROWID
"""
_OF = '"group" = ? AND topic_id = ? AND partition = ?'
_NOTE = "INSERT OR REPLACE INTO sightings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_LAST = (
    f"SELECT at_ms, state, committed, generation FROM sightings WHERE {_OF} AND at_ms <= ? "  # noqa: S608 -- constants
    "ORDER BY at_ms DESC LIMIT 2"
)
_DROP = f"DELETE FROM sightings WHERE {_OF} AND at_ms = ?"  # noqa: S608 -- constants
_AHEAD = f"DELETE FROM sightings WHERE {_OF} AND at_ms > ?"  # noqa: S608 -- constants
_FURTHEST = (  # a group that was deleted counts its generations anew, so the time of its last move is asked, too
    "SELECT committed, min(at_ms) FROM sightings "  # noqa: S608 -- constants
    f"WHERE {_OF} AND at_ms < ? AND generation >= ? AND committed_at_ms >= ? AND committed NOT NULL "
    "GROUP BY committed ORDER BY committed DESC LIMIT 1"
)
_STANDS = (
    f"SELECT min(committed_at_ms) FROM sightings WHERE {_OF} AND at_ms < ? AND committed IS ? AND at_ms > coalesce(("  # noqa: S608
    f"SELECT at_ms FROM sightings WHERE {_OF} AND at_ms < ? AND committed IS NOT ? ORDER BY at_ms DESC LIMIT 1), -1)"
)
_WAITS = (
    f"SELECT min(at_ms) FROM sightings WHERE {_OF} AND at_ms < ? AND at_ms > coalesce(("  # noqa: S608 -- constants
    f"SELECT at_ms FROM sightings WHERE {_OF} AND at_ms < ? AND (committed IS NOT ? OR lag = 0) "
    "ORDER BY at_ms DESC LIMIT 1), -1)"
)
_REREAD = (  # what it reads again for the first time since the move: later ones are no part of that
    f"""SELECT max("end") FROM sightings WHERE {_OF} AND at_ms >= ? AND state = 'REWIND' """  # noqa: S608 -- constants
    f"AND at_ms < (SELECT coalesce(min(at_ms), ?) FROM sightings "
    f"WHERE {_OF} AND at_ms >= ? AND at_ms < ? AND committed >= ?)"
)
_THIN = f"""
DELETE FROM sightings WHERE {_OF} AND at_ms < ? AND EXISTS (
    SELECT 1 FROM sightings AS earlier
    WHERE earlier."group" = sightings."group" AND earlier.topic_id = sightings.topic_id
      AND earlier.partition = sightings.partition AND earlier.at_ms < sightings.at_ms
      AND earlier.at_ms >= sightings.at_ms / {HOUR_MS} * {HOUR_MS}
)
"""  # noqa: S608 -- constants
_FORGET = "DELETE FROM sightings WHERE at_ms < ?"
_ROWS = """
SELECT at_ms, "group", topic, partition, committed, "end", lag, bytes, age_s, state FROM sightings
WHERE at_ms >= ? AND ("group" = ? OR ? IS NULL) ORDER BY at_ms, "group", topic, partition
"""


Key = tuple[str, str, int]
"""A group, a topic's id, a partition."""


class Sighting(NamedTuple):
    """How a group stood in a partition when somebody looked."""

    group: str
    topic_id: str
    partition: int
    at_ms: int  # when all of this had been asked
    topic: str
    committed: int | None
    end: int | None
    lag: int
    bytes: int | None
    age_s: float | None
    state: str
    committed_at_ms: int | None
    generation: int  # of the group, when that was committed


class Query(NamedTuple):
    """What was seen of a group in a partition, before it was asked where it stands?"""

    key: Key
    before_ms: int
    committed: int | None  # where it stands
    generation: int = 0  # of its last move: where it stood is asked of what it committed since, in this one or later
    moved_at_ms: int = 0
    had_read: int = 0  # up to where it had read when it was moved back
    back_at_ms: int = 0


class History:
    """The sightings of a log's groups. No call of it raises, but for `rows`."""

    def __init__(self, path: Path | None) -> None:
        """None: nothing is kept."""
        self._path = path
        self._is_told = False  # that it cannot be used
        self._is_locked = False  # by another process, since this look began

    def begin_look(self) -> None:
        """Wait for another process's lock once more: within a look it is done only once, however many groups it has."""
        self._is_locked = False

    def seen(self, asked: Sequence[Query]) -> list[Seen]:
        """What was seen of groups in partitions, one answer a question."""
        return self._ask(lambda db: [_seen(db, each) for each in asked]) or [Seen() for _ in asked]

    def note(self, sightings: Sequence[Sighting]) -> None:
        """Keep what was seen, as far as it is due, and let go what is old."""
        self._ask(lambda db: _note(db, sightings), writes=True)

    def rows(self, group: str | None, since_ms: int) -> list[dict[str, Any]]:
        """The sightings of a group, or of all, since then, the oldest first.

        Raises LogUnusable where they cannot be read.
        """
        if self._path is None:
            raise LogUnusable("how far groups were behind is not kept: the log is another user's")
        try:
            return _asked(self._path, lambda db: _rows(db, group, since_ms), writes=False) or []
        except _UNUSABLE as error:
            raise LogUnusable(
                f"{self._path}: how far groups were behind cannot be read: {error_in_words(error)}"
            ) from error

    def _ask(self, ask: Callable[[sqlite3.Connection], T], *, writes: bool = False) -> T | None:
        """None where nothing is kept, or it cannot be used now: a lock of another process may be gone the next time."""
        if self._path is None or self._is_locked:
            return None
        try:
            return _asked(self._path, ask, writes=writes)
        except _UNUSABLE as error:
            self._is_locked = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
            if not self._is_told:
                logger.warning("%s: how far groups were behind is not kept: %s", self._path, error_in_words(error))
            self._is_told = True
            return None


def history_of(root: Path) -> History:
    """That of the log with this root; nothing is kept where there is none yet, or it is somebody else's to write."""
    try:
        is_ours = root.stat().st_uid == os.geteuid()
    except OSError:
        is_ours = False
    return History(root / FILE if is_ours else None)


def _asked(path: Path, ask: Callable[[sqlite3.Connection], T], *, writes: bool) -> T | None:
    """None where there is nothing to read yet. Raises one of _UNUSABLE."""
    how = os.O_RDWR | os.O_CREAT if writes else os.O_RDONLY
    try:
        os.close(os.open(path, how | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, FILE_MODE))  # no link or pipe
    except FileNotFoundError:
        return None
    with closing(_connect(path)) as db:
        return ask(db)


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost the last notes
        db.execute(_TABLE)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _seen(db: sqlite3.Connection, asked: Query) -> Seen:
    key, before_ms, committed = asked.key, asked.before_ms, asked.committed
    since_move = (*key, before_ms, asked.generation, asked.moved_at_ms)
    furthest, at_ms = db.execute(_FURTHEST, since_move).fetchone() or (0, 0)
    (stands_ms,) = db.execute(_STANDS, (*key, before_ms, committed, *key, before_ms, committed)).fetchone()
    (waits_ms,) = db.execute(_WAITS, (*key, before_ms, *key, before_ms, committed)).fetchone()
    return Seen(furthest, at_ms, stands_ms, waits_ms, _catches_up_to(db, asked) if asked.had_read else 0)


def _catches_up_to(db: sqlite3.Connection, asked: Query) -> int:
    since_back = (*asked.key, asked.back_at_ms, asked.before_ms)
    (end,) = db.execute(_REREAD, (*since_back, *since_back, asked.had_read)).fetchone()
    return end or 0


def _note(db: sqlite3.Connection, sightings: Sequence[Sighting]) -> None:
    db.execute("BEGIN IMMEDIATE")
    ended = [_note_one(db, each) for each in sightings]
    if any(ended):
        db.execute(_FORGET, (max(ended) - COARSE_MS,))
    db.execute("COMMIT")


def _note_one(db: sqlite3.Connection, sighting: Sighting) -> int:
    """Keep one, if it is due; of which time the last before it was, where with it an hour ended, and 0 elsewhere.

    By that time the old are let go: a clock that is ahead for one look costs none of them.
    """
    key = sighting[:3]
    last, before = _last_two(db, sighting)
    if not _is_due(sighting, last):
        if sighting.committed == last.committed:
            return 0
        if not _is_due(last, before) and _is_further(sighting, last):  # it takes the place of that one
            db.execute(_DROP, (*key, last.at_ms))
    db.execute(_AHEAD, (*key, sighting.at_ms + HOUR_MS))
    db.execute(_NOTE, sighting)
    if sighting.at_ms // HOUR_MS == last.at_ms // HOUR_MS:
        return 0
    db.execute(_THIN, (*key, last.at_ms - FINE_MS))
    return last.at_ms


class _Noted(NamedTuple):
    at_ms: int = 0
    state: str | None = None  # None: there is none
    committed: int | None = None
    generation: int = 0


def _last_two(db: sqlite3.Connection, sighting: Sighting) -> tuple[_Noted, _Noted]:
    """The last before this one, and the one before that."""
    found = [_Noted(*row) for row in db.execute(_LAST, (*sighting[:3], sighting.at_ms))]
    last, before = [*found, _Noted(), _Noted()][:2]
    return last, before


def _is_due(one: Sighting | _Noted, last: _Noted) -> bool:
    return one.state != last.state or one.at_ms - last.at_ms >= SPARE_MS


def _is_further(one: Sighting, last: _Noted) -> bool:
    """Whether nothing is lost of how far the group came, where only this one is kept."""
    return one.generation == last.generation and (one.committed or 0) >= (last.committed or 0)


def _rows(db: sqlite3.Connection, group: str | None, since_ms: int) -> list[dict[str, Any]]:
    db.row_factory = sqlite3.Row
    found = [dict(row) for row in db.execute(_ROWS, (since_ms, group, group))]
    return [{"at": rfc3339(row.pop("at_ms")), **row} for row in found]


def since(seconds: float) -> int:
    """So long ago."""
    return now_ms() - round(seconds * 1000)
