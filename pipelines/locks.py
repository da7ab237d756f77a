"""Who may work: one process a consumer group, one process a table.

A group's lease is this process's flock. A table's lock is the JVM's, since the JVM commits the tables of outcomes: it
must outlive a driver that was killed while its JVM was in the middle of a commit. Delta by itself lets two processes
both write one version on a local file system; delta-rs, by which the driver commits the row of a run, does not. The
kernel releases either kind when its holder dies; nobody ever breaks one.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from pipelines.errors import GroupBusy, TableBusy
from pipelines.files import private_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
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
    """Be the only process that commits to `tables`. Raises TableBusy after `wait_s`."""
    folder = private_folder(root / "_locks")
    with ExitStack() as held:
        for table in sorted(tables):  # one order for all, so that two holders cannot wait for each other
            path = folder / f"{table}.lock"
            if not path.exists():  # else: to close a file gives up this process's own locks on it
                path.touch(0o600)
            held.enter_context(_locked(spark, path, time.monotonic() + wait_s))
        yield


@contextmanager
def _locked(spark: SparkSession, path: Path, deadline: float) -> Iterator[None]:
    """Hold a table against other threads, then against other processes."""
    # A second channel of the same JVM, when it is closed, would take the kernel's lock from under the first.
    ours = _OURS[path]
    if not ours.acquire(timeout=max(0.0, deadline - time.monotonic())):
        raise _busy(path)
    jvm: Any = spark.sparkContext._jvm  # noqa: SLF001 -- PySpark has no public door to its JVM
    try:
        channel = jvm.java.io.RandomAccessFile(str(path), "rw").getChannel()
        try:
            while channel.tryLock() is None:
                if time.monotonic() >= deadline:
                    raise _busy(path)
                time.sleep(POLL_S)
            yield
        finally:
            channel.close()
    finally:
        ours.release()


def _busy(path: Path) -> TableBusy:
    return TableBusy(f"another process or thread writes table {path.stem} ({path}); try again")


_OURS: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)
