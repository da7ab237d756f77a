"""Compaction: of each key the latest record stays, and every offset keeps its record or has none.

1. choose     closed segments whose records are all acknowledged and older than the lag; the latest offset of each key
2. write      what stays of them to <base>.log.cleaned on every replica in sync, flushed. Small neighbours become one
              segment. An empty batch stays for those of which nothing else does: every batch begins where the one
              before ends, which is all that a reader has to check a batch's offset by
3. swap       under the partition's lock, replica by replica, segment by segment: remove the old indexes, rename the
              cleaned file over the old segment, index it, remove the old segments whose offsets it has
4. state      how far the partition is compacted

A crash in 2 leaves files that the next tender removes. One in 3 leaves old segments beside the one that has their
records: either may be read, and who goes through a copy (recovery, a replica that comes back, the next compaction,
which removes them) knows them by their offsets. The replicas may then differ in these segments, never in a key's latest
record; nothing is compacted that recovery would compare.
"""

from __future__ import annotations

import contextlib
import os
import time
from itertools import pairwise
from typing import TYPE_CHECKING

from log.embedded.partition.changing import change_state
from log.embedded.replicas.replicas import attempt
from log.embedded.segment import codec, encoding
from log.embedded.segment.by_time import started_ms
from log.embedded.segment.names import segment_bases, segment_file
from log.embedded.segment.segment import walk
from log.embedded.segment.wholeness import check_whole
from log.embedded.upkeep.cleaned import Writer, remove_unfinished, swap
from log.errors import CorruptRecord

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.partition.partition import Partition
    from log.types import TopicConfig, TopicPartition

Latest = dict[bytes, int]  # of each key the offset of its last record


def compact(home: Home, partition: Partition, config: TopicConfig) -> int:
    """Compact what can be; the offset up to which the partition is compacted now. To be called by its only tender.

    Raises OSError when the leader or all disks fail, CorruptRecord when a record to be kept is damaged.
    """
    source = partition.source
    with partition.hold():
        state, high_watermark = partition.replicas.state, partition.mark.high_watermark
    folders = {number: home.partition_folder(source, number) for number in state.isr}
    leader = folders[state.leader]
    for folder in folders.values():
        remove_unfinished(folder)
    bases, end = _compactable(leader, high_watermark, config.compaction_lag_s)
    if end <= state.compacted or not _is_worth_it(leader, bases, state.compacted):
        return state.compacted
    check_whole(source, leader, state.start, end)
    bases = _without_leftovers(leader, bases)
    latest = _latest(source, leader, bases)
    tombstones_since_ms = time.time_ns() // 1_000_000 - config.tombstone_s * 1000
    writer = Writer(list(folders.values()), partition.settings.segment_bytes)
    with contextlib.closing(writer):
        for base in bases:
            writer.begin(base, segment_file(leader, base).stat().st_size)
            for header, batch in _what_stays(source, leader, base, latest, tombstones_since_ms):
                writer.add(header, batch)
        writer.finish()
    groups = list(zip(writer.bases, [*writer.bases[1:], end], strict=True))
    with partition.hold():
        if set(partition.replicas.state.isr) - folders.keys():
            return state.compacted  # a replica came back that has nothing to swap
        partition.begin_change(durable=True)
        for replica in partition.replicas:
            attempt(replica, swap, replica.folder, groups)
        partition.resolve()
        change_state(partition, compacted=end)
    return end


def _compactable(folder: Path, high_watermark: int, lag_s: float) -> tuple[list[int], int]:
    """The segments, and the offset that the last of them ends at."""
    limit_ms = time.time_ns() // 1_000_000 - lag_s * 1000
    bases, chosen, end = segment_bases(folder), [], 0
    for base, following in pairwise(bases):
        last_ms = started_ms(folder, following)
        if following > high_watermark or (lag_s and (last_ms is None or last_ms > limit_ms)):
            break
        chosen.append(base)
        end = following
    return chosen, end


def _without_leftovers(folder: Path, bases: list[int]) -> list[int]:
    """Without old segments that a compaction that died left beside the one that has their records."""
    chosen: list[int] = []
    end = 0
    for base in bases:
        if base < end:
            continue
        chosen.append(base)
        with segment_file(folder, base).open("rb") as file:
            headers = walk(file.fileno(), 0, segment_file(folder, base).stat().st_size)
            end = max((header.next_offset for _, header in headers), default=base)
    return chosen


def _is_worth_it(folder: Path, bases: list[int], compacted: int) -> bool:
    """Whether at least half of the bytes were never compacted: as Kafka's min.cleanable.dirty.ratio."""
    sizes = {base: segment_file(folder, base).stat().st_size for base in bases}
    return 2 * sum(size for base, size in sizes.items() if base >= compacted) >= sum(sizes.values())


def _batches(source: TopicPartition, folder: Path, base: int) -> Iterator[tuple[codec.BatchHeader, bytes]]:
    path = segment_file(folder, base)
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        size, end, offset = os.fstat(fd).st_size, 0, base
        for position, header in walk(fd, 0, size):
            batch = os.pread(fd, header.size, position)
            if not codec.is_whole(batch):
                break
            yield header, batch
            end, offset = position + header.size, header.next_offset
        if end != size:
            raise CorruptRecord(source, offset, f"{path}, position {end}")
    finally:
        os.close(fd)


def _latest(source: TopicPartition, folder: Path, bases: list[int]) -> Latest:
    return {
        record.key: record.offset
        for base in bases
        for _, batch in _batches(source, folder, base)
        for record in codec.decode(batch, source)
        if record.key is not None
    }


def _what_stays(
    source: TopicPartition, folder: Path, base: int, latest: Latest, tombstones_since_ms: float
) -> Iterator[tuple[codec.BatchHeader, bytes | None]]:
    """The batches of a segment with what stays of their records, None for nothing. A record without a key stays."""
    for header, batch in _batches(source, folder, base):
        records = codec.decode(batch, source)
        kept = [
            record
            for record in records
            if record.key is None
            or (
                latest.get(record.key) == record.offset
                and (record.value is not None or record.timestamp_ms >= tombstones_since_ms)
            )
        ]
        if not kept:
            yield header, None
        elif len(kept) == len(records):
            yield header, batch
        else:
            run = encoding.Run.like(header)
            for record in kept:
                run.keep(record.offset - header.base_offset, record)
            yield header, run.build(header.base_offset, header.leader_epoch, header.last_offset - header.base_offset)
