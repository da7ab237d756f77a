"""Which files each of several watchers has in hand, so that no two read the same and a folder's order is kept.

<folder>/lock         held for moments, while a watcher looks at the others and takes its share
         <watcher>    held as long as the watcher lives; says what it has in hand:
                      {"pid": 4711, "number": 12, "folder": "/home/desk/mail/new", "names": ["…"]}

A watcher that dies lets go of its lock by the kernel's doing, and with it of its share. That every mail becomes one
record does not rest on any of this.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import time
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

WAIT_S = 10.0  # for a share taken before ours; its watcher may be stopped
POLL_S = 0.01


class OthersBusy(Exception):
    """Another watcher does not get on with what it has in hand: try again."""

    retriable = True


class Earlier(NamedTuple):
    """What another watcher had in hand when a share was taken."""

    watcher: str
    number: int  # of its share
    pid: int
    names: list[str]


class Share(NamedTuple):
    """Files that this watcher alone has in hand."""

    names: list[str]
    earlier: list[Earlier]  # of the same folder: what it has to wait for before it publishes


class Shares:
    """This watcher's part. `folder` is made when needed. Its calls raise OthersBusy, OSError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name = uuid.uuid4().hex
        self._file: int | None = None
        self._number = 0

    @contextmanager
    def take(self, folder: str, names: Sequence[str], limit: int) -> Iterator[Share]:
        """The first `limit` names that no other watcher has in hand; given back at the end."""
        with self._alone() as ours:
            earlier = [
                Earlier(name, said["number"], said["pid"], said["names"])
                for name, said in self._others()
                if said["folder"] == folder
            ]
            theirs = {name for each in earlier for name in each.names}
            mine = [name for name in names if name not in theirs][:limit]
            self._say(ours, folder, mine)
        try:
            yield Share(mine, earlier)
        finally:
            with self._alone() as ours:
                self._say(ours, None, [])

    def wait(self, share: Share, is_gone: Callable[[str], bool], carry_on: Callable[[], None]) -> bool:
        """Wait for earlier shares; whether all of their files have gone, so that ours are the oldest.

        `carry_on` is called while waiting, and may raise to give up.
        """
        end = time.monotonic() + WAIT_S
        for each in share.earlier:
            while self._is_in_hand(each):
                carry_on()
                if time.monotonic() > end:
                    raise OthersBusy(f"process {each.pid} does not get on with the files it has in hand")
                time.sleep(POLL_S)
            if not all(map(is_gone, each.names)):
                return False
        return True

    def close(self) -> None:
        """Leave."""
        if self._file is not None:
            with self._alone():
                (self._folder / self._name).unlink(missing_ok=True)
            os.close(self._file)
            self._file = None

    def _is_in_hand(self, share: Earlier) -> bool:
        with self._alone():
            return any((name, said["number"]) == share[:2] for name, said in self._others())

    def _others(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """What other watchers that live have said; what is left of the dead is removed."""
        for name in os.listdir(self._folder):  # noqa: PTH208 -- names are enough
            if name in {"lock", self._name}:
                continue
            file = os.open(self._folder / name, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield name, _said(os.pread(file, os.fstat(file).st_size, 0), self._folder / name)
            else:
                (self._folder / name).unlink()
            finally:
                os.close(file)

    def _say(self, ours: int, folder: str | None, names: list[str]) -> None:
        """What this watcher has in hand from now on."""
        self._number += 1
        said = {"pid": os.getpid(), "number": self._number, "folder": folder, "names": names}
        text = json.dumps(said).encode()
        if os.pwrite(ours, text, 0) != len(text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._folder / self._name))
        os.ftruncate(ours, len(text))

    @contextmanager
    def _alone(self) -> Iterator[int]:
        """While no other watcher looks or speaks; gives this watcher's file, open. Raises OthersBusy."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _lock(lock, self._folder)
            if self._file is None:
                self._file = os.open(
                    self._folder / self._name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600
                )
                fcntl.flock(self._file, fcntl.LOCK_EX)
                self._say(self._file, None, [])
            yield self._file
        finally:
            os.close(lock)


def _said(text: bytes, file: Path) -> dict[str, Any]:
    """What a watcher that lives wrote; it may have had no space to write it. Raises OthersBusy."""
    try:
        said: dict[str, Any] = json.loads(text)
    except ValueError:
        raise OthersBusy(f"{file}: a watcher could not say what it has in hand: is the disk full?") from None
    return said


def _lock(file: int, folder: Path) -> None:
    end = time.monotonic() + WAIT_S
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise OthersBusy(f"{folder}: another watcher does not let go of its lock") from None
            time.sleep(POLL_S / 10)
