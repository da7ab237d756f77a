"""How many bytes a copy has from an offset on: by the sizes of its files, and of one where a batch begins."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from log.embedded.segment.names import segment_file
from log.embedded.segment.segment import find_batch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def bytes_since(folder: Path, bases: Sequence[int], offset: int, *, at_most: bool = False) -> int:
    """Bytes of its segments from the batch of an offset on. Raises OSError.

    A segment that does not show it, for damage or as the batch was compacted away, is an OSError, too; or, with
    `at_most`, counts whole.
    They are counted to the ends of the files, where something may stand that is not acknowledged yet.
    """
    sizes = [segment_file(folder, base).stat().st_size for base in bases if base > offset]
    base = next((base for base in reversed(bases) if base <= offset), None)
    return sum(sizes) + (0 if base is None else _of_one(folder, base, offset, at_most=at_most))


def _of_one(folder: Path, base: int, offset: int, *, at_most: bool) -> int:
    path = segment_file(folder, base)
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        found = find_batch(fd, folder, base, offset)
        if not (found or at_most):
            raise OSError(f"{path} does not show the batch of offset {offset}")
        return os.fstat(fd).st_size - (found.position if found else 0)
    finally:
        os.close(fd)
