"""Where the table of events lies, and how its rows are found by a mail. Starts neither Spark nor its library."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.tables.store.store import open_store

if TYPE_CHECKING:
    from conf.settings import TableSettings
    from pipelines.tables.store.interface import Store

NAME = "events"
FOLDER = "ops"  # below the tables' root, with locks and publications of its own: a run of mails waits for no analysis
GROUP = "ops-analyse"
ID_CHARACTERS = 2_048  # of a Message-ID; a line that names a longer one is found by its beginning


def store_of_events(tables: TableSettings) -> Store:
    """The store that has the table alone. Raises ConfigError."""
    root = tables.root
    below = root / FOLDER if isinstance(root, Path) else f"{root.rstrip('/')}/{FOLDER}"
    return open_store(below, tables.credentials)


def hash_of(text: str) -> int:
    """A number of 64 bits: of ten million rows a search reads 80 MB of these instead of their text."""
    digest = blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
