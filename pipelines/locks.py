"""Who may work: one process a consumer group, one process and thread a table.

Both are flocks of this process, which commits and publishes itself (docs/decisions/tables-by-delta-rs.md): its JVM,
which may outlive it, writes nothing but staged outcomes. The kernel releases a lock when its holder dies; nobody ever
breaks one.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from pipelines.errors import GroupBusy, TableBusy
from pipelines.files import private_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

WAIT_S = 300.0  # a run's commits take seconds; a large reparse's may take minutes
POLL_S = 0.05


@contextmanager
def lease(root: Path, group: str) -> Iterator[None]:
    """Be the only process that extracts for the group. Raises GroupBusy at once if another one does."""
    path = private_folder(root / "_locks") / f"{group}.lease"  # a group's name may fill a file's name up to here
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise GroupBusy(
                f"group {group} is being extracted by process {file.read().strip() or 'unknown'}; try again"
            ) from None
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


@contextmanager
def table_locks(root: Path, tables: Iterable[str], wait_s: float = WAIT_S) -> Iterator[None]:
    """Be the only process, and thread of it, that commits to `tables`. Raises TableBusy after `wait_s` for one."""
    folder = private_folder(root / "_locks")
    with ExitStack() as held:
        for table in sorted(tables):  # one order for all, so that two holders cannot wait for each other
            held.enter_context(_locked(folder / f"{table}.writer", time.monotonic() + wait_s))
        yield


@contextmanager
def _locked(path: Path, deadline: float) -> Iterator[None]:
    """Against other processes, and the threads of this one: each opens the file by itself."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while not _flocked(fd):
            if time.monotonic() >= deadline:
                raise TableBusy(f"another process or thread writes table {path.stem} ({path}); try again")
            time.sleep(POLL_S)
        yield
    finally:
        os.close(fd)


def _flocked(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
