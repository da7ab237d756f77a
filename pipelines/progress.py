"""What a command that works for minutes says meanwhile: to a terminal a line that moves, else a line now and then."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from conf.heartbeat import BEAT_S

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conf.heartbeat import Heartbeat

AFTER_S = 1.0  # what is done or refused sooner needs no word that it is under way
EVERY_S = 10.0


@contextmanager
def working(what: str, every_s: float = EVERY_S, after_s: float = AFTER_S) -> Iterator[None]:
    """Say on stderr that `what` is being done until the block ends; into a file or pipe a line at times.

    The first comes after `after_s`, the others `every_s` apart.
    """
    if sys.stderr.isatty():
        with Console(stderr=True).status(what):
            yield
        return
    ended = Event()
    teller = Thread(target=_tell, args=(what, after_s, every_s, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


@contextmanager
def beating(heartbeat: Heartbeat) -> Iterator[None]:
    """Beat amid a run, whose own thread waits for Spark: when it has begun, and whenever Spark has done a task more.

    So a run that takes long is seen to get on, and one that hangs is not.
    """
    ended = Event()
    teller = Thread(target=_beat, args=(heartbeat, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
        heartbeat.beat("")


def _beat(heartbeat: Heartbeat, ended: Event) -> None:
    seen: object = ""
    while not ended.wait(BEAT_S):
        done = tasks()
        if done != seen:
            heartbeat.beat("run")
        seen = done


def tasks() -> tuple[int, int] | None:
    """How many tasks of the Spark stages in hand are done, and of how many; None while Spark does nothing.

    A task parses some hundred mails. Of a task that runs Spark knows nothing: to count mails would be to guess.
    """
    if "pyspark" not in sys.modules:  # the session has not begun to start
        return None
    from py4j.protocol import Py4JError
    from pyspark import SparkContext

    context = SparkContext._active_spark_context  # noqa: SLF001 -- the active session is one of a thread
    with suppress(Py4JError, OSError):  # it is just ending
        if context is not None and getattr(context, "_jsc", None) is not None:  # else it is just starting
            tracker = context.statusTracker()
            stages = [info for stage in tracker.getActiveStageIds() if (info := tracker.getStageInfo(stage))]
            if stages:
                return sum(each.numCompletedTasks for each in stages), sum(each.numTasks for each in stages)
    return None


def _tell(what: str, after_s: float, every_s: float, ended: Event) -> None:
    began = time.monotonic()
    if ended.wait(after_s):
        return
    typer.echo(f"{what} …", err=True)
    while not ended.wait(every_s):
        done = tasks()
        step = f", {done[0]} of {done[1]} tasks of this step done" if done else ""
        typer.echo(f"{what} … {time.monotonic() - began:.0f} s{step}", err=True)
