"""What every process that writes mails or tables does first, and how one that goes on is asked to end."""

from __future__ import annotations

import logging
import os
import signal
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from conf.loader import load
from conf.printable import printable
from conf.private import OTHERS, check_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conf.settings import Settings


def prepare(config: Path | None) -> Settings:
    """The settings of a process that writes; warnings go to stderr, and what it makes is its owner's alone.

    Raises ConfigError, also when others may reach what is there already.
    """
    settings = load(config)
    to_stderr = logging.StreamHandler()
    to_stderr.setFormatter(_Printable("otclog: %(message)s"))
    to_stderr.addFilter(_no_interrupt)
    logging.basicConfig(level=logging.WARNING, handlers=[to_stderr])
    check_private(settings)
    os.umask(OTHERS)
    return settings


class Stop:
    """What a signal handler may set while the main thread waits for it: an Event's lock may be that thread's own."""

    def __init__(self) -> None:
        self.is_set = False
        self._wakes: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        """From now on it is set."""
        self.is_set = True
        self._wakes.put(None)

    def wait(self, seconds: float) -> None:
        """Return when it is set, or after `seconds`."""
        if not self.is_set:
            with suppress(Empty):
                self._wakes.get(timeout=seconds)


def _no_interrupt(record: logging.LogRecord) -> bool:
    """Py4J logs a Ctrl-C with its traceback before it passes it on; the command says that it was stopped."""
    error = record.exc_info[1] if record.exc_info else None
    while error:
        # Spark's handler of a Ctrl-C asks the JVM to cancel, on the very connection whose answer is being waited for.
        if isinstance(error, KeyboardInterrupt) or str(error).startswith("reentrant call inside"):
            return False
        error = error.__cause__ or error.__context__
    return True


class _Printable(logging.Formatter):
    """A message is one line, whatever the names in it."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging's name
        return printable(super().formatMessage(record))


@contextmanager
def signals_call(stop: Callable[[], None]) -> Iterator[None]:
    """The first SIGTERM or SIGINT stops in good order; a second has its usual effect."""

    def handle(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        stop()

    before = {number: signal.signal(number, handle) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
