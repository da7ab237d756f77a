"""The import itself: mails into the backfill topic, in batches; after each, how far it came is noted."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from ingest.accept import Intake
from ingest.folders.serving import Batch
from ingest.importing.progress import Progress
from ingest.importing.reading import Item, read_items
from log.errors import LogError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

    from conf.settings import Settings
    from log.interface import CommitLog

logger = logging.getLogger(__name__)


class Interrupted(Exception):
    """Asked to stop: the same command goes on from where this one was."""

    retriable = True


class Importer:
    """Imports files, and only reads them. For one thread; a signal handler may `stop` it.

    `report` hears of each batch, `advance` of bytes of files that are done.
    """

    def __init__(
        self, log: CommitLog, settings: Settings, report: Callable[[Batch], None], advance: Callable[[int], None]
    ) -> None:
        self._settings = settings
        self._intake = Intake(log, settings, topic=settings.ingest.backfill_topic, carry_on=self._carry_on)
        self._progress = Progress(settings.ingest.import_progress, settings.ingest.backfill_topic)
        self._report = report
        self._advance = advance
        self._stopping = False

    def run(self, named: Path) -> None:
        """Import one file, or all below a folder.

        Raises LogError, LedgerUnavailable, OSError, Interrupted: when it is run again, it goes on.
        """
        self._intake.make_topics()
        path = named.resolve(strict=True)
        batch: list[Item] = []
        size = 0
        try:
            for item in read_items(path, self._settings, self._done):
                batch.append(item)
                size += item.mail.size if item.mail else 0
                if len(batch) >= self._settings.ingest.batch_mails or size >= self._settings.ingest.batch_bytes:
                    self._settle(batch)
                    size = 0
                self._carry_on()
            self._settle(batch)
        finally:
            _close(batch)
        self._progress.forget(path)

    def stop(self) -> None:
        """Make `run` raise Interrupted after the batch in hand."""
        self._stopping = True

    def close(self) -> None:
        """Let go of the ledger and of the notes."""
        self._intake.close()
        self._progress.close()

    def _carry_on(self) -> None:
        if self._stopping:
            raise Interrupted("interrupted; the same command goes on from here")

    def _done(self, path: Path, status: os.stat_result) -> int:
        done = self._progress.done(path, status)
        self._advance(done)
        return done

    def _settle(self, batch: list[Item]) -> None:
        """Publish, then note. Raises LogError, and notes nothing, if some are to be tried again."""
        started = time.monotonic()
        mails = [item.mail for item in batch if item.mail]
        accepted = self._intake.accept(mails)
        claimless = (each.why for each in accepted.unclaimed if isinstance(each.why, LogError))
        again = accepted.busy or next(claimless, None)
        if again is not None:
            raise again
        changed = {id(each.mail) for each in accepted.unclaimed}
        noted: dict[Path, tuple[os.stat_result, int]] = {}
        failed = 0
        for item in batch:
            if item.mail is None or id(item.mail) in changed:
                failed += 1
                about = item.mail.about() if item.mail else {"source": "import", "file": str(item.path)}
                logger.warning(
                    "%s: not imported: %s", item.path, item.why or "it changed while it was read", extra=about
                )
            if item.status is not None and id(item.mail) not in changed:
                noted[item.path] = (item.status, item.done)
        self._progress.note(noted)
        self._report(Batch.of("import", accepted.receipts, time.monotonic() - started, failed).counted("import"))
        self._advance(sum(item.size for item in batch))
        _close(batch)


def _close(batch: list[Item]) -> None:
    while batch:
        batch.pop().close()
