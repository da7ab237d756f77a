"""Copying a topic into another one, which may have more or fewer partitions: a function over the interface.

Every record keeps its key, value and headers, and gets three:

    copied-from     <topic>-<partition>@<offset>      where it was
    copied-id       the topic's id                    which topic of that name; copies of older versions lack it
    copied-with     <offset>                          the first one of those that were appended together

Records of a key stay in their order. What a copy that was interrupted left is read before it goes on. Before the last
append everything is in the target, as the one before had returned; of the last one maybe only what went to some of the
partitions, or none: what is there of it is known by its offsets, and the rest is appended. So a repeated copy leaves
each record there once, as long as nobody deletes the newest of them. Who copies into a topic does so alone.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from log.disk.files import make_folder
from log.disk.lock import FileLock
from log.errors import LogError, LogUnusable
from log.producers import register
from log.reading import records_of, sources_of
from log.types import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from log.interface import CommitLog
    from log.types import Producer, StoredRecord, TopicPartition

COPIED_FROM = "copied-from"
COPIED_ID = "copied-id"
COPIED_WITH = "copied-with"
MARKS = {COPIED_FROM, COPIED_ID, COPIED_WITH}
FETCH_BYTES = 4 * 2**20
TRIES = 3  # of an append that may succeed later; each waits for locks as long as the log's settings say


def copy_topic(log: CommitLog, origin: str, target: str) -> Iterator[int]:
    """Copy what is visible in `origin` now; after each append, how many records were copied by it.

    Raises UnknownTopic for either, LogUnusable for a topic that would be copied into itself, PartitionBusy while
    another copy into `target` is under way.
    """
    if origin == target:
        raise LogUnusable(f"{origin} cannot be copied into itself")
    make_folder(log.root / "copies")
    lock = FileLock(log.root / "copies" / f"{target}.lock", f"copying into {target}", 0)
    with contextlib.closing(lock), lock:
        topic_id = log.topic_id(origin).encode()
        copied, producer = _copied(log, origin, topic_id, target), register(log, f"copy of {origin} into {target}")
        for source in sources_of(log, origin):
            since, there = copied.get(source, (0, set()))
            span = log.span(source)
            offset = max(since, span.start)
            while offset < span.stop and (records := log.read(source, offset, FETCH_BYTES)):
                wanted = [each for each in records if each.offset < span.stop and each.offset not in there]
                if wanted:
                    _append(log, target, [_marked(each, topic_id, wanted[0].offset) for each in wanted], producer)
                    yield len(wanted)
                offset = records[-1].offset + 1


def _append(log: CommitLog, target: str, records: list[Record], producer: Producer) -> None:
    """Append once: what an append that failed has stored nevertheless is not stored again."""
    for _ in range(TRIES - 1):
        try:
            log.append(target, records, producer=producer)
        except LogError as error:
            if not error.retriable:
                raise
        else:
            return
    log.append(target, records, producer=producer)


def _copied(log: CommitLog, origin: str, topic_id: bytes, target: str) -> dict[TopicPartition, tuple[int, set[int]]]:
    """Of each partition an offset that all before were copied, and those from it on that were, too."""
    known = {f"{source}@".encode(): source for source in sources_of(log, origin)}
    found: dict[TopicPartition, tuple[int, set[int]]] = {}
    for part in sources_of(log, target):
        for record in records_of(log, part):
            headers = dict(record.headers)
            mark = headers.get(COPIED_FROM, b"")
            source = known.get(mark[: mark.rfind(b"@") + 1])
            if source is not None and headers.get(COPIED_ID, topic_id) == topic_id:
                offset, (since, there) = int(mark[mark.rfind(b"@") + 1 :]), found.get(source, (0, set()))
                begun = int(headers.get(COPIED_WITH, mark[mark.rfind(b"@") + 1 :]))
                if begun > since:
                    since, there = begun, {each for each in there if each >= begun}
                if offset >= since:
                    there.add(offset)
                found[source] = since, there
    return found


def _marked(record: StoredRecord, topic_id: bytes, first: int) -> Record:
    kept = (header for header in record.headers if header[0] not in MARKS)
    where = f"{record.source}@{record.offset}".encode()
    return Record(
        record.key,
        record.value,
        (*kept, (COPIED_FROM, where), (COPIED_ID, topic_id), (COPIED_WITH, b"%d" % first)),
    )
