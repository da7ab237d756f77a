"""The short way of a `written` append: this process was the last to append, and nothing has happened since.

An append of one message takes twice the time of its system calls and its batch here, and five times on the long way.
Whatever is not as this process left it, or is due, is `Partition.enter`'s to find and to settle. That something is, is
seen by

the lock       somebody holds it, its file was taken from under its name (a topic deleted, a root lost), or it has
               another stamp: the topic was altered
the watermark  somebody else appended, began a segment, cut or changed the state
the files      one has another end: a dead appender left something there

That another file than the lock's was taken from under its name is left to the `enter` that comes before the records are
acknowledged.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from log.disk.files import log_error_of
from log.embedded.partition.partition import Ticket
from log.embedded.replicas.watermark import Watermark
from log.embedded.segment.codec import BATCH_BYTES
from log.embedded.segment.encoding import Run
from log.types import Positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from log.embedded.partition.partition import Partition
    from log.embedded.topics import TopicCache
    from log.types import Record

_watermark, _ticket = partial(tuple.__new__, Watermark), partial(tuple.__new__, Ticket)  # one with each append


class ShortWay:
    """Where it may be tried: at the partition of a topic that has one."""

    def __init__(self, topics: TopicCache, most_unflushed: int) -> None:
        self._topics, self._most_unflushed = topics, most_unflushed
        self._sole: dict[str, Partition] = {}

    def learn(self, topic: str, partitions: Sequence[Partition]) -> None:
        """What an append on the long way found. Held."""
        if len(partitions) == 1 and self._topics.still_has_one(topic, partitions[0].config):
            partitions[0].stamp = partitions[0].lock.stamp
            self._sole[topic] = partitions[0]
        else:
            self._sole.pop(topic, None)

    def forget(self, topic: str) -> None:
        """It was deleted."""
        self._sole.pop(topic, None)

    def append(self, topic: str, records: Sequence[Record]) -> Positions | None:
        """Append and publish the records; None, and nothing done, where that takes the long way. Raises LogError."""
        partition = self._sole.get(topic)
        if partition is None or not records:
            return None
        try:
            offsets = go_on(partition, records, self._most_unflushed)
        except OSError as error:
            raise log_error_of(error) from error
        return None if offsets is None else Positions(partition.source, offsets)


def go_on(partition: Partition, records: Sequence[Record], most_unflushed: int) -> range | None:
    """Write and publish one batch; its offsets, or None and nothing done where that does not suffice. Not held.

    It does not when so many records would be unflushed that they must be flushed. Raises OSError, RecordTooLarge and
    what `Partition.resolve` does.
    """
    lock = partition.lock
    if not lock.at_once():
        return None
    try:
        mark = partition.published
        if mark is None or not _is_as_left(partition, mark):
            return None
        if mark.end + len(records) - mark.high_watermark >= most_unflushed:
            return None
        made = _batch(partition, mark, records)
        if made is None:
            return None
        batch, crc, after = made
        _publish(partition, mark, batch, after)
        offsets = range(mark.end, after.end)
        partition.written = _ticket((offsets, crc, mark.cuts))
        return offsets
    finally:
        lock.release()


def _is_as_left(partition: Partition, mark: Watermark) -> bool:
    """Whether nothing has happened since this process published `mark`, as far as can be seen; see above. Held."""
    written = partition.written
    return (
        mark is partition.staged
        and partition.lock.stamp == partition.stamp
        and not mark.changes % 2
        and partition.watermark_file.still_says(mark)
        and partition.replicas.end_at(mark.position, partition.settings.min_insync)
        and partition.offline is None
        and (written is None or written.cuts == mark.cuts)
    )


def _batch(partition: Partition, mark: Watermark, records: Sequence[Record]) -> tuple[bytes, int, Watermark] | None:
    """The records as one batch, its CRC, and the watermark behind it; None where they take two, or a segment is due."""
    settings = partition.settings
    boot, version, high_watermark, begin, base, position, started_ms, last_ms, changes, cuts = mark
    now_ms = max(time.time_ns() // 1_000_000, last_ms)
    run = Run(settings.compression, now_ms, min(BATCH_BYTES, settings.segment_bytes))
    if run.fill(records) < len(records):
        return None
    batch = run.build(begin, partition.replicas.state.epoch)
    end = position + len(batch)
    if position and (end > settings.segment_bytes or started_ms < now_ms - settings.segment_age_s * 1000):
        return None
    started_ms = started_ms or now_ms
    fields = (boot, version, high_watermark, begin + len(records), base, end, started_ms, now_ms, changes, cuts)
    return batch, run.crc, _watermark(fields)


def _publish(partition: Partition, before: Watermark, batch: bytes, after: Watermark) -> None:
    """Write the batch to the replicas in sync, and show its end. Raises OSError and what `Partition.resolve` does."""
    try:
        everywhere = partition.replicas.append(batch, before.position, after.end - 1, after.last_timestamp_ms)
        partition.staged = after
        if not everywhere:
            partition.resolve()
    except BaseException:
        partition.roll_back()
        raise
    if partition.staged is after:
        partition.watermark_file.write(after)
        partition.published = after
    else:  # a replica left the ISR
        partition.publish()
