"""Which files an import is to read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.folders.inbox import MAILDIR, is_maildir

if TYPE_CHECKING:
    from collections.abc import Iterator


def find_files(named: Path) -> Iterator[Path]:
    """The file itself, or every file below the folder, in an order that stays the same.

    Left out: names that begin with a dot, but for a Maildir's own folders (`.Sent`), and a Maildir's `tmp`, for these
    are some program's work in progress; links and special files. Raises OSError when there is no such file or folder.
    """
    if not named.is_dir():
        named.lstat()
        yield named
        return
    for folder, subfolders, names in os.walk(named, onerror=_raise):
        skipped = "tmp" if set(subfolders).issuperset(MAILDIR) else None
        subfolders[:] = sorted(
            name for name in subfolders if name != skipped and (name[0] != "." or is_maildir(Path(folder, name)))
        )
        for name in sorted(names):
            path = Path(folder, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield path


def is_in_maildir(path: Path) -> bool:
    """Whether the file lies where a Maildir's mails do."""
    return path.parent.name in {"new", "cur"} and is_maildir(path.parent.parent)


def _raise(error: OSError) -> None:
    raise error
