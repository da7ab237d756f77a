"""Records to the ends of a partition's replicas, batch by batch, in a new segment where one is due."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from log.embedded.partition.partition import Ticket
from log.embedded.segment import codec
from log.embedded.segment.encoding import Run
from log.errors import CorruptRecord, RecordTooLarge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from log.embedded.partition.partition import Partition
    from log.types import Record


def write(partition: Partition, records: Sequence[Record], producer: codec.Producer = codec.ANYBODY) -> Ticket:
    """Write the records to every in-sync replica. One that fails carries its error. Held. Raises RecordTooLarge.

    Those of a producer that numbers them are one batch, which is there as a whole or not at all.
    """
    begun = partition.mark
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
    return Ticket(range(begun.end, partition.mark.end), crc, begun.cuts)


def write_once(partition: Partition, records: Sequence[Record], producer: codec.Producer) -> Ticket:
    """`write`, unless the producer has done so before. Held. Raises OutOfSequence, ProducerFenced."""
    _learn_sequences(partition)
    found = partition.sequences.find(*producer, len(records))
    if found is None:
        return write(partition, records, producer)
    return Ticket(range(found.offset, found.offset + len(records)), found.crc, partition.mark.cuts)


def _learn_sequences(partition: Partition) -> None:
    """From the leader, or where its copy is damaged from another in-sync replica. Raises CorruptRecord, OSError."""
    leader, damage = partition.replicas.state.leader, None
    for replica in sorted(partition.replicas, key=lambda each: each.number != leader):
        try:
            partition.sequences.catch_up(replica.folder, partition.mark, partition.replicas.state.start)
        except CorruptRecord as error:
            damage = damage or error
        else:
            return
    if damage is not None:
        raise damage


def _roll(partition: Partition) -> None:
    """Flush the active segment, as later flushes only see the new one, and begin that."""
    end = partition.mark.end
    partition.begin_change()
    partition.replicas.on_each(lambda replica: replica.fsync())
    partition.replicas.on_each(lambda replica: replica.roll(end))
    partition.staged = partition.mark._replace(segment_base=end, position=0, segment_started_ms=0)
