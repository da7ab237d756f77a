"""Records that a replica has, and the log does not: set aside before they are cut off, never served.

<replica>/archive/<topic>-<partition>/<UTC time>/<20 digits>.log     whole batches, as Kafka's tools read them

The log never removes them: whether anybody wants them is not for it to say. It says that they are there.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING

from log.disk.files import create_file, fsync_folder, make_folder, write_all
from log.embedded.segment import codec
from log.embedded.segment.names import segment_bases, segment_file
from log.embedded.segment.segment import find_batch, walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.embedded.segment.codec import BatchHeader
    from log.embedded.segment.comparing import SegmentPosition

ARCHIVE = "archive"  # in a replica's folder


def archive_after(folder: Path, place: SegmentPosition, start: int, leader: Path) -> Path | None:
    """Copy the whole batches behind `place` that `leader` lacks, and are not older than offset `start`; durable then.

    One at a time is in memory. The file, or None when there are none. Raises OSError.
    """
    bases = segment_bases(leader)
    batches = (batch for batch in _after(folder, place, start) if not _has(leader, bases, batch[0]))
    first = next(batches, None)
    if first is None:
        return None
    at = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    archive = folder.parent / ARCHIVE / folder.name / at
    make_folder(archive)
    path = segment_file(archive, first[0].base_offset)
    fd = create_file(path)
    try:
        position = 0
        for _, batch in chain([first], batches):
            write_all(fd, batch, position)
            position += len(batch)
        os.fsync(fd)
    finally:
        os.close(fd)
    fsync_folder(archive)
    return path


def set_aside_bytes(replica: Path, partition: str = "") -> int:
    """The size of what is set aside in a replica's folder, of one partition or of all. Raises OSError."""
    return sum(path.stat().st_size for path in (replica / ARCHIVE / partition).rglob("*.log"))


def _after(folder: Path, place: SegmentPosition, start: int) -> Iterator[tuple[BatchHeader, bytes]]:
    for base in segment_bases(folder) if folder.is_dir() else ():
        if base < place.base:
            continue
        fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
        try:
            first = place.position if base == place.base else 0
            for position, header in walk(fd, first, os.fstat(fd).st_size):
                batch = os.pread(fd, header.size, position)
                if header.next_offset > start and codec.is_whole(batch):
                    yield header, batch
        finally:
            os.close(fd)


def _has(leader: Path, bases: list[int], header: BatchHeader) -> bool:
    """Whether the same batch is in the other copy: by its place, and the CRC of its records."""
    base = max((each for each in bases if each <= header.base_offset), default=None)
    if base is None:
        return False
    with segment_file(leader, base).open("rb") as file:
        found = find_batch(file.fileno(), leader, base, header.base_offset)
        if found is None or (found.header.base_offset, found.header.crc) != (header.base_offset, header.crc):
            return False
        return codec.is_whole(os.pread(file.fileno(), found.header.size, found.position))
