"""What becomes of a file once its fate is settled: removed, moved to `done/`, or put aside in `failed/`.

`done/` and `failed/` stand in the source's folder (beside `new/` in a Maildir), so that a move is a rename.

Between a look at a name and its removal another file may come under that name. So a file first gets a name that nobody
else uses, `.otclog.<random>.<its name>`, and is looked at again; if it is not the one that was read, it gets its own
name back, as does what a crash left so (`release`): it is taken as if it had just come.
"""

from __future__ import annotations

import errno
import os
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain, count, islice
from typing import TYPE_CHECKING

from ingest.mailfile import MailFile, identity, may_be_taken
from ingest.renaming import rename_new

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

DELETERS = 16  # threads; on a disk that others sync too, deletions wait for its journal, and many wait as long as one
NAME_BYTES = 255  # what Linux file systems allow
REASON = ".reason"
HELD = ".otclog."
RANDOM = 16  # digits
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS})  # the file system has none, or we may not make one


def finish(folder: int, files: Sequence[MailFile], home: Path, *, move: bool) -> list[tuple[MailFile, OSError]]:
    """Delete or move files whose records are durable; return when the folder is synced, with those it will not let go.

    A name that by now stands for other bytes is left: they are a mail of their own.
    """
    if move:
        moved_to = _subfolder(home, "done")
        try:
            failed = _finish_some(files, partial(_move, folder, moved_to))
            os.fsync(moved_to)
        finally:
            os.close(moved_to)
    else:
        shares = [files[number::DELETERS] for number in range(min(DELETERS, len(files)))]
        with ThreadPoolExecutor(DELETERS, "delete") as threads:
            found = threads.map(lambda share: _finish_some(share, partial(_delete, folder)), shares)
            failed = list(chain.from_iterable(found))
    os.fsync(folder)
    return failed


def put_aside(folder: int, name: str, reason: str, home: Path, max_bytes: int) -> bool:
    """Move an entry to `failed/` as it is, unopened, with a `.reason` file beside it. Raises OSError: it stays.

    False if it has gone, or if by now the name stands for a file that may be taken, which keeps it.
    """
    held = _held(name)
    try:
        os.rename(name, held, src_dir_fd=folder, dst_dir_fd=folder)
        if may_be_taken(os.stat(held, dir_fd=folder, follow_symlinks=False), os.fstat(folder), max_bytes):
            _give(folder, held, folder, name)
            return False
        _put_aside(folder, held, name, reason, home)
    except FileNotFoundError:
        return False
    except OSError:
        with suppress(FileNotFoundError):
            _rename(folder, held, folder, name)
        raise
    return True


def _put_aside(folder: int, held: str, name: str, reason: str, home: Path) -> None:
    failed = _subfolder(home, "failed")
    try:
        aside = _claim(failed, name, reason)
        try:
            os.rename(held, aside, src_dir_fd=folder, dst_dir_fd=failed)
        except OSError:
            os.unlink(aside + REASON, dir_fd=failed)
            raise
        os.fsync(failed)
        os.fsync(folder)
    finally:
        os.close(failed)


def release(folder: int, names: Iterable[str]) -> list[tuple[str, OSError]]:
    """Give what watchers held its name back; returns what cannot be given.

    It does no harm if the watcher lives: it leaves the file then, which is taken again, and is known.
    """
    failed: list[tuple[str, OSError]] = []
    for name in names:
        own = name[len(HELD) + RANDOM + 1 :]
        try:
            if _has_back(folder, name, own):
                os.unlink(name, dir_fd=folder)
            else:
                _give(folder, name, folder, own)
        except FileNotFoundError:  # another one does so, too
            continue
        except OSError as error:
            failed.append((name, error))
    return failed


def _finish_some(files: Iterable[MailFile], let_go: Callable[[MailFile], None]) -> list[tuple[MailFile, OSError]]:
    failed: list[tuple[MailFile, OSError]] = []
    for file in files:
        try:
            let_go(file)
        except FileNotFoundError:
            continue
        except OSError as error:
            failed.append((file, error))
    return failed


def _delete(folder: int, file: MailFile) -> None:
    if (held := _hold(folder, file)) is not None:
        os.unlink(held, dir_fd=folder)


def _move(folder: int, moved_to: int, file: MailFile) -> None:
    if (held := _hold(folder, file)) is not None:
        try:
            _give(folder, held, moved_to, file.name)
        except OSError:
            _rename(folder, held, folder, file.name)
            raise


def _hold(folder: int, file: MailFile) -> str | None:
    """The name under which nobody else uses the file; None if by now its own stands for other bytes.

    Raises FileNotFoundError when it has gone.
    """
    if identity(os.stat(file.name, dir_fd=folder, follow_symlinks=False)) != file.identity:
        return None
    held = _held(file.name)
    os.rename(file.name, held, src_dir_fd=folder, dst_dir_fd=folder)
    found = identity(os.stat(held, dir_fd=folder, follow_symlinks=False))
    if found[:-1] == file.identity[:-1]:  # but for ctime: the new name is a change of its own
        return held
    _give(folder, held, folder, file.name)
    return None


def _held(name: str) -> str:
    """A name of its own for the file, cut to what file systems allow."""
    free = f"{HELD}{uuid.uuid4().hex[:RANDOM]}."
    return free + os.fsdecode(os.fsencode(name)[: NAME_BYTES - len(free)])


def _give(folder: int, held: str, into: int, name: str) -> None:
    """Move what is held to that name, or a numbered one if it is taken: over no other file."""
    while True:
        free = _free(into, name)
        try:
            os.link(held, free, src_dir_fd=folder, dst_dir_fd=into, follow_symlinks=False)
        except FileExistsError:
            continue
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            return _rename(folder, held, into, name)
        return os.unlink(held, dir_fd=folder)


def _rename(folder: int, held: str, into: int, name: str) -> None:
    """The same without a link."""
    while True:
        try:
            if rename_new(folder, held, into, _free(into, name)):
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


def _has_back(folder: int, held: str, name: str) -> bool:
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


def _subfolder(home: Path, name: str) -> int:
    (home / name).mkdir(mode=0o700, exist_ok=True)
    return os.open(home / name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def _claim(failed: int, name: str, reason: str) -> str:
    """A name free in `failed/`, reserved by its `.reason` file, which is written and synced."""
    while True:
        aside = _free(failed, name)
        try:
            file = os.open(aside + REASON, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=failed)
        except FileExistsError:
            continue
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            stream.write(f"{reason}\n")
            stream.flush()
            os.fsync(stream.fileno())
        return aside


def _free(folder: int, name: str) -> str:
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
