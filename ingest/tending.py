"""The log is tended while mails are taken: replicas come back, retention, compaction, claims that no record needs."""

from __future__ import annotations

import logging
import threading
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from log import open_log
from log.tending import tend

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conf.settings import LogSettings
    from log.interface import CommitLog
    from log.types import Tended

logger = logging.getLogger(__name__)

EVERY_S = 30.0  # a replica that is lost is found within a minute
END_S = 5.0  # a daemon that is asked to end waits for no more


@contextmanager
def tending(settings: LogSettings) -> Iterator[None]:
    """Tend the log meanwhile, in a thread. What cannot be done is logged, once as long as it lasts. Raises LogError.

    The thread has the log open for itself, shares nothing with who takes mails, and may be cut off at any moment: the
    log is as after a kill, which it survives. So nobody waits for a copy of many gigabytes.
    """
    end = threading.Event()
    thread = threading.Thread(target=_run, args=(open_log(settings), settings, end), name="otclog-tend", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join(END_S)


def _run(log: CommitLog, settings: LogSettings, end: threading.Event) -> None:
    before: set[str] = set()
    with closing(log):
        while not end.wait(EVERY_S):
            failed = set(_tend(log, settings))
            for line in sorted(failed - before):
                logger.warning("%s", line)
            before = failed


def _tend(log: CommitLog, settings: LogSettings) -> list[str]:
    """What could not be done."""
    try:
        return [_line(each) for each in tend(log, settings) if each.alarms]
    except Exception as error:  # noqa: BLE001 -- whatever it is, mails are taken on, and the next round may do better
        return [f"the log cannot be tended: {type(error).__name__}: {error}"]


def _line(each: Tended) -> str:
    where = f"{each.topic}-{each.partition}: " if each.topic else ""
    return f"{where}{each.action}: {each.detail}"
