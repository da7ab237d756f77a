"""Showing the same again and again, until somebody ends it: `--watch`."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, TypeVar

import typer

from conf.cli import edge, seconds, write_lines
from conf.process import Stop, signals_call
from conf.wrapping import wrapped

T = TypeVar("T")

WatchOption = Annotated[bool, typer.Option("--watch", help="Show it again and again, until Ctrl-C or SIGTERM.")]
EveryOption = Annotated[
    str | None,
    typer.Option("--every", metavar="DURATION", help="With --watch: how often. Default: 5s.", show_default=False),
]
_EVERY = "5s"

_CLEAR = "\x1b[H\x1b[2J"


def refuse_every(every: str | None, *, again: bool) -> None:
    """Raises typer.BadParameter for `--every` without `--watch`."""
    if every is not None and not again:
        raise typer.BadParameter("--every goes with --watch")


def watch(look: Callable[[], T], show: Callable[[T], bool], every: str | None) -> None:
    """Look and show, so often, until a signal says stop, or nobody reads it any more: `show` says so, or the pipe.

    On a terminal each picture takes the place of the one before; elsewhere they stand one below the other.
    """
    every = _EVERY if every is None else every
    pause_s = seconds(every)
    stop = Stop()
    with signals_call(stop.set):
        while not stop.is_set:
            found = look()
            if sys.stdout.isatty():
                sys.stdout.write(_CLEAR)
                now = datetime.now().astimezone()
                write_lines(wrapped(f"{now:%Y-%m-%d %H:%M:%S}, again every {every}; Ctrl-C ends it", edge(), ""))
            if not show(found) or _reader_left():
                return
            stop.wait(pause_s)


def _reader_left() -> bool:
    """Whether stdout is a pipe that nobody reads any more: where nothing was to be shown, no write has said so."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))
