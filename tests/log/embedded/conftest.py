"""A segment and a log to be damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from log import Record
from log.embedded import codec
from log.embedded.epochs import write_epochs
from log.embedded.replica import Replica, begin_segment

WriteSegment = Callable[..., bytes]


@pytest.fixture
def write_segment() -> WriteSegment:
    """Write batches of two records each behind each other into a segment; the bytes of its file."""

    def write(folder: Path, base: int = 0, batches: int = 3, size: int = 2000) -> bytes:
        folder.mkdir(exist_ok=True)
        begin_segment(folder, base)
        write_epochs(folder, [(0, 0)])
        replica, position = Replica(1, folder, base), 0
        for number in range(batches):
            first = base + 2 * number
            records = [Record(b"key", b"%d" % offset + b"." * size) for offset in (first, first + 1)]
            batch = codec.encode(records, first, 1000 + number, 0, "none")
            replica.append(batch, position, first + 1, 1000 + number)
            position += len(batch)
        replica.close()
        return (folder / f"{base:020d}.log").read_bytes()

    return write
