"""A file under a name that nobody else uses, `.otclog.<random>.<its name>`, and its way back.

Between a look at a name and its removal another file may come under that name. So a file is first held, and looked at
again; if it is not the one that was read, it gets its own name back, as does what a crash left so: it is taken as if it
had just come. No name is given over another file's.
"""

from __future__ import annotations

import errno
import os
import uuid
from itertools import count, islice
from typing import TYPE_CHECKING

from ingest.folders.mailfile import Limits, MailFile, NotTaken, identity, read_mail
from ingest.folders.renaming import rename_new

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME_BYTES = 255  # what Linux file systems allow
REASON = ".reason"
HELD = ".otclog."
RANDOM = 16  # digits
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS})  # the file system has none, or we may not make one


def hold(folder: int, file: MailFile) -> str | None:
    """The name under which nobody else uses the file; None if by now its own stands for other bytes.

    Raises FileNotFoundError when it has gone.
    """
    before = identity(os.stat(file.name, dir_fd=folder, follow_symlinks=False))
    if before[:-1] != file.identity[:-1]:
        return None
    held = held_name(file.name)
    os.rename(file.name, held, src_dir_fd=folder, dst_dir_fd=folder)
    found = identity(os.stat(held, dir_fd=folder, follow_symlinks=False))
    # ctime apart: the new name is a change of its own.
    if found[:-1] == file.identity[:-1] and (before == file.identity or _is_the_mail(folder, held, file)):
        return held
    give(folder, held, folder, file.name)
    return None


def _is_the_mail(folder: int, held: str, file: MailFile) -> bool:
    """Whether a file whose ctime alone has changed has its mail's bytes: another of its names has come or gone."""
    try:
        found = read_mail(folder, held, file.mail.source, Limits(held=0, taken=file.mail.size))
    except NotTaken:
        return False
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), held)
    found.close()
    return found.mail.sha256 == file.mail.sha256


def held_name(name: str) -> str:
    """A name of its own for the file, cut to what file systems allow."""
    free = f"{HELD}{uuid.uuid4().hex[:RANDOM]}."
    return free + os.fsdecode(os.fsencode(name)[: NAME_BYTES - len(free)])


def own_name(held: str) -> str:
    """What the file was called, as far as the name it is held under has room."""
    return held[len(HELD) + RANDOM + 1 :]


def give(folder: int, held: str, into: int, name: str) -> None:
    """Move what is held to that name, or a numbered one if it is taken: over no other file."""
    while True:
        free = free_name(into, name)
        try:
            os.link(held, free, src_dir_fd=folder, dst_dir_fd=into, follow_symlinks=False)
        except FileExistsError:
            continue
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            return rename(folder, held, into, name)
        return os.unlink(held, dir_fd=folder)


def rename(folder: int, held: str, into: int, name: str) -> None:
    """Move what is held to that name, or a numbered one, where the file system has no hard links."""
    while True:
        try:
            if rename_new(folder, held, into, free_name(into, name)):
                return None
        except FileExistsError:
            continue
        break
    for numbered in islice(_numbered(name), 1, None):  # a name that only watchers use, and they take it as is done here
        try:
            os.close(os.open(numbered, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=into))
        except FileExistsError:
            continue
        try:
            return os.rename(held, numbered, src_dir_fd=folder, dst_dir_fd=into)
        except OSError:
            os.unlink(numbered, dir_fd=into)
            raise
    return None


def has_back(folder: int, held: str, name: str) -> bool:
    """Whether the file has that name already, or a numbered one: a crash came before the held one was removed."""
    inode = os.stat(held, dir_fd=folder, follow_symlinks=False).st_ino
    for candidate in _numbered(name):
        try:
            found = os.stat(candidate, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            break
        if found.st_ino == inode:
            return True
    return False


def free_name(folder: int, name: str) -> str:
    """The name, or the first numbered one that is not taken."""
    return next(
        candidate
        for candidate in _numbered(name)
        if not any(_exists(folder, candidate + suffix) for suffix in ("", REASON))
    )


def _numbered(name: str) -> Iterator[str]:
    """`name`, `name~2`, `name~3`, …, cut to leave room for `.reason`."""
    for number in count(1):
        tail = f"~{number}" if number > 1 else ""
        stem = os.fsencode(name)[: NAME_BYTES - len(REASON) - len(tail)]
        yield os.fsdecode(stem) + tail


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
