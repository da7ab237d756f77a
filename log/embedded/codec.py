"""Records to bytes and back: Kafka's record batch, version 2, by aiokafka's codec.

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
from typing import TYPE_CHECKING, NamedTuple

from aiokafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder
from aiokafka.record.util import calc_crc32c

from log.errors import RecordTooLarge
from log.types import StoredRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from log.types import Record, TopicPartition

HEADER = struct.Struct(">qiibIhiqqqhii")
LENGTH_COUNTS_FROM = 12
CRC_COVERS_FROM = 21
MAGIC = 2
LOG_APPEND_TIME = 0x08
COMPRESSION_MASK = 0x07
COMPRESSIONS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}

MAX_BATCH_BYTES = 2**30  # a corrupt length must not make us allocate more than this; positions are 31 bits
BATCH_BYTES = 2**20  # records are gathered up to this: large enough to compress, small enough to read one record
RECORD_OVERHEAD_BYTES = 64  # length, deltas, and the lengths of key, value and headers, rounded up


class BatchHeader(NamedTuple):
    """The 61 bytes before the records, `size` counting the whole batch."""

    base_offset: int
    size: int
    leader_epoch: int
    crc: int
    attributes: int
    last_offset: int
    max_timestamp_ms: int
    records: int

    @property
    def next_offset(self) -> int:
        """The offset after this batch."""
        return self.last_offset + 1


def read_header(buffer: bytes | memoryview, at: int = 0) -> BatchHeader | None:
    """The header at `at`; None if the bytes there cannot be one."""
    if len(buffer) - at < HEADER.size:
        return None
    base, length, epoch, magic, crc, attributes, delta, _, max_time, _, _, _, count = HEADER.unpack_from(buffer, at)
    size = length + LENGTH_COUNTS_FROM
    if magic != MAGIC or base < 0 or delta < 0 or not HEADER.size <= size <= MAX_BATCH_BYTES:
        return None
    return BatchHeader(base, size, epoch, crc, attributes, base + delta, max_time, count)


def is_whole(batch: bytes) -> bool:
    """Whether the CRC in the header is that of the bytes."""
    header = read_header(batch)
    return header is not None and header.size == len(batch) and header.crc == calc_crc32c(batch[CRC_COVERS_FROM:])


def record_bytes(record: Record) -> int:
    """An upper bound of the bytes this record takes before compression. Raises RecordTooLarge."""
    size = RECORD_OVERHEAD_BYTES + len(record.key or b"") + len(record.value or b"")
    size += sum(len(name) * 4 + len(value) + 10 for name, value in record.headers)
    if size > MAX_BATCH_BYTES - HEADER.size:
        raise RecordTooLarge(f"a record of {size} bytes does not fit a batch of at most {MAX_BATCH_BYTES}")
    return size


def gather(records: Sequence[Record], batch_bytes: int) -> Iterator[Sequence[Record]]:
    """The records in order, in runs of about `batch_bytes`; a larger record is a run of its own."""
    start = size = 0
    for index, record in enumerate(records):
        more = record_bytes(record)
        if index > start and size + more > batch_bytes:
            yield records[start:index]
            start, size = index, 0
        size += more
    yield records[start:]


def encode(records: Sequence[Record], base_offset: int, timestamp_ms: int, epoch: int, compression: str) -> bytes:
    """One batch, every record with the append time given."""
    builder = DefaultRecordBatchBuilder(
        magic=MAGIC,
        compression_type=COMPRESSIONS[compression],
        is_transactional=0,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        batch_size=MAX_BATCH_BYTES,
    )
    for delta, record in enumerate(records):
        builder.append(delta, timestamp_ms, record.key, record.value, list(record.headers))
    batch = builder.build()
    (attributes,) = struct.unpack_from(">h", batch, CRC_COVERS_FROM)
    struct.pack_into(">h", batch, CRC_COVERS_FROM, attributes | LOG_APPEND_TIME)
    struct.pack_into(">I", batch, 17, calc_crc32c(bytes(batch[CRC_COVERS_FROM:])))
    struct.pack_into(">q", batch, 0, base_offset)
    struct.pack_into(">i", batch, 12, epoch)
    return bytes(batch)


def decode(batch: bytes, source: TopicPartition, first: int, stop: int) -> Iterator[StoredRecord]:
    """The records of a whole batch with `first <= offset < stop`."""
    for record in DefaultRecordBatch(batch):
        if first <= record.offset < stop:
            yield StoredRecord(
                source,
                record.offset,
                record.timestamp,
                record.key,
                record.value,
                tuple((name, value or b"") for name, value in record.headers),
            )
