"""Small files that must survive a power cut, and folders for their owner alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def private_folder(folder: Path) -> Path:
    """Make `folder` and those of its parents that are missing, each with mode 0700, durably; return it."""
    if not folder.is_dir():
        private_folder(folder.parent)  # mkdir's own `parents` would make them by the umask alone
        folder.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder.parent)
    return folder


def write_json(path: Path, content: Any) -> None:
    """Put `content` durably at `path`: after a crash there is the former content or this one, whole."""
    temporary = _written(path, content)
    temporary.replace(path)
    sync_folder(path.parent)


def create_json(path: Path, content: Any) -> None:
    """As `write_json`, but only if nothing is there. Raises FileExistsError."""
    temporary = _written(path, content)
    try:
        os.link(temporary, path)
    finally:
        temporary.unlink()
    sync_folder(path.parent)


def remove(path: Path) -> None:
    """Remove a file durably; it need not be there."""
    path.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Return when the file's content is on the disk."""
    _sync(path, os.O_RDONLY)


def sync_folder(path: Path) -> None:
    """Return when the folder's entries are on the disk."""
    _sync(path, os.O_RDONLY | os.O_DIRECTORY)


def _written(path: Path, content: Any) -> Path:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    return temporary


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
