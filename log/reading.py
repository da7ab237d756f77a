"""Reading a partition from an offset to its end: a function over the interface."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from log.errors import CorruptRecord, OffsetOutOfRange, UnknownTopic
from log.types import SHA256_HEADER, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from log.interface import CommitLog
    from log.types import StoredRecord

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


def records_of(
    log: CommitLog, source: TopicPartition, start: int | None = None, max_bytes: int = FETCH_BYTES
) -> Iterator[StoredRecord]:
    """All visible records from `start`, or the oldest kept, on; those too that are appended meanwhile.

    At most `max_bytes` are held, or one record. Where records are deleted before they are read, it goes on at the
    oldest kept. Raises as `CommitLog.read`.
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
        if not records:
            return
        begun = True
        yield from records
        offset = records[-1].offset + 1


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
