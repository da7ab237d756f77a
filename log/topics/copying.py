"""Copying a topic into another one, which may have more or fewer partitions: a function over the interface.

Every record keeps its key, value and headers, and gets three:

    copied-from     <topic>-<partition>@<offset>      where it was
    copied-id       the topic's id                    which topic of that name; copies of older versions lack it
    copied-with     <offset>                          the first one of those that were appended together

Records of a key stay in their order. Each append first reads what came into the target since the one before, and leaves
out what is there (`Data.append_new`): also what an append left that failed in some partitions, or a copy that was
interrupted, or another one under way. So a record is there once, in Kafka at least once, as long as nobody deletes the
newest copies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.claims import Claim, announce, claim_of, settle
from log.errors import LogError, LogUnusable, NoRecord
from log.reading import records_of, sources_of
from log.types import Record, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from log.errors import PartitionBusy
    from log.interface import CommitLog
    from log.types import Header, StoredRecord

COPIED_FROM = "copied-from"
COPIED_ID = "copied-id"
COPIED_WITH = "copied-with"
MARKS = {COPIED_FROM, COPIED_ID, COPIED_WITH}
FETCH_BYTES = 4 * 2**20
TRIES = 3  # of an append that may succeed later; each waits for locks as long as the log's settings say


def copy_topic(log: CommitLog, origin: str, target: str) -> Iterator[int]:
    """Copy what is visible in `origin` now; after each append, how many records were copied by it.

    Raises UnknownTopic for either, LogUnusable for a topic that would be copied into itself, and as `append`.
    """
    if origin == target:
        raise LogUnusable(f"{origin} cannot be copied into itself")
    copied = _Copied(log, origin, target)
    copied.catch_up()
    for source in sources_of(log, origin):
        span = log.span(source)
        offset = max(copied.since(source), span.start)
        while offset < span.stop:
            try:
                records = log.read(source, offset, FETCH_BYTES)
            except NoRecord as gap:
                offset = gap.stop
                continue
            if not records:
                break
            if count := copied.append(source, [each for each in records if each.offset < span.stop]):
                yield count
            offset = records.next_offset


class _Copied:
    """What of a topic is in the target: by the marks of the records there, read up to their ends."""

    def __init__(self, log: CommitLog, origin: str, target: str) -> None:
        self._log, self._target = log, target
        self._topic_id = log.topic_id(origin).encode()
        self._known = {f"{source}@".encode(): source for source in sources_of(log, origin)}
        self._found: dict[TopicPartition, tuple[int, set[int]]] = {}  # all before that offset, and these
        self._read: dict[TopicPartition, int] = {}  # up to where each partition of the target was read

    def since(self, source: TopicPartition) -> int:
        """All before that offset was copied."""
        return self._found.get(source, (0, set()))[0]

    def append(self, source: TopicPartition, records: Sequence[StoredRecord]) -> int:
        """Copy those that are not there; how many these were, an append that failed and was repeated counted once."""
        self.catch_up()
        count = len(self._lacking(source, records))
        for _ in range(TRIES - 1):
            try:
                self._append(source, records)
            except LogError as error:
                if not error.retriable:
                    raise
            else:
                return count
        self._append(source, records)
        return count

    def _append(self, source: TopicPartition, records: Sequence[StoredRecord]) -> None:
        wanted: list[Record] = []
        lacking = self._lacking(source, records)
        announced = announce(self._log, [(claim, self._target) for each in lacking if (claim := _claim(each))])

        def choose(busy: Mapping[TopicPartition, PartitionBusy]) -> dict[str, list[Record]]:
            for error in busy.values():
                raise error
            self.catch_up()
            left = self._lacking(source, records)
            wanted[:] = [_marked(each, self._topic_id, left[0].offset) for each in left]
            return {self._target: wanted} if wanted else {}

        appended = self._log.append_new(sources_of(self._log, self._target), choose) or {}
        places = appended.get(self._target, ())
        found = {claim.sha256: at for each, at in zip(wanted, places, strict=True) if (claim := _claim(each))}
        settle(self._log, announced, found)
        for record, at in zip(wanted, places, strict=True):
            part = TopicPartition(at.topic, at.partition)
            if self._read[part] == at.offset:
                self._read[part] += 1
                self._learn(record.headers)

    def _lacking(self, source: TopicPartition, records: Sequence[StoredRecord]) -> list[StoredRecord]:
        since, there = self._found.get(source, (0, set()))
        return [each for each in records if each.offset >= since and each.offset not in there]

    def catch_up(self) -> None:
        """Read what came into the target."""
        for part in sources_of(self._log, self._target):
            for record in records_of(self._log, part, self._read.get(part)):
                self._learn(record.headers)
            self._read[part] = self._log.span(part).stop

    def _learn(self, marked: Sequence[Header]) -> None:
        headers = dict(marked)
        mark = headers.get(COPIED_FROM, b"")
        source = self._known.get(mark[: mark.rfind(b"@") + 1])
        if source is None or headers.get(COPIED_ID, self._topic_id) != self._topic_id:
            return
        offset, (since, there) = int(mark[mark.rfind(b"@") + 1 :]), self._found.get(source, (0, set()))
        begun = int(headers.get(COPIED_WITH, mark[mark.rfind(b"@") + 1 :]))
        if begun > since:
            since, there = begun, {each for each in there if each >= begun}
        if offset >= since:
            there.add(offset)
        self._found[source] = since, there


def _claim(record: Record | StoredRecord) -> Claim | None:
    """None, too, of one that cannot be read: it is copied as it is."""
    try:
        return claim_of(record)
    except ValueError:
        return None


def _marked(record: StoredRecord, topic_id: bytes, first: int) -> Record:
    kept = (header for header in record.headers if header[0] not in MARKS)
    where = f"{record.source}@{record.offset}".encode()
    return Record(
        record.key,
        record.value,
        (*kept, (COPIED_FROM, where), (COPIED_ID, topic_id), (COPIED_WITH, b"%d" % first)),
    )
