"""Records to the bytes of one batch, which codec.py draws: by aiokafka's builder, then marked as of append time."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from aiokafka.record.default_records import DefaultRecordBatchBuilder
from google_crc32c import value as crc32c

from log.embedded.segment.codec import (
    ANYBODY,
    COMPRESSION_MASK,
    COMPRESSIONS,
    CRC_COVERS_FROM,
    LENGTH_COUNTS_FROM,
    LOG_APPEND_TIME,
    MAGIC,
    MAX_BATCH_BYTES,
    NAMES,
    BatchHeader,
    Producer,
)
from log.errors import RecordTooLarge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from log.types import Record, StoredRecord

MAX_RECORD_BYTES = MAX_BATCH_BYTES - 2**10  # leaves room for the header and the record's own lengths
DELTA_AT = 23
_LEADING = struct.Struct(">qiibI")  # the fields up to the CRC
_COVERED = struct.Struct(">hiqqqhii")  # and those behind it
_INT32 = struct.Struct(">i")
_NO_HEADERS: list[tuple[str, bytes]] = []  # the builder only looks at it


class Run:
    """Records on their way into one batch, which takes them until it is full."""

    def __init__(self, compression: str, timestamp_ms: int, batch_bytes: int, producer: Producer = ANYBODY) -> None:
        self._builder = DefaultRecordBatchBuilder(MAGIC, COMPRESSIONS[compression], 0, *producer, batch_bytes)
        self._timestamp_ms = timestamp_ms
        self.crc = 0  # of the batch that was built

    @classmethod
    def like(cls, header: BatchHeader) -> Run:
        """For a batch that takes another one's place."""
        compression = NAMES[header.attributes & COMPRESSION_MASK]
        return cls(compression, header.max_timestamp_ms, MAX_BATCH_BYTES, header.producer)

    def fill(self, records: Sequence[Record], start: int = 0) -> int:
        """Take records from `start` on, at least one; the index of the first left out. Raises RecordTooLarge."""
        records = records[start:] if start else records
        size = len(records[0].value or b"") if records else 0
        if size > MAX_RECORD_BYTES:  # a later one does not fit, and begins the next batch
            raise RecordTooLarge(f"a value of {size} bytes is more than {MAX_RECORD_BYTES}")
        add, timestamp_ms, delta = self._builder.append, self._timestamp_ms, -1
        for delta, record in enumerate(records):
            headers = list(record.headers) if record.headers else _NO_HEADERS
            if add(delta, timestamp_ms, record.key, record.value, headers) is None:
                return start + delta
        return start + delta + 1

    def keep(self, delta: int, record: StoredRecord) -> None:
        """Take a record out of another batch, with its place in that."""
        self._builder.append(delta, self._timestamp_ms, record.key, record.value, list(record.headers))

    def build(self, base_offset: int, epoch: int, last_delta: int | None = None) -> bytes:
        """The batch; `last_delta` where records at its end were left out. Raises RecordTooLarge."""
        batch = self._builder.build()
        size = len(batch)
        if size > MAX_BATCH_BYTES:
            raise RecordTooLarge(f"{size} bytes are more than {MAX_BATCH_BYTES}: no reader would take such a batch")
        batch[CRC_COVERS_FROM + 1] |= LOG_APPEND_TIME
        if last_delta is not None:
            _INT32.pack_into(batch, DELTA_AT, last_delta)
        self.crc = crc32c(bytes(memoryview(batch)[CRC_COVERS_FROM:]))
        _LEADING.pack_into(batch, 0, base_offset, size - LENGTH_COUNTS_FROM, epoch, MAGIC, self.crc)
        return bytes(batch)


def emptied(header: BatchHeader) -> bytes:
    """A batch without records in the place of one, so that its offsets and its producer's sequence stay taken."""
    covered = _COVERED.pack(
        LOG_APPEND_TIME,
        header.last_offset - header.base_offset,
        header.max_timestamp_ms,
        header.max_timestamp_ms,
        *header.producer,
        0,
    )
    size = CRC_COVERS_FROM + len(covered)
    leading = (header.base_offset, size - LENGTH_COUNTS_FROM, header.leader_epoch, MAGIC, crc32c(covered))
    return _LEADING.pack(*leading) + covered
