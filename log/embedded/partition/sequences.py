"""What the producers of a partition have written last: so that a repeated append is known.

    <20 digits>.snapshot    Kafka's: all producers' last batches before that offset, written when a segment begins
    |  version 1, 2 bytes | CRC-32C of the rest, 4 | number of entries, 4 | entries
    | producer id, 8 | epoch, 2 | last sequence, 4 | last offset, 8 | last offset - first offset, 4 | timestamp ms, 8
    | coordinator epoch, 4: -1 | first offset of a transaction, 8: -1

Big-endian. A snapshot is a hint: without one, or with a damaged one, all batches are looked at. Before batches are
deleted, what they say is written down in one: or a producer's next numbers would not follow what is left.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, NamedTuple

from google_crc32c import value as crc32c

from log.disk.files import replace_file
from log.embedded.segment import codec
from log.embedded.segment.names import copy_bases, segment_bases, segment_file
from log.embedded.segment.segment import find_batch, walk
from log.errors import CorruptRecord, OutOfSequence, ProducerFenced

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.embedded.replicas.watermark import Watermark
    from log.embedded.segment.codec import BatchHeader
    from log.types import TopicPartition

HEAD = struct.Struct(">hIi")
ENTRY = struct.Struct(">qhiqiqiq")
VERSION = 1
KEPT = 5  # batches a producer, as Kafka: one that repeats an older append than its last is behind itself
SNAPSHOTS = 2  # newest ones kept in a folder


class Batch(NamedTuple):
    """A batch of a producer."""

    first: int  # sequence
    last: int
    offset: int  # of its first record
    timestamp_ms: int
    crc: int  # 0 for one out of a snapshot


class Sequences:
    """Follows the log of one partition, from one append of a numbering producer to the next."""

    def __init__(self, source: TopicPartition) -> None:
        self._source = source
        self._known: dict[int, tuple[int, list[Batch]]] = {}  # producer: its epoch, its last batches
        self._end = -1  # offset up to which the log was looked at
        self._cuts = -1
        self._written = 0  # the last snapshot

    def catch_up(self, folder: Path, mark: Watermark, start: int) -> None:
        """Learn of the batches before the end. Raises OSError; CorruptRecord for a copy that does not tell them all.

        What was deleted before offset `start` is told by a snapshot, or by nothing if nobody had numbered it.

        Out of a part of them an append that is there already would be stored again.
        """
        bases = copy_bases(folder)
        if self._cuts != mark.cuts or not bases[0] <= self._end <= mark.end:
            self._end, self._known = _newest_snapshot(folder, mark.high_watermark)
            self._cuts = mark.cuts
        if bases[0] > max(start, self._end):
            raise CorruptRecord(self._source, start, f"{folder}: its oldest segments are missing")
        self._end = max(bases[0], self._end)
        for base, following in zip(bases, [*bases[1:], None], strict=True):
            if following is not None and following <= self._end:
                continue
            if self._written < base == self._end <= mark.high_watermark and self._known:
                self._snapshot(folder, base)
            if base > self._end:
                break  # the segment before is damaged
            for header in _headers(folder, base, self._end):
                self._learn(header)
                self._end = header.next_offset
        if self._end != mark.end:
            stopped, self._end = self._end, -1
            raise CorruptRecord(self._source, stopped, f"{folder}: it does not tell what producers wrote")

    def learn_before(self, folder: Path, stop: int) -> bool:
        """Learn of the batches before `stop`, a segment's base; whether the copy told them all. Raises OSError.

        A copy that holds none of them any more tells them by its snapshot at `stop`, or not at all.
        """
        bases = [base for base in segment_bases(folder) if base < stop]
        self._end, self._known = _newest_snapshot(folder, stop)
        self._end = max([self._end, *bases[:1]])
        for base in bases:
            if base > self._end:
                break  # the segment before is damaged
            for header in _headers(folder, base, self._end):
                self._learn(header)
                self._end = header.next_offset
        return self._end == stop

    def write_before(self, folder: Path, stop: int) -> None:
        """Write down what was learnt, if anything was. Raises OSError."""
        if self._known:
            self._snapshot(folder, stop)

    def find(self, producer: int, epoch: int, first: int, count: int) -> Batch | None:
        """The batch of an append that is there already, None for one that may be stored.

        Raises ProducerFenced for an epoch that is over, OutOfSequence for numbers that are not the next ones.
        """
        known_epoch, batches = self._known.get(producer, (-1, []))
        if epoch < known_epoch:
            raise ProducerFenced(
                f"{self._source}: producer {producer} of epoch {epoch} was followed by one of epoch {known_epoch}"
            )
        if epoch > known_epoch:
            batches = []
        for batch in batches:
            if (batch.first, batch.last) == (first, first + count - 1):
                return batch
        expected = batches[-1].last + 1 if batches else 0
        if first != expected and not (known_epoch < 0 and not batches):
            raise OutOfSequence(
                f"{self._source}: producer {producer} sent number {first} where {expected} comes next: "
                "an append before this one was given up, or this one is too long ago; register again"
            )
        return None

    def _snapshot(self, folder: Path, offset: int) -> None:
        """Write down what is known before `offset`, where a segment begins; older ones but the last go."""
        entries = [
            ENTRY.pack(
                producer,
                epoch,
                last.last,
                last.offset + last.last - last.first,
                last.last - last.first,
                last.timestamp_ms,
                -1,
                -1,
            )
            for producer, (epoch, batches) in sorted(self._known.items())
            for last in batches[-1:]
        ]
        body = struct.pack(">i", len(entries)) + b"".join(entries)
        replace_file(segment_file(folder, offset, ".snapshot"), struct.pack(">hI", VERSION, crc32c(body)) + body)
        self._written = offset
        for path in sorted(folder.glob("*.snapshot"))[:-SNAPSHOTS]:
            path.unlink(missing_ok=True)

    def _learn(self, header: BatchHeader) -> None:
        producer = header.producer
        if producer.id < 0:
            return
        count = header.last_offset - header.base_offset
        batch = Batch(
            producer.sequence, producer.sequence + count, header.base_offset, header.max_timestamp_ms, header.crc
        )
        epoch, batches = self._known.get(producer.id, (-1, []))
        self._known[producer.id] = (producer.epoch, [*(batches if epoch == producer.epoch else []), batch][-KEPT:])


def _headers(folder: Path, base: int, offset: int) -> Iterator[BatchHeader]:
    """Batch headers from `offset` on that follow each other; where a producer numbered one, its CRC is right, too."""
    fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
    try:
        found = find_batch(fd, folder, base, offset)
        for position, header in walk(fd, found.position, os.fstat(fd).st_size) if found else ():
            numbered = header.producer.id != codec.ANYBODY.id
            if header.base_offset != offset or (numbered and not codec.is_whole(os.pread(fd, header.size, position))):
                return
            yield header
            offset = header.next_offset
    finally:
        os.close(fd)


def _newest_snapshot(folder: Path, end: int) -> tuple[int, dict[int, tuple[int, list[Batch]]]]:
    for path in sorted(folder.glob("*.snapshot"), reverse=True):
        data = path.read_bytes()
        if path.stem.isdecimal() and int(path.stem) <= end and len(data) >= HEAD.size:
            version, crc, _ = HEAD.unpack_from(data)
            body = data[HEAD.size :]
            if version == VERSION and crc == crc32c(data[6:]) and len(body) % ENTRY.size == 0:
                return int(path.stem), dict(map(_known, ENTRY.iter_unpack(body)))
    return 0, {}


def _known(entry: tuple[int, ...]) -> tuple[int, tuple[int, list[Batch]]]:
    producer, epoch, last, last_offset, delta, timestamp_ms, _, _ = entry
    return producer, (epoch, [Batch(last - delta, last, last_offset - delta, timestamp_ms, 0)])
