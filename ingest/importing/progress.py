"""How far an unfinished import came, file by file, so that the next run of the same command goes on from there.

What is forgotten here costs reading a file again and nothing else: the ledger knows which mails the log has.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ingest.folders.mailfile import identity
from ingest.ledger.file import LedgerUnavailable, check_database

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS files (
    topic TEXT NOT NULL, path BLOB NOT NULL, identity TEXT NOT NULL, done INTEGER NOT NULL, PRIMARY KEY (topic, path)
) WITHOUT ROWID
"""


class Progress:
    """Bytes done of each file, for one topic. Its calls raise LedgerUnavailable, or ConfigError for a foreign file."""

    def __init__(self, path: Path, topic: str) -> None:
        check_database("import_progress", path)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self._path = path
        self._topic = topic
        with self._errors():
            self._db = sqlite3.connect(path, timeout=30)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute(_SCHEMA)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def done(self, path: Path, status: os.stat_result) -> int:
        """Bytes of the file whose mails are durable; 0 also when the file has changed since."""
        query = "SELECT done FROM files WHERE topic = ? AND path = ? AND identity = ?"
        with self._errors():
            row = self._db.execute(query, (self._topic, os.fsencode(path), _text(status))).fetchone()
        return int(row[0]) if row else 0

    def note(self, done: Mapping[Path, tuple[os.stat_result, int]]) -> None:
        """Remember, for each file, what it was and how many of its bytes are done."""
        rows = [(self._topic, os.fsencode(path), _text(status), offset) for path, (status, offset) in done.items()]
        with self._errors(), self._db:
            self._db.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", rows)

    def forget(self, path: Path) -> None:
        """The import of this file, or of all below this folder, is complete."""
        name = os.fsencode(path)
        where = "topic = ? AND (path = ? OR path > ? AND path < ?)"
        with self._errors(), self._db:  # 0 is what follows / in ASCII
            self._db.execute(f"DELETE FROM files WHERE {where}", (self._topic, name, name + b"/", name + b"0"))  # noqa: S608 -- a constant

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise LedgerUnavailable(f"{self._path}: {error}; it may be removed") from error


def _text(status: os.stat_result) -> str:
    return ":".join(map(str, identity(status)))
