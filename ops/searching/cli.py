"""The command `otclog ops search`."""

from __future__ import annotations

from datetime import date
from types import MappingProxyType
from typing import Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, days_from, days_until, emit, errors_to_exit_codes
from ops.cli import ops

SHOWN = 50  # lines of a table without --limit
LEVELS = ("debug", "info", "warning", "error", "critical")  # each graver than the one before
_COLUMNS = ("at", "level", "host", "unit", "event")
_MOST = MappingProxyType({"event": 100})


@ops.command()
def search(
    mail: Annotated[
        str | None,
        typer.Argument(help="About this mail: its Message-ID, with or without <>, or SHA-256.", show_default=False),
    ] = None,
    *,
    text: Annotated[str | None, typer.Option(help="With this anywhere in the line.", show_default=False)] = None,
    level: Annotated[
        str | None, typer.Option(help=f"As grave as this or graver: {', '.join(LEVELS)}.", show_default=False)
    ] = None,
    host: Annotated[str | None, typer.Option(help="Said on this machine.", show_default=False)] = None,
    unit: Annotated[
        str | None, typer.Option(help="Said by this: 'otclog watch', postfix.service, …", show_default=False)
    ] = None,
    run: Annotated[str | None, typer.Option(help="Said by this run.", show_default=False)] = None,
    since_day: Annotated[date | None, days_from("Taken by the log")] = None,
    until_day: Annotated[date | None, days_until("Taken by the log")] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1, help=f"The last so many. Default: {SHOWN} as a table, all with --json.", show_default=False
        ),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find lines that programs said, otclog's own and others, in the order in which the log took them.

    Finds what `otclog ops analyse` has read. A mail is followed through all programs that name it, mail servers too
    that write its Message-ID as Postfix and Dovecot do. --json has the whole lines.

    Examples:
      otclog ops search '<20251103.0842.17@bank.example>'
      otclog ops search --level error --since-day 2026-11-28
      otclog ops search --unit 'otclog watch' --text failed --json
    """
    from ops.analysis.place import store_of_events
    from ops.searching.searching import Asked, lines

    if level is not None and level not in LEVELS:
        raise typer.BadParameter(f"{level!r} is none of {', '.join(LEVELS)}", param_hint="--level")
    with errors_to_exit_codes():
        store = store_of_events(conf.load(config).tables)
        asked = Asked(
            mail=mail,
            text=text,
            levels=None if level is None else list(LEVELS[LEVELS.index(level) :]),
            host=host,
            unit=unit,
            run=run,
            since_day=since_day,
            until_day=until_day,
        )
        if as_json:
            emit(lines(store, asked, limit), as_json=True)
            return
        found = list(lines(store, asked, limit or SHOWN + 1))
        shown = found if limit else found[-SHOWN:]
        emit(shown, as_json=False, columns=_COLUMNS, most=_MOST)
        if len(shown) < len(found):
            typer.echo(f"only the last {SHOWN} are shown: give --limit, a filter, or --json for all", err=True)
