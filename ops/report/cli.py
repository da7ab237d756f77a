"""The command `otclog ops report`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes, write_lines
from conf.cli import day as to_day
from ops.cli import ops

if TYPE_CHECKING:
    from ops.report.figures import Section

MOST_OF_EACH = 24  # rows of a table without --json: the hours, or the first of what may be thousands
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
    """Report a day of operations: programs, restarts, groups, troubles, mails by the hour, latencies, refusals.

    Counts the lines that `otclog ops analyse` has read, and the published tables of mails. `processes` are those of a
    program that said something: of a daemon that was started again two. --json prints an object a row, with the
    `section` that it is of.

    Examples:
      otclog ops report
      otclog ops report 2026-11-28 --page 2026-11-28.html
    """
    from ops.analysis.place import store_of_events
    from ops.report.figures import last_day, sections
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
        if all(_is_read(f"{reported} {each.name}", each) for each in found):
            for each in found:
                if len(each.rows) > MOST_OF_EACH:
                    told = f"{each.name}: the first {MOST_OF_EACH} of {len(each.rows)} are shown; --json has all"
                    typer.echo(told, err=True)


def _is_read(heading: str, section: Section) -> bool:
    """Print a section; whether somebody still reads it."""
    if not section.rows:
        return write_lines([heading, "nothing to show", ""])
    return write_lines([heading]) and emit(section.rows[:MOST_OF_EACH], as_json=False, most=_MOST) and write_lines([""])
