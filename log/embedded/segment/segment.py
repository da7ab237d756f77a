"""One segment: a file of batches. What is read here is read without a lock and without writing."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from log.embedded.segment import codec
from log.embedded.segment.index import entries, nearest_entry
from log.embedded.segment.names import segment_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from log.embedded.segment.codec import BatchHeader

WALK_BYTES = 2**16  # headers are read this much at a time
READ_BYTES = 2**18  # whole batches, as many as are in so much
BESIDE_BYTES = 2**14  # read beside what is wanted: there are headers around it


class Found(NamedTuple):
    """A batch's header and where it lies."""

    position: int
    header: BatchHeader


class BatchPosition(NamedTuple):
    """Where a batch was read, or would be."""

    inode: int  # of the segment's file, which compaction replaces
    base_offset: int
    position: int


@dataclass(slots=True)
class Wanted:
    """What a reader still wants, kept up by itself."""

    stop: int  # records before this offset
    room: int  # with about so many bytes of keys and values


class Batches(NamedTuple):
    """Intact batches that stand one behind the other, all of their records wanted; or one that is to be looked at."""

    data: bytes  # begins with them; what was read behind them is left there, where cutting it off would copy them
    batches: int
    records: int
    next_offset: int  # after them
    most_bytes: int  # their keys and values have no more, unless compressed
    header: BatchHeader | None  # of the one that is to be looked at


def walk(fd: int, position: int, stop: int) -> Iterator[Found]:
    """The batches whose header is plausible and which end by `stop`, from `position` on; their CRC is not looked at."""
    window, window_at = b"", position
    while True:
        at = position - window_at
        if at + codec.HEADER.size > len(window):
            window, window_at, at = os.pread(fd, WALK_BYTES, position), position, 0
        header = codec.read_header(window, at)
        if header is None or position + header.size > stop:
            return
        yield Found(position, header)
        position += header.size


@dataclass(slots=True)
class Scan:
    """What a whole look at a segment found: every batch up to `position` is intact and follows the one before."""

    base: int
    end: int  # the offset after the last intact batch
    position: int = 0  # where the last intact batch ends
    size: int = 0  # of the file
    first_timestamp_ms: int = 0  # 0 without a batch
    last_timestamp_ms: int = 0
    whole_batch_follows: bool = False  # behind the damage: so it is no tail that never reached the disk


class Fence(NamedTuple):
    """The epoch in force. A batch of another one behind its start was written by a leader whose time was over."""

    epoch: int
    start: int  # offset; -1 when that is not known

    def admits(self, header: BatchHeader) -> bool:
        """Whether the batch can belong to the log."""
        if self.start < 0:
            return True
        before = header.base_offset < self.start and header.leader_epoch < self.epoch
        return before or header.leader_epoch == self.epoch


ANY_EPOCH = Fence(0, -1)


def scan(path: Path, base: int, fence: Fence = ANY_EPOCH) -> Scan:
    """Check every batch of a segment until the first that is torn, damaged or fenced off. Raises OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        found = Scan(base, base, size=os.fstat(fd).st_size)
        for position, header in walk(fd, 0, found.size):
            # no CRC covers a batch's base offset: that it follows the one before is its only proof
            sound = header.base_offset == found.end and fence.admits(header)
            if not sound or not codec.is_whole(os.pread(fd, header.size, position)):
                found.whole_batch_follows = _any_whole(fd, position + header.size, found.size)
                break
            found.first_timestamp_ms = found.first_timestamp_ms or header.max_timestamp_ms
            found.last_timestamp_ms = header.max_timestamp_ms
            found.end, found.position = header.next_offset, position + header.size
        return found
    finally:
        os.close(fd)


def _any_whole(fd: int, position: int, stop: int) -> bool:
    return any(codec.is_whole(os.pread(fd, header.size, at)) for at, header in walk(fd, position, stop))


def find_batch(fd: int, folder: Path, base: int, offset: int) -> Found | None:
    """The batch that holds `offset`; None when none does, or it does not say so itself.

    The index is a hint: unless the batch that it names lies where it points, the segment is walked from its start. No
    CRC covers the offset that a batch begins with, so it must be the one that follows from the
    batches before.
    """
    stop = os.fstat(fd).st_size
    start, expected = _near(fd, folder, base, offset, stop)
    for found in walk(fd, start, stop):
        end = expected + found.header.next_offset - found.header.base_offset
        if end > offset:
            return found if found.header.base_offset == expected else None
        expected = end
    return None


def end_of(folder: Path, base: int) -> int:
    """The offset after a segment's last batch, by the batches behind its last index entry. Raises OSError."""
    fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
    try:
        stop = os.fstat(fd).st_size
        start, end = _near(fd, folder, base, base + 2**31, stop)
        for found in walk(fd, start, stop):
            if found.header.base_offset != end:
                break
            end = found.header.next_offset
        return end
    finally:
        os.close(fd)


