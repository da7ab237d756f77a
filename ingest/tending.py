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

EVERY_S = 30.0  # a replica that is lost is found within a minute
END_S = 5.0  # a daemon that is asked to end waits for no more


@contextmanager
def tending(settings: LogSettings) -> Iterator[None]:
    """Tend the log meanwhile, in a thread. What cannot be done is logged, once as long as it lasts.

    The thread opens the log anew each time, shares nothing with who takes mails, and may be cut off at any moment: the
    log is as after a kill, which it survives. So nobody waits for a copy of many gigabytes.
    """
    end = threading.Event()
    thread = threading.Thread(target=_run, args=(settings, end), name="otclog-tend", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join(END_S)


def _run(settings: LogSettings, end: threading.Event) -> None:
    before: set[str] = set()
    while not end.wait(EVERY_S):
        failed = set(_tend(settings))
        for line in sorted(failed - before):
            logger.warning("%s", line)
        before = failed


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
