"""The backfill lane: a second group of an extraction, which reads old mails while the first goes on with new ones.

It has a lease and offsets of its own, so neither waits for the other's end. Between its runs it lets the first go
ahead: cores and disks are one machine's.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from log.claims import claim_of
from log.errors import CorruptRecord
from log.reading import fetched, has_topic, sources_of
from log.types import TopicPartition
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from log.interface import CommitLog
    from log.types import StoredRecord

READ_BYTES = 8 << 20  # at once, to know what mails weigh


def backlog(log: CommitLog, group: str) -> int:
    """How many records the living members of a group have still to read; 0 where none lives: nobody is kept waiting."""
    topics = {topic for member in log.members(group) for topic in member.topics if has_topic(log, topic)}
    committed = log.committed(group)
    spans = {source: log.span(source) for topic in topics for source in sources_of(log, topic)}
    return sum(span.stop - min(max(committed.get(source, 0), span.start), span.stop) for source, span in spans.items())


def first_bytes(log: CommitLog, ranges: Iterable[OffsetRange], limit: int) -> list[OffsetRange]:
    """The ranges, one after the other, until their mails have so many bytes: the last one is the first beyond it."""
    kept: list[OffsetRange] = []
    for each in ranges:
        if limit <= 0:
            break
        stop = each.start
        for offset, size in _sizes(log, each):
            stop, limit = offset + 1, limit - size
            if limit <= 0:
                break
        kept.append(OffsetRange(each.topic, each.partition, each.start, stop if limit <= 0 else each.stop))
    return kept


def bytes_of(log: CommitLog, ranges: Iterable[OffsetRange]) -> int:
    """What these mails weigh, as far as they can be read; a large one what its claim says."""
    return sum(size for each in ranges for _, size in _sizes(log, each))


def _sizes(log: CommitLog, each: OffsetRange) -> Iterator[tuple[int, int]]:
    """Offset and size of the records of a range, up to one that is damaged: it is for the run to tell of it."""
    source = TopicPartition(each.topic, each.partition)
    with suppress(CorruptRecord):
        for records in fetched(log, source, range(each.start, each.stop), READ_BYTES):
            yield from ((record.offset, _size(record)) for record in records if record.offset < each.stop)


def _size(record: StoredRecord) -> int:
    with suppress(ValueError):  # no claim that can be read: its mail will be told of
        if claim := claim_of(record):
            return claim.size
    return len(record.value or b"")
