"""From sources into the log: a portion of each in turn, appended, and then kept as shipped.

So a line is in the log once in normal running. A process that is killed between the two, and an append of which it is
not known what became of it, have the portion come again: at least once.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from prometheus_client import Counter

from conf.printable import said
from log.errors import LogError
from log.opslog import TOPIC, ensure_topic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conf.heartbeat import Heartbeat
    from conf.process import Stop
    from log.interface import CommitLog
    from ops.shipping.batch import Source

T = TypeVar("T")

logger = logging.getLogger(__name__)

_LINES = Counter("otclog_shipped_lines_total", "Lines of other programs that went into topic ops.")
REST_S = 0.5  # between two looks where nothing came
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0  # until the next try, where the log takes nothing
MEANWHILE_S = 0.1  # between two looks at what comes meanwhile: a pipe holds what a program says in that


class _Stopping(Exception):
    """It was told to stop while it tried again: what is not kept comes again."""


class Shipper:
    """Ships until its sources are over, or it is told to stop."""

    def __init__(
        self, log: CommitLog, sources: Sequence[Source], heartbeat: Heartbeat, stop: Stop, *, once: bool
    ) -> None:
        """`once`: a log that takes nothing is no matter of waiting."""
        self._log, self._sources, self._heartbeat, self._stop, self._once = log, sources, heartbeat, stop, once
        self.lines = 0  # that the log has

    def run(self) -> None:
        """Ship. Raises OSError as the sources do, LogError if trying again is in vain, and any with `once`."""
        with suppress(_Stopping):
            for source in self._sources:
                self._insist(source.begin)
            self._insist(partial(ensure_topic, self._log))
            while not self._stop.is_set and (sources := [each for each in self._sources if not each.is_over]):
                self._heartbeat.beat()
                came = [self._ship(source) for source in sources]
                if not any(came):
                    self._heartbeat.rest(REST_S, self._stop.wait, lambda: self._stop.is_set)

    def _ship(self, source: Source) -> bool:
        """A portion of one source. Whether there was any."""
        batch = self._insist(source.take)
        if batch is None:
            return False
        if batch.records:
            self._insist(partial(self._log.append, TOPIC, batch.records))
        self._insist(batch.keep)
        self.lines += len(batch.records)
        self._heartbeat.count(lines=len(batch.records))
        _LINES.inc(len(batch.records))
        return True

    def _insist(self, act: Callable[[], T]) -> T:
        """Do it, again and again while the log cannot. Raises LogError as `run`; _Stopping."""
        wait_s, is_told = FIRST_WAIT_S, False
        while True:
            try:
                return act()
            except LogError as error:
                if self._once or not error.retriable:
                    raise
                if not is_told:
                    logger.warning("nothing is shipped meanwhile: %s", said(error))
                is_told = True
            self._wait(wait_s)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)

    def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._heartbeat.beat()
            for source in self._sources:
                source.meanwhile()
            self._stop.wait(MEANWHILE_S)
            if self._stop.is_set:
                raise _Stopping
