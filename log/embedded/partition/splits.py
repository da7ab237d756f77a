"""Cutting a range of offsets into pieces of bounded size, by the indexes alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.embedded.segment.index import entries
from log.embedded.segment.names import segment_bases, segment_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.embedded.partition.reader import Reader
    from log.types import TopicPartition


def split(reader: Reader, source: TopicPartition, offsets: range, max_bytes: int) -> list[range]:
    """`offsets` in pieces of about `max_bytes` on disk each; within a segment without an index there is no cut."""
    pieces, start, began_at = [], offsets.start, 0
    for offset, place in reader.somewhere(source, lambda folder: list(_cuts(folder, offsets.stop))):
        if offset <= start:
            began_at = place
        elif place - began_at >= max_bytes:
            pieces.append(range(start, offset))
            start, began_at = offset, place
    return [*pieces, range(start, offsets.stop)]


def _cuts(folder: Path, stop: int) -> Iterator[tuple[int, int]]:
    """Offsets between batches, with their place in the partition's bytes: ascending, all before `stop`."""
    place = 0
    for base in segment_bases(folder):
        for offset, position in [(base, 0), *entries(folder, base)]:
            if offset >= stop:
                return
            yield offset, place + position
        place += segment_file(folder, base).stat().st_size
