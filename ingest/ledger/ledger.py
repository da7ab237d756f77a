"""Which mails the log holds: an index of the log, by SHA-256, in SQLite.

The log is the truth. The ledger is caught up from the log's tail whenever it is asked under the partition's lock, so
that a record of any process, also of one that died before it could note it, is known. A ledger that is lost, damaged,
or of another log is made again by reading the log, and the journal for what is to be forgotten; that may take hours,
so it is done without the lock, by any number of processes at once: each notes records only where the ledger ends.

A mail is known only if the log, asked for the record, has that mail there: a file may be deleted on this word.

It also remembers which files of a folder were taken but stay there (`done = "keep"`); without it they are read again.
"""

from __future__ import annotations

import logging
import os
from collections import defaultdict
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ingest.journal import JOURNAL, forgotten_in
from ingest.ledger import queries
from ingest.ledger.file import LedgerFile, LedgerUnavailable
from ingest.ledger.queries import MailRow, PartitionKey
from ingest.ledger.recorded import digest_of, known_at, mail_at, origin_of
from log.errors import CorruptRecord, NoRecord, OffsetOutOfRange, UnknownTopic
from log.reading import has_topic, readable_records
from log.types import Position, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from log.errors import PartitionBusy
    from log.interface import CommitLog

logger = logging.getLogger(__name__)

READ_BYTES = 8 << 20  # of the log, in one transaction of the ledger
JOURNAL_LINES = 10_000  # of the journal, in one transaction of the ledger


class Noted(NamedTuple):
    """A record as the ledger knows it."""

    position: Position
    origin: int  # see origin_of


