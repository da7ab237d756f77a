"""The folders that the sources stand for: each one itself, and with `recursive` those below it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.folders.inbox import MAILDIR, Inbox
from ingest.folders.kept import KeptFiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conf.settings import IngestSettings, SourceSettings
    from ingest.ledger.ledger import Ledger

OURS = frozenset({"done", "failed"})  # what was taken lies there


class Folders:
    """The inboxes, found anew at each look, each kept as long as its folder is there."""

    def __init__(self, settings: IngestSettings, ledger: Ledger) -> None:
        self._settings = settings
        self._ledger = ledger
        self._inboxes: dict[tuple[Path, str], Inbox] = {}

    def look(self) -> list[Inbox]:
        """All inboxes there are now, in the order of the settings; folders below a source by name."""
        found: dict[tuple[Path, str], Inbox] = {}
        for source in self._settings.sources:
            for each in folders_of(source):
                found[each.path, each.kind] = self._inbox(each, None if each is source else source.path)
        self._inboxes = found
        return list(found.values())

    def delays(self) -> list[float]:
        """Seconds until folders that made trouble are tried again."""
        return [inbox.delay.left_s for inbox in self._inboxes.values() if inbox.delay.left_s]

    def _inbox(self, source: SourceSettings, below: Path | None = None) -> Inbox:
        known = self._inboxes.get((source.path, source.kind))
        if known is not None:
            return known
        done = source.done or self._settings.done
        inbox = Inbox(replace(source, done=done), self._settings.settle_s, below=below)
        if done == "keep":
            inbox.kept = KeptFiles(self._ledger, inbox.folder)
        return inbox


def folders_of(source: SourceSettings) -> Iterator[SourceSettings]:
    """The source itself, and if it is recursive the folders below it; symbolic links are not followed.

    A recursive one that is there, and is no Maildir, may hold some and be none itself. One that cannot be looked into
    is among them: who opens it says why.
    """
    is_maildir = source.kind == "maildir"
    if not (source.recursive and is_maildir and source.path.is_dir() and not (source.path / "new").is_dir()):
        yield source
    if not source.recursive:
        return
    shut: list[Path] = []
    for folder, names, _ in os.walk(source.path, onerror=lambda error: shut.extend(_not_looked_into(error))):
        path = source.path / folder
        skipped = OURS.union(MAILDIR) if is_maildir else OURS
        is_one = set(MAILDIR).issubset(names) and not (path / "new").is_symlink() if is_maildir else True
        names[:] = sorted(name for name in names if name not in skipped and (is_maildir or not name.startswith(".")))
        if is_one and path != source.path:
            yield replace(source, path=path)
    yield from (replace(source, path=path) for path in shut if path != source.path)


def _not_looked_into(error: OSError) -> Iterator[Path]:
    """The folder, unless it has just gone."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        yield Path(error.filename)
