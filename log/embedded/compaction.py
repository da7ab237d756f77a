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

from log.disk.files import create_file, fsync_folder, write_all
from log.embedded import codec, encoding
from log.embedded.by_time import started_ms
from log.embedded.changing import change_state
from log.embedded.names import SUFFIXES, segment_bases, segment_file
from log.embedded.recovery import rebuild_index
from log.embedded.replicas import attempt
from log.embedded.segment import walk
from log.embedded.wholeness import check_whole
from log.errors import CorruptRecord

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.partition import Partition
    from log.embedded.replica import Replica
    from log.types import TopicConfig, TopicPartition

CLEANED = ".log.cleaned"
MAX_OFFSETS = 2**30  # between the bases of what becomes one segment: an index has 31 bits for an offset

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
    writer = _Writer(list(folders.values()), partition.settings.segment_bytes)
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
            attempt(replica, _swap, replica, groups)
        partition.resolve()
        change_state(partition, compacted=end)
    return end


def remove_unfinished(folder: Path) -> None:
    """Forget what a compaction that died had written."""
    for path in folder.glob(f"*{CLEANED}"):
        path.unlink()


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


class _Writer:
    """Writes cleaned segments to several folders at once, neighbours that fit one segment into one."""

    def __init__(self, folders: list[Path], segment_bytes: int) -> None:
        self.bases: list[int] = []  # of the segments written
        self._folders, self._segment_bytes = folders, segment_bytes
        self._files: list[int] = []
        self._position = 0
        self._dropped: codec.BatchHeader | None = None  # the batches before, as one, if nothing stays of them

    def begin(self, base: int, size: int) -> None:
        """What follows is of that segment, which has that size now."""
        if self.bases and self._position + size <= self._segment_bytes and base - self.bases[-1] <= MAX_OFFSETS:
            return
        self.finish()
        self.bases.append(base)
        self._files = [create_file(folder / f"{base:020d}{CLEANED}") for folder in self._folders]
        self._position = 0

    def add(self, header: codec.BatchHeader, batch: bytes | None) -> None:
        """Write what stays of a batch; those of which nothing does leave one empty batch for all their offsets."""
        before = self._dropped
        if (
            batch is None
            and before is not None
            and _nobody(before, header)
            and before.leader_epoch == header.leader_epoch
        ):
            delta = header.last_offset - before.base_offset
            self._dropped = header._replace(base_offset=before.base_offset, last_delta=delta)
        else:
            self._write_dropped()
            self._dropped = header if batch is None else None
        if batch is not None:
            self._write(batch)

    def finish(self) -> None:
        """The segment is on disk, and ends where it did."""
        self._write_dropped()
        for fd in self._files:
            os.fsync(fd)
        self.close()

    def close(self) -> None:
        """Give the files back."""
        for fd in self._files:
            os.close(fd)
        self._files = []

    def _write_dropped(self) -> None:
        if self._dropped is not None:
            self._write(encoding.emptied(self._dropped))
            self._dropped = None

    def _write(self, batch: bytes) -> None:
        for fd in self._files:
            write_all(fd, batch, self._position)
        self._position += len(batch)


def _nobody(*headers: codec.BatchHeader) -> bool:
    """Whether no producer's numbers depend on how many offsets these batches have."""
    return all(header.producer.id < 0 for header in headers)


def _swap(replica: Replica, groups: list[tuple[int, int]]) -> None:
    folder = replica.folder
    for base, stop in groups:
        for suffix in SUFFIXES[1:]:
            segment_file(folder, base, suffix).unlink(missing_ok=True)
        (folder / f"{base:020d}{CLEANED}").replace(segment_file(folder, base))
        fsync_folder(folder)
        rebuild_index(folder, base)
        for absorbed in [each for each in segment_bases(folder) if base < each < stop]:
            for suffix in reversed(SUFFIXES):
                segment_file(folder, absorbed, suffix).unlink(missing_ok=True)
        fsync_folder(folder)
