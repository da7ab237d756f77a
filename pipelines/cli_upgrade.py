"""The command that brings the tables of an earlier otclog up to date: upgrade. It starts no Spark."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.process import prepare
from log.command import share_with_log


def upgrade(
    *,
    execute: Annotated[bool, typer.Option("--execute", help="Do it. Without, only show what would be done.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give tables that an earlier otclog made the columns that this one writes; shows which unless told to --execute.

    No row is read or written: earlier rows are null in new columns until `otclog reparse` reads their mails again. Stop
    `otclog extract` before; an earlier otclog can no longer use the tables afterwards. Dying amid it leaves what was
    published before, and it is done again.

    Examples:
      otclog upgrade
      otclog upgrade --execute
      otclog upgrade --json
    """
    from pipelines.jobs.upkeep.upgrade import steps
    from pipelines.jobs.upkeep.upgrade import upgrade as upgrade_tables
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes():
        settings = (prepare if execute else conf.load)(config)
        if execute:
            share_with_log(settings)
        store = store_of(settings.tables)
        done, publication = upgrade_tables(store) if execute else (steps(store), None)
        if not done:
            typer.echo("there are no tables yet: `otclog extract` makes them", err=True)
            return
        rows = [asdict(step) | {"publication": publication} for step in done]
        if not as_json:
            rows = [row | {"adds": ", ".join(row["adds"])} for row in rows]
        columns = ["table", "from_version", "to_version", "adds", *(["publication"] if execute else [])]
        emit(rows, as_json=as_json, columns=columns)
        if all(step.from_version == step.to_version for step in done):
            typer.echo("the tables have the columns of this otclog: nothing is to be done", err=True)
        elif not execute:
            typer.echo("nothing is changed yet: --execute does it", err=True)
