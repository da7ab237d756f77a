"""Where a run keeps its outcomes until they are in the tables: parsed mail, so what a killed driver leaves must go.

A folder is held by its driver's flock as long as the run goes on; the kernel releases it when the driver dies: what
nobody holds is nobody's, and so are the data files of its run that no commit is to name.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from log.disk.files import fsync_folder
from pipelines.jobs.plan import is_run_id
from pipelines.tables.files import private_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def staging_folder(root: Path, run_id: str) -> Iterator[Path]:
    """An empty folder of this run's own, which goes when the block ends."""
    parent = private_folder(root / "_staging")
    with ExitStack() as held:
        with _held(parent):  # or it could be swept before it is held
            folder = Path(mkdtemp(prefix=f"{run_id}.", dir=parent))
            held.enter_context(_held(folder))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            fsync_folder(parent)  # one that came back after a power cut would say that its run was cut off


def sweep(root: Path, discard: Callable[[str], None]) -> None:
    """Remove what killed drivers left, after a call of `discard` with the run's id; runs that go on keep theirs.

    A killed driver's JVM may outlive it a little, and go on to fill its folder: what it leaves goes the next time.
    """
    parent = private_folder(root / "_staging")
    with _held(parent):
        for folder in parent.iterdir():
            # Held: another driver is alive. Not found: it has just removed it. No folder: none of ours.
            with suppress(BlockingIOError, FileNotFoundError, NotADirectoryError), _held(folder, fcntl.LOCK_NB):
                if is_run_id(run_id := folder.name.partition(".")[0]):
                    discard(run_id)
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _held(folder: Path, flags: int = 0) -> Iterator[None]:
    """Hold the folder against every other holder, in this process too. Raises BlockingIOError with LOCK_NB."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | flags)
        yield
    finally:
        os.close(descriptor)
