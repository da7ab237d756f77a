"""Bits that flip on a disk."""

from __future__ import annotations

from pathlib import Path

from log.embedded.segment.names import segment_bases, segment_file
from log.embedded.segment.segment import walk


def batches(folder: Path) -> list[tuple[Path, int, int, int]]:
    """Of each batch of a copy: file, position, size, base offset."""
    found = []
    for base in segment_bases(folder):
        path = segment_file(folder, base)
        with path.open("rb") as file:
            for position, header in walk(file.fileno(), 0, path.stat().st_size):
                found.append((path, position, header.size, header.base_offset))
    return found


def flip(path: Path, position: int, bit: int = 0) -> None:
    """One bit of a file."""
    with path.open("r+b") as file:
        file.seek(position)
        byte = file.read(1)[0]
        file.seek(position)
        file.write(bytes([byte ^ 1 << bit]))


def flip_batch(folder: Path, number: int, at: int = 70) -> int:
    """A bit of the copy's batch of that number; the batch's base offset."""
    path, position, _, offset = batches(folder)[number]
    flip(path, position + at)
    return offset
