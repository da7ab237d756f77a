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
    from log.types import Tended

logger = logging.getLogger(__name__)

EVERY_S = 60.0
LEAVE_S = 10.0  # at the end, what is under way has so long


@contextmanager
def tended(settings: LogSettings) -> Iterator[None]:
    """Tend the log in a thread, now and every EVERY_S. What cannot be done is logged, once as long as it lasts.

    The thread opens the log anew each time, shares nothing with who takes mails, and may be cut off at any moment: the
    log is as after a kill, which it survives. So nobody waits for a copy of many gigabytes.
    """
    stop = threading.Event()
    thread = threading.Thread(target=_run, args=(settings, stop), name="otclog-tend", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(LEAVE_S)


def _run(settings: LogSettings, stop: threading.Event) -> None:
    told: set[str] = set()
    while True:
        now = set(_tend(settings))
        for line in sorted(now - told):
            logger.warning("%s", line)
        told = now
        if stop.wait(EVERY_S):
            return


def _tend(settings: LogSettings) -> list[str]:
    """What could not be done."""
    try:
        with closing(open_log(settings)) as log:
            done = tend(log, settings)
    except Exception as error:  # noqa: BLE001 -- whatever it is, mails are taken on, and the next round may do better
        return [f"the log cannot be tended: {type(error).__name__}: {error}"]
    for each in done:
        if each.ok:
            logger.info("%s", _line(each))
    return [_line(each) for each in done if not each.ok]


def _line(each: Tended) -> str:
    where = f"{each.topic}-{each.partition}: " if each.topic else ""
    return f"{where}{each.action}: {each.detail}"
