"""Which mails the log holds: an index of the log, by SHA-256, in SQLite.

The log is the truth. The ledger is caught up from the log's tail whenever it is asked under the partition's lock, so
that a record of any process, also of one that died before it could note it, is known. A ledger that is lost, damaged,
or of another log is made again by reading the log, and the journal for what is to be forgotten; that may take hours,
so it is done without the lock, by any number of processes at once: each notes records only where the ledger ends.

It also remembers which files of a folder were taken but stay there (`done = "keep"`); without it they are read again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ingest.journal import JOURNAL, forgotten_in
from log.errors import OffsetOutOfRange, UnknownTopic
from log.types import Position, Record, StoredRecord, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from log.interface import CommitLog

logger = logging.getLogger(__name__)

READ_BYTES = 8 << 20  # of the log, in one transaction of the ledger
BUSY_S = 30.0  # another watcher's transaction ends sooner

VERSION = 3  # of the tables; a file of another version is made again

# A mail may have several rows: of two topics, or of one, when it was taken again. `origin` tells by which file it came;
# `next_offset` is the first offset not yet noted; `last_sha256` is of the record before it, and tells logs apart; empty
# where none was noted. `mark` stands for a file's identity, see ingest.kept.
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS mails (
    topic TEXT NOT NULL, sha256 BLOB NOT NULL, log_partition INTEGER NOT NULL, log_offset INTEGER NOT NULL,
    origin INTEGER NOT NULL, PRIMARY KEY (topic, sha256, log_partition, log_offset)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_position ON mails (topic, log_partition, log_offset);
CREATE TABLE IF NOT EXISTS progress (
    topic TEXT NOT NULL, log_partition INTEGER NOT NULL, next_offset INTEGER NOT NULL, last_sha256 BLOB NOT NULL,
    PRIMARY KEY (topic, log_partition)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS forgotten (
    topic TEXT NOT NULL, log_partition INTEGER NOT NULL, log_offset INTEGER NOT NULL,
    PRIMARY KEY (topic, log_partition, log_offset)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (
    folder BLOB NOT NULL, inode INTEGER NOT NULL, mark INTEGER NOT NULL, sha256 BLOB NOT NULL,
    PRIMARY KEY (folder, inode)
) WITHOUT ROWID;
PRAGMA user_version = {VERSION};
"""
_FIND = """
SELECT log_partition, log_offset, origin FROM mails AS mail WHERE topic = ? AND sha256 = ? AND NOT EXISTS (
    SELECT 1 FROM forgotten AS gone WHERE gone.topic = mail.topic AND gone.log_partition = mail.log_partition
    AND gone.log_offset = mail.log_offset
)
"""


class Noted(NamedTuple):
    """A record as the ledger knows it."""

    position: Position
    origin: int  # see origin_of


class LedgerUnavailable(Exception):
    """The ledger's file is busy, its disk is full, or it was damaged and has been begun anew: try again."""

    retriable = True


