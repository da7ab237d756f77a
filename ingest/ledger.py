"""Which mails the log holds: an index of the log, by SHA-256, in SQLite.

The log is the truth. The ledger is caught up from the log's tail whenever it is asked under the partition's lock, so
that a record of any process, also of one that died before it could note it, is known. A ledger that is lost, damaged,
or of another log is made again by reading the log.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from log.types import Position, StoredRecord, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from log.interface import CommitLog

logger = logging.getLogger(__name__)

READ_BYTES = 8 << 20  # of the log, in one transaction of the ledger
BUSY_S = 30.0  # another watcher's transaction ends sooner

# `next_offset` is the first offset not yet noted; `last_sha256` is of the record before it, and tells logs apart.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS mails (
    topic TEXT NOT NULL, sha256 BLOB NOT NULL, log_partition INTEGER NOT NULL, log_offset INTEGER NOT NULL,
    PRIMARY KEY (topic, sha256)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS progress (
    topic TEXT NOT NULL, log_partition INTEGER NOT NULL, next_offset INTEGER NOT NULL, last_sha256 BLOB NOT NULL,
    PRIMARY KEY (topic, log_partition)
) WITHOUT ROWID;
"""


class LedgerUnavailable(Exception):
    """The ledger's file is busy, its disk is full, or it was damaged and has been begun anew: try again."""

    retriable = True


class Ledger:
    """The index. One object a thread; several processes may share the file. Its calls raise LedgerUnavailable."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._verified: set[TopicPartition] = set()
        self._db: sqlite3.Connection | None = None

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def catch_up(self, log: CommitLog, source: TopicPartition) -> None:
        """Note every record the partition holds. Exact when called within `log.exclusive(source)`."""
        span = log.span(source)
        offset = self._next_offset(log, source, span)
        while offset < span.stop:
            records = log.read(source, offset, READ_BYTES)
            if not records:
                break
            self._note({source: {_digest(record): record.offset for record in records}})
            offset = records[-1].offset + 1

    def find(self, log: CommitLog, topic: str, digests: Iterable[str]) -> dict[str, Position]:
        """The hex digests that are known, with where the log has them; what the log no longer keeps is not known."""
        query = "SELECT log_partition, log_offset FROM mails WHERE topic = ? AND sha256 = ?"
        with self._open() as db:
            rows = {digest: db.execute(query, (topic, bytes.fromhex(digest))).fetchone() for digest in digests}
        positions = {digest: Position(topic, *row) for digest, row in rows.items() if row is not None}
        return {digest: at for digest, at in positions.items() if at.offset in log.span(TopicPartition(*at[:2]))}

    def add(self, appended: Mapping[str, Position]) -> None:
        """Note what was just appended, within the locks under which `catch_up` was called."""
        noted: dict[TopicPartition, dict[bytes, int]] = defaultdict(dict)
        for digest, at in appended.items():
            noted[TopicPartition(at.topic, at.partition)][bytes.fromhex(digest)] = at.offset
        self._note(noted)

    def _next_offset(self, log: CommitLog, source: TopicPartition, span: range) -> int:
        """Where to read on: what was noted is trusted only if the log still says so."""
        query = "SELECT next_offset, last_sha256 FROM progress WHERE topic = ? AND log_partition = ?"
        with self._open() as db:
            row = db.execute(query, source).fetchone()
        if row is None:
            return span.start
        offset, last = int(row[0]), bytes(row[1])
        ours = offset <= span.stop and (source in self._verified or _is_at(log, source, offset - 1, last, span))
        self._verified.add(source)
        if ours:
            return max(offset, span.start)
        logger.warning("the ledger knows another %s than the log; reading the log from its start", source)
        with self._open() as db, db:
            db.execute("DELETE FROM mails WHERE topic = ? AND log_partition = ?", source)
            db.execute("DELETE FROM progress WHERE topic = ? AND log_partition = ?", source)
        return span.start

    def _note(self, noted: Mapping[TopicPartition, Mapping[bytes, int]]) -> None:
        """In one transaction: the mails, and how far each partition is noted by them."""
        with self._open() as db, db:
            for source, offsets in noted.items():
                last, offset = max(offsets.items(), key=lambda item: item[1])
                rows = [(source.topic, digest, source.partition, at) for digest, at in offsets.items()]
                db.executemany("INSERT OR REPLACE INTO mails VALUES (?, ?, ?, ?)", rows)
                db.execute("INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?)", (*source, offset + 1, last))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The connection, made when needed. A damaged file is removed, for the log can tell it all again."""
        try:
            self._db = self._db or _connect(self._path)
            yield self._db
        except sqlite3.OperationalError as error:  # busy, or no space: not damage
            raise LedgerUnavailable(f"ledger {self._path}: {error}") from error
        except sqlite3.DatabaseError as error:
            self.close()
            _remove(self._path)
            raise LedgerUnavailable(f"ledger {self._path}: {error}; it is made again from the log") from error


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))  # SQLite gives its side files the same mode
    db = sqlite3.connect(path, timeout=BUSY_S)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost the last notes, which the log has
        db.executescript(_SCHEMA)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _digest(record: StoredRecord) -> bytes:
    """Of the raw mail: as the record's header says (its value may be a claim), else computed."""
    header = dict(record.headers).get("sha256", b"")
    try:
        return bytes.fromhex(header.decode("ascii")) or hashlib.sha256(record.value or b"").digest()
    except ValueError:
        return hashlib.sha256(record.value or b"").digest()


def _is_at(log: CommitLog, source: TopicPartition, offset: int, digest: bytes, span: range) -> bool:
    """Whether the log has this mail at this offset, as far as it still can tell."""
    if offset < span.start:
        return True
    records = log.read(source, offset, 1)
    return bool(records) and _digest(records[0]) == digest
