"""The command `otclog ops report`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.cli import day as to_day
from ops.cli import ops

MOST_OF_EACH = 20  # rows of a table without --json
_MOST = MappingProxyType({"message": 80})


@ops.command()
def report(
    of: Annotated[
        date | None,
        typer.Argument(
            parser=to_day,
            metavar="DATE",
            help="YYYY-MM-DD, in UTC. Default: the last of which lines were analysed.",
            show_default=False,
        ),
    ] = None,
    *,
    page: Annotated[
        Path | None,
        typer.Option(help="Write it as an HTML page with plots, too, to this new file.", show_default=False),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Report a day of operations: programs, restarts, troubles, mails by the hour, latencies, refusals.

    Counts the lines that `otclog ops analyse` has read, and the published tables of mails. `processes` are those of a
    program that said something: of a daemon that was started again two. --json prints an object a row, with the
    `section` that it is of.

    Examples:
      otclog ops report
      otclog ops report 2026-11-28 --page 2026-11-28.html
    """
    from ops.analysis.place import store_of_events
    from ops.report.figures import HOURS, last_day, sections
    from ops.report.page import write_page
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes():
        tables = conf.load(config).tables
        events = store_of_events(tables)
        reported = of or last_day(events)
        found = sections(events, store_of(tables), reported)
        if page is not None:
            write_page(page, reported, found)
        if as_json:
            emit(({"date": reported, "section": each.name, **row} for each in found for row in each.rows), as_json=True)
            return
        for number, each in enumerate(found):
            typer.echo(f"{chr(10) if number else ''}{reported} {each.name}")
            rows = [row for row in each.rows if each.name != HOURS or row["mails"] or row["lines"]]
            most = len(rows) if each.name == HOURS else MOST_OF_EACH
            emit(rows[:most], as_json=False, most=_MOST)
            if len(rows) > most:
                typer.echo(f"the first {most} of {len(rows)} are shown; --json has all", err=True)
