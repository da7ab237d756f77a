"""Records to the ends of a partition's replicas, batch by batch, in a new segment where one is due."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from log.embedded import codec
from log.embedded.encoding import Run
from log.errors import RecordTooLarge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from log.embedded.partition import Partition
    from log.types import Record


def write(partition: Partition, records: Sequence[Record], producer: codec.Producer) -> int:
    """Stage the records; the CRC of their first batch. Held. Raises RecordTooLarge; a replica carries its error."""
    partition.check_enough()
    settings, replicas, mark = partition.settings, partition.replicas, partition.mark
    now_ms = max(time.time_ns() // 1_000_000, mark.last_timestamp_ms)
    most = min(codec.BATCH_BYTES, settings.segment_bytes) if producer is codec.ANYBODY else codec.MAX_BATCH_BYTES
    taken, crc, started_before_ms = 0, 0, now_ms - settings.segment_age_s * 1000
    while taken < len(records):
        run = Run(settings.compression, now_ms, most, producer)
        begin, taken = taken, run.fill(records, taken)
        if producer is not codec.ANYBODY and taken < len(records):
            raise RecordTooLarge(f"{partition.source}: a producer's append of more than {most} bytes: make it smaller")
        mark = partition.mark
        batch = run.build(mark.end, replicas.state.epoch)
        crc = crc or run.crc
        too_long = mark.position + len(batch) > settings.segment_bytes
        if mark.position and (too_long or mark.segment_started_ms < started_before_ms):
            _roll(partition)
            mark = partition.mark
        end = mark.end + taken - begin
        replicas.append(batch, mark.position, end - 1, now_ms)
        partition.staged = mark._replace(
            end=end,
            position=mark.position + len(batch),
            segment_started_ms=mark.segment_started_ms or now_ms,
            last_timestamp_ms=now_ms,
        )
    return crc


def _roll(partition: Partition) -> None:
    """Flush the active segment, as later flushes only see the new one, and begin that."""
    end = partition.mark.end
    partition.begin_change()
    partition.replicas.on_each(lambda replica: replica.fsync())
    partition.replicas.on_each(lambda replica: replica.roll(end))
    partition.staged = partition.mark._replace(segment_base=end, position=0, segment_started_ms=0)
