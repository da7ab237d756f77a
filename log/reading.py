"""Reading a partition, from an offset to its end or at one; which topics there are: functions over the interface."""

from __future__ import annotations

import json
import logging
from itertools import islice
from typing import TYPE_CHECKING, Any

from log.errors import CorruptRecord, NoRecord, OffsetOutOfRange, UnknownTopic
from log.types import SHA256_HEADER, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from log.interface import CommitLog
    from log.records import Records
    from log.types import StoredRecord

logger = logging.getLogger(__name__)

FETCH_BYTES = 2**20  # enough that asking costs nothing, little enough to hold


def sources_of(log: CommitLog, topic: str) -> list[TopicPartition]:
    """All partitions of a topic, in order. Raises UnknownTopic."""
    return [TopicPartition(topic, number) for number in range(log.partition_count(topic))]


def has_topic(log: CommitLog, topic: str) -> bool:
    """Whether there is such a topic. A cluster leaves out of its list what we may not see; here that is LogUnusable."""
    try:
        log.partition_count(topic)
    except UnknownTopic:
        return False
    return True


def topic_id_now(log: CommitLog, topic: str) -> str | None:
    """The id of the topic that has this name; None where none has."""
    try:
        return log.topic_id(topic)
    except UnknownTopic:
        return None


def record_at(log: CommitLog, source: TopicPartition, offset: int) -> StoredRecord | None:
    """The record of this offset; None where there is none: it was compacted away, or is not written yet.

    Raises as `CommitLog.read`, OffsetOutOfRange where it was deleted.
    """
    try:
        records = log.read(source, offset, 1)
    except NoRecord:
        return None
    return records[0] if records and records[0].offset == offset else None


def object_of(raw: bytes | None) -> dict[str, Any] | None:
    """The JSON object that a key or a value of the log's own topics is; None where it is none."""
    try:
        said = json.loads(raw or b"")
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def pass_by_foreign(record: StoredRecord) -> None:
    """Tell of a record in a topic of the log's own that another program must have written."""
    logger.warning(
        "%s, offset %d: not otclog's, passed by: keep other programs out of topic %s",
        record.source,
        record.offset,
        record.source.topic,
    )


def records_of(
    log: CommitLog, source: TopicPartition, start: int | None = None, max_bytes: int = FETCH_BYTES
) -> Iterator[StoredRecord]:
    """All visible records from `start`, or the oldest kept, on; those too that are appended meanwhile.

    At most `max_bytes` are held, or one record. Where records are deleted before they are read, it goes on at the
    oldest kept, and where offsets hold none behind those. Raises as `CommitLog.read`, but for NoRecord.
    """
    offset, begun = log.span(source).start if start is None else start, start is None
    while True:
        try:
            records = log.read(source, offset, max_bytes)
        except OffsetOutOfRange as error:
            if not begun or offset >= error.span.start:
                raise
            offset = error.span.start
            continue
        except NoRecord as gap:
            offset, begun = gap.stop, True
            continue
        if not records:
            return
        begun = True
        yield from records
        offset = records[-1].offset + 1


def fetched(log: CommitLog, source: TopicPartition, offsets: range, max_bytes: int) -> Iterator[Records]:
    """What lies at these offsets, a fetch at a time; the last may have what comes behind them, too.

    Raises as `CommitLog.read`. A log that has lost its end gives nothing more.
    """
    offset, behind = offsets.start, -1
    while behind < offset < offsets.stop:
        records = log.read(source, offset, max_bytes)
        yield records
        behind, offset = offset, records.next_offset


def readable_records(
    log: CommitLog,
    source: TopicPartition,
    tell: Callable[[CorruptRecord], object],
    start: int | None = None,
    max_bytes: int = FETCH_BYTES,
) -> Iterator[StoredRecord]:
    """`records_of`, going on behind what no replica has whole; `tell` hears of each such place."""
    while True:
        try:
            yield from records_of(log, source, start, max_bytes)
        except CorruptRecord as error:
            tell(error)
            if error.stop is None:
                raise
            start = error.stop
        else:
            return


def _pass_over(_: CorruptRecord) -> None:
    """Damage is nothing to somebody who asks what kind of records there are."""


def holds_mails(log: CommitLog, source: TopicPartition) -> bool:
    """Whether the oldest record kept is a mail's: each of these has the mail's SHA-256 among its headers."""
    return any(
        name == SHA256_HEADER
        for record in islice(readable_records(log, source, _pass_over, max_bytes=1), 1)
        for name, _ in record.headers
    )
