"""Copying a topic into another one, which may have more or fewer partitions: a function over the interface.

Every record keeps its key, value and headers, and gets a header `copied-from: <topic>-<partition>@<offset>`. Records of
a key stay in their order. A copy that was interrupted goes on behind what the target has: it is read first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.errors import LogUnusable
from log.types import Record, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from log.interface import CommitLog
    from log.types import StoredRecord

COPIED_FROM = "copied-from"
FETCH_BYTES = 4 * 2**20


def copy_topic(log: CommitLog, origin: str, target: str) -> Iterator[int]:
    """Copy what is visible in `origin` now; after each append, how many records were copied by it.

    Raises UnknownTopic for either, LogUnusable for a topic that would be copied into itself.
    """
    if origin == target:
        raise LogUnusable(f"{origin} cannot be copied into itself")
    copied = _copied(log, origin, target)
    for source in _partitions(log, origin):
        offset, stop = copied.get(source, log.span(source).start), log.span(source).stop
        while offset < stop and (records := log.read(source, offset, FETCH_BYTES)):
            log.append(target, [_marked(record) for record in records if record.offset < stop])
            offset = records[-1].offset + 1
            yield sum(record.offset < stop for record in records)


def _copied(log: CommitLog, origin: str, target: str) -> dict[TopicPartition, int]:
    """Of each partition the next offset to copy."""
    known = {f"{source}@".encode(): source for source in _partitions(log, origin)}
    found: dict[TopicPartition, int] = {}
    for part in _partitions(log, target):
        offset = log.span(part).start
        while records := log.read(part, offset, FETCH_BYTES):
            for record in records:
                mark = dict(record.headers).get(COPIED_FROM, b"")
                source = known.get(mark[: mark.rfind(b"@") + 1])
                if source is not None:
                    found[source] = max(found.get(source, 0), int(mark[mark.rfind(b"@") + 1 :]) + 1)
            offset = records[-1].offset + 1
    return found


def _marked(record: StoredRecord) -> Record:
    kept = tuple(header for header in record.headers if header[0] != COPIED_FROM)
    return Record(record.key, record.value, (*kept, (COPIED_FROM, f"{record.source}@{record.offset}".encode())))


def _partitions(log: CommitLog, topic: str) -> list[TopicPartition]:
    return [TopicPartition(topic, each.partition) for each in log.describe(topic)]
