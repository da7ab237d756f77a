"""The SQLite file of what fires, what is still to be told, and how dealers mailed: `[alerts] state`, 0600.

It lies beside the settings and not in the log's root: who tells that the log's disk is gone must not need it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

from log.disk.files import FILE_MODE, FOLDER_MODE, error_in_words
from log.disk.lock import file_held

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

BUSY_S = 10.0
OTHERS_LOOK_S = 60.0  # how long a look waits for another one
ADVICE = (
    ". It is damaged, or another version's: move it away, and the next look begins a new one. What fires is then told "
    "anew, and dealers' days are counted anew from the tables; lost are silences, what was still to be told, and the "
    "ends of what was told"
)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS alarms (
    kind TEXT NOT NULL, subject TEXT NOT NULL, level TEXT NOT NULL, text TEXT NOT NULL,
    since_ms INTEGER NOT NULL, seen INTEGER NOT NULL, missed INTEGER NOT NULL, fires INTEGER NOT NULL, bound REAL,
    PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS told (
    kind TEXT NOT NULL, subject TEXT NOT NULL, sink TEXT NOT NULL, level TEXT NOT NULL,
    PRIMARY KEY (kind, subject, sink)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sinks (name TEXT PRIMARY KEY, named_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS silences (
    kind TEXT NOT NULL, subject TEXT NOT NULL, until_ms INTEGER NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, sink TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
    subject TEXT NOT NULL, event TEXT NOT NULL, made_ms INTEGER NOT NULL, tries INTEGER NOT NULL,
    due_ms INTEGER NOT NULL, why TEXT NOT NULL, whom TEXT NOT NULL, is_more INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS given_up (
    number INTEGER NOT NULL, whom TEXT NOT NULL, sink TEXT NOT NULL, at_ms INTEGER NOT NULL, why TEXT NOT NULL,
    PRIMARY KEY (number, whom)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS accounts (
    kind TEXT PRIMARY KEY, due_ms INTEGER NOT NULL, wrong TEXT NOT NULL, unasked TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (what TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS days (
    dealer TEXT NOT NULL, day TEXT NOT NULL, region TEXT, mails INTEGER NOT NULL, first_minute INTEGER NOT NULL,
    quotes INTEGER NOT NULL, refused INTEGER NOT NULL, cells INTEGER NOT NULL, filled INTEGER NOT NULL,
    PRIMARY KEY (dealer, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS error_hours (
    unit TEXT NOT NULL, hour INTEGER NOT NULL, errors INTEGER NOT NULL, PRIMARY KEY (unit, hour)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS formats (
    dealer TEXT NOT NULL, format TEXT NOT NULL, first_ms INTEGER NOT NULL, PRIMARY KEY (dealer, format)
) STRICT, WITHOUT ROWID;
"""


class AlertsUnavailable(Exception):
    """The file cannot be used: what fires is not known, and nothing is told. The message says why."""

    exit_code = 1


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, made if need be. Raises AlertsUnavailable, also of what is done within."""
    try:
        path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE))
        with closing(sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)) as db:
            try:
                db.executescript(_SCHEMA)
            except UnicodeDecodeError as error:  # of SQLite's own message, which names what it read
                raise sqlite3.DatabaseError("what it says of its tables is no text") from error
            yield db
    except sqlite3.DatabaseError as error:
        said = f"{path}: alerts cannot be kept: {error_in_words(error)}"
        raise AlertsUnavailable(f"{said}{ADVICE if _is_damaged(error) else ''}") from error
    except (sqlite3.Error, OSError) as error:
        raise AlertsUnavailable(f"{path}: alerts cannot be kept: {error_in_words(error)}") from error


def _is_damaged(error: sqlite3.DatabaseError) -> bool:
    """Or of another version of otclog, which had other columns. Without a code it was read, and is no text."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


@contextmanager
def changing(db: sqlite3.Connection) -> Iterator[None]:
    """All that is done within, durably, or nothing of it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # SQLite has ended it itself where a disk is full
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """No other look goes on: it would tell the same. Raises AlertsUnavailable."""
    with ExitStack() as lock:
        try:
            lock.enter_context(held(path, "lock", OTHERS_LOOK_S))
        except TimeoutError as error:
            raise AlertsUnavailable(f"alerts cannot be kept: {error_in_words(error)}") from error
        yield


@contextmanager
def held(path: Path, what: str, wait_s: float) -> Iterator[None]:
    """Nobody else does this with the file's alerts. Raises TimeoutError after `wait_s`, AlertsUnavailable."""
    with ExitStack() as lock:
        try:
            path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
            lock.enter_context(file_held(path.with_name(f"{path.name}.{what}"), wait_s))
        except TimeoutError:
            raise
        except OSError as error:
            raise AlertsUnavailable(f"alerts cannot be kept: {error_in_words(error)}") from error
        yield


def ms(at: datetime) -> int:
    """A time as it is kept."""
    return round(at.timestamp() * 1000)


def noted(db: sqlite3.Connection, what: str) -> int | None:
    """A number that was noted; None: none was."""
    found = db.execute("SELECT value FROM notes WHERE what = ?", (what,)).fetchone()
    return None if found is None else int(found[0])


def keep_note(db: sqlite3.Connection, what: str, value: int) -> None:
    """Note a number, in the place of the one before."""
    db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (what, value))
