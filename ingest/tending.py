"""The log's upkeep beside a daemon: at times replicas are brought back, old records deleted, keys compacted."""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from log.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from log.interface import CommitLog
    from log.types import Tended

EVERY_S = 30.0  # a replica that is lost is found within a minute
END_S = 5.0  # a daemon that is asked to end waits for no more; what a tender leaves half done, the next one settles

logger = logging.getLogger(__name__)


@contextmanager
def tending(log: CommitLog) -> Iterator[None]:
    """Tend the log meanwhile, in a thread. Failures are logged, once as long as they stay the same."""
    end = threading.Event()
    thread = threading.Thread(target=_tend, args=(log, end), name="otclog-tend", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join(END_S)


def _tend(log: CommitLog, end: threading.Event) -> None:
    before: list[Tended] = []
    while not end.wait(EVERY_S):
        try:
            failed = [line for line in log.tend() if not line.ok]
        except (LogError, OSError) as error:
            logger.warning("the log cannot be tended: %s", error)
            continue
        for line in failed:
            if line not in before:
                logger.warning("%s-%s: %s: %s", line.topic, line.partition, line.action, line.detail)
        before = failed