class Ledger:
    """The index. One object a thread; several processes may share the file. Its calls raise LedgerUnavailable."""

    def __init__(self, path: Path, root: Path) -> None:
        """The file, and where the log has its root: by that the ledger tells logs apart."""
        self._root = os.fsencode(root)
        self._file = LedgerFile(path)
        self._verified: set[PartitionKey] = set()  # by this process, against the log
        self._starts: dict[PartitionKey, int] = {}  # what lay before them has been let go
        self._dropped = 0  # how often this process let go of a topic that is no more

    @property
    def begun_anew(self) -> int:
        """How often it was lost while this process had it open; what it knew of other partitions is gone with it."""
        return self._file.begun_anew

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def catch_up(self, log: CommitLog, source: TopicPartition, carry_on: Callable[[], None] = lambda: None) -> None:
        """Note every record the partition holds. Exact within `Data.append_new` of the partition.

        `carry_on` is called before each reading of READ_BYTES, and may raise.
        """
        while True:
            key = PartitionKey(self._topic_id(log, source.topic), source.partition)
            span = log.span(source)
            offset = self._next_offset(log, source, key, span, carry_on)
            if offset >= span.stop:
                return
            carry_on()
            try:
                records = log.read(source, offset, READ_BYTES)
            except OffsetOutOfRange:  # retention went past us
                continue
            except NoRecord as gap:
                self._note(key, range(offset, gap.stop), [])
                continue
            except CorruptRecord as error:
                logger.warning("%s: which mails these were is not known, and they are taken if they come again", error)
                self._note(key, range(offset, error.stop or offset + 1), [])
                continue
            if records.next_offset == offset:
                return
            if log.topic_id(source.topic) == key.topic_id:  # or the records may be another topic's
                mails = [MailRow(digest_of(each), each.offset, origin_of(each)) for each in records]
                self._note(key, range(offset, records.next_offset), mails)

    def catch_up_former(
        self, log: CommitLog, topic: str, partitions: int, carry_on: Callable[[], None] = lambda: None
    ) -> None:
        """Note what was appended before the topic had that many partitions: its keys may lie elsewhere now.

        Done once for each number that a topic gets. Each partition is held for a moment, one after the other: whoever
        appends to it by a former number has ended then, or died, and is noted. Raises PartitionBusy.
        """
        topic_id = self._topic_id(log, topic)
        with self._file.open() as db:
            if queries.complete(db, topic_id) == partitions:
                return
        for source in (TopicPartition(topic, number) for number in range(partitions)):
            self.catch_up(log, source, carry_on)
            log.append_new([source], partial(self._settled, log, source), carry_on)
        with self._file.open() as db, db:
            queries.set_complete(db, topic_id, partitions)

    def _settled(self, log: CommitLog, source: TopicPartition, busy: Mapping[TopicPartition, PartitionBusy]) -> None:
        if source in busy:
            raise busy[source]
        self.catch_up(log, source)

    def find(self, log: CommitLog, topics: Iterable[str], digests: Iterable[str]) -> dict[str, Noted]:
        """The hex digests that are known, with where the log has them: in the first of the topics, if in several.

        What was forgotten, and what the log no longer keeps, is not known.
        """
        rows: list[tuple[str, Noted]] = []
        wanted = list(digests)
        for topic in topics:
            try:
                topic_id = log.topic_id(topic)
            except UnknownTopic:
                continue
            with self._file.open() as db:
                for digest in wanted:
                    for partition, offset, origin in queries.find(db, topic_id, bytes.fromhex(digest)):
                        rows.append((digest, Noted(Position(topic, partition, offset), origin)))
        found: dict[str, Noted] = {}
        for digest, noted in rows:
            if digest not in found and self._is_there(log, noted.position, digest):
                found[digest] = noted
        return found

    def add(self, log: CommitLog, appended: Mapping[str, Noted]) -> None:
        """Note what was just appended, within the locks under which `catch_up` was called.

        What does not follow on what is noted already is left for `catch_up`.
        """
        noted: dict[PartitionKey, list[MailRow]] = defaultdict(list)
        ids = {topic: log.topic_id(topic) for topic in {each.position.topic for each in appended.values()}}
        for digest, (at, origin) in appended.items():
            noted[PartitionKey(ids[at.topic], at.partition)].append(MailRow(bytes.fromhex(digest), at.offset, origin))
        with self._file.open() as db, db:
            for key, mails in noted.items():
                queries.note(db, key, range(mails[0].offset, mails[-1].offset + 1), mails)

    def forget(self, log: CommitLog, at: Position) -> None:
        """From now on the record there is no reason for not taking its mail; nor is a file that was kept."""
        key = PartitionKey(log.topic_id(at.topic), at.partition)
        with self._file.open() as db, db:
            queries.forget(db, key, [at.offset])
            queries.release_mail(db, key, at.offset)

    def changes(self) -> int:
        """Another number when what `kept` says may have changed, but by `keep` and `release` of this process."""
        with self._file.open() as db:
            return int(db.execute("PRAGMA data_version").fetchone()[0]) + self._dropped

    def kept(self, folder: bytes) -> dict[int, int]:
        """Files of the folder that were taken and stay: inode to mark."""
        with self._file.open() as db:
            return queries.kept(db, folder)

    def keep(self, folder: bytes, files: Iterable[tuple[int, int, str]]) -> None:
        """Note files that were taken and stay: inode, mark, hex digest."""
        rows = [(inode, mark, bytes.fromhex(digest)) for inode, mark, digest in files]
        with self._file.open() as db, db:
            queries.keep(db, folder, rows)

    def release(self, folder: bytes, inodes: Iterable[int]) -> None:
        """Files that have gone need not be known."""
        with self._file.open() as db, db:
            queries.release(db, folder, inodes)

    def _topic_id(self, log: CommitLog, topic: str) -> str:
        """The id of the topic that has the name now. What is noted of one that had it before goes."""
        root, topic_id = self._root, log.topic_id(topic)
        with self._file.open() as db:
            if queries.topic_id(db, root, topic) == topic_id:
                return topic_id
            with db:
                db.execute("BEGIN IMMEDIATE")  # so that of two processes the one that asks the log later writes later
                former, topic_id = queries.topic_id(db, root, topic), log.topic_id(topic)
                if former is not None and former != topic_id:
                    logger.warning("topic %s was made anew; the ledger lets go of the former one", topic)
                    queries.drop_topic(db, former)
                    self._dropped += 1
                queries.name_topic(db, root, topic, topic_id)
        return topic_id

    def _next_offset(
        self, log: CommitLog, source: TopicPartition, key: PartitionKey, span: range, carry_on: Callable[[], None]
    ) -> int:
        """Where to read on: what was noted is trusted only if the log still says so."""
        with self._file.open() as db:
            noted = queries.progress(db, key)
        if noted is None:
            self._recall(log, source, key, carry_on)
            self._begin(key, span.start)
            return span.start
        offset, last = noted
        is_checked = key in self._verified or offset <= span.start
        if offset > span.stop or not (is_checked or known_at(log, Position(*source, offset - 1)) == last):
            logger.warning("the ledger knows another %s than the log; reading the log from its start", source)
            self._start_again(key)
            return self._next_offset(log, source, key, span, carry_on)
        self._verified.add(key)
        if self._starts.get(key) != span.start:
            with self._file.open() as db, db:
                queries.let_go_before(db, key, span.start)
            self._starts[key] = span.start
        if offset < span.start:
            self._begin(key, span.start)
        return max(offset, span.start)

    def _begin(self, key: PartitionKey, offset: int) -> None:
        with self._file.open() as db, db:
            queries.begin(db, key, offset)

    def _start_again(self, key: PartitionKey) -> None:
        self._verified.discard(key)
        with self._file.open() as db, db:
            queries.drop_partition(db, key)

    def _is_there(self, log: CommitLog, at: Position, digest: str) -> bool:
        """Whether the log has the mail there, whole. Raises LedgerUnavailable where it has another one."""
        try:
            found = mail_at(log, at)
        except CorruptRecord as error:
            about = {"sha256": digest, **at._asdict()}
            logger.warning("%s: the mail comes again, and is taken", error, extra=about)
            return False
        if found is not None and found.hex() != digest:
            self._start_again(PartitionKey(log.topic_id(at.topic), at.partition))
            raise LedgerUnavailable(
                f"ledger {self._file.path}: at {at.topic}-{at.partition} offset {at.offset} the log has another mail; "
                "the partition is read again"
            )
        return found is not None

    def _recall(self, log: CommitLog, source: TopicPartition, key: PartitionKey, carry_on: Callable[[], None]) -> None:
        """What the journal says of records of this partition that are to be forgotten."""
        if not has_topic(log, JOURNAL):
            return
        lines = readable_records(log, TopicPartition(JOURNAL, 0), _tell_lost, max_bytes=READ_BYTES)
        while some := list(islice(lines, JOURNAL_LINES)):
            carry_on()
            told = [each for each in map(forgotten_in, some) if each is not None]
            ours = [at.offset for at, topic_id in told if at[:2] == source and topic_id in {key.topic_id, None}]
            with self._file.open() as db, db:
                queries.forget(db, key, ours)

    def _note(self, key: PartitionKey, read: range, mails: Sequence[MailRow]) -> None:
        with self._file.open() as db, db:
            queries.note(db, key, read, mails)


def _tell_lost(error: CorruptRecord) -> None:
    logger.warning("%s: what it told is lost", error)
