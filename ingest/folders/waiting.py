"""What waits in a watched folder, and what was put aside there: for whoever only looks."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ingest.folders.folders import folders_of
from ingest.folders.holding import HELD, REASON
from ingest.folders.inbox import check_source
from ingest.folders.kept import is_kept
from ingest.folders.mailfile import identity
from ingest.ledger import queries

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from conf.settings import IngestSettings, SourceSettings

LOOKED_AT = 100_000  # entries of a folder: what waits in a fuller one is at least so much


class Waiting(NamedTuple):
    """What waits in a source, and in the folders below it if it is recursive."""

    files: int  # that a watcher is to take
    oldest_s: float  # since when the oldest of them lies there; 0 if there is none
    failed: int  # that were put aside in failed/


def waiting(source: SourceSettings, settings: IngestSettings) -> Waiting:
    """Nothing is opened, moved or made. Raises OSError as `check_source`.

    The time is that of a file's last change of name, mode or content (ctime): delivery sets it, and nobody can set it
    back. In a drop folder what is younger than `settle_s` may be half written, and is no matter yet.
    """
    check_source(source)
    keeps = (source.done or settings.done) == "keep"
    ages: list[float] = []
    failed = 0
    for each in folders_of(source):
        is_maildir = each.kind == "maildir"
        folder = each.path / "new" if is_maildir else each.path
        kept = _kept(settings, folder) if keeps else {}
        ages += _ages(folder, 0.0 if is_maildir else settings.settle_s, kept)
        with suppress(FileNotFoundError), os.scandir(each.path / "failed") as entries:
            failed += sum(not entry.name.endswith(REASON) for entry in islice(entries, LOOKED_AT))
    return Waiting(len(ages), max(ages, default=0.0), failed)


def _ages(folder: Path, settle_s: float, kept: Mapping[int, int]) -> Iterator[float]:
    now = time.time()
    with os.scandir(folder) as entries:
        for entry in islice(entries, LOOKED_AT):
            if entry.name.startswith(".") and not entry.name.startswith(HELD):
                continue
            with suppress(FileNotFoundError):  # it has just been taken
                status = entry.stat(follow_symlinks=False)
                age_s = max(now - status.st_ctime, 0.0)
                if entry.is_file(follow_symlinks=False) and age_s >= settle_s and not is_kept(identity(status), kept):
                    yield age_s


def _kept(settings: IngestSettings, folder: Path) -> Mapping[int, int]:
    """Files that stay though they were taken, as the ledger has them; none where it cannot be asked."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{settings.ledger.as_uri()}?mode=ro", uri=True)) as ledger:
        return queries.kept(ledger, os.fsencode(folder))
    return {}
