"""Other processes, as tests start, find and end them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import AnyStr


@contextmanager
def killed_at_the_end(process: subprocess.Popen[AnyStr]) -> Iterator[subprocess.Popen[AnyStr]]:
    """The process, killed at the end of the block if it still runs then, and waited for.

    One that nobody waited for is told of in whichever test runs when it is forgotten.
    """
    with process:
        try:
            yield process
        finally:
            process.kill()


def below(process: int) -> Iterator[tuple[int, str]]:
    """Every process that this one or one of these started, with its command."""
    for tasks in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # it has just ended
            for child in map(int, tasks.read_text().split()):
                yield child, Path(f"/proc/{child}/cmdline").read_text()
                yield from below(child)


def open_files(folder: Path) -> int:
    """How many files below the folder this process has open: of others' it may have threads that come and go."""
    links = (os.path.realpath(fd) for fd in Path("/proc/self/fd").iterdir())
    return sum(Path(file).is_relative_to(folder) for file in links)
