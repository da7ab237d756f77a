"""Flushes `written` appends that nobody flushes: a thread that wakes up when the first of them is `flush_ms` old."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from log.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)


class BackgroundFlush:
    """One thread, begun with the first `written` append."""

    def __init__(self, flush_ms: int, flush: Callable[[str], None]) -> None:
        self._delay_s, self._flush = flush_ms / 1000, flush
        self._due: dict[str, float] = {}  # topic -> when, on the monotonic clock
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def expect(self, topic: str) -> None:
        """Something was appended to `topic` that is not flushed."""
        if topic in self._due:  # it is still to be flushed, and so will be what was appended before this look
            return
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="otclog-flush", daemon=True)
                self._thread.start()
            self._due.setdefault(topic, time.monotonic() + self._delay_s)
            self._changed.notify()

    def close(self) -> list[str]:
        """Stop at once; the topics still due are the caller's to flush."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()
        return sorted(self._due)

    def _run(self) -> None:
        while topic := self._next_due():
            try:
                self._flush(topic)
            except LogError as error:
                again = ", will be tried again" if error.retriable else ""
                logger.warning("%s: not flushed in the background%s: %s", topic, again, error)
                if error.retriable:
                    self.expect(topic)

    def _next_due(self) -> str | None:
        with self._changed:
            while not self._closed:
                topic = min(self._due, key=self._due.__getitem__, default=None)
                wait_s = None if topic is None else self._due[topic] - time.monotonic()
                if topic is not None and wait_s is not None and wait_s <= 0:
                    del self._due[topic]
                    return topic
                self._changed.wait(wait_s)
            return None
