"""What is asked of the ledger's tables, each as a function of a connection; the caller makes the transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.ledger.recorded import UNKNOWN

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

_FIND = """
SELECT log_partition, log_offset, origin FROM mails AS mail WHERE topic_id = ? AND sha256 = ? AND NOT EXISTS (
    SELECT 1 FROM forgotten AS gone WHERE gone.topic_id = mail.topic_id AND gone.log_partition = mail.log_partition
    AND gone.log_offset = mail.log_offset
)
"""
_OF_PARTITION = "topic_id = ? AND log_partition = ?"
_PROGRESS = f"SELECT next_offset, last_sha256 FROM progress WHERE {_OF_PARTITION}"  # noqa: S608 -- a constant
_STEP = f"UPDATE progress SET next_offset = ?, last_sha256 = ? WHERE {_OF_PARTITION} AND next_offset = ?"  # noqa: S608 -- a constant
_BEGIN = (
    "INSERT INTO progress VALUES (?, ?, ?, x'') ON CONFLICT (topic_id, log_partition) "
    "DO UPDATE SET next_offset = excluded.next_offset WHERE next_offset < excluded.next_offset"
)


class PartitionKey(NamedTuple):
    """What the rows of a partition are found by."""

    topic_id: str
    partition: int


class MailRow(NamedTuple):
    """A mail of a partition."""

    sha256: bytes
    offset: int
    origin: int  # by which file it came, see ingest.ledger.recorded.origin_of


def topic_id(db: sqlite3.Connection, root: bytes, topic: str) -> str | None:
    """The id of the topic that had the name last, in the log with that root."""
    row = db.execute("SELECT topic_id FROM topics WHERE root = ? AND topic = ?", (root, topic)).fetchone()
    return None if row is None else str(row[0])


def name_topic(db: sqlite3.Connection, root: bytes, topic: str, named: str) -> None:
    """The topic of this id has the name now."""
    db.execute("INSERT OR REPLACE INTO topics VALUES (?, ?, ?)", (root, topic, named))


def find(db: sqlite3.Connection, topic_id: str, sha256: bytes) -> Iterable[tuple[int, int, int]]:
    """Partition, offset and origin of each record of the topic that is the mail, but for those forgotten."""
    return db.execute(_FIND, (topic_id, sha256))


def note(db: sqlite3.Connection, key: PartitionKey, read: range, mails: Sequence[MailRow]) -> None:
    """The mails at these offsets, in their order, and that the partition is noted up to the end of the range.

    Offsets without a mail are those of records that were compacted away, that are markers of a transaction, or that no
    replica has whole. Nothing is noted unless the ledger ends where the range begins: another process has noted since.
    """
    last = mails[-1].sha256 if mails and mails[-1].offset == read.stop - 1 else UNKNOWN
    if db.execute(_STEP, (read.stop, last, *key, read.start)).rowcount:
        rows = [(key.topic_id, mail.sha256, key.partition, mail.offset, mail.origin) for mail in mails]
        db.executemany("INSERT OR REPLACE INTO mails VALUES (?, ?, ?, ?, ?)", rows)


def progress(db: sqlite3.Connection, key: PartitionKey) -> tuple[int, bytes] | None:
    """The first offset that is not noted, and the digest of what lies before it; None for a partition not begun.

    The digest is UNKNOWN where no record was noted there.
    """
    row = db.execute(_PROGRESS, key).fetchone()
    return None if row is None else (int(row[0]), bytes(row[1]))


def begin(db: sqlite3.Connection, key: PartitionKey, offset: int) -> None:
    """Nothing before this offset is to be noted."""
    db.execute(_BEGIN, (*key, offset))


def forget(db: sqlite3.Connection, key: PartitionKey, offsets: Iterable[int]) -> None:
    """These records are no reason for not taking their mails."""
    db.executemany("INSERT OR IGNORE INTO forgotten VALUES (?, ?, ?)", [(*key, offset) for offset in offsets])


def complete(db: sqlite3.Connection, topic_id: str) -> int:
    """The number of partitions before which all was noted; 0 when that is not known."""
    row = db.execute("SELECT partitions FROM complete WHERE topic_id = ?", (topic_id,)).fetchone()
    return 0 if row is None else int(row[0])


def set_complete(db: sqlite3.Connection, topic_id: str, partitions: int) -> None:
    """All is noted that was appended before the topic had so many partitions."""
    db.execute("INSERT OR REPLACE INTO complete VALUES (?, ?)", (topic_id, partitions))


def let_go_before(db: sqlite3.Connection, key: PartitionKey, start: int) -> None:
    """The log no longer keeps what lies before `start`."""
    for table in ("mails", "forgotten"):
        db.execute(f"DELETE FROM {table} WHERE {_OF_PARTITION} AND log_offset < ?", (*key, start))  # noqa: S608 -- constants


def drop_partition(db: sqlite3.Connection, key: PartitionKey) -> None:
    """As if it had never been read. Files that stay because of its mails stay."""
    _drop(db, _OF_PARTITION, key)
    db.execute("DELETE FROM complete WHERE topic_id = ?", (key.topic_id,))


def drop_topic(db: sqlite3.Connection, topic_id: str) -> None:
    """It is no more, and files that stay because of its mails are to be taken."""
    _take_again(db, "topic_id = ?", (topic_id,))
    _drop(db, "topic_id = ?", (topic_id,))
    db.execute("DELETE FROM complete WHERE topic_id = ?", (topic_id,))


def kept(db: sqlite3.Connection, folder: bytes) -> dict[int, int]:
    """Files of the folder that were taken and stay: inode to mark."""
    return dict(db.execute("SELECT inode, mark FROM kept WHERE folder = ?", (folder,)))


def keep(db: sqlite3.Connection, folder: bytes, files: Iterable[tuple[int, int, bytes]]) -> None:
    """Files that were taken and stay: inode, mark, SHA-256 of the mail."""
    db.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", [(folder, *file) for file in files])


def release(db: sqlite3.Connection, folder: bytes, inodes: Iterable[int]) -> None:
    """These files are not kept any more."""
    db.executemany("DELETE FROM kept WHERE folder = ? AND inode = ?", [(folder, inode) for inode in inodes])


def release_mail(db: sqlite3.Connection, key: PartitionKey, offset: int) -> None:
    """Files that stay because of the mail of this record are to be taken."""
    _take_again(db, f"{_OF_PARTITION} AND log_offset = ?", (*key, offset))


def _drop(db: sqlite3.Connection, where: str, values: Sequence[object]) -> None:
    for table in ("mails", "progress", "forgotten"):
        db.execute(f"DELETE FROM {table} WHERE {where}", values)  # noqa: S608 -- constants


def _take_again(db: sqlite3.Connection, where: str, values: Sequence[object]) -> None:
    db.execute(f"DELETE FROM kept WHERE sha256 IN (SELECT sha256 FROM mails WHERE {where})", values)  # noqa: S608 -- constants
