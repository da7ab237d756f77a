"""One replica of a partition, open for append: the active segment and its indexes. Nothing is decided here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from log.disk.files import NO_SPACE, create_file, fsync_folder, open_file, write_all
from log.embedded.segment.index import SegmentIndex
from log.embedded.segment.names import SUFFIXES, segment_bases, segment_file

if TYPE_CHECKING:
    from pathlib import Path


class Replica:
    """Every method raises OSError when the disk does; the partition decides what that means."""

    def __init__(self, number: int, folder: Path, base: int) -> None:
        self.number, self.folder = number, folder
        self.error: OSError | None = None  # nothing more is to be written here
        self.flush_failed = False  # nor can what was written be cut off and forgotten
        self._open(base)

    def stands_at(self, position: int) -> bool:
        """Whether the file behind the name is the one held open, and nothing was written behind `position`."""
        found = os.stat(self._path)  # noqa: PTH116  with each append: a Path costs more than the call
        return found.st_size == position and found.st_ino == self._held.st_ino and found.st_dev == self._held.st_dev

    def ends_at(self, position: int) -> bool:
        """Whether nothing was written behind `position` of the file held open."""
        return os.lseek(self._log, 0, os.SEEK_END) == position

    @property
    def is_full(self) -> bool:
        """Whether all that failed is that there was no space: what is there is as good as before."""
        return self.error is not None and self.error.errno in NO_SPACE and not self.flush_failed

    def append(self, batch: bytes, position: int, last_offset: int, timestamp_ms: int) -> None:
        """Write a batch at the end of the active segment. Nothing is flushed."""
        write_all(self._log, batch, position)
        self._index.add(position, last_offset, timestamp_ms)

    def fsync(self) -> None:
        """The active segment is on disk. After an error it must not be asked again: the lost pages count as clean."""
        try:
            os.fsync(self._log)
        except OSError:
            self.flush_failed = True
            raise

    def roll(self, base: int) -> None:
        """Begin a segment, durably; the one before must be flushed."""
        begin_segment(self.folder, base)
        self._go_to(base)

    def cut(self, base: int, position: int, end: int) -> None:
        """Make `position` in segment `base` the end, which is offset `end`: what comes after it goes."""
        drop_segments_after(self.folder, base)
        if base != self.base:
            self._go_to(base)
        os.ftruncate(self._log, position)
        self._index.cut(end)

    def flushable(self) -> int:
        """The active segment once more, to be flushed while others write to it and to be closed by the caller."""
        return os.dup(self._log)

    def close(self) -> None:
        """Give the files back."""
        os.close(self._log)
        self._index.close()

    def _go_to(self, base: int) -> None:
        """Open another segment, and only then give this one back: where that fails, everything is as before."""
        log, index = self._log, self._index
        self._open(base)
        os.close(log)
        index.close()

    def _open(self, base: int) -> None:
        path = segment_file(self.folder, base)
        log = open_file(path)
        try:
            held, index = os.fstat(log), SegmentIndex(self.folder, base)
        except BaseException:
            os.close(log)
            raise
        self.base, self._path, self._log, self._held, self._index = base, str(path), log, held, index


def begin_segment(folder: Path, base: int) -> None:
    """An empty segment with empty indexes; its name is durable."""
    for suffix in SUFFIXES:
        os.close(create_file(segment_file(folder, base, suffix)))
    fsync_folder(folder)


def drop_segments_after(folder: Path, base: int) -> None:
    """Remove later segments, the last first, durably: one that came back would hide what is appended before it."""
    later = [found for found in reversed(segment_bases(folder)) if found > base]
    for found in later:
        for suffix in SUFFIXES:
            segment_file(folder, found, suffix).unlink(missing_ok=True)
    if later:
        fsync_folder(folder)
