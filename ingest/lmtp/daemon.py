"""The parts of the daemon put together: connections, group commit, the log."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ingest.lmtp.commit import GroupCommit
from ingest.lmtp.deliveries import Deliveries
from ingest.lmtp.protocol import Service
from ingest.lmtp.server import serve

if TYPE_CHECKING:
    from collections.abc import Callable

    from conf.settings import Settings
    from ingest.watch import Batch
    from log.interface import CommitLog


async def run(
    log: CommitLog, settings: Settings, report: Callable[[Batch], None], listening: Callable[[str], None]
) -> None:
    """Serve until SIGTERM or SIGINT; `listening` is told each address. Raises ConfigError, OSError."""
    deliveries = Deliveries(log, settings.ingest, report)
    with ThreadPoolExecutor(1, "commit") as thread:
        commit = GroupCommit(deliveries, thread, settings.ingest.batch_mails, settings.ingest.batch_bytes)
        committing = asyncio.create_task(commit.run())
        service = Service(
            commit.deliver,
            _taker(settings.lmtp.recipients),
            settings.ingest.max_mail_bytes,
            settings.lmtp.connections,
            settings.lmtp.timeout_s,
        )
        try:
            await serve(settings.lmtp, service, listening)
        finally:
            committing.cancel()
            with suppress(asyncio.CancelledError):
                await committing
            thread.submit(deliveries.close).result()


def _taker(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether an address is among the recipients; case is ignored."""
    lowered = [pattern.lower() for pattern in patterns]
    return lambda address: any(fnmatchcase(address.lower(), pattern) for pattern in lowered)
