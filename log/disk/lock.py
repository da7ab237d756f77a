"""Locks: `flock`, which the kernel gives back when its holder dies. Never inherited by a child, never broken."""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
import weakref
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock
from pathlib import Path
from typing import TYPE_CHECKING

from log.disk.files import FILE_MODE
from log.errors import PartitionBusy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from log.types import TopicPartition

FIRST_WAIT_S = 0.0002
LONGEST_WAIT_S = 0.005  # nobody queues: who looks rarely loses to who takes it again at once
COARSEST_STAMP_NS = 2_000_000_000  # of a file system's times
LOCK_AT_ONCE = LOCK_EX | LOCK_NB


@contextlib.contextmanager
def file_held(path: Path, wait_s: float) -> Iterator[None]:
    """Hold a file, against other processes and the other threads of this one. Raises TimeoutError after `wait_s`."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    deadline = time.monotonic() + wait_s
    try:
        while not flocked(fd, LOCK_EX):
            if time.monotonic() >= deadline:
                said = f"another process or thread has held it for {wait_s:g} s"
                raise TimeoutError(errno.ETIMEDOUT, said, str(path))
            time.sleep(LONGEST_WAIT_S)
        yield
    finally:
        os.close(fd)


def flocked(fd: int, kind: int) -> bool:
    """Whether an open file is locked now, for this process alone (LOCK_EX) or shared (LOCK_SH). Waits for nobody."""
    try:
        flock(fd, kind | LOCK_NB)
    except BlockingIOError:
        return False
    return True


class FileLock:
    """Held by one thread of one process of the machine; re-entrant for that thread."""

    def __init__(self, path: Path, guarded: TopicPartition | str, timeout_s: float) -> None:
        self._path, self._guarded, self._timeout_s = str(path), guarded, timeout_s
        self.stamp = 0  # of its file, when the lock was taken last: see `restamp`
        self._thread_lock = threading.RLock()
        self._fd: int | None = None
        self._depth = 0
        self._owner = 0
        _OPEN.add(self)

    def acquire(self) -> bool:
        """Hold the lock; True if this thread did not hold it yet. Raises PartitionBusy after the timeout."""
        deadline = time.monotonic() + self._timeout_s
        thread_lock = self._thread_lock
        if not thread_lock.acquire(blocking=False) and not thread_lock.acquire(timeout=self._timeout_s):
            raise PartitionBusy(self._guarded, os.getpid())
        try:
            if not self._depth:
                self._lock_file(deadline)
        except BaseException:
            thread_lock.release()
            raise
        self._depth += 1
        self._owner = threading.get_ident()
        return self._depth == 1

    def at_once(self) -> bool:
        """Hold the lock where nobody does, this thread included; False, and nothing held, if somebody does."""
        taken = False
        if not self._thread_lock.acquire(blocking=False):
            return False
        try:
            taken = not self._depth and self._fd is not None and self._lock_what_is_there(self._fd)
        finally:
            if taken:
                self._depth, self._owner = 1, threading.get_ident()
            else:
                self._thread_lock.release()
        return taken

    @property
    def is_mine(self) -> bool:
        """Whether this thread holds it."""
        return self._depth > 0 and self._owner == threading.get_ident()

    @property
    def threads(self) -> AbstractContextManager[object]:
        """What this process' threads lock first."""
        return self._thread_lock

    def release(self) -> None:
        """Give back what `acquire` took."""
        self._depth -= 1
        if not self._depth and self._fd is not None:
            flock(self._fd, LOCK_UN)
        self._thread_lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def close(self) -> None:
        """Give the file back when no other thread holds it, or waits for it; a lock still held goes with it."""
        with self._thread_lock:
            if self._fd is not None:
                os.close(self._fd)
                self._fd = None

    def _lock_file(self, deadline: float) -> None:
        wait = FIRST_WAIT_S
        while True:
            fd = self._fd
            if fd is None:
                fd = self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
                self._held = os.fstat(fd)
            if self._lock_what_is_there(fd):
                return
            if self._fd is None:
                continue
            if time.monotonic() >= deadline:
                raise PartitionBusy(self._guarded, holder(fd))
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_S)

    def _lock_what_is_there(self, fd: int) -> bool:
        """False where somebody holds it; and, with the file given back, where another one or none has its name now."""
        try:
            flock(fd, LOCK_AT_ONCE)
        except BlockingIOError:
            return False
        there = False
        try:
            there = self._is_there()
        finally:
            if not there:
                self.close()  # others would lock another file
        return there

    def _is_there(self) -> bool:
        """Whether the file that is held open is the one of that name; its stamp is read anew."""
        try:
            found = os.stat(self._path)  # noqa: PTH116  with each append: a Path costs more than the call
        except FileNotFoundError:
            return False
        self.stamp = found.st_mtime_ns
        return found.st_ino == self._held.st_ino and found.st_dev == self._held.st_dev


@contextlib.contextmanager
def held_unless_read_only(lock: FileLock) -> Iterator[bool]:
    """Hold it for somebody who looks; False, and nothing held, on a read-only file system: nobody changes it there."""
    try:
        lock.acquire()
    except OSError as error:
        if error.errno != errno.EROFS:
            raise
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def restamp(path: Path) -> None:
    """Tell those who take the lock that what it guards is not as it was. Raises FileNotFoundError."""
    stamp_ns = max(time.time_ns(), path.stat().st_mtime_ns + COARSEST_STAMP_NS)
    os.utime(path, ns=(stamp_ns, stamp_ns))


def holder(fd: int) -> int | None:
    """The kernel's word on who holds the lock."""
    file = f":{os.fstat(fd).st_ino}"
    with contextlib.suppress(OSError):
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            fields = line.split()  # 1: FLOCK ADVISORY WRITE 4711 fe:00:9977944 0 EOF
            if fields[1] == "FLOCK" and fields[5].endswith(file):
                return int(fields[4])
    return None


_OPEN: weakref.WeakSet[FileLock] = weakref.WeakSet()


def _forget_in_child() -> None:
    """A forked child shares the parent's open files, and would hold its locks on after the parent's death."""
    for lock in list(_OPEN):
        lock._thread_lock, lock._depth = threading.RLock(), 0  # noqa: SLF001  the same module
        lock.close()


os.register_at_fork(after_in_child=_forget_in_child)
