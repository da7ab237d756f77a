"""What a segment file holds, batch by batch, damage included. Takes no lock and needs no log around the file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from log.embedded.segment import codec
from log.embedded.segment.segment import walk
from log.rows import record_row
from log.times import rfc3339
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from log.types import StoredRecord


def dump(path: Path, decode: Callable[[StoredRecord], dict[str, Any]] = lambda _: {}) -> Iterator[dict[str, Any]]:
    """A row for each batch, followed by one for each of its records; `kind` is batch, record or damage.

    What `decode` makes of a record is added to its row.

    A batch whose CRC is wrong is shown without its records, and without a timestamp if no clock can show it; where no
    batch can begin, the rest is one damage row.
    Raises OSError.
    """
    topic, _, number = path.absolute().parent.name.rpartition("-")
    source = TopicPartition(topic, int(number) if number.isdecimal() else -1)
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        size, end = os.fstat(fd).st_size, 0
        for position, header in walk(fd, 0, size):
            end = position + header.size
            batch = os.pread(fd, header.size, position)
            intact = codec.is_whole(batch)
            yield _batch_row(position, header, intact=intact)
            if intact:
                for record in codec.decode(batch, source):
                    yield {"kind": "record", **record_row(record), **decode(record)}
        if end < size:
            yield {"kind": "damage", "position": end, "bytes": size - end}
    finally:
        os.close(fd)


def _batch_row(position: int, header: codec.BatchHeader, *, intact: bool) -> dict[str, Any]:
    return {
        "kind": "batch",
        "position": position,
        "size": header.size,
        "base_offset": header.base_offset,
        "last_offset": header.last_offset,
        "records": header.records,
        "epoch": header.leader_epoch,
        "compression": codec.NAMES.get(header.attributes & codec.COMPRESSION_MASK, "unknown"),
        "timestamp": _timestamp(header.max_timestamp_ms),
        "crc": f"{header.crc:08x}",
        "intact": intact,
    }


def _timestamp(timestamp_ms: int) -> str | None:
    try:
        return rfc3339(timestamp_ms)
    except (ValueError, OverflowError, OSError):  # damaged: it is years off
        return None
