"""The two sparse indexes beside a segment, in Kafka's formats: hints to be checked against the log, never truths.

    .index       | offset - base, 4 bytes | position, 4 |         last offset of a batch, where the batch starts
    .timeindex   | timestamp ms, 8 bytes | offset - base, 4 |     largest timestamp so far, last offset of its batch

Big-endian. A batch gets an entry when more than 4096 bytes of log lie between it and the last entry; in the time index
only if its timestamp is a new one. They are never fsynced: what is missing or wrong is rebuilt by the next appender,
and a reader who finds no good entry walks the segment from its start.
"""

from __future__ import annotations

import contextlib
import os
import struct
from typing import TYPE_CHECKING

from log.disk.files import FILE_MODE, write_all
from log.embedded.segment.names import segment_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

INTERVAL_BYTES = 4096
OFFSET_ENTRY = struct.Struct(">ii")
TIME_ENTRY = struct.Struct(">qi")


class EntryFile:
    """One index, open for append: fixed entries, a torn last one is written over."""

    def __init__(self, path: Path, layout: struct.Struct) -> None:
        self._layout = layout
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        self._count = os.fstat(self._fd).st_size // layout.size

    def last(self) -> tuple[int, ...] | None:
        """The last entry, None without one."""
        return self._at(self._count - 1) if self._count else None

    def add(self, *entry: int) -> None:
        """Append. Raises OSError."""
        write_all(self._fd, self._layout.pack(*entry), self._count * self._layout.size)
        self._count += 1

    def keep(self, belongs: Callable[[tuple[int, ...]], bool]) -> None:
        """Cut behind the last of the leading entries that belong."""
        while self._count and not belongs(self._at(self._count - 1)):
            self._count -= 1
        os.ftruncate(self._fd, self._count * self._layout.size)

    def close(self) -> None:
        """Give the file back."""
        os.close(self._fd)

    def _at(self, number: int) -> tuple[int, ...]:
        return self._layout.unpack(os.pread(self._fd, self._layout.size, number * self._layout.size))


class SegmentIndex:
    """Both indexes of an active segment."""

    def __init__(self, folder: Path, base: int) -> None:
        self._base = base
        self._position = self._timestamp_ms = 0  # of the last entries
        with contextlib.ExitStack() as opened:
            self._offsets = EntryFile(segment_file(folder, base, ".index"), OFFSET_ENTRY)
            opened.callback(self._offsets.close)
            self._times = EntryFile(segment_file(folder, base, ".timeindex"), TIME_ENTRY)
            opened.callback(self._times.close)
            self._read_last()
            opened.pop_all()

    def add(self, position: int, last_offset: int, timestamp_ms: int) -> None:
        """Index the batch written at `position`, if an entry is due. Raises OSError."""
        if position - self._position <= INTERVAL_BYTES:
            return
        self._offsets.add(last_offset - self._base, position)
        self._position = position
        if timestamp_ms > self._timestamp_ms:
            self._times.add(timestamp_ms, last_offset - self._base)
            self._timestamp_ms = timestamp_ms

    def cut(self, end: int) -> None:
        """Forget batches that end at or after offset `end`."""
        self._offsets.keep(lambda entry: entry[0] < end - self._base)
        self._times.keep(lambda entry: entry[1] < end - self._base)
        self._read_last()

    def close(self) -> None:
        """Give the files back."""
        self._offsets.close()
        self._times.close()

    def _read_last(self) -> None:
        self._position = (self._offsets.last() or (0, 0))[1]
        self._timestamp_ms = (self._times.last() or (-1, 0))[0]


def nearest_entry(folder: Path, base: int, offset: int) -> tuple[int, int] | None:
    """Last offset and position of the batch to start walking at for `offset`: that of the last entry up to it."""
    entry = _last(segment_file(folder, base, ".index"), OFFSET_ENTRY, lambda entry: entry[0] <= offset - base)
    return (base + entry[0], entry[1]) if entry else None


def entries(folder: Path, base: int) -> list[tuple[int, int]]:
    """(offset after a batch, position of that batch), ascending; [] without an index."""
    path = segment_file(folder, base, ".index")
    data = path.read_bytes() if path.exists() else b""
    whole = data[: len(data) - len(data) % OFFSET_ENTRY.size]
    return [(base + last + 1, position) for last, position in OFFSET_ENTRY.iter_unpack(whole)]


def offset_before(folder: Path, base: int, timestamp_ms: int) -> int:
    """An offset of the segment that is older than `timestamp_ms`, near it: the base without an entry."""
    entry = _last(segment_file(folder, base, ".timeindex"), TIME_ENTRY, lambda entry: entry[0] < timestamp_ms)
    return base + (entry[1] if entry else 0)


def _last(path: Path, layout: struct.Struct, belongs: Callable[[tuple[int, ...]], bool]) -> tuple[int, ...] | None:
    """The last of the leading entries that belong; bisected on disk, as a whole index would be read for one of them."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        found, low, high = None, 0, os.fstat(fd).st_size // layout.size
        while low < high:
            middle = (low + high) // 2
            entry = layout.unpack(os.pread(fd, layout.size, middle * layout.size))
            if belongs(entry):
                found, low = entry, middle + 1
            else:
                high = middle
        return found
    finally:
        os.close(fd)
