"""Is a replica's copy whole, and how it is made whole again from another one."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from log.disk.files import FILE_MODE, fsync_folder, write_all
from log.embedded.replicas.replica import drop_segments_after
from log.embedded.segment.epochs import mend_epochs
from log.embedded.segment.index import SegmentIndex
from log.embedded.segment.names import SUFFIXES, segment_bases, segment_file
from log.embedded.segment.segment import ANY_EPOCH, Fence, scan, walk

if TYPE_CHECKING:
    from pathlib import Path

COPY_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class CopyEnd:
    """Where a replica's copy is whole up to."""

    oldest: int  # the base offset of its first segment
    first_base: int  # the segment that the look began with
    base: int  # the last segment with whole batches, or the empty one after them
    position: int  # in that segment
    end: int  # the next offset
    segment_started_ms: int
    last_timestamp_ms: int
    damaged: bool  # it stops at a place where no unfinished write can have been


def look(folder: Path, high_watermark: int | None, fence: Fence = ANY_EPOCH) -> CopyEnd:
    """Check a replica's copy from the segment of the high watermark on; all of it, if that is lost. Writes nothing.

    Raises OSError; a folder without segments is a FileNotFoundError.
    """
    bases = segment_bases(folder)
    first = 0 if high_watermark is None else max((base for base in bases if base <= high_watermark), default=-1)
    chain = [base for base in bases if base >= first >= 0]
    if not chain:
        raise FileNotFoundError(f"{folder}: no segment that holds offset {high_watermark}")
    last_timestamp_ms, end = 0, first
    for number, base in enumerate(chain):
        if base < end:
            continue  # left over by a compaction that died: its records are in the segment before
        found = scan(segment_file(folder, base), base, fence)
        last_timestamp_ms, end = found.last_timestamp_ms or last_timestamp_ms, found.end
        following = next((later for later in chain[number + 1 :] if later >= end), None)
        if found.end != following or found.position != found.size:
            break
    lost = found.whole_batch_follows or following is not None if high_watermark is None else found.end < high_watermark
    return CopyEnd(
        bases[0], chain[0], found.base, found.position, found.end, found.first_timestamp_ms, last_timestamp_ms, lost
    )


def level(folder: Path, own: CopyEnd, ahead: Path, goal: CopyEnd) -> None:
    """Bring a copy to where the furthest one stands; durable when this returns. Raises OSError."""
    drop_segments_after(folder, own.base)
    _copy_rest(folder, ahead, own.base, own.position, goal.position if own.base == goal.base else None)
    for base in [found for found in segment_bases(ahead) if own.base < found <= goal.base]:
        _copy_rest(folder, ahead, base, 0, goal.position if base == goal.base else None)
    fsync_folder(folder)
    for base in [found for found in segment_bases(folder) if found >= min(own.first_base, own.base)]:
        rebuild_index(folder, base)
    mend_epochs(folder)


def rebuild_index(folder: Path, base: int) -> None:
    """Write both indexes of a segment anew, from its batches."""
    for suffix in SUFFIXES[1:]:
        segment_file(folder, base, suffix).unlink(missing_ok=True)
    build_index(folder, base, folder)


def build_index(folder: Path, base: int, into: Path, stop: int | None = None) -> None:
    """Write into a folder both indexes that a segment should have, there are none yet: of its batches before `stop`."""
    with contextlib.ExitStack() as opened:
        built = SegmentIndex(into, base)
        opened.callback(built.close)
        fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
        opened.callback(os.close, fd)
        for position, header in walk(fd, 0, os.fstat(fd).st_size):
            if stop is not None and header.next_offset > stop:
                break
            built.add(position, header.last_offset, header.max_timestamp_ms)


def _copy_rest(folder: Path, ahead: Path, base: int, position: int, stop: int | None) -> None:
    """Cut a segment at `position`, then take the bytes up to `stop` (None: all) from the copy that is ahead."""
    with contextlib.ExitStack() as opened:
        target = os.open(segment_file(folder, base), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        opened.callback(os.close, target)
        origin = os.open(segment_file(ahead, base), os.O_RDONLY | os.O_CLOEXEC)
        opened.callback(os.close, origin)
        os.ftruncate(target, position)
        end = os.fstat(origin).st_size if stop is None else stop
        while piece := os.pread(origin, min(COPY_BYTES, end - position), position):
            write_all(target, piece, position)
            position += len(piece)
        os.fsync(target)
