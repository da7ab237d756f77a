"""What becomes of a file once its fate is settled: removed, moved to `done/`, or put aside in `failed/`.

`done/` and `failed/` stand in the source's folder (beside `new/` in a Maildir), so that a move is a rename.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ingest.mailfile import MailFile, identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

DELETERS = 16  # threads; on a disk that others sync too, deletions wait for its journal, and many wait as long as one
NAME_BYTES = 255  # what Linux file systems allow
REASON = ".reason"


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


def put_aside(folder: int, name: str, reason: str, home: Path) -> None:
    """Move an entry to `failed/` as it is, unopened, with a `.reason` file beside it. Raises OSError: it stays."""
    failed = _subfolder(home, "failed")
    try:
        aside = _claim(failed, name, reason)
        try:
            os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=failed)
        except OSError as error:
            os.unlink(aside + REASON, dir_fd=failed)
            if not isinstance(error, FileNotFoundError):
                raise
        os.fsync(failed)
        os.fsync(folder)
    finally:
        os.close(failed)


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
    if _is_unchanged(folder, file):
        os.unlink(file.name, dir_fd=folder)


def _move(folder: int, moved_to: int, file: MailFile) -> None:
    if _is_unchanged(folder, file):
        os.rename(file.name, _free(moved_to, file.name), src_dir_fd=folder, dst_dir_fd=moved_to)


def _is_unchanged(folder: int, file: MailFile) -> bool:
    """Raises FileNotFoundError."""
    return identity(os.stat(file.name, dir_fd=folder, follow_symlinks=False)) == file.identity


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
    """The name, cut to leave room for `.reason`, numbered if it is taken."""
    number = 1
    while True:
        tail = f"~{number}" if number > 1 else ""
        stem = os.fsencode(name)[: NAME_BYTES - len(REASON) - len(tail)]
        candidate = os.fsdecode(stem) + tail
        if not any(_exists(folder, candidate + suffix) for suffix in ("", REASON)):
            return candidate
        number += 1


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
