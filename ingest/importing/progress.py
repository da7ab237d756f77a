"""How far an unfinished import came, file by file, so that the next run of the same command goes on from there.

What is forgotten here costs reading a file again and nothing else: the ledger knows which mails the log has.
"""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

from ingest.mailfile import FileIdentity, identity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS files (
    topic TEXT NOT NULL, path BLOB NOT NULL, device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL, done INTEGER NOT NULL,
    PRIMARY KEY (topic, path)
) WITHOUT ROWID
"""


class Progress:
    """Bytes done of each file, for one topic."""

    def __init__(self, path: Path, topic: str) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self._topic = topic
        self._db = sqlite3.connect(path, timeout=30)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(_SCHEMA)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def done(self, path: Path, status: os.stat_result) -> int:
        """Bytes of the file whose mails are durable; 0 also when the file has changed since."""
        row = self._db.execute(
            "SELECT device, inode, size, mtime_ns, done FROM files WHERE topic = ? AND path = ?",
            (self._topic, os.fsencode(path)),
        ).fetchone()
        return int(row[4]) if row and FileIdentity(*row[:4]) == identity(status) else 0

    def note(self, done: Mapping[Path, tuple[os.stat_result, int]]) -> None:
        """Remember, for each file, what it was and how many of its bytes are done."""
        with self._db:
            self._db.executemany(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (self._topic, os.fsencode(path), *identity(status), offset)
                    for path, (status, offset) in done.items()
                ],
            )

    def forget(self, path: Path) -> None:
        """The import of this file, or of all below this folder, is complete."""
        name = os.fsencode(path)
        with self._db:
            self._db.execute(
                "DELETE FROM files WHERE topic = ? AND (path = ? OR path > ? AND path < ?)",
                (self._topic, name, name + b"/", name + b"0"),  # 0 is what follows / in ASCII
            )
