"""What becomes of a file once its fate is settled: removed, moved to `done/`, or put aside in `failed/`.

`done/` and `failed/` stand in the source's folder (beside `new/` in a Maildir), so that a move is a rename.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ingest.folders.holding import REASON, free_name, give, has_back, held_name, hold, own_name, rename
from ingest.folders.mailfile import MailFile, may_be_taken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

DELETERS = 16  # threads; on a disk that others sync too, deletions wait for its journal, and many wait as long as one


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
    held = held_name(name)
    try:
        os.rename(name, held, src_dir_fd=folder, dst_dir_fd=folder)
        if may_be_taken(os.stat(held, dir_fd=folder, follow_symlinks=False), os.fstat(folder), max_bytes):
            give(folder, held, folder, name)
            return False
        _put_aside(folder, held, name, reason, home)
    except FileNotFoundError:
        return False
    except OSError:
        with suppress(FileNotFoundError):
            rename(folder, held, folder, name)
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
        own = own_name(name)
        try:
            if has_back(folder, name, own):
                os.unlink(name, dir_fd=folder)
            else:
                give(folder, name, folder, own)
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
    if (held := hold(folder, file)) is not None:
        os.unlink(held, dir_fd=folder)


def _move(folder: int, moved_to: int, file: MailFile) -> None:
    if (held := hold(folder, file)) is not None:
        try:
            give(folder, held, moved_to, file.name)
        except OSError:
            rename(folder, held, folder, file.name)
            raise


def _subfolder(home: Path, name: str) -> int:
    (home / name).mkdir(mode=0o700, exist_ok=True)
    return os.open(home / name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def _claim(failed: int, name: str, reason: str) -> str:
    """A name free in `failed/`, reserved by its `.reason` file, which is written and synced."""
    while True:
        aside = free_name(failed, name)
        try:
            file = os.open(aside + REASON, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=failed)
        except FileExistsError:
            continue
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            stream.write(f"{reason}\n")
            stream.flush()
            os.fsync(stream.fileno())
        return aside
