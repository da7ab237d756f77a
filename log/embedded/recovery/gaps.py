"""Batches that no copy has whole: where they end, and a header by which they are passed.

Where a header tells, and another one follows, it is believed. Where none is left, what lies behind is found from the
other side: from the next place that an index names, or the end of the segment, backwards over whole batches. Each must
end where the next one begins, in bytes and offsets, and its CRC be right, in any of the copies: so that bytes of a mail
that look like a batch are none, and a wrong base offset, which no CRC covers, is seen.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from log.disk.files import write_all
from log.embedded.segment import codec
from log.embedded.segment.index import entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from log.embedded.segment.codec import BatchHeader
    from log.embedded.segment.segment import Fence

SEARCHED_BYTES = 2**24  # at once
# what of a header is always so: a length below 2^30 after the base offset, magic 2, and behind the CRC LogAppendTime
_LIKE_A_HEADER = re.compile(rb"(?s)(?=.{8}[\x00-\x40].{7}\x02.{4}\x00[\x08-\x0c])")


class Spot(NamedTuple):
    """Between two batches of a segment."""

    position: int
    offset: int  # of what follows


class Gap(NamedTuple):
    """Offsets that no copy has whole, and the bytes where they were."""

    begin: Spot
    end: Spot

    @property
    def offsets(self) -> range:
        """What is lost."""
        return range(self.begin.offset, self.end.offset)


def whole_batch(fd: int, spot: Spot, fence: Fence) -> bytes | None:
    """The batch there, if it is whole, has that base offset, and its epoch can be."""
    header = codec.read_header(pread(fd, codec.HEADER.size, spot.position))
    if header is None or header.base_offset != spot.offset or not fence.admits(header):
        return None
    batch = pread(fd, header.size, spot.position)
    return batch if codec.is_sound(header, batch) else None


def pread(fd: int, size: int, position: int) -> bytes:
    """What the disk has there; nothing where it cannot read it: that is damage, too."""
    try:
        return os.pread(fd, size, position)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        return b""


def end_of_gap(files: Sequence[int], most: Gap, indexed: Iterable[Spot], fence: Fence) -> Gap:
    """The gap up to where a batch begins again that one of the files has whole; `most`, to the segment's end, if none.

    `indexed` says where batches are, and which offset is after them (`in_indexes`).
    """
    told = _told_by_header(files, most)
    if told is None:
        known = _next_indexed(files, most.begin, indexed, fence) or most.end
        told = _first_of_those_before(files, Gap(most.begin, known), fence)
    return Gap(most.begin, told)


def in_indexes(folders: Iterable[Path], base: int) -> list[Spot]:
    """What the indexes of some copies of a segment say, as far as they can be read."""
    known: set[Spot] = set()
    for folder in folders:
        with contextlib.suppress(OSError):
            known.update(Spot(position, after) for after, position in entries(folder, base))
    return sorted(known)


def let_pass(fd: int, gap: Gap, epoch: int, note: Callable[[bytes], None]) -> bool:
    """Write a header over the gap's beginning that says where it ends; durable when this returns. Raises OSError.

    No CRC covers base offset, length, epoch and magic: where a copy had nothing else damaged, its batch is whole then.
    Else its CRC stays wrong, so that nobody takes it for one, and who walks the segment finds what lies behind.

    Args:
        fd: the segment's file of one copy.
        gap: what nobody has whole.
        epoch: of the batches there.
        note: called with the header that is there, before it is overwritten; what it raises keeps that from being done.

    Returns:
        False when nothing had to be written, or there is no room for a header.
    """
    size = gap.end.position - gap.begin.position
    before = pread(fd, codec.HEADER.size, gap.begin.position)
    if len(before) < codec.HEADER.size or os.fstat(fd).st_size < gap.end.position:
        return False
    found = codec.BatchHeader(*codec.HEADER.unpack(before))
    wanted = found._replace(
        base_offset=gap.begin.offset,
        length=size - codec.LENGTH_COUNTS_FROM,
        leader_epoch=epoch,
        magic=codec.MAGIC,
        last_delta=len(gap.offsets) - 1,
    )
    header = codec.HEADER.pack(*wanted)
    if header == before or codec.read_header(header) is None:
        return False
    note(before)
    write_all(fd, header, gap.begin.position)
    os.fsync(fd)
    return True


def _told_by_header(files: Sequence[int], most: Gap) -> Spot | None:
    """Where the batch ends by a header that is left of it, if another one follows there, or the segment ends."""
    begin, end = most
    for fd in files:
        header = codec.read_header(pread(fd, codec.HEADER.size, begin.position))
        if header is None or header.base_offset != begin.offset:
            continue
        after = Spot(begin.position + header.size, header.next_offset)
        following = [codec.read_header(pread(each, codec.HEADER.size, after.position)) for each in files]
        if after == end or any(each is not None and each.base_offset == after.offset for each in following):
            return after
    return None


def _next_indexed(files: Sequence[int], begin: Spot, indexed: Iterable[Spot], fence: Fence) -> Spot | None:
    """The next batch behind the gap that is indexed, and that a file has whole."""
    for position, after in indexed:
        if position <= begin.position:
            continue
        for fd in files:
            header = codec.read_header(pread(fd, codec.HEADER.size, position))
            if header is None or header.next_offset != after or header.base_offset <= begin.offset:
                continue
            if whole_batch(fd, spot := Spot(position, header.base_offset), fence):
                return spot
    return None


def _first_of_those_before(files: Sequence[int], gap: Gap, fence: Fence) -> Spot:
    """Back from a gap's end over whole batches that stand one behind the other."""
    begin, known = gap
    by_end: defaultdict[Spot, list[tuple[int, Spot]]] = defaultdict(list)
    for fd in files:
        for position, header in _like_headers(fd, begin.position + 1, known.position):
            if begin.offset < header.base_offset and header.next_offset <= known.offset:
                end = Spot(position + header.size, header.next_offset)
                by_end[end].append((fd, Spot(position, header.base_offset)))
    while (
        before := next((spot for fd, spot in by_end[known] if whole_batch(fd, spot, fence) is not None), None)
    ) is not None:
        known = before
    return known


def _like_headers(fd: int, position: int, stop: int) -> Iterable[tuple[int, BatchHeader]]:
    """Wherever something stands that could be a header."""
    for start in range(position, stop, SEARCHED_BYTES):
        window = pread(fd, min(SEARCHED_BYTES, stop - start) + codec.HEADER.size - 1, start)
        for match in _LIKE_A_HEADER.finditer(window):
            header = codec.read_header(window, match.start())
            if header is not None:
                yield start + match.start(), header
