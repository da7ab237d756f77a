"""Who may work: one process a consumer group, one process and thread a table.

A group's lease is this process's flock. A table has two locks. The JVM's, since the JVM commits the tables of outcomes:
it must outlive a driver that was killed while its JVM was in the middle of a commit. And the driver's flock, since the
driver commits the row of a run and publishes: it must outlive a JVM that died after its commits. Delta by itself lets
two processes both write one version on a local file system; delta-rs, by which the driver commits, does not. The kernel
releases either kind when its holder dies; nobody ever breaks one.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from pipelines.errors import GroupBusy, TableBusy
from pipelines.files import private_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

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
def table_locks(spark: SparkSession, root: Path, tables: Iterable[str], wait_s: float = WAIT_S) -> Iterator[None]:
    """Be the only process, and thread of it, that commits to `tables`. Raises TableBusy after `wait_s` for one."""
    folder = private_folder(root / "_locks")
    with ExitStack() as held:
        for table in sorted(tables):  # one order for all, so that two holders cannot wait for each other
            deadline = time.monotonic() + wait_s
            held.enter_context(_locked_by_driver(folder / f"{table}.writer", deadline))
            held.enter_context(_locked_by_jvm(spark, folder / f"{table}.lock", deadline))
        yield


@contextmanager
def _locked_by_driver(path: Path, deadline: float) -> Iterator[None]:
    """Against other processes, and the threads of this one: each opens the file by itself."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _wait(partial(_flocked, fd), path, deadline)
        yield
    finally:
        os.close(fd)


@contextmanager
def _locked_by_jvm(spark: SparkSession, path: Path, deadline: float) -> Iterator[None]:
    """Against other JVMs. No thread of this one comes here: when it closed its channel, ours would lose its lock."""
    if not path.exists():  # else: to close a file gives up this process's own locks on it
        path.touch(0o600)
    jvm: Any = spark.sparkContext._jvm  # noqa: SLF001 -- PySpark has no public door to its JVM
    channel = jvm.java.io.RandomAccessFile(str(path), "rw").getChannel()
    try:
        _wait(lambda: channel.tryLock() is not None, path, deadline)
        yield
    finally:
        channel.close()


def _flocked(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait(taken: Callable[[], bool], path: Path, deadline: float) -> None:
    while not taken():
        if time.monotonic() >= deadline:
            raise TableBusy(f"another process or thread writes table {path.stem} ({path}); try again")
        time.sleep(POLL_S)
