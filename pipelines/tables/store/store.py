"""Opens the store that `[tables] root` names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from conf.settings import IS_URL, MISREAD, ConfigError
from pipelines.tables.store.folder import Folder

if TYPE_CHECKING:
    from conf.settings import TableSettings
    from pipelines.tables.store.interface import Store

BUCKETS = ("s3", "az", "gs")


def store_of(tables: TableSettings) -> Store:
    """The store of these settings. Raises ConfigError."""
    return open_store(tables.root, tables.credentials)


def open_store(root: str | Path, credentials: Path | None = None) -> Store:
    """The store of a folder, or of a file, s3, az or gs URL. Nothing is asked of it yet.

    `credentials`: a file with the keys, which come before those of the environment. Raises ConfigError.
    """
    if isinstance(root, Path) or not IS_URL.match(root):
        return Folder(_read_alike(Path(root)))
    url = urlsplit(root)
    if url.query or url.fragment or "@" in url.netloc:  # not shown: what stands there may be a key
        raise ConfigError("[tables] root: a URL is SCHEME://BUCKET/FOLDER; keys go into [tables] credentials")
    if root.startswith("file://") and url.netloc in {"", "localhost"} and url.path:
        return Folder(_read_alike(Path(unquote(url.path))))
    if url.scheme not in BUCKETS or not url.netloc:
        known = ", ".join(f"{scheme}://BUCKET/FOLDER" for scheme in BUCKETS)
        raise ConfigError(f"[tables] root = {root!r}: name a folder, file:///FOLDER, {known}")
    if {".", ".."} & set(url.path.split("/")):
        raise ConfigError(f"[tables] root = {root!r}: in a bucket . and .. are no way to another folder: name that one")
    from pipelines.tables.store.bucket import Bucket

    return Bucket(root, credentials)


def _read_alike(folder: Path) -> Path:
    if MISREAD.search(str(folder)):
        raise ConfigError(
            f"[tables] root = {str(folder)!r}: Spark or Delta read its name otherwise: choose another folder"
        )
    return folder
