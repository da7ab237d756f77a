"""A mail as a file: opened safely, read whole, and told apart from what cannot be taken."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fcntl import F_RDLCK, F_SETLEASE, F_SETSIG, F_UNLCK, fcntl
from functools import partial
from signal import SIGURG
from typing import NamedTuple

from ingest.headers import HEAD_BYTES
from ingest.mail import Mail

CHUNK_BYTES = 1 << 20
LINKED_S = 60.0  # a delivery agent that links a file into its folder unlinks the first name sooner than this
_NOT_THE_FILE = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})  # this process' or machine's limits


class FileIdentity(NamedTuple):
    """Enough to see that a name still stands for the bytes that were read."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int  # changed by every write, also by one that sets mtime back


@dataclass(frozen=True, slots=True)
class MailFile:
    """A file of a folder and its mail. A mail that is not held in memory is read from the file until `close`."""

    name: str  # within its folder
    identity: FileIdentity
    mail: Mail
    file: int | None = None  # open, where the mail is not held

    def close(self) -> None:
        """Give the file back."""
        if self.file is not None:
            os.close(self.file)


class NotTaken(Exception):
    """A file that cannot be taken; `for_good` says whether trying again is in vain."""

    def __init__(self, reason: str, *, for_good: bool) -> None:
        super().__init__(reason)
        self.for_good = for_good


class Limits(NamedTuple):
    """Sizes in bytes."""

    held: int  # a larger mail is not held in memory
    taken: int  # a larger one is not taken


def identity(status: os.stat_result) -> FileIdentity:
    """What `unchanged` files agree in."""
    return FileIdentity(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def read_mail(
    folder: int, name: str, source: str, limits: Limits, carry_on: Callable[[], None] = lambda: None
) -> MailFile | None:
    """Read a whole regular file of the folder (a descriptor); None when it has gone.

    `carry_on` is called before each chunk of a large file, now and when its mail's chunks are read, and may raise.
    Raises NotTaken; OSError when it is this process that can open no more.
    """
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in _NOT_THE_FILE:
            raise
        raise NotTaken(f"cannot be opened: {error.strerror}", for_good=error.errno == errno.ELOOP) from error
    taken: MailFile | None = None
    try:
        _check_names(os.fstat(file), os.fstat(folder))
        taken = _read(file, name, source, limits, carry_on)
    except OSError as error:
        raise NotTaken(f"cannot be read: {error.strerror}", for_good=False) from error
    finally:
        if taken is None or taken.file is None:
            os.close(file)
    return taken


def _read(file: int, name: str, source: str, limits: Limits, carry_on: Callable[[], None]) -> MailFile:
    before = os.fstat(file)
    _check(before, limits.taken)
    size, time_ns = before.st_size, before.st_mtime_ns
    if size <= limits.held:
        mail = Mail.of(b"".join(_chunks(file, size)), source, name, time_ns)
    else:
        chunks = partial(_chunks, file, size, carry_on)
        digest = hashlib.sha256()
        for chunk in chunks():
            digest.update(chunk)
            size -= len(chunk)
        head = os.pread(file, HEAD_BYTES, 0)
        mail = Mail(source, name, digest.hexdigest(), before.st_size - size, time_ns, head, chunks, None)
    after = identity(os.fstat(file))
    if _is_open_for_writing(file):
        raise NotTaken("still open for writing", for_good=False)
    if after[:-1] != identity(before)[:-1] or mail.size != after.size:  # its links may have changed meanwhile
        raise NotTaken("still being written", for_good=False)
    return MailFile(name, after, mail, None if mail.raw is not None else file)


def _is_open_for_writing(file: int) -> bool:
    """Whether some process may go on writing, so that the file would be taken in parts; False where nobody can say."""
    try:
        fcntl(file, F_SETSIG, SIGURG)  # sent to us if somebody opens it just then: unlike SIGIO, it ends nobody
        fcntl(file, F_SETLEASE, F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:  # another's file, or a file system without leases
        return False
    fcntl(file, F_SETLEASE, F_UNLCK)
    return False


def may_be_taken(status: os.stat_result, folder: os.stat_result, max_bytes: int) -> bool:
    """Whether nothing that can be told without opening the file speaks against it."""
    try:
        _check(status, max_bytes)
        _check_names(status, folder)
    except NotTaken:
        return False
    return True


def _check(status: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotTaken("not a regular file", for_good=True)
    if status.st_size > max_bytes:
        raise NotTaken(f"{status.st_size} bytes are more than max_mail_bytes ({max_bytes})", for_good=True)


def _check_names(status: os.stat_result, folder: os.stat_result) -> None:
    """Refuse a file that somebody may have linked here who may not read it himself."""
    ours_alone = status.st_uid == os.geteuid() and not _others_may_link(folder)
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1 and not ours_alone:
        old = time.time() - status.st_ctime > LINKED_S
        raise NotTaken("a file with a second name elsewhere, linked by who knows whom", for_good=old)


def _others_may_link(folder: os.stat_result) -> bool:
    return folder.st_uid != os.geteuid() or bool(folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _chunks(file: int, size: int, carry_on: Callable[[], None] = lambda: None) -> Iterator[bytes]:
    """Up to one byte more than `size`: a file that has grown shows it."""
    at = 0
    while at <= size:
        carry_on()
        chunk = os.pread(file, min(size + 1 - at, CHUNK_BYTES), at)
        if not chunk:
            return
        yield chunk
        at += len(chunk)
