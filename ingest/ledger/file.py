"""The ledger's file: an SQLite database that is removed and begun anew when it is damaged, for the log can tell it all.

What is no database, or that of another program, was never a ledger: the settings name it by a slip, and it stays.

Its rows are of topics by their ids, so that no mail of a deleted topic, or of another log, passes for one of the topic
that has its name.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from conf.settings import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAGIC = b"SQLite format 3\0"  # what every database begins with, unless it is empty
BUSY_S = 30.0  # another watcher's transaction ends sooner
_AGAIN_S = 0.01

VERSION = 4  # of the tables; a file of another version is made again

# `topics` says which topic had a name last, in the log with that root: when it is another one, the former's rows go.
# A mail may have several rows: of two topics, or of one, when it was taken again. `origin` tells by which file it came;
# `next_offset` is the first offset not yet noted; `last_sha256` is of the record before; empty without one.
# `complete` says that what was appended while the topic had fewer partitions is noted, wherever its key is now.
# `mark` stands for a file's identity, see ingest.folders.kept.
# All of it is there or nothing: without its mails it passes for another program's database.
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS topics (
    root BLOB NOT NULL, topic TEXT NOT NULL, topic_id TEXT NOT NULL, PRIMARY KEY (root, topic)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mails (
    topic_id TEXT NOT NULL, sha256 BLOB NOT NULL, log_partition INTEGER NOT NULL, log_offset INTEGER NOT NULL,
    origin INTEGER NOT NULL, PRIMARY KEY (topic_id, sha256, log_partition, log_offset)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_position ON mails (topic_id, log_partition, log_offset);
CREATE TABLE IF NOT EXISTS progress (
    topic_id TEXT NOT NULL, log_partition INTEGER NOT NULL, next_offset INTEGER NOT NULL, last_sha256 BLOB NOT NULL,
    PRIMARY KEY (topic_id, log_partition)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS forgotten (
    topic_id TEXT NOT NULL, log_partition INTEGER NOT NULL, log_offset INTEGER NOT NULL,
    PRIMARY KEY (topic_id, log_partition, log_offset)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS complete (topic_id TEXT PRIMARY KEY, partitions INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (
    folder BLOB NOT NULL, inode INTEGER NOT NULL, mark INTEGER NOT NULL, sha256 BLOB NOT NULL,
    PRIMARY KEY (folder, inode)
) WITHOUT ROWID;
PRAGMA user_version = {VERSION};
COMMIT;
"""


class LedgerUnavailable(Exception):
    """The ledger's file is busy, its disk is full, or it was wrong and has been begun anew: try again."""

    retriable = True


class LedgerFile:
    """For one thread; several processes may have the file open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.begun_anew = 0  # how often this process found it damaged
        self._db: sqlite3.Connection | None = None
        self._inode = 0  # of the file that is open

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """The connection, made when needed. Raises LedgerUnavailable, also for a file that never was a ledger."""
        try:
            if self._db is None:
                check_database("ledger", self.path)
                self._inode = 0
                self._db = _connect(self.path)
                self._inode = self.path.stat().st_ino
            yield self._db
        except ConfigError as error:  # amid work mails wait until the file is moved away
            raise LedgerUnavailable(str(error)) from error
        except sqlite3.OperationalError as error:  # busy, or no space: not damage
            raise LedgerUnavailable(f"ledger {self.path}: {error}") from error
        except sqlite3.DatabaseError as error:
            self.close()
            self.begun_anew += 1
            if self._inode in {0, _inode(self.path)}:  # else: another process has made a new one
                _remove(self.path)
            raise LedgerUnavailable(f"ledger {self.path}: {error}; it is made again from the log") from error

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
            self._db = None


def check_database(setting: str, path: Path) -> None:
    """Raises ConfigError where what a setting of [ingest] names is there and no database. Makes nothing."""
    if not path.exists():
        return
    if not path.is_file():
        raise ConfigError(f"[ingest] {setting} = {path}: is no file: name one that otclog may make")
    with path.open("rb") as file:
        begins = file.read(len(MAGIC))
    if begins not in {b"", MAGIC}:
        raise _not_ours(setting, path)


def _not_ours(setting: str, path: Path) -> ConfigError:
    return ConfigError(
        f"[ingest] {setting} = {path}: is another file than otclog makes there, and is left as it is: "
        "name another one, or move it away"
    )


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))  # SQLite gives its side files the same mode
    db = sqlite3.connect(path, timeout=BUSY_S)
    try:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "mails" not in tables:
            raise _not_ours("ledger", path)
        if db.execute("PRAGMA user_version").fetchone()[0] not in {0, VERSION}:
            raise sqlite3.DatabaseError("a ledger of another version")
        _begin_wal(db)
        db.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost the last notes, which the log has
        db.executescript(_SCHEMA)
    except (sqlite3.Error, ConfigError):
        db.close()
        raise
    return db


def _begin_wal(db: sqlite3.Connection) -> None:
    """Of two that make the file at once SQLite refuses one without waiting: it tries again as long as it may wait."""
    ends = time.monotonic() + BUSY_S
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= ends:
                raise
            time.sleep(_AGAIN_S)
        else:
            return


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0


def _remove(path: Path) -> None:
    """Raises LedgerUnavailable where it is none, by what it begins with."""
    try:
        check_database("ledger", path)
    except ConfigError as error:
        raise LedgerUnavailable(str(error)) from error
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
