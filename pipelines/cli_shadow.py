"""The commands that look at shadows, what a reparse would change: list, diff, drop."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.helptext import Group
from log.command import settings_and_log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.jobs.reparsing.shadows import Shadow

shadow = typer.Typer(no_args_is_help=True, cls=Group, help="What a reparse would change: list, diff, drop.")


@shadow.command("list")
def list_shadows(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show the shadows there are: what was chosen, and how many mails and quotes they have.

    Examples:
      otclog shadow list
    """
    from pipelines.jobs.reparsing.shadows import all_of
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes(), settings_and_log(config) as (settings, _):
        row = row_of if as_json else line_of
        emit([row(each) for each in all_of(store_of(settings.tables))], as_json=as_json)


@shadow.command()
def diff(
    name: Annotated[str, typer.Argument(metavar="SHADOW", help="Its id, or the beginning of it.")],
    *,
    page: Annotated[
        Path | None, typer.Option(help="Write a page of it, with examples, to this file.", show_default=False)
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a shadow would change: rows added, lost and changed, by dealer, class, format, reason and field.

    With --json each row that would be another one, with what stands in it before and after.

    Examples:
      otclog shadow diff 20261127T101500-0123abcd
      otclog shadow diff 20261127T101500-0123abcd --json
      otclog shadow diff 20261127T101500-0123abcd --page diff.html
    """
    from pipelines.jobs.reparsing.changes import differing, summary
    from pipelines.jobs.reparsing.gate import tripped
    from pipelines.jobs.reparsing.page import write_page
    from pipelines.jobs.reparsing.shadows import one
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes(), settings_and_log(config) as (settings, _):
        store = store_of(settings.tables)
        found = one(store, name)
        stopped = tripped(store, found, settings.reparse)
        if page:
            write_page(page, found, summary(store, found), stopped, differing(store, found))
            typer.echo(f"{page} shows what shadow {found.id} would change", err=True)
        elif as_json:
            emit(differing(store, found), as_json=True)
        else:
            emit_differences(summary(store, found), stopped)


@shadow.command()
def drop(
    name: Annotated[str, typer.Argument(metavar="SHADOW", help="Its id, or the beginning of it.")],
    config: ConfigOption = None,
) -> None:
    """Remove a shadow and its files; nothing that is published changes.

    Examples:
      otclog shadow drop 20261127T101500-0123abcd
    """
    from pipelines.jobs.reparsing.shadow import drop as drop_shadow
    from pipelines.jobs.reparsing.shadows import id_of
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes(), settings_and_log(config, writes=True) as (settings, _):
        store = store_of(settings.tables)
        drop_shadow(store, shadow_id := id_of(store, name))
        typer.echo(f"shadow {shadow_id} is gone", err=True)


def row_of(made: Shadow) -> dict[str, Any]:
    """A shadow, as the commands tell it."""
    return {
        "shadow": made.id,
        "made_at": made.made_at,
        "publication": made.plan.shadow_of,
        "selection": made.plan.selection,
        "mails": made.made.counts.mails,
        "quotes_before": sum(each.before for each in made.levels),
        "quotes_after": sum(each.after for each in made.levels),
        "parser_version": made.plan.parser_version,
    }


def line_of(made: Shadow) -> dict[str, Any]:
    """A shadow as people read it: the time to the second, what was chosen in the words of the command."""
    asked = json.loads(made.plan.selection or "{}")
    words = [*asked.pop("records", ())]
    for name, value in asked.items():
        words += [f"--{name.replace('_', '-')}", value]
    return row_of(made) | {"made_at": f"{made.made_at:%Y-%m-%d %H:%M:%S}Z", "selection": shlex.join(words)}


def emit_differences(rows: Sequence[dict[str, Any]], stopped: Sequence[object]) -> None:
    """Rows of `changes.summary`, and what the gate says of them."""
    if rows:
        emit(rows, as_json=False)
    else:
        typer.echo("no row would be another one", err=True)
    for each in stopped:
        typer.echo(f"the gate stops it: {each}", err=True)
