"""Small files that must survive a power cut, and folders for their owner alone: by the log's own operations."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from log.disk.files import errors_naming, fsync_folder, make_folder, replace_file


def private_folder(folder: Path) -> Path:
    """Make `folder` and those of its parents that are missing, each with mode 0700, durably; return it."""
    make_folder(folder)
    return folder


def write_json(path: Path, content: Any) -> None:
    """Put `content` durably at `path`: after a crash there is the former content or this one, whole.

    Whoever writes a file holds the lock of what it is about, as with `replace_file`.
    """
    replace_file(path, json.dumps(content, indent=1).encode())


def create_json(path: Path, content: Any) -> None:
    """As `write_json`, but only if nothing is there. Raises FileExistsError."""
    temporary = path.with_name(f".{path.name}")
    write_json(temporary, content)
    try:
        os.link(temporary, path)
    finally:
        temporary.unlink()
    fsync_folder(path.parent)


def remove(path: Path) -> None:
    """Remove a file durably; it need not be there."""
    path.unlink(missing_ok=True)
    fsync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Return when the file's content is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with errors_naming(path):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
