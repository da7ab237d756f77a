"""How far a copy of a partition is the same as another one, batch by batch, by their bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from log.embedded.segment import codec
from log.embedded.segment.names import copy_bases, segment_bases, segment_file
from log.embedded.segment.segment import ANY_EPOCH, walk

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    from log.embedded.segment.segment import Fence


class SegmentPosition(NamedTuple):
    """A place in a copy, between two batches."""

    base: int  # of the segment
    position: int  # in that
    offset: int  # of what follows


def common_part(
    folder: Path, leader: Path, stop: int, fence: Fence = ANY_EPOCH, lost: Container[int] = frozenset()
) -> SegmentPosition:
    """Where `folder` stops being the same as `leader`, which has everything before offset `stop`, or has another epoch.

    Batches are the same when their headers are, with base offset, leader epoch and CRC, and the copy's own CRC is
    right: so a record of an epoch that was over when its offset was given, or that was cut off on the leader, is not.
    Of the batches that begin at `lost` offsets, which no copy in sync has whole, the headers say enough.
    The place is in a segment that the leader has; what the leader does not keep any more is no part of it.
    Raises OSError.
    """
    bases = copy_bases(leader, stop)
    own = set(segment_bases(folder)) if folder.is_dir() else set()
    place = SegmentPosition(bases[0], 0, bases[0])
    for base in bases:
        if base < place.offset:
            continue  # left over by a compaction that died: its records are in the segment before
        if base != place.offset and base != bases[0]:
            break  # the segment before ends early here
        if base not in own:
            return SegmentPosition(base, 0, base)
        place, whole = _common_batches(segment_file(folder, base), segment_file(leader, base), base, stop, fence, lost)
        if not whole:
            break
    return place


def _common_batches(  # noqa: PLR0917  two copies, and what is known of both
    path: Path, leader: Path, base: int, stop: int, fence: Fence, lost: Container[int]
) -> tuple[SegmentPosition, bool]:
    """The place in one segment, and whether all of the leader's is there and nothing else."""
    with path.open("rb") as own_file, leader.open("rb") as leader_file:
        own, theirs = own_file.fileno(), leader_file.fileno()
        own_size, size = os.fstat(own).st_size, os.fstat(theirs).st_size
        place = SegmentPosition(base, 0, base)
        for position, header in walk(own, 0, own_size):
            if header.next_offset > stop or os.pread(theirs, codec.HEADER.size, position) != os.pread(
                own, codec.HEADER.size, position
            ):
                break
            sound = header.base_offset in lost or codec.is_whole(os.pread(own, header.size, position))
            if not (fence.admits(header) and sound):
                break
            place = SegmentPosition(base, position + header.size, header.next_offset)
        return place, place.position == own_size == size
