"""What a compaction writes: cleaned segments beside the old ones, and how they take their places."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from log.disk.files import create_file, fsync_folder, write_all
from log.embedded.replicas.recovery import rebuild_index
from log.embedded.segment import encoding
from log.embedded.segment.names import SUFFIXES, segment_bases, segment_file

if TYPE_CHECKING:
    from pathlib import Path

    from log.embedded.segment.codec import BatchHeader

CLEANED = ".log.cleaned"
MAX_OFFSETS = 2**30  # between the bases of what becomes one segment: an index has 31 bits for an offset


def remove_unfinished(folder: Path) -> None:
    """Forget what a compaction that died had written."""
    for path in folder.glob(f"*{CLEANED}"):
        path.unlink()


class Writer:
    """Writes cleaned segments to several folders at once, neighbours that fit one segment into one."""

    def __init__(self, folders: list[Path], segment_bytes: int) -> None:
        self.bases: list[int] = []  # of the segments written
        self._folders, self._segment_bytes = folders, segment_bytes
        self._files: list[int] = []
        self._position = 0
        self._dropped: BatchHeader | None = None  # the batches before, as one, if nothing stays of them

    def begin(self, base: int, size: int) -> None:
        """What follows is of that segment, which has that size now."""
        if self.bases and self._position + size <= self._segment_bytes and base - self.bases[-1] <= MAX_OFFSETS:
            return
        self.finish()
        self.bases.append(base)
        self._files = [create_file(folder / f"{base:020d}{CLEANED}") for folder in self._folders]
        self._position = 0

    def add(self, header: BatchHeader, batch: bytes | None) -> None:
        """Write what stays of a batch; those of which nothing does leave one empty batch for all their offsets."""
        before = self._dropped
        if (
            batch is None
            and before is not None
            and _nobody(before, header)
            and before.leader_epoch == header.leader_epoch
        ):
            delta = header.last_offset - before.base_offset
            self._dropped = header._replace(base_offset=before.base_offset, last_delta=delta)
        else:
            self._write_dropped()
            self._dropped = header if batch is None else None
        if batch is not None:
            self._write(batch)

    def finish(self) -> None:
        """The segment is on disk, and ends where it did."""
        self._write_dropped()
        for fd in self._files:
            os.fsync(fd)
        self.close()

    def close(self) -> None:
        """Give the files back."""
        for fd in self._files:
            os.close(fd)
        self._files = []

    def _write_dropped(self) -> None:
        if self._dropped is not None:
            self._write(encoding.emptied(self._dropped))
            self._dropped = None

    def _write(self, batch: bytes) -> None:
        for fd in self._files:
            write_all(fd, batch, self._position)
        self._position += len(batch)


def _nobody(*headers: BatchHeader) -> bool:
    """Whether no producer's numbers depend on how many offsets these batches have."""
    return all(header.producer.id < 0 for header in headers)


def swap(folder: Path, groups: list[tuple[int, int]]) -> None:
    """Put cleaned segments in the places of the old ones. Raises OSError.

    Args:
        folder: of a replica.
        groups: of each cleaned segment its base offset, and the base of the one behind it.
    """
    for base, stop in groups:
        for suffix in SUFFIXES[1:]:
            segment_file(folder, base, suffix).unlink(missing_ok=True)
        (folder / f"{base:020d}{CLEANED}").replace(segment_file(folder, base))
        fsync_folder(folder)
        rebuild_index(folder, base)
        for absorbed in [each for each in segment_bases(folder) if base < each < stop]:
            for suffix in reversed(SUFFIXES):
                segment_file(folder, absorbed, suffix).unlink(missing_ok=True)
        fsync_folder(folder)
