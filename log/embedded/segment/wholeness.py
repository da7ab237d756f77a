"""Does a copy of a partition have all its segments? One with a hole is no source for others, and no leader.

What is within a segment is not looked at here: CRCs tell, when it is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.embedded.segment.names import copy_bases
from log.embedded.segment.segment import end_of
from log.errors import CorruptRecord

if TYPE_CHECKING:
    from pathlib import Path

    from log.types import TopicPartition


def first_missing(folder: Path, start: int, stop: int) -> int | None:
    """The first offset of [start, stop) that is in no segment of a copy; None when it has them all. Raises OSError.

    Every segment begins where the one before ends, compacted or not; those that a compaction that died left beside the
    one that has their records begin earlier.
    """
    end = start
    for number, base in enumerate(copy_bases(folder, stop)):
        if base > end:
            break
        if base == end or number == 0:
            end = end_of(folder, base)
    return end if end < stop else None


def check_whole(source: TopicPartition, folder: Path, start: int, stop: int) -> None:
    """Raise CorruptRecord for a copy that lacks a segment with offsets of [start, stop); OSError."""
    missing = first_missing(folder, start, stop)
    if missing is not None:
        raise CorruptRecord(source, missing, f"{folder}: a segment is missing, or ends early")
