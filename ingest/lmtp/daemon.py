"""The parts of the daemon put together: connections, group commit, the log."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from ingest.lmtp.commit import GroupCommit
from ingest.lmtp.deliveries import Deliveries, taker
from ingest.lmtp.protocol import Service
from ingest.lmtp.server import serve
from ingest.tending import tending

if TYPE_CHECKING:
    from collections.abc import Callable

    from conf.settings import Settings
    from ingest.folders.serving import Batch
    from log.interface import CommitLog


async def run(
    log: CommitLog,
    settings: Settings,
    report: Callable[[Batch], None],
    listening: Callable[[str], None],
    beat: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGTERM or SIGINT; `listening` is told each address. Raises ConfigError, LogError, OSError.

    `beat` is called whenever the commits get on, which all else waits for.
    """
    deliveries = Deliveries(log, settings, report, beat)
    with ThreadPoolExecutor(1, "commit") as thread:
        commit = GroupCommit(deliveries.publish, thread, settings.ingest.batch_mails, settings.ingest.batch_bytes, beat)
        committing = asyncio.create_task(commit.run())
        service = Service(
            commit.deliver,
            taker(settings.lmtp.recipients),
            settings.log.root,
            settings.ingest.max_mail_bytes,
            settings.lmtp.connections,
            settings.lmtp.timeout_s,
        )
        try:
            await asyncio.get_running_loop().run_in_executor(thread, deliveries.begin)
            with tending(settings.log):
                await serve(settings.lmtp, service, listening)
        finally:
            deliveries.end()
            commit.end()
            await committing
            thread.submit(deliveries.close).result()
