"""What the commands that look into a log have in common: opening it, naming its parts, and who looks at its groups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

import conf
from conf.cli import errors_to_exit_codes
from conf.formats import origin
from conf.messages import share_messages
from conf.process import prepare
from log import CommitLog, TopicPartition, find_log, is_there, no_log, open_log
from log.lag import LagMonitor, history_of
from log.reading import sources_of
from log.sender import Sender

TopicArgument = Annotated[str, typer.Argument(help="The topic's name.", show_default=False)]
ExecuteOption = Annotated[bool, typer.Option("--execute/--dry-run", help="Do it, or only show what would be done.")]


@contextmanager
def settings_and_log(
    config: Path | None, *, writes: bool = False, makes: bool = False
) -> Iterator[tuple[conf.Settings, CommitLog]]:
    """The settings and their log, closed afterwards; a log is made only by who `makes` it.

    Raises ConfigError, LogUnusable.
    """
    settings = prepare(config) if writes else conf.load(config)
    if writes and not makes and not is_there(settings.log):
        raise no_log(settings.log)
    with closing((open_log if writes else find_log)(settings.log)) as opened:
        if writes:
            share_with_log(settings)
        yield settings, opened


@contextmanager
def opened_log(config: Path | None, *, writes: bool = False, makes: bool = False) -> Iterator[CommitLog]:
    """The log alone; errors become exit codes."""
    with errors_to_exit_codes(), settings_and_log(config, writes=writes, makes=makes) as (_, opened):
        yield opened


def share_with_log(settings: conf.Settings) -> None:
    """What this process says goes into the topic `ops`, too, if [logging] says so and there is a log."""
    if settings.logging.ops != "off" and is_there(settings.log):
        share_messages(Sender(settings.log, **origin()), settings.logging.ops)


def lag_monitor_of(settings: conf.Settings, log: CommitLog, alert_after_s: float | None = None) -> LagMonitor:
    """Who looks at the groups of a home's log, and notes what is seen in its root."""
    history, names = history_of(settings.log.root), (settings.extract.group, settings.ingest.topics)
    return LagMonitor(log, *names, settings.status.patience_s, history, alert_after_s)


def partitions_of(opened: CommitLog, name: str, numbers: list[int] | None) -> list[TopicPartition]:
    """These partitions of a topic, or all. Raises typer.BadParameter, UnknownTopic."""
    every = sources_of(opened, name)
    count = len(every)
    wrong = [number for number in numbers or () if not 0 <= number < count]
    if wrong:
        raise typer.BadParameter(
            f"topic {name} has partitions 0 to {count - 1}, not {wrong[0]}", param_hint="partition"
        )
    return every if numbers is None else [every[number] for number in numbers]
