"""Offsets by time, out of one copy of a partition: one that is damaged where it looks says so, and is not believed."""

from __future__ import annotations

import bisect
import os
from functools import partial
from typing import TYPE_CHECKING

from log.disk.files import read_range
from log.embedded.segment import codec
from log.embedded.segment.index import offset_before
from log.embedded.segment.names import copy_bases, segment_file
from log.embedded.segment.segment import find_batch, walk
from log.embedded.segment.wholeness import first_missing

if TYPE_CHECKING:
    from pathlib import Path


def offset_since(folder: Path, start: int, stop: int, timestamp_ms: int) -> int | None:
    """The offset of the first batch of [start, stop) that is as late as `timestamp_ms`, or None.

    Raises OSError, also where a segment is missing or damaged that would have to be looked at.
    """
    if start == stop:
        return None
    missing = first_missing(folder, start, stop)
    if missing is not None:
        raise FileNotFoundError(f"{folder}: offset {missing} is missing")
    bases = copy_bases(folder, stop - 1)
    older = bisect.bisect_left(bases, timestamp_ms, key=partial(_began_ms, folder))
    found = (first_since(folder, base, timestamp_ms) for base in bases[max(0, older - 1) : older + 1])
    return next((offset for offset in found if offset is not None), None)


def first_since(folder: Path, base: int, timestamp_ms: int) -> int | None:
    """The offset of the first batch in a segment that is as late as `timestamp_ms`. Raises OSError, also for damage."""
    fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
    try:
        start, size = find_batch(fd, folder, base, offset_before(folder, base, timestamp_ms)), os.fstat(fd).st_size
        position = start.position if start else 0
        for found in walk(fd, position, size):
            if found.header.max_timestamp_ms >= timestamp_ms:
                return found.header.base_offset
            position = found.position + found.header.size
        if position != size:
            raise OSError(f"{segment_file(folder, base)}: damaged at position {position}")
        return None
    finally:
        os.close(fd)


def started_ms(folder: Path, base: int) -> int | None:
    """The timestamp of the first batch in a segment, None without one. Raises OSError."""
    header = codec.read_header(read_range(segment_file(folder, base), 0, codec.HEADER.size))
    return header.max_timestamp_ms if header else None


def _began_ms(folder: Path, base: int) -> int:
    """The timestamp that a segment begins with. Raises OSError, also where its first batch is damaged."""
    began_ms = started_ms(folder, base)
    if began_ms is None:
        raise OSError(f"{segment_file(folder, base)}: damaged at position 0")
    return began_ms
