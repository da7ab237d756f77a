"""`leader-epoch-checkpoint`: which leader epoch starts at which offset, in Kafka's text format.

0            version
2            number of entries
0 0          epoch, its first offset
1 5281

As an index it says nothing that the batches do not: each names its epoch. Where it is lost or torn, they are asked.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from log.disk.files import replace_file
from log.embedded.segment.names import copy_bases, segment_file
from log.embedded.segment.segment import walk

if TYPE_CHECKING:
    from pathlib import Path

NAME = "leader-epoch-checkpoint"
VERSION = 0


def read_epochs(folder: Path) -> list[tuple[int, int]]:
    """(epoch, first offset), ascending; by the batches without a whole file. Raises OSError."""
    kept = kept_epochs(folder)
    return epochs_of_batches(folder) if kept is None else kept


def kept_epochs(folder: Path) -> list[tuple[int, int]] | None:
    """What the checkpoint says; None where there is none, or it is none. Raises OSError."""
    try:
        version, count, *lines = (folder / NAME).read_text(encoding="ascii").splitlines()
        entries = [(int(epoch), int(start)) for epoch, start in (line.split(" ") for line in lines)]
        return entries if (int(version), int(count)) == (VERSION, len(entries)) else None
    except (FileNotFoundError, ValueError):
        return None


def epochs_of_batches(folder: Path) -> list[tuple[int, int]]:
    """Epochs and where they start, by the batches of a copy: each at its first one that is kept. Raises OSError."""
    entries: list[tuple[int, int]] = []
    for base in copy_bases(folder):
        fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
        try:
            for _, header in walk(fd, 0, os.fstat(fd).st_size):
                if not entries or header.leader_epoch > entries[-1][0]:
                    entries.append((header.leader_epoch, header.base_offset))
        finally:
            os.close(fd)
    return entries


def write_epochs(folder: Path, entries: list[tuple[int, int]]) -> None:
    """Replace the checkpoint, durably."""
    lines = [str(VERSION), str(len(entries)), *(f"{epoch} {start}" for epoch, start in entries)]
    replace_file(folder / NAME, "".join(f"{line}\n" for line in lines).encode("ascii"))


def mend_epochs(folder: Path) -> None:
    """Write the checkpoint anew, from the batches, where it is lost or torn. Raises OSError."""
    if kept_epochs(folder) is None:
        write_epochs(folder, epochs_of_batches(folder))


def begin_epoch(folder: Path, epoch: int, start: int) -> None:
    """Enter that `epoch` begins at `start`; entries at or after that offset were never acknowledged and go."""
    kept = [entry for entry in read_epochs(folder) if entry[0] < epoch and entry[1] < start]
    write_epochs(folder, [*kept, (epoch, start)])
