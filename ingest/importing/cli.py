"""The command `otclog import`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

from conf.cli import ConfigOption, JsonOption, errors_to_exit_codes
from conf.process import signals_call
from ingest.command import Total, reporting
from ingest.importing.files import find_files
from ingest.importing.importer import Importer
from ingest.opening import intake_log


def import_mails(
    files: Annotated[list[Path], typer.Argument(exists=True, help="Mbox files, mails, Maildirs, folders of these.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take old mails into the backfill topic: mbox files, single mails, and all of them below folders.

    The files are only read. An import that was interrupted goes on from there when the command is repeated, and a
    mail that the log has is not taken again. Fails when a file could not be read. With --json: one line a batch.

    The prices of that topic (`backfill_topic` of the settings) are extracted only when asked for: `otclog extract
    --backfill`.

    Examples:
      otclog import archive-2025.mbox
      otclog import ~/old/Maildir ~/old/*.eml
    """
    with errors_to_exit_codes(), intake_log(config) as (settings, log):
        total = Total("not taken")
        with (
            _bar(files) as advance,
            reporting(total, None, as_json=as_json) as report,
            closing(Importer(log, settings, report, advance)) as importer,
            signals_call(importer.stop),
        ):
            for named in files:
                importer.run(named)
        if not as_json:
            typer.echo("Next, for their prices: otclog extract --backfill")
        raise typer.Exit(1 if total.failed else 0)


@contextmanager
def _bar(files: list[Path]) -> Iterator[Callable[[int], None]]:
    """On a terminal, a bar of the bytes that are done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    size = sum(path.stat().st_size for named in files for path in find_files(named))
    columns = BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("import", total=size)
        yield lambda count: progress.advance(task, count)