def begins_behind(folder: Path, bases: Sequence[int], offset: int) -> Iterator[int]:
    """Offsets behind one that cannot be read where a copy's batches may begin, by headers, index and names of segments.

    What a damaged header says is among them, so each is to be tried. Raises OSError.
    """
    yield from (base for base in bases if base > offset)
    base = max((base for base in bases if base <= offset), default=None)
    if base is None:
        return
    fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
    try:
        stop = os.fstat(fd).st_size
        start, _ = _near(fd, folder, base, offset, stop)
        for position in (start, *(position for at, position in entries(folder, base) if at > offset)):
            yield from (found.header.base_offset for found in walk(fd, position, stop))
    finally:
        os.close(fd)


def _near(fd: int, folder: Path, base: int, offset: int, stop: int) -> tuple[int, int]:
    """The position to look for `offset` from, and the offset there: by the index, if the batch is where that says."""
    hint = nearest_entry(folder, base, offset)
    first = next(walk(fd, hint[1], stop), None) if hint is not None else None
    if hint is not None and first is not None and first.header.last_offset == hint[0]:
        return hint[1], first.header.base_offset
    return 0, base


def _from_near(window: bytes, offset: int, near: BatchPosition) -> BatchPosition | None:
    """The batch at a place, or the one behind it, if that holds `offset` and both are what they should be.

    `window` is what is there now: the place is a hint too.
    """
    at, expected = 0, near.base_offset
    for _ in range(2):
        header = codec.read_header(window, at)
        if header is None or header.base_offset != expected or not expected <= offset:
            return None
        if offset < header.next_offset:
            return BatchPosition(near.inode, expected, near.position + at)
        expected, at = header.next_offset, at + header.size
    return None


def read_batches(
    folder: Path, base: int, offset: int, wanted: Wanted, last_read: dict[Path, BatchPosition] | None = None
) -> Iterator[Batches]:
    """The segment's batches from the one that holds `offset` on, their CRC checked.

    `last_read` has where a reader stopped in each folder, so that one that goes on needs no index. Raises ValueError,
    saying where, at the first batch that is damaged or missing; OSError when the disk cannot read.
    """
    path = segment_file(folder, base)
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    stopped = None
    try:
        size = os.fstat(fd).st_size
        near = last_read.get(folder) if last_read else None
        (inode, expected, position), window = _start(fd, folder, base, offset, wanted, near)
        window_at = position if window else -1
        while position < size:
            at = position - window_at
            if window and expected >= offset:
                end, count, records, after, room = codec.intact_stretch(window, at, expected, wanted.stop, wanted.room)
                if end > at:
                    position, expected = window_at + end, after
                    stopped = BatchPosition(inode, expected, position)
                    yield Batches(window[at:end] if at else window, count, records, after, wanted.room - room, None)
                    continue
            header = codec.read_header(window, at)
            if header is None or at + header.size > len(window):
                if position != window_at:
                    window, window_at = os.pread(fd, _enough(wanted), position), position
                    continue
                window = os.pread(fd, min(header.size, size - position), position) if header else b""
            batch = window[at : at + header.size] if header else b""
            if header is None or header.base_offset != expected or not codec.is_sound(header, batch):
                raise ValueError(f"{path}, position {position}: not an intact batch")
            stopped = BatchPosition(inode, expected, position)
            yield Batches(batch, 1, header.records, header.next_offset, header.most_bytes, header)
            position, expected = position + len(batch), header.next_offset
    finally:
        if stopped is not None and last_read is not None:
            last_read[folder] = stopped
        os.close(fd)


def _start(  # noqa: PLR0917  all that says where it may be
    fd: int, folder: Path, base: int, offset: int, wanted: Wanted, near: BatchPosition | None
) -> tuple[BatchPosition, bytes]:
    """The batch that holds `offset`, and what was read from there on already. Raises ValueError."""
    inode = os.fstat(fd).st_ino
    if near is not None and near.inode == inode:
        window = os.pread(fd, _enough(wanted), near.position)
        place = _from_near(window, offset, near)
        if place is not None:
            return place, window[place.position - near.position :]
    found = find_batch(fd, folder, base, offset)
    if found is None:
        raise ValueError(f"{segment_file(folder, base)}: no batch with it")
    return BatchPosition(inode, found.header.base_offset, found.position), b""


def _enough(wanted: Wanted) -> int:
    return min(READ_BYTES, max(0, wanted.room) + BESIDE_BYTES)
