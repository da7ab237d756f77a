"""Records that a replica has, and the log does not: set aside before they are cut off, never served.

<replica>/archive/<topic>-<partition>/<UTC time>/<20 digits>.log     whole batches, as Kafka's tools read them
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from log.embedded import codec
from log.embedded.files import create_file, fsync_folder, make_folder, write_all
from log.embedded.names import segment_bases, segment_file
from log.embedded.segment import walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.embedded.comparing import Place


def archive_after(folder: Path, place: Place, start: int) -> Path | None:
    """Copy the whole batches behind `place` that are not older than offset `start`; durable when this returns.

    The file, or None when there are none. Raises OSError.
    """
    batches = list(_after(folder, place, start))
    if not batches:
        return None
    at = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    archive = folder.parent / "archive" / folder.name / at
    make_folder(archive)
    path = segment_file(archive, batches[0][0])
    fd = create_file(path)
    try:
        position = 0
        for _, batch in batches:
            write_all(fd, batch, position)
            position += len(batch)
        os.fsync(fd)
    finally:
        os.close(fd)
    fsync_folder(archive)
    return path


def _after(folder: Path, place: Place, start: int) -> Iterator[tuple[int, bytes]]:
    for base in segment_bases(folder) if folder.is_dir() else ():
        if base < place.base:
            continue
        fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
        try:
            first = place.position if base == place.base else 0
            for position, header in walk(fd, first, os.fstat(fd).st_size):
                batch = os.pread(fd, header.size, position)
                if header.next_offset > start and codec.is_whole(batch):
                    yield header.base_offset, batch
        finally:
            os.close(fd)
