"""The command that looks after the tables: maintain. It starts Spark where there is much to do."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes, seconds
from conf.heartbeat import Heartbeat
from conf.process import Stop, prepare, signals_call
from log.command import share_with_log
from pipelines.errors import PipelineError
from pipelines.progress import beating, working

if TYPE_CHECKING:
    from pipelines.jobs.upkeep.maintain import Upkeep

logger = logging.getLogger(__name__)


def maintain(
    *,
    execute: Annotated[bool, typer.Option("--execute", help="Do it. Without, only show what would be done.")] = False,
    every: Annotated[
        str | None,
        typer.Option(help="With --execute: again and again, this often: 1h, 30m.", show_default=False),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put many small files of the tables into few, and remove what readers can see no longer; no row is changed.

    For `otclog extract --every`, which makes a file a table with each run: once an hour does. What the newest
    publications show stays, and what was the newest one of the last hour ([tables] keep_publications, keep_s). Whoever
    extracts, reparses or reads meanwhile goes on. Dying amid it loses nothing, and it is done again.

    With --every, what can be tried again is, and SIGTERM ends after the round in hand.

    Examples:
      otclog maintain
      otclog maintain --execute
      otclog maintain --execute --every 1h
      otclog maintain --json
    """
    from pipelines.jobs.upkeep.maintain import maintain as maintain_tables
    from pipelines.jobs.upkeep.maintain import to_do

    with errors_to_exit_codes():
        if every and not execute:
            raise typer.BadParameter("to do it again and again, add --execute", param_hint="--every")
        pause_s, stop = seconds(every) if every else None, Stop()
        settings = (prepare if execute else conf.load)(config)
        if not execute:
            _emit(to_do(settings), as_json=as_json)
            typer.echo("nothing is changed yet: --execute does it", err=True)
            return
        share_with_log(settings)
        with (
            Heartbeat(settings.log.root, "maintain", str(settings.tables.root)) as heartbeat,
            signals_call(stop.set) if every else nullcontext(),
        ):
            while not stop.is_set:
                try:
                    with beating(heartbeat), nullcontext() if every else working("maintaining the tables"):
                        _emit(maintain_tables(settings), as_json=as_json)
                    heartbeat.count(rounds=1)
                except (PipelineError, OSError) as error:
                    if pause_s is None or not getattr(error, "retriable", True):
                        raise
                    logger.warning("%s (tried again in %g s)", error, pause_s)
                if pause_s is None:
                    return
                heartbeat.rest(pause_s, stop.wait, lambda: stop.is_set)


def _emit(done: Upkeep, *, as_json: bool) -> None:
    emit([asdict(done)], as_json=as_json)
