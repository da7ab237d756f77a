"""What the commands that take mails have in common: telling how it goes."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict

import typer
from rich.console import Console

from conf.cli import emit
from conf.heartbeat import Heartbeat
from conf.messages import tell
from conf.printable import counted as number_of
from ingest.folders.serving import Batch

TELL_EVERY_S = 60.0


class Total:
    """The sum of what batches report."""

    def __init__(self, not_taken: str) -> None:
        self._not_taken = not_taken  # what becomes of those that could not be taken
        self._sum = Batch("all sources")

    @property
    def failed(self) -> int:
        """How many could not be taken."""
        return self._sum.failed

    def add(self, batch: Batch) -> None:
        """Count."""
        for name in ("mails", "published", "dropped", "failed", "bytes", "seconds"):
            setattr(self._sum, name, getattr(self._sum, name) + getattr(batch, name))

    def __str__(self) -> str:
        one = self._sum
        dropped = f", {one.dropped} dropped by rules" if one.dropped else ""
        mails = number_of(one.published, "mail")
        return f"{mails} into the log, {one.known} known already{dropped}, {one.failed} {self._not_taken}"


def counted(heartbeat: Heartbeat, report: Callable[[Batch], None]) -> Callable[[Batch], None]:
    """`report`, and the same in the process's sign of life."""

    def told(batch: Batch) -> None:
        heartbeat.count(mails=batch.mails, published=batch.published, failed=batch.failed)
        report(batch)

    return told


@contextmanager
def reporting(total: Total, doing: str | None, *, as_json: bool) -> Iterator[Callable[[Batch], None]]:
    """A line a batch in JSON; on a terminal one line that counts, if `doing` says at what; else the sum at the end.

    Into a file or a journal `doing` and the sum so far are told to stderr, at most once in TELL_EVERY_S.
    """
    last_told = -math.inf

    def show(batch: Batch) -> None:
        total.add(batch)
        status.update(str(total))

    def show_object(batch: Batch) -> None:
        total.add(batch)
        emit([asdict(batch) | {"known": batch.known}], as_json=True)

    def note(batch: Batch) -> None:
        nonlocal last_told
        total.add(batch)
        if time.monotonic() - last_told >= TELL_EVERY_S:
            last_told = time.monotonic()
            tell(f"{doing}: {total}")

    if as_json:
        yield show_object
    elif doing and sys.stderr.isatty():
        with Console(stderr=True).status(doing) as status:
            yield show
    else:
        yield note if doing else total.add
    if not as_json:
        typer.echo(str(total))
