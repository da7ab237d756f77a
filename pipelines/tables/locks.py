"""Who may work: one process a consumer group, one process and thread a table.

Both are flocks of this process, which commits and publishes itself (docs/decisions/tables-by-delta-rs.md): its JVM,
which may outlive it, commits nothing, and what its workers write then no commit names. The kernel releases a lock when
its holder dies; nobody ever breaks one.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from log.disk.lock import file_held
from pipelines.errors import GroupBusy, TableBusy
from pipelines.tables.files import private_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

WAIT_S = 300.0  # a run's commits take seconds; a large reparse's may take minutes


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
            path = folder / f"{table}.writer"
            try:
                held.enter_context(file_held(path, wait_s))
            except TimeoutError as error:
                raise TableBusy(f"another process or thread writes table {table} ({path}); try again") from error
        yield
