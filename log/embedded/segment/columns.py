"""Batches to Arrow columns, without a Python object a record: what Spark is given.

Behind the header that codec.py draws stand the records, each of them

    length, of what follows | attributes, 1 byte | timestamp delta | offset delta
    length | key | length | value | number of headers | for each header: length | name | length | value

Numbers are zigzag varints, a length of -1 is null. https://kafka.apache.org/documentation/#record
Only the lengths of records are walked one by one, as each tells where the next begins; all else is read for all records
of an Arrow batch at once. Timestamps are those of the batches: the log's records have their append time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pyarrow as pa
from aiokafka.codec import gzip_decode, lz4_decode, snappy_decode, zstd_decode

from log.embedded.segment.codec import COMPRESSION_MASK, COMPRESSIONS, HEADER, LOG_APPEND_TIME
from log.errors import CorruptRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from log.embedded.segment.codec import BatchHeader
    from log.types import TopicPartition

Numbers: TypeAlias = "NDArray[np.int64]"

_DECODERS = {"gzip": gzip_decode, "snappy": snappy_decode, "lz4": lz4_decode, "zstd": zstd_decode}
_DECODE = {COMPRESSIONS[name]: decode for name, decode in _DECODERS.items()}
_APPEND_TIME = LOG_APPEND_TIME >> 3  # as Spark's timestampType has it: 1
_LONGEST_VARINT = 10  # bytes

FIELDS = [
    pa.field("key", pa.binary()),
    pa.field("value", pa.binary()),
    pa.field("topic", pa.string()),
    pa.field("partition", pa.int32()),
    pa.field("offset", pa.int64()),
    pa.field("timestamp", pa.timestamp("us", tz="UTC")),
    pa.field("timestampType", pa.int32()),
]
_HEADER = [pa.field("key", pa.string()), pa.field("value", pa.binary())]
HEADERS = pa.field("headers", pa.list_(pa.struct(_HEADER)))


class Columns:
    """Batches of one partition on their way to one Arrow batch.

    Args:
        source: the partition.
        wanted: the offsets whose records are taken; those beside them in a batch are left out.
        headers: whether the column `headers` is made.
    """

    def __init__(self, source: TopicPartition, wanted: range, *, headers: bool) -> None:
        self._source, self._wanted, self._headers = source, wanted, headers
        self._clear()

    def _clear(self) -> None:
        self._data = bytearray()
        self._begins: list[int] = []
        self._batches: list[BatchHeader] = []

    @property
    def size_bytes(self) -> int:
        """The size of the records taken in, unpacked."""
        return len(self._data)

    def add(self, header: BatchHeader, batch: bytes) -> None:
        """Take in a whole batch. Raises CorruptRecord."""
        records: bytes | memoryview = memoryview(batch)[HEADER.size :]
        decode = _DECODE.get(header.attributes & COMPRESSION_MASK)
        try:
            records = decode(bytes(records)) if decode is not None else records
            self._begins += _begins(records, header.records, len(self._data))
        except Exception as error:  # each codec has errors of its own
            raise CorruptRecord(self._source, header.base_offset, f"its batch cannot be unpacked: {error}") from error
        self._data += records
        self._batches.append(header)

    def take(self) -> pa.RecordBatch:
        """The records taken in, as rows of FIELDS (and HEADERS); none are left. Raises CorruptRecord."""
        try:
            rows = self._rows()
        except (IndexError, ValueError, pa.ArrowException) as error:
            first = self._batches[0].base_offset
            raise CorruptRecord(self._source, first, f"records from here on cannot be read: {error}") from error
        self._clear()
        return rows

    def _rows(self) -> pa.RecordBatch:
        data = np.frombuffer(self._data, np.uint8)
        counts = [header.records for header in self._batches]
        bases = np.repeat(np.array([header.base_offset for header in self._batches], np.int64), counts)
        times_ms = np.repeat(np.array([header.max_timestamp_ms for header in self._batches], np.int64), counts)
        attributes = np.array(self._begins, np.int64)
        _, at = _varints(data, attributes + 1)
        deltas, at = _varints(data, at)
        offsets = bases + deltas
        keys, at = _texts(data, at)
        values, at = _texts(data, at)
        rows = len(attributes)
        arrays = [
            keys,
            values,
            pa.repeat(self._source.topic, rows),
            pa.repeat(pa.scalar(self._source.partition, pa.int32()), rows),
            pa.array(offsets),
            pa.array(times_ms * 1000).cast(FIELDS[5].type),
            pa.repeat(pa.scalar(_APPEND_TIME, pa.int32()), rows),
        ]
        if self._headers:
            arrays.append(_header_lists(data, at))
        found = pa.RecordBatch.from_arrays(arrays, schema=pa.schema([*FIELDS, HEADERS] if self._headers else FIELDS))
        return found.filter(pa.array((offsets >= self._wanted.start) & (offsets < self._wanted.stop)))


def _begins(records: bytes | memoryview, count: int, base: int) -> list[int]:
    """Where each record begins behind its length, counted from `base`."""
    begins = []
    at = 0
    for _ in range(count):
        value = shift = 0
        byte = 0x80
        while byte >= 0x80:
            byte = records[at]
            value |= (byte & 0x7F) << shift
            shift += 7
            at += 1
        begins.append(base + at)
        at += (value >> 1) ^ -(value & 1)
    if at != len(records):
        raise ValueError(f"{count} records of {at} bytes in {len(records)}")
    return begins


def _varints(data: NDArray[np.uint8], at: Numbers) -> tuple[Numbers, Numbers]:
    """The zigzag varints that begin at these places, and the places behind them."""
    values, behind = np.zeros_like(at), at.copy()
    left = np.arange(len(at))
    for index in range(_LONGEST_VARINT):
        digits = data[behind[left]].astype(np.int64)
        values[left] |= (digits & 0x7F) << (7 * index)
        behind[left] += 1
        left = left[digits >= 0x80]
        if not len(left):
            break
    return (values >> 1) ^ -(values & 1), behind


def _texts(data: NDArray[np.uint8], at: Numbers) -> tuple[pa.BinaryArray, Numbers]:
    """The byte strings whose lengths begin at these rising places, and the places behind them."""
    lengths, starts = _varints(data, at)
    behind = starts + np.maximum(lengths, 0)
    return _cut(data, starts, behind, lengths < 0), behind


def _cut(data: NDArray[np.uint8], starts: Numbers, ends: Numbers, absent: NDArray[np.bool_]) -> pa.BinaryArray:
    """Stretches of the data: it is parted at each start and end, and every other piece is taken."""
    cuts = np.column_stack([starts, ends]).ravel() if len(starts) else np.zeros(1, np.int64)
    buffers = [None, pa.py_buffer(cuts), pa.py_buffer(data)]
    pieces = pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(cuts) - 1, buffers)
    pieces.validate(full=True)  # places rise and lie inside the data
    return pieces.take(pa.array(2 * np.arange(len(starts)), mask=absent)).cast(pa.binary())


def _header_lists(data: NDArray[np.uint8], at: Numbers) -> pa.ListArray:
    """The headers of all records, their numbers beginning at these places: the first of each, then the second, ..."""
    counts, at = _varints(data, at)
    if counts.min(initial=0) < 0 or counts.max(initial=0) > len(data):
        raise ValueError("a record has no such number of headers")
    firsts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    names, values = (np.zeros((firsts[-1], 2), np.int64) for _ in range(2))
    absent = np.zeros(firsts[-1], np.bool_)
    for number in range(counts.max(initial=0)):
        having = np.flatnonzero(counts > number)
        place = firsts[having] + number
        lengths, starts = _varints(data, at[having])
        names[place] = np.column_stack([starts, starts + lengths])
        lengths, starts = _varints(data, starts + lengths)
        at[having] = starts + np.maximum(lengths, 0)
        values[place] = np.column_stack([starts, at[having]])
        absent[place] = lengths < 0
    named = _cut(data, names[:, 0], names[:, 1], np.zeros_like(absent)).cast(pa.string())
    given = pa.StructArray.from_arrays([named, _cut(data, values[:, 0], values[:, 1], absent)], fields=_HEADER)
    return pa.ListArray.from_arrays(pa.array(firsts, pa.int32()), given)
