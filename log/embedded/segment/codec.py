"""Kafka's record batch, version 2: its header, and its records out of it, by aiokafka's codec. Into it: encoding.py.

    at  bytes
     0    8    base offset
     8    4    length, of what follows it
    12    4    leader epoch
    16    1    magic, 2
    17    4    CRC-32C, of what follows it: so base offset and epoch can be set without touching it
    21    2    attributes: bits 0-2 compression; bit 3 LogAppendTime, always set here: every record of a batch has the
               batch's max timestamp; bits 4 and 5 transaction and control, never set here
    23    4    last offset - base offset
    27    8    first timestamp, ms
    35    8    max timestamp, ms
    43   14    producer id (8), producer epoch (2), base sequence (4): -1 without an idempotent producer
    57    4    number of records
    61         the records, compressed as one

Big-endian. https://kafka.apache.org/documentation/#recordbatch
"""

from __future__ import annotations

import struct
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from aiokafka.record.memory_records import MemoryRecords
from google_crc32c import value as crc32c

from log.records import Records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from log.records import Decoded, Part
    from log.types import TopicPartition

HEADER = struct.Struct(">qiibIhiqqqhii")
LENGTH_COUNTS_FROM = 12
CRC_COVERS_FROM = 21
MAGIC = 2
LOG_APPEND_TIME = 0x08
COMPRESSION_MASK = 0x07
COMPRESSIONS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}
NAMES = {number: name for name, number in COMPRESSIONS.items()}

MAX_BATCH_BYTES = 2**30  # a corrupt length must not make us allocate more than this; positions are 31 bits
BATCH_BYTES = 2**20  # records are gathered up to this: large enough to compress, small enough to read one record
_WALKED = struct.Struct(">qi4xbIhi30xi").unpack_from  # the fields that a walk over batches looks at
_RECORD_FRAMING = 7  # bytes around key and value, at least
_FRAMING = HEADER.size - LENGTH_COUNTS_FROM


class Producer(NamedTuple):
    """Who wrote a batch, and which of its records these are; all -1 for a producer that does not say."""

    id: int = -1
    epoch: int = -1
    sequence: int = -1  # of the first record, counted per partition


ANYBODY = Producer()


class BatchHeader(NamedTuple):
    """The 61 bytes before the records, as they are."""

    base_offset: int
    length: int  # of what follows it
    leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_delta: int  # last offset - base offset
    first_timestamp_ms: int
    max_timestamp_ms: int
    producer_id: int
    producer_epoch: int
    sequence: int
    records: int

    @property
    def size(self) -> int:
        """Bytes of the whole batch."""
        return self.length + LENGTH_COUNTS_FROM

    @property
    def last_offset(self) -> int:
        """The offset of its last record, or where that was before compaction."""
        return self.base_offset + self.last_delta

    @property
    def next_offset(self) -> int:
        """The offset after this batch."""
        return self.base_offset + self.last_delta + 1

    @property
    def most_bytes(self) -> int:
        """Its keys and values have no more, unless it is compressed."""
        return self.length - _FRAMING - _RECORD_FRAMING * self.records

    @property
    def producer(self) -> Producer:
        """Who wrote it."""
        return Producer(self.producer_id, self.producer_epoch, self.sequence)


_header = partial(tuple.__new__, BatchHeader)  # a hundred thousand a second are made
_LENGTHS = range(HEADER.size - LENGTH_COUNTS_FROM, MAX_BATCH_BYTES - LENGTH_COUNTS_FROM + 1)


def read_header(buffer: bytes | memoryview, at: int = 0) -> BatchHeader | None:
    """The header at `at`; None if the bytes there cannot be one."""
    if len(buffer) - at < HEADER.size:
        return None
    header: BatchHeader = _header(HEADER.unpack_from(buffer, at))
    if header[3] != MAGIC or header[0] < 0 or header[6] < 0 or header[1] not in _LENGTHS:
        return None
    return header


def is_whole(batch: bytes) -> bool:
    """Whether the CRC in the header is that of the bytes."""
    header = read_header(batch)
    return header is not None and is_sound(header, batch)


def split(batches: bytes) -> Iterator[tuple[BatchHeader, bytes]]:
    """The batches that stand one behind the other, each with its header."""
    at = 0
    while header := read_header(batches, at):
        yield header, batches[at : at + header.size]
        at += header.size


def is_sound(header: BatchHeader, batch: bytes) -> bool:
    """Whether the bytes are the batch of that header, which was read out of them: by their number and the CRC."""
    crc: int = crc32c(batch[CRC_COVERS_FROM:])
    return crc == header.crc and len(batch) == header.length + LENGTH_COUNTS_FROM


class Stretch(NamedTuple):
    """Intact batches that stand one behind the other."""

    stop: int  # where they end in the window: where they begin, without one
    batches: int
    records: int  # in all of them
    next_offset: int  # after them
    room: int  # left beside their keys and values


def intact_stretch(window: bytes, start: int, offset: int, stop: int, room: int) -> Stretch:
    """As many whole batches as follow from `start` on, the first at `offset`, their CRC checked.

    They end before the first that is not whole in the window, not intact, compressed (its records may be of any size),
    has an offset from `stop` on or keys and values that could be larger than `room`: that one is to be looked at alone.
    """
    at = start
    batches, count, size, furthest = 0, 0, len(window), len(window) - HEADER.size
    while at <= furthest:
        base, length, magic, crc, attributes, delta, records = _WALKED(window, at)
        end, after = at + length + LENGTH_COUNTS_FROM, base + delta + 1
        left = room - length + _FRAMING + _RECORD_FRAMING * records
        if (
            base != offset
            or left < 0
            or after > stop
            or end > size
            or attributes & COMPRESSION_MASK
            or magic != MAGIC
            or delta < 0
            or length not in _LENGTHS
            or crc32c(window[at + CRC_COVERS_FROM : end]) != crc
        ):
            break
        at, offset, room = end, after, left
        batches += 1
        count += records
    return Stretch(at, batches, count, offset, room)


def decoder(data: bytes, batches: int = 1) -> Part:
    """Decodes the whole batches that `data` begins with, each time it is called."""
    return partial(_decoded, data, batches)


def _decoded(data: bytes, batches: int) -> Iterable[Decoded]:
    return chain.from_iterable(islice(iter(MemoryRecords(data).next_batch, None), batches))


def decode(batch: bytes, source: TopicPartition) -> Records:
    """The records of a whole batch."""
    header: BatchHeader = _header(HEADER.unpack_from(batch))
    return Records(source, [decoder(batch)], header.records, header.next_offset)
