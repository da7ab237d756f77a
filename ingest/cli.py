"""The commands of this package: `otclog watch` and `otclog generate`."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from ingest.serving import Batch
from ingest.watch import Watcher
from log import open_log

OURS_ALONE = 0o077


def watch(
    once: Annotated[bool, typer.Option("--once", help="Take what is there now, and end.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take mails out of the folders of [ingest] into the log; a file goes when its record is durable.

    Ends on SIGTERM or Ctrl-C after the batch in hand; a second signal ends it at once. With --json: one line a batch.

    Examples:
      otclog watch
      otclog watch --once --json
    """
    with errors_to_exit_codes():
        settings = conf.load(config)
        logging.basicConfig(level=logging.WARNING, format="otclog: %(message)s")
        os.umask(OURS_ALONE)
        log = open_log(settings.log)
        try:
            with _reporting(as_json=as_json) as report:
                watcher = Watcher(log, settings, report)
                with _signals_call(watcher.stop):
                    (watcher.run_once if once else watcher.run)()
        finally:
            log.close()


def generate(
    mails: Annotated[int, typer.Option(min=1, help="How many mails.")],
    out: Annotated[Path, typer.Option(help="A folder, or a Maildir, to write them to.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same mails, byte for byte.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Write realistic mails with known truth, for demos and load; what they say goes to OUT/truth.jsonl.

    Examples:
      otclog generate --mails 1000 --out mails
      otclog generate --mails 5000 --out ~/prices/mail --seed 7
    """
    from ingest.generate import generate as write_mails

    with errors_to_exit_codes():
        started = time.monotonic()
        written = write_mails(out, mails, seed)
        if sys.stderr.isatty():
            written = iter(track(written, "mails", total=mails, console=Console(stderr=True)))
        quotes = sum(written)
        seconds = round(time.monotonic() - started, 3)
        emit([{"out": out, "mails": mails, "quotes": quotes, "seed": seed, "seconds": seconds}], as_json=as_json)


@contextmanager
def _reporting(*, as_json: bool) -> Iterator[Callable[[Batch], None]]:
    """A line a batch in JSON; on a terminal one line that counts; else the sum at the end."""
    total = Batch("all sources")

    def count(batch: Batch) -> None:
        total.mails += batch.mails
        total.published += batch.published
        total.dropped += batch.dropped
        total.failed += batch.failed
        total.bytes += batch.bytes
        total.seconds += batch.seconds

    def show(batch: Batch) -> None:
        count(batch)
        status.update(_sentence(total))

    if as_json:
        yield lambda batch: emit([asdict(batch)], as_json=True)
    elif sys.stderr.isatty():
        with Console(stderr=True).status("watching") as status:
            yield show
    else:
        yield count
    if not as_json:
        typer.echo(_sentence(total))


def _sentence(total: Batch) -> str:
    known = total.mails - total.published - total.dropped
    dropped = f", {total.dropped} dropped by rules" if total.dropped else ""
    return f"{total.published} mails into the log, {known} known already{dropped}, {total.failed} put aside in failed/"


@contextmanager
def _signals_call(stop: Callable[[], None]) -> Iterator[None]:
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
