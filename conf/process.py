"""What every process that writes mails or tables does first, and how one that goes on is asked to end, and ends."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NoReturn, TextIO

from conf.loader import load
from conf.messages import begin_messages, tell
from conf.metrics import begin_metrics
from conf.private import OTHERS, check_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conf.settings import Settings


def prepare(config: Path | None) -> Settings:
    """The settings of a process that writes; its messages go where they say, and what it makes is its owner's alone.

    Raises ConfigError, also when others may reach what is there already; OSError where messages cannot be written.
    """
    settings = load(config)
    check_private(settings)
    begin_messages(settings.logging)
    os.umask(OTHERS)
    begin_metrics(settings.metrics)
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


def leave(status: int) -> NoReturn:
    """End this process as Python does, without the step in which it takes itself apart.

    Threads of Arrow that let go of a buffer of Python's then would abort a command that has done all its work
    (https://github.com/apache/arrow/issues/34314): five of 1,100 that read tables, on a busy machine.
    """
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 -- as Python does: threads that are no daemons
    atexit._run_exitfuncs()  # noqa: SLF001
    try:
        _flush(sys.stdout)
    except OSError as error:
        tell(f"otclog: standard output: {error.strerror}")
        status = status or 1
    with suppress(OSError):
        _flush(sys.stderr)
    os._exit(status)


def _flush(stream: TextIO | None) -> None:
    if stream is not None:  # who started the process may have closed it (`>&-`)
        stream.flush()
