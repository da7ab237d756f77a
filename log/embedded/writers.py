"""Who writes to a replica: the processes of one root at a time.

<replica>/writer    which root that is; locked, shared, by each of its processes that may append

The locks of partitions lie in the root. So two roots with one folder as a replica, as a copy of a home has where
replicas are absolute paths, would both append there, each over the other's records. A process that may append
therefore locks the file of each replica first. Where it names another root, it has to have the file for itself: none
of that one's processes is left then, and it writes its own root down. What readers do needs none of this.

What the file says only counts while a process holds it, so it need not be durable. A root is told from its copies by
device and inode, which hold for this run of the machine; its path is for people.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from dataclasses import asdict, dataclass, field
from fcntl import LOCK_EX, LOCK_SH
from typing import TYPE_CHECKING

from log.disk.documents import seal, unseal
from log.disk.files import FILE_MODE, boot_id, write_all
from log.disk.lock import flocked, holder

if TYPE_CHECKING:
    from pathlib import Path

NAME = "writer"  # in a replica's folder
WAIT_S = 1.0  # two processes of one root at once: the second soon sees what the first has written
BETWEEN_LOOKS_S = 0.005
LONGEST = 2**16


@dataclass(frozen=True, slots=True)
class Root:
    """A root, as the processes of this machine know it."""

    path: str = field(compare=False)
    device: int
    inode: int
    boot: str

    def __str__(self) -> str:
        return self.path


def root_at(path: Path) -> Root:
    """The root in that folder. Raises OSError."""
    found = path.stat()
    return Root(str(path.resolve()), found.st_dev, found.st_ino, boot_id())


class Writers:
    """The replicas that a process has locked for its root. Safe for threads."""

    def __init__(self, root: Path) -> None:
        """None is locked yet. Raises OSError."""
        self._own = root_at(root)
        self._held: dict[int, int] = {}  # by number in the log, the open file
        self._lock = threading.Lock()
        _OPEN.add(self)

    def hold(self, number: int, folder: Path) -> str | None:
        """Lock a replica for this root. None where that is so, else in words who writes there. Raises OSError."""
        with self._lock:
            if number in self._held:
                if _is_there(self._held[number], folder):
                    return None
                os.close(self._held.pop(number))
            fd = os.open(folder / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
            try:
                other = _other_than(self._own, fd)
                if other is None:
                    self._held[number] = fd
                return other
            finally:
                if self._held.get(number) != fd:
                    os.close(fd)

    def release(self, number: int) -> None:
        """Let others have a replica."""
        with self._lock:
            if number in self._held:
                os.close(self._held.pop(number))

    def close(self) -> None:
        """Let others have all."""
        with self._lock:
            while self._held:
                os.close(self._held.popitem()[1])

    def forget(self) -> None:
        """In a forked child, which shares the parent's open files, and would hold them on after its death."""
        self._lock = threading.Lock()
        self.close()


def another_writer(folder: Path, root: Path) -> str | None:
    """In words who writes to a replica at this moment, if that is another root's process. Changes nothing."""
    try:
        fd = os.open(folder / NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return None if _read(fd) == root_at(root) or flocked(fd, LOCK_EX) else _in_words(fd)
    finally:
        os.close(fd)


def _other_than(own: Root, fd: int) -> str | None:
    """Lock the file, which then names `own`; in words who holds it where that cannot be."""
    deadline = time.monotonic() + WAIT_S
    while True:
        kind = LOCK_SH if _read(fd) == own else LOCK_EX
        if not flocked(fd, kind):
            if time.monotonic() >= deadline:
                return _in_words(fd)
            time.sleep(BETWEEN_LOOKS_S)
        elif kind == LOCK_EX:
            data = seal(asdict(own))
            write_all(fd, data, 0)
            os.ftruncate(fd, len(data))  # then it is shared: somebody may have been faster in between
        elif _read(fd) == own:
            return None


def _read(fd: int) -> Root | None:
    with contextlib.suppress(TypeError):
        return Root(**(unseal(os.pread(fd, LONGEST, 0)) or {}))
    return None


def _in_words(fd: int) -> str:
    found, process = _read(fd), holder(fd)
    which = f"process {process}" if process is not None else "a process"
    return f"{which} of the log in {found}" if found is not None else f"{which} of another log's root"


def _is_there(fd: int, folder: Path) -> bool:
    """Whether the file held open is still the replica's."""
    try:
        found = (folder / NAME).stat()
    except OSError:
        return False
    held = os.fstat(fd)
    return (held.st_dev, held.st_ino) == (found.st_dev, found.st_ino)


_OPEN: weakref.WeakSet[Writers] = weakref.WeakSet()


def _forget_in_child() -> None:
    for each in list(_OPEN):
        each.forget()


os.register_at_fork(after_in_child=_forget_in_child)
