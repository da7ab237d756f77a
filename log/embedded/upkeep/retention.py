"""Deleting the oldest records of a partition: by age, by bytes, or up to an offset that somebody names.

1. decide     the new log start offset; what a protected group has not read is kept
2. state      write it to the root and the replicas: from here on readers see nothing before it
3. delete     segments that end before it, the oldest first, on every replica in sync; what they say of producers'
              numbers is written down before (sequences.py)

A crash before 2 deletes nothing, one after it leaves segments that nobody reads: the next tender deletes them, too.
The active segment always stays.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from log.disk.files import fsync_folder
from log.embedded.partition.changing import change_state
from log.embedded.segment.by_time import started_ms
from log.embedded.segment.names import SUFFIXES, copy_bases, segment_bases, segment_file

if TYPE_CHECKING:
    from pathlib import Path

    from log.embedded.partition.partition import Partition
    from log.types import TopicConfig


def expired_before(folder: Path, config: TopicConfig, high_watermark: int, now_ms: int | None) -> int:
    """The offset that the topic's settings let go of everything before; 0 for nothing.

    A segment is too old when the one after it began before the limit. `now_ms` None: the clock cannot be believed.
    """
    bases = [base for base in segment_bases(folder) if base <= high_watermark]
    start = 0
    if config.retention_s is not None and now_ms is not None:
        limit_ms = now_ms - config.retention_s * 1000
        for base in bases[1:]:
            began_ms = started_ms(folder, base)
            if began_ms is None or began_ms >= limit_ms:
                break
            start = base
    if config.retention_bytes is not None:
        sizes = [segment_file(folder, base).stat().st_size for base in bases]
        spare = sum(sizes) - config.retention_bytes
        for size, following in zip(sizes, bases[1:], strict=False):
            if size > spare:
                break
            spare -= size
            start = max(start, following)
    return start


def advance_start(partition: Partition, start: int) -> int:
    """Make `start`, or the high watermark if that is less, the log start offset; where it is then. Takes the lock."""
    with partition.hold():
        start = min(start, partition.mark.high_watermark)
        if start > partition.replicas.state.start:
            change_state(partition, start=start)
        return partition.replicas.state.start


def first_kept(folder: Path, start: int) -> int:
    """The segment that offset `start` is in, or the active one: what lies before it can go. Raises OSError."""
    bases = copy_bases(folder)
    return max([bases[0], *(following for _, following in pairwise(bases) if following <= start)])


def drop_before(folder: Path, start: int) -> int:
    """Delete the segments that end before offset `start`; how many. Durable when this returns. Raises OSError."""
    kept = first_kept(folder, start)
    done = [base for base in segment_bases(folder) if base < kept]
    for base in done:
        for suffix in reversed(SUFFIXES):  # the segment last: without it its indexes would never be found again
            segment_file(folder, base, suffix).unlink(missing_ok=True)
    if done:
        fsync_folder(folder)
    return len(done)
