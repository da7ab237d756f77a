"""How far a source was shipped: a small file of its own, `shipping/<digest of its name>.json` in the log's root.

It is replaced whole and flushed, after the log has the lines. Who ships a source holds the lock beside the file.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from log.disk.documents import read_document, write_document
from log.disk.files import disk_errors_as_log_errors, make_folder
from log.disk.lock import file_held

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.disk.documents import Document

logger = logging.getLogger(__name__)

FOLDER = "shipping"


class State:
    """What is known of one source."""

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name = path, name

    def read(self) -> Document:
        """What was kept last; empty where nothing was. A file that is damaged is told: the source begins anew."""
        found = read_document(self._path)
        if found is None and self._path.exists():
            logger.warning("%s: how far %s was shipped cannot be read: its lines come again", self._path, self._name)
        return found or {}

    def keep(self, document: Document) -> None:
        """Durable when this returns. Raises DiskFull, OutOfResources, LogUnusable."""
        with disk_errors_as_log_errors():
            write_document(self._path, {"source": self._name, **document})


@contextmanager
def state_of(root: Path, name: str) -> Iterator[State]:
    """The state of a source in the log with this root, for this process alone.

    Raises OSError where another one ships the same source.
    """
    folder = root / FOLDER
    make_folder(folder)
    path = folder / f"{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}.json"
    with ExitStack() as held:
        try:
            held.enter_context(file_held(path.with_suffix(".lock"), 0))
        except TimeoutError:
            raise OSError(errno.EBUSY, "another `otclog ops ship` ships it", name) from None
        yield State(path, name)
