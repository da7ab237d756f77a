"""The log that mails are taken into: made if there is none, unless there was one."""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from conf.process import prepare
from ingest.ledger.file import LedgerFile, check_database
from ingest.routing import Router
from log import LogUnusable, is_there, open_log
from log.command import share_with_log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conf import Settings
    from conf.settings import IngestSettings
    from log import CommitLog

_TOPICS = "SELECT count(*) FROM topics WHERE root = ?"


@contextmanager
def intake_log(config: Path | None) -> Iterator[tuple[Settings, CommitLog]]:
    """The settings and their log, closed afterwards. Raises ConfigError, LogUnusable."""
    settings = prepare(config)
    check_intake(settings.ingest)
    refuse_a_second(settings)
    with closing(open_log(settings.log)) as opened:
        share_with_log(settings)
        yield settings, opened


def check_intake(settings: IngestSettings) -> None:
    """Raises ConfigError where nothing that takes mails would start: by its rules or its own files. Makes nothing."""
    Router(settings.routes, settings.topic)
    check_database("ledger", settings.ledger)
    check_database("import_progress", settings.import_progress)


def refuse_a_second(settings: Settings) -> None:
    """Raises LogUnusable where no log is left though the ledger knows one: another would count from 0 again."""
    path = settings.ingest.ledger
    if is_there(settings.log) or not path.exists():
        return
    ledger = LedgerFile(path)
    try:
        with ledger.open() as db:
            known = db.execute(_TOPICS, (os.fsencode(settings.log.root),)).fetchone()[0]
    finally:
        ledger.close()
    if known:
        raise LogUnusable(
            f"{settings.log.root}: the log is gone, though {path} knows its mails: mount its disks. To begin another "
            f"log, whose offsets begin at 0 again, move {path} and the tables in {settings.tables.root} away"
        )
