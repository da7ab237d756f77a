"""One lock a partition: `flock`, which the kernel gives back when its holder dies. Never inherited, never broken."""

from __future__ import annotations

import fcntl
import os
import threading
import time
import weakref
from typing import TYPE_CHECKING

from log.embedded.files import FILE_MODE
from log.errors import PartitionBusy

if TYPE_CHECKING:
    from pathlib import Path

    from log.types import TopicPartition

FIRST_WAIT_S = 0.0002
LONGEST_WAIT_S = 0.02
PID_BYTES = 20


class PartitionLock:
    """Held by one thread of one process of the machine; re-entrant for that thread."""

    def __init__(self, path: Path, source: TopicPartition, timeout_s: float) -> None:
        self._path, self._source, self._timeout_s = path, source, timeout_s
        self._thread_lock = threading.RLock()
        self._fd: int | None = None
        self._depth = 0
        _OPEN.add(self)

    def acquire(self) -> bool:
        """Hold the lock; True if this thread did not hold it yet. Raises PartitionBusy after the timeout."""
        deadline = time.monotonic() + self._timeout_s
        if not self._thread_lock.acquire(timeout=self._timeout_s):
            raise PartitionBusy(self._source, os.getpid())
        try:
            if not self._depth:
                self._lock_file(deadline)
        except BaseException:
            self._thread_lock.release()
            raise
        self._depth += 1
        return self._depth == 1

    def release(self) -> None:
        """Give back what `acquire` took."""
        self._depth -= 1
        if not self._depth and self._fd is not None:
            fcntl.flock(self._fd, fcntl.LOCK_UN)
        self._thread_lock.release()

    def close(self) -> None:
        """Give the file back; a lock still held goes with it."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _lock_file(self, deadline: float) -> None:
        wait = FIRST_WAIT_S
        while True:
            if self._fd is None:
                self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise PartitionBusy(self._source, _holder(self._fd)) from None
                time.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT_S)
                continue
            if os.fstat(self._fd).st_nlink:
                os.pwrite(self._fd, str(os.getpid()).ljust(PID_BYTES).encode("ascii"), 0)
                return
            self.close()  # somebody deleted the file: others would lock another one


def _holder(fd: int) -> int | None:
    said = os.pread(fd, PID_BYTES, 0).strip()
    return int(said) if said.isdigit() else None


_OPEN: weakref.WeakSet[PartitionLock] = weakref.WeakSet()


def _forget_in_child() -> None:
    """A forked child shares the parent's open files, and would hold its locks on after the parent's death."""
    for lock in list(_OPEN):
        lock.close()
        lock._thread_lock, lock._depth = threading.RLock(), 0  # noqa: SLF001  the same module


os.register_at_fork(after_in_child=_forget_in_child)
