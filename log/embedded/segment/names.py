"""The names of the files in a partition folder: Kafka's."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = (".log", ".index", ".timeindex")
DIGITS = 20


@lru_cache(maxsize=1024)  # a reader asks for the same one with each read
def segment_file(folder: Path, base: int, suffix: str = ".log") -> Path:
    """Where a segment or one of its indexes lies; `base` is the offset of its first record."""
    return folder / f"{base:0{DIGITS}d}{suffix}"


def segment_bases(folder: Path) -> list[int]:
    """The base offsets of the segments in a folder, ascending; files of other names are ignored. Raises OSError."""
    logs = (path.stem for path in folder.iterdir() if path.suffix == ".log")
    return sorted(int(name) for name in logs if len(name) == DIGITS and name.isdecimal())


def copy_bases(folder: Path, stop: int | None = None) -> list[int]:
    """The base offsets of a copy's segments up to `stop`, ascending; at least one.

    Raises OSError; FileNotFoundError where there are none.
    """
    bases = [base for base in segment_bases(folder) if stop is None or base <= stop]
    if not bases:
        raise FileNotFoundError(f"{folder}: no segments")
    return bases
