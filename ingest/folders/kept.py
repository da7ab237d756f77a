"""Files that stay where they are (`done = "keep"`): which were taken, so that a scan opens none of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ingest.folders.mailfile import FileIdentity, MailFile
    from ingest.ledger.ledger import Ledger


class KeptFiles:
    """The files of one folder that were taken and stay. Its calls raise LedgerUnavailable."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self._ledger = ledger
        self._folder = os.fsencode(folder)
        self._marks: dict[int, int] = {}
        self._changes: int | None = None

    def refresh(self) -> None:
        """Learn what other watchers have taken, and what was forgotten."""
        changes = self._ledger.changes()
        if changes != self._changes:
            self._marks = self._ledger.kept(self._folder)
            self._changes = changes

    def __contains__(self, identity: FileIdentity) -> bool:
        """Whether this very file, unchanged, was taken."""
        return is_kept(identity, self._marks)

    def add(self, files: Iterable[MailFile]) -> None:
        """These were taken."""
        rows = [(_signed(file.identity.inode), hash(file.identity), file.mail.sha256) for file in files]
        self._ledger.keep(self._folder, rows)
        self._marks |= {inode: mark for inode, mark, _ in rows}

    def keep_only(self, inodes: set[int]) -> None:
        """Forget files that are not there any more."""
        if gone := self._marks.keys() - set(map(_signed, inodes)):
            self._ledger.release(self._folder, gone)
            for inode in gone:
                del self._marks[inode]


def is_kept(identity: FileIdentity, marks: Mapping[int, int]) -> bool:
    """Whether this very file, unchanged, is among those that were taken (`queries.kept`)."""
    return marks.get(_signed(identity.inode)) == hash(identity)


def _signed(inode: int) -> int:
    """SQLite's integers have a sign."""
    return inode - 2**64 if inode >= 2**63 else inode