class Ledger:
    """The index. One object a thread; several processes may share the file. Its calls raise LedgerUnavailable."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._verified: set[TopicPartition] = set()  # by this process, against the log
        self._starts: dict[TopicPartition, int] = {}  # what lay before them has been let go
        self._db: sqlite3.Connection | None = None

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def catch_up(self, log: CommitLog, source: TopicPartition, carry_on: Callable[[], None] = lambda: None) -> None:
        """Note every record the partition holds. Exact when called within `log.exclusive(source)`.

        `carry_on` is called before each reading of READ_BYTES, and may raise.
        """
        while True:
            span = log.span(source)
            offset = self._next_offset(log, source, span, carry_on)
            if offset >= span.stop:
                return
            carry_on()
            try:
                records = log.read(source, offset, READ_BYTES)
            except OffsetOutOfRange:  # retention went past us
                continue
            if not records:
                return
            self._note({source: [(_digest(each), each.offset, origin_of(each)) for each in records]})

    def find(self, log: CommitLog, topics: Iterable[str], digests: Iterable[str]) -> dict[str, Noted]:
        """The hex digests that are known, with where the log has them: in the first of the topics, if in several.

        What was forgotten, and what the log no longer keeps, is not known.
        """
        rows: list[tuple[str, Noted]] = []
        wanted = list(digests)
        with self._open() as db:
            for topic in topics:
                for digest in wanted:
                    for partition, offset, origin in db.execute(_FIND, (topic, bytes.fromhex(digest))):
                        rows.append((digest, Noted(Position(topic, partition, offset), origin)))
        spans = {source: _span(log, source) for source in {TopicPartition(*each.position[:2]) for _, each in rows}}
        found: dict[str, Noted] = {}
        for digest, each in rows:
            if each.position.offset in spans[TopicPartition(*each.position[:2])]:
                found.setdefault(digest, each)
        return found

    def add(self, appended: Mapping[str, Noted]) -> None:
        """Note what was just appended, within the locks under which `catch_up` was called.

        What does not follow on what is noted already is left for `catch_up`.
        """
        noted: dict[TopicPartition, list[tuple[bytes, int, int]]] = defaultdict(list)
        for digest, (at, origin) in appended.items():
            noted[TopicPartition(at.topic, at.partition)].append((bytes.fromhex(digest), at.offset, origin))
        self._note(noted)

    def forget(self, at: Position) -> None:
        """From now on the record there is no reason for not taking its mail; nor is a file that was kept."""
        with self._open() as db, db:
            db.execute("INSERT OR IGNORE INTO forgotten VALUES (?, ?, ?)", at)
            where = "topic = ? AND log_partition = ? AND log_offset = ?"
            db.execute(f"DELETE FROM kept WHERE sha256 IN (SELECT sha256 FROM mails WHERE {where})", at)  # noqa: S608 -- a constant

    def changes(self) -> int:
        """Another number when another process has changed the ledger."""
        with self._open() as db:
            return int(db.execute("PRAGMA data_version").fetchone()[0])

    def kept(self, folder: bytes) -> dict[int, int]:
        """Files of the folder that were taken and stay: inode to mark."""
        with self._open() as db:
            return dict(db.execute("SELECT inode, mark FROM kept WHERE folder = ?", (folder,)))

    def keep(self, folder: bytes, files: Iterable[tuple[int, int, str]]) -> None:
        """Note files that were taken and stay: inode, mark, hex digest."""
        rows = [(folder, inode, mark, bytes.fromhex(digest)) for inode, mark, digest in files]
        with self._open() as db, db:
            db.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", rows)

    def release(self, folder: bytes, inodes: Iterable[int]) -> None:
        """Files that have gone need not be known."""
        with self._open() as db, db:
            db.executemany("DELETE FROM kept WHERE folder = ? AND inode = ?", [(folder, inode) for inode in inodes])

    def _next_offset(self, log: CommitLog, source: TopicPartition, span: range, carry_on: Callable[[], None]) -> int:
        """Where to read on: what was noted is trusted only if the log still says so."""
        query = "SELECT next_offset, last_sha256 FROM progress WHERE topic = ? AND log_partition = ?"
        with self._open() as db:
            row = db.execute(query, source).fetchone()
        if row is None:
            self._recall(log, source, carry_on)
            self._begin(source, span.start)
            return span.start
        offset, last = int(row[0]), bytes(row[1])
        ours = offset <= span.stop and (source in self._verified or _is_at(log, source, offset - 1, last, span))
        self._verified.add(source)
        if not ours:
            logger.warning("the ledger knows another %s than the log; reading the log from its start", source)
            with self._open() as db, db:
                db.execute("DELETE FROM mails WHERE topic = ? AND log_partition = ?", source)
                db.execute("DELETE FROM progress WHERE topic = ? AND log_partition = ?", source)
                db.execute("DELETE FROM forgotten WHERE topic = ? AND log_partition = ?", source)
            return self._next_offset(log, source, span, carry_on)
        if self._starts.get(source) != span.start:
            self._drop_before(source, span.start)
            self._starts[source] = span.start
        if offset < span.start:
            self._begin(source, span.start)
        return max(offset, span.start)

    def _begin(self, source: TopicPartition, offset: int) -> None:
        """Nothing before this offset is to be noted."""
        with self._open() as db, db:
            db.execute(
                "INSERT INTO progress VALUES (?, ?, ?, x'') ON CONFLICT (topic, log_partition) "
                "DO UPDATE SET next_offset = excluded.next_offset WHERE next_offset < excluded.next_offset",
                (*source, offset),
            )

    def _drop_before(self, source: TopicPartition, offset: int) -> None:
        """Let go of what the log no longer keeps."""
        where = "topic = ? AND log_partition = ? AND log_offset < ?"
        with self._open() as db, db:
            for table in ("mails", "forgotten"):
                db.execute(f"DELETE FROM {table} WHERE {where}", (*source, offset))  # noqa: S608 -- a constant

    def _recall(self, log: CommitLog, source: TopicPartition, carry_on: Callable[[], None]) -> None:
        """What the journal says of records of this partition that are to be forgotten."""
        journal = TopicPartition(JOURNAL, 0)
        try:
            offset = log.span(journal).start
        except UnknownTopic:
            return
        while records := log.read(journal, offset, READ_BYTES):
            carry_on()
            places = [at for at in map(forgotten_in, records) if at and at[:2] == source]
            with self._open() as db, db:
                db.executemany("INSERT OR IGNORE INTO forgotten VALUES (?, ?, ?)", places)
            offset = records[-1].offset + 1

    def _note(self, noted: Mapping[TopicPartition, Sequence[tuple[bytes, int, int]]]) -> None:
        """In one transaction: the mails (digest, offset, origin) in their order, and how far each partition is noted.

        A partition whose mails do not begin where the ledger ends is left out: another process has noted meanwhile.
        """
        step = "UPDATE progress SET next_offset = ?, last_sha256 = ? WHERE topic = ? AND log_partition = ?"
        with self._open() as db, db:
            for source, mails in noted.items():
                (_, first, _), (digest, last, _) = mails[0], mails[-1]
                if db.execute(f"{step} AND next_offset = ?", (last + 1, digest, *source, first)).rowcount:
                    rows = [(source.topic, digest, source.partition, at, origin) for digest, at, origin in mails]
                    db.executemany("INSERT OR REPLACE INTO mails VALUES (?, ?, ?, ?, ?)", rows)

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
            self._verified.clear()
            self._starts.clear()
            raise LedgerUnavailable(f"ledger {self._path}: {error}; it is made again from the log") from error


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))  # SQLite gives its side files the same mode
    db = sqlite3.connect(path, timeout=BUSY_S)
    try:
        if db.execute("PRAGMA user_version").fetchone()[0] not in {0, VERSION}:
            raise sqlite3.DatabaseError("a ledger of another version")
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


def origin_of(record: Record | StoredRecord) -> int:
    """A number that tells a mail's way in from another: of the headers `source`, `file` and `file-time`."""
    headers = dict(record.headers)
    way = b"\0".join(headers.get(name, b"") for name in ("source", "file", "file-time"))
    return int.from_bytes(hashlib.blake2b(way, digest_size=8).digest(), signed=True)


def _span(log: CommitLog, source: TopicPartition) -> range:
    """What the partition keeps: nothing if it has gone."""
    try:
        return log.span(source)
    except UnknownTopic:
        return range(0)


def _is_at(log: CommitLog, source: TopicPartition, offset: int, digest: bytes, span: range) -> bool:
    """Whether the log has this mail at this offset, as far as it still can tell."""
    if offset < span.start:
        return True
    records = log.read(source, offset, 1)
    return bool(records) and _digest(records[0]) == digest
