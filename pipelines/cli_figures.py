"""The commands that count what came in and what was done with it: day, runs. None starts Spark."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

import conf
from conf.cli import ConfigOption, JsonOption, days_from, emit, errors_to_exit_codes
from conf.cli import day as to_day
from pipelines.cli_read import LimitOption, emit_rows, limit_of

if TYPE_CHECKING:
    from pipelines.readers.day import Figure

MOST_OF_EACH = 20  # lines of a table without --json: there may be thousands of dealers


def day(
    of: Annotated[
        date | None,
        typer.Argument(
            parser=to_day,
            metavar="DATE",
            help="YYYY-MM-DD, in UTC. Default: the last on which a mail was received.",
            show_default=False,
        ),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count a day's mails, prices, instruments, dealers and rejects, beside the day before and that of the week before.

    Prices are counted by asset class, region and dealer, too, and rejects by their code. A mail counts on the day on
    which it was received, once, however often it came that day.

    Examples:
      otclog day
      otclog day 2026-11-27 --json
    """
    from pipelines.readers.day import BEFORE, figures, last_day
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes():
        store = store_of(conf.load(config).tables)
        counted = of or last_day(store)
        found = figures(store, counted)
        if as_json:
            emit((_object(counted, figure) for figure in found), as_json=True)
        else:
            _emit_table([str(counted - before) for before in BEFORE], found)


def _object(counted: date, figure: Figure) -> dict[str, Any]:
    count, day_before, week_before = figure.counts
    named = {"date": counted, "what": figure.what, "of": figure.of}
    return {**named, "count": count, "day_before": day_before, "week_before": week_before}


def _emit_table(days: list[str], found: list[Figure]) -> None:
    """At most MOST_OF_EACH lines of what is counted by value, and how many there are."""
    of_each = Counter[str]()
    lines = []
    for figure in found:
        of_each[figure.what] += 1
        if of_each[figure.what] <= MOST_OF_EACH:
            lines.append({"what": figure.what, "of": figure.of, **dict(zip(days, figure.counts, strict=True))})
    emit(lines, as_json=False)
    for what, number in of_each.items():
        if number > MOST_OF_EACH:
            typer.echo(f"{what}: the first {MOST_OF_EACH} of {number} are shown; --json has all", err=True)


def runs(
    *,
    kind: Annotated[str | None, typer.Option(help="extract, reparse or undo.", show_default=False)] = None,
    group: Annotated[str | None, typer.Option(help="Of this group.", show_default=False)] = None,
    since_day: Annotated[date | None, days_from("Begun")] = None,
    limit: LimitOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the runs that wrote the tables, the last begun first: what each read, how long it took, what came of it.

    Seconds are those of work: how long a shadow waited to be executed is not among them. --json has every column of the
    table `runs`.

    Examples:
      otclog runs
      otclog runs --kind reparse --since-day 2026-11-01
    """
    from pipelines.readers.runs import runs as published_runs
    from pipelines.readers.selection import one_of
    from pipelines.readers.show import run_lines
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes():
        filters = {
            "kind": one_of("--kind", kind, ("extract", "reparse", "undo")),
            "group": group,
            "since_day": since_day,
        }
        rows = published_runs(store_of(conf.load(config).tables), filters, limit_of(limit, as_json=as_json))
        emit_rows(rows, run_lines, "latest begun", limit, as_json=as_json)
