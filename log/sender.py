"""What a process says goes into the topic `ops`, by a thread of its own: nobody who speaks waits for the log.

What waits is bounded. What comes beyond that, while the log takes nothing or less than is said, is dropped and counted,
and the count is a message as soon as one can be sent. Nothing that this thread says is sent, for it says so because it
sends: while the log makes each append say something, that would go on for ever.

The thread has the log open for itself, from the first message on, and may be cut off at any moment: the log is as after
a kill, which it survives. So a message is there once, and again where its append was not acknowledged and yet done.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import weakref
from contextlib import suppress
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from prometheus_client import REGISTRY
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from log import find_log
from log.opslog import MAX_VALUE_BYTES, TOPIC, ensure_topic, record_of
from log.types import Record

if TYPE_CHECKING:
    from prometheus_client import Metric

    from log.interface import CommitLog
    from log.options import LogOptions

logger = logging.getLogger(__name__)

MAX_WAITING_BYTES = 8 * 2**20  # some 20,000 lines about mails
BATCH_LINES = 1_000  # few enough that nobody who speaks is held up while they are encoded
LINGER_S = 1.0  # between appends, so that many lines share one
LONGEST_WAIT_S = 60.0  # until a log that took nothing is tried again
FLUSH_S = 2.0  # a process that ends waits no longer


class Sender:
    """See `conf.messages.Sink`. Safe for threads, forks and signal handlers."""

    def __init__(self, options: LogOptions, host: str, unit: str) -> None:
        """What this unit on this host says. Nothing is opened before it says something; a log is never made."""
        self._options, self._host, self._unit = options, host, unit
        self._key = record_of({}, host, unit).key
        self._is_closed = False
        self._begin()
        _ALL.add(self)

    def _begin(self) -> None:
        """Also in a forked child: it has no thread, and what its parent has said the parent sends."""
        self._lock = threading.RLock()  # who is interrupted while holding it may speak
        self._waiting: list[str] = []
        self._size = self._dropped = 0
        self._is_failing = self._is_late = False  # it is told why; it is waited for no more
        self._thread: threading.Thread | None = None
        self._wakes: SimpleQueue[SimpleQueue[None] | None] = SimpleQueue()

    def send(self, *lines: str) -> None:
        """Put lines of JSON where the thread takes them."""
        if self._is_closed or threading.current_thread() is self._thread:
            return
        trouble, fitting = None, [self._fitting(line) for line in lines]
        with self._lock:
            before = self._size
            for line in fitting:
                self._put(line)
            if self._thread is None:
                trouble = self._started()
            elif before <= MAX_WAITING_BYTES // 2 < self._size:
                self._wakes.put(None)
        if trouble:
            self._tell(trouble)

    def _fitting(self, line: str) -> str:
        if len(line) > MAX_VALUE_BYTES:
            line = (record_of(json.loads(line), self._host, self._unit).value or b"").decode("ascii")
        return line

    def _put(self, line: str) -> None:
        """Where it waits, if there is room."""
        before, self._size = self._size, self._size + len(line)
        if self._size > MAX_WAITING_BYTES:
            self._size, self._dropped = before, self._dropped + 1
            _counted["dropped"] += 1
        else:
            self._waiting.append(line)

    def _started(self) -> Exception | None:
        """Begin the thread; what is wrong where there can be none now, which the next message tries again."""
        self._thread = threading.Thread(target=self._run, name="otclog-ops", daemon=True)
        try:
            self._thread.start()
        except Exception as error:  # noqa: BLE001 -- whatever it is, it may be over the next time
            self._thread = None
            return error
        return None

    def flush(self) -> None:
        """Return when what waits is in the log, or after FLUSH_S; at once where the log takes nothing."""
        if self._is_failing or self._is_late or not (self._waiting or self._dropped):
            return
        done: SimpleQueue[None] = SimpleQueue()
        self._wakes.put(done)
        try:
            done.get(timeout=FLUSH_S)
        except Empty:
            self._is_late = True

    def close(self) -> None:
        """Flush, and send nothing more; what is not sent by then is told."""
        if self._is_closed:
            return
        self.flush()
        with self._lock:
            self._is_closed, left = True, len(self._waiting) + self._dropped
        self._wakes.put(None)
        if left:
            logger.warning("of the last messages %d did not go into topic %s", left, TOPIC)

    def _run(self) -> None:
        log, wait_s = None, LINGER_S
        while not self._is_closed:
            asked = self._woken(wait_s)
            try:
                log = log or self._opened()
                self._send_all(log)
                wait_s, self._is_failing, self._is_late = LINGER_S, False, False
            except Exception as error:  # noqa: BLE001 -- whatever it is, it may be over the next time
                self._tell(error)
                _close(log)
                log, wait_s = None, min(2 * wait_s, LONGEST_WAIT_S)
            if asked is not None:
                asked.put(None)
        _close(log)

    def _woken(self, wait_s: float) -> SimpleQueue[None] | None:
        with suppress(Empty):
            return self._wakes.get(timeout=wait_s)
        return None

    def _opened(self) -> CommitLog:
        log = find_log(self._options)
        try:
            ensure_topic(log)
        except Exception:
            _close(log)
            raise
        return log

    def _send_all(self, log: CommitLog) -> None:
        """All that waits now; what comes meanwhile lingers as the rest did."""
        with self._lock:
            left, dropped = len(self._waiting), self._dropped
        while left:
            lines = self._waiting[: min(left, BATCH_LINES)]
            log.append(TOPIC, [Record(self._key, line.encode("ascii")) for line in lines])
            with self._lock:
                del self._waiting[: len(lines)]
                self._size = sum(map(len, self._waiting))  # anew: who was interrupted may have miscounted
            _counted["sent"] += len(lines)
            left -= len(lines)
        if dropped:
            log.append(TOPIC, [self._count(dropped)])
            with self._lock:
                self._dropped -= dropped

    def _count(self, dropped: int) -> Record:
        said = {
            "timestamp": datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
            "level": "warning",
            "logger": __name__,
            "event": f"{dropped} messages were dropped: the log took none, or fewer than were said",
            "dropped": dropped,
            "process": os.getpid(),
        }
        return record_of(said, self._host, self._unit)

    def _tell(self, error: Exception) -> None:
        """Once, as long as it lasts; by the thread not into the log."""
        if not self._is_failing:
            self._is_failing = True
            told = "messages do not go into topic %s now, and are dropped when %d MiB wait: %s: %s"
            logger.warning(told, TOPIC, MAX_WAITING_BYTES >> 20, type(error).__name__, error)


def _close(log: CommitLog | None) -> None:
    with suppress(Exception):  # it is used no more
        if log is not None:
            log.close()


_ALL: weakref.WeakSet[Sender] = weakref.WeakSet()


_counted = {"sent": 0, "dropped": 0}


class _Counts(Collector):
    """What was counted, read by whoever asks: plain numbers, for a signal handler may speak while a thread counts."""

    def collect(self) -> list[Metric]:
        said = "Messages of this process that went into topic ops (sent), or were dropped."
        family = CounterMetricFamily("otclog_messages", said, labels=["outcome"])
        for outcome, number in _counted.items():
            family.add_metric([outcome], number)
        return [family]


REGISTRY.register(_Counts())


def _begin_in_child() -> None:
    for each in list(_ALL):
        each._begin()  # noqa: SLF001 -- the same module


os.register_at_fork(after_in_child=_begin_in_child)
