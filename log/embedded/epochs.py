"""`leader-epoch-checkpoint`: which leader epoch starts at which offset, in Kafka's text format.

0            version
2            number of entries
0 0          epoch, its first offset
1 5281
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.embedded.files import replace_file

if TYPE_CHECKING:
    from pathlib import Path

NAME = "leader-epoch-checkpoint"
VERSION = 0


def read_epochs(folder: Path) -> list[tuple[int, int]]:
    """(epoch, first offset), ascending. Raises FileNotFoundError; ValueError for a file that is none."""
    version, count, *lines = (folder / NAME).read_text(encoding="ascii").splitlines()
    entries = [(int(epoch), int(start)) for epoch, start in (line.split(" ") for line in lines)]
    if int(version) != VERSION or int(count) != len(entries):
        raise ValueError(f"{folder / NAME}: version {version} with {count} entries cannot be read")
    return entries


def write_epochs(folder: Path, entries: list[tuple[int, int]]) -> None:
    """Replace the checkpoint, durably."""
    lines = [str(VERSION), str(len(entries)), *(f"{epoch} {start}" for epoch, start in entries)]
    replace_file(folder / NAME, "".join(f"{line}\n" for line in lines).encode("ascii"))


def begin_epoch(folder: Path, epoch: int, start: int) -> None:
    """Enter that `epoch` begins at `start`; entries at or after that offset were never acknowledged and go."""
    kept = [entry for entry in read_epochs(folder) if entry[0] < epoch and entry[1] < start]
    write_epochs(folder, [*kept, (epoch, start)])
