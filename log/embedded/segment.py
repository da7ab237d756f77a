"""One segment: a file of batches. What is read here is read without a lock and without writing."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from log.embedded import codec
from log.embedded.files import read_range
from log.embedded.index import nearest_entry, offset_before
from log.embedded.names import segment_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.embedded.codec import BatchHeader

WALK_BYTES = 2**16  # headers are read this much at a time
READ_BYTES = 2**18  # whole batches, as many as are in so much


class Found(NamedTuple):
    """A batch's header and where it lies."""

    position: int
    header: BatchHeader


class Place(NamedTuple):
    """Where a batch was read."""

    inode: int  # of the segment's file, which compaction replaces
    base_offset: int
    position: int


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


def find_batch(fd: int, folder: Path, base: int, offset: int, near: Place | None = None) -> Found | None:
    """The batch that holds `offset`; None when none does, or it does not say so itself.

    The index is a hint, and so is `near`: unless the batch that it names lies where it points, the segment is walked
    from its start. No CRC covers the offset that a batch begins with, so it must be the one that follows from the
    batches before.
    """
    file = os.fstat(fd)
    stop, start, expected = file.st_size, 0, base
    if near is not None and near.inode == file.st_ino and (found := _from_near(fd, offset, near, stop)) is not None:
        return found
    hint = nearest_entry(folder, base, offset)
    if hint is not None:
        first = next(walk(fd, hint[1], stop), None)
        if first is not None and first.header.last_offset == hint[0]:
            start, expected = hint[1], first.header.base_offset
    for found in walk(fd, start, stop):
        end = expected + found.header.next_offset - found.header.base_offset
        if end > offset:
            return found if found.header.base_offset == expected else None
        expected = end
    return None


def _from_near(fd: int, offset: int, near: Place, stop: int) -> Found | None:
    """The batch at a place, or the one behind it, if that holds `offset` and both are what they should be."""
    _, expected, position = near
    for _ in range(2):
        header = codec.read_header(os.pread(fd, codec.HEADER.size, position))
        if header is None or header.base_offset != expected or not expected <= offset or position + header.size > stop:
            return None
        if offset < header.next_offset:
            return Found(position, header)
        expected, position = header.next_offset, position + header.size
    return None


def first_since(folder: Path, base: int, timestamp_ms: int) -> int | None:
    """The offset of the first batch in a segment that is as late as `timestamp_ms`. Raises OSError."""
    fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
    try:
        start = find_batch(fd, folder, base, offset_before(folder, base, timestamp_ms))
        later = walk(fd, start.position if start else 0, os.fstat(fd).st_size)
        return next((each.header.base_offset for each in later if each.header.max_timestamp_ms >= timestamp_ms), None)
    finally:
        os.close(fd)


def started_ms(folder: Path, base: int) -> int | None:
    """The timestamp of the first batch in a segment, None without one. Raises OSError."""
    header = codec.read_header(read_range(segment_file(folder, base), 0, codec.HEADER.size))
    return header.max_timestamp_ms if header else None


def read_batches(
    folder: Path, base: int, offset: int, last_read: dict[Path, Place] | None = None
) -> Iterator[tuple[BatchHeader, bytes]]:
    """The segment's batches from the one that holds `offset` on, their CRC checked.

    `last_read` has the batch that was given last out of each folder, so that a reader that goes on needs no index.
    Raises ValueError, saying where, at the first that is damaged or missing; OSError when the disk cannot read.
    """
    path = segment_file(folder, base)
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    given = None
    try:
        found = find_batch(fd, folder, base, offset, last_read.get(folder) if last_read else None)
        if found is None:
            raise ValueError(f"{path}: no batch with it")
        file = os.fstat(fd)
        position, size, expected = found.position, file.st_size, found.header.base_offset
        window, window_at = b"", position
        while position < size:
            at = position - window_at
            header = codec.read_header(window, at)
            if header is None or at + header.length + codec.LENGTH_COUNTS_FROM > len(window):
                wanted = READ_BYTES if header is None else max(READ_BYTES, header.size)
                window, window_at, at = os.pread(fd, wanted, position), position, 0
                header = codec.read_header(window)
                if header is not None and header.size > len(window):
                    window = os.pread(fd, min(header.size, size - position), position)
            batch = window[at : at + header.length + codec.LENGTH_COUNTS_FROM] if header else b""
            if header is None or header[0] != expected or not codec.is_sound(header, batch):
                raise ValueError(f"{path}, position {position}: not an intact batch")
            given = position
            yield header, batch
            position, expected = position + len(batch), expected + header.last_delta + 1
            given = None
    finally:
        if given is not None and last_read is not None:  # the reader has enough
            last_read[folder] = Place(file.st_ino, expected, given)
        os.close(fd)
