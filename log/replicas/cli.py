"""The commands `otclog replica`: the replicas of the embedded log, while others use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from log import is_there, no_log
from log.command import ExecuteOption
from log.errors import LogUnusable
from log.types import ReplicaInfo, Tended, TopicPartition

if TYPE_CHECKING:
    from log.embedded.admin.replica_admin import Replicas

replica = typer.Typer(name="replica", no_args_is_help=True, help="Replicas: list, add, exchange and check them.")

ReplicaArgument = Annotated[str, typer.Argument(help="Its number or folder.", show_default=False)]
FolderArgument = Annotated[Path, typer.Argument(help="An empty folder, on a disk of its own.", show_default=False)]


@contextmanager
def _replicas(config: Path | None) -> Iterator[Replicas]:
    from log.embedded import EmbeddedLog
    from log.embedded.admin.replica_admin import Replicas

    with errors_to_exit_codes():
        settings = conf.load(config).log
        if settings.backend != "embedded":
            raise LogUnusable(f"backend {settings.backend} has no replica folders: use its own tools")
        if not is_there(settings):
            raise no_log(settings)
        opened = EmbeddedLog(settings)
        try:
            yield Replicas(opened)
        finally:
            opened.close()


@replica.command("list")
def list_replicas(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the replicas, and how many partitions each has in sync. Set aside are bytes that only this replica had.

    Examples:
      otclog replica list
    """
    with _replicas(config) as replicas:
        listed = replicas.all()
        _emit(listed, as_json=as_json)
        _say_what_is_set_aside(listed)


@replica.command("add")
def add_replica(folder: FolderArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Make an empty folder a replica, and bring it in sync. Then name it in the settings.

    Examples:
      otclog replica add /disk4/otclog
    """
    with _replicas(config) as replicas:
        _finish(replicas, replicas.add(folder), as_json=as_json)


@replica.command("remove")
def remove_replica(
    named: ReplicaArgument, execute: ExecuteOption = False, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Take a replica out of the log, if told to --execute; its files stay. Then take it out of the settings.

    Examples:
      otclog replica remove 2
      otclog replica remove 2 --execute
    """
    with _replicas(config) as replicas:
        number = replicas.number(named)
        if execute:
            replicas.remove(number)
            _finish(replicas, [], as_json=as_json)
            return
        listed = replicas.all()
        _emit(listed, as_json=as_json)
        (gone,) = (each for each in listed if each.replica == number)
        typer.echo(
            f"replica {number}, {gone.folder}, in sync in {gone.in_sync} of {gone.partitions} partitions, would be "
            f"taken out, and {len(listed) - 1} be left; nothing was removed: add --execute",
            err=True,
        )


@replica.command("replace")
def replace_replica(
    named: ReplicaArgument, folder: FolderArgument, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Exchange a replica for an empty folder: the new one is brought in sync, then the old one is taken out.

    Examples:
      otclog replica replace 2 /disk4/otclog
    """
    with _replicas(config) as replicas:
        _finish(replicas, replicas.replace(replicas.number(named), folder), as_json=as_json)


@replica.command("resync")
def resync_replica(named: ReplicaArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Compare a replica with the others from its first byte on, and repair what differs.

    Examples:
      otclog replica resync 2
    """
    with _replicas(config) as replicas:
        done = replicas.resync(replicas.number(named))
        emit([asdict(each) for each in done], as_json=as_json)
        _exit_by(done)


@replica.command("verify")
def verify_replicas(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Read all of every replica, and compare it with the leader's. Fails if one in sync is not the same.

    Examples:
      otclog replica verify
    """
    with _replicas(config) as replicas:
        found = list(replicas.verify())
        columns = ("topic", "partition", "replica", "in_sync", "ok", "same_to", "end", "set_aside", "detail")
        emit([asdict(each) for each in found], as_json=as_json, columns=columns)
        _say_what_is_set_aside(replicas.all())
    if not all(each.ok for each in found if each.in_sync):
        raise typer.Exit(1)


@replica.command("elect")
def elect_leader(
    name: Annotated[str, typer.Argument(help="TOPIC:PARTITION", show_default=False)],
    named: Annotated[str | None, typer.Option("--replica", help="The replica to lead.", show_default=False)] = None,
    unclean: Annotated[bool, typer.Option("--unclean", help="Do it; without this, show what would be lost.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a replica lead that is not in sync, when none that is can be used. What it lacks is lost, and recorded.

    Examples:
      otclog replica elect mails:0
      otclog replica elect mails:0 --replica 3 --unclean
    """
    topic, _, partition = name.rpartition(":")
    if not topic or not partition.isdecimal():
        raise typer.BadParameter(f"{name!r} is no TOPIC:PARTITION", param_hint="TOPIC:PARTITION")
    source = TopicPartition(topic, int(partition))
    with _replicas(config) as replicas:
        if unclean and named is not None:
            found = [replicas.elect(source, replicas.number(named))]
        else:
            found = replicas.candidates(source)
        rows = [
            {
                "topic": topic,
                "partition": source.partition,
                "replica": each.number,
                "end": each.standing.end,
                "acknowledged": each.acknowledged,
                "lost": each.lost,
                "whole": not each.standing.damaged,
                "elected": unclean and named is not None,
            }
            for each in found
        ]
        emit(rows, as_json=as_json)
    if not unclean or named is None:
        typer.echo("nobody was elected: add --replica and --unclean to do so", err=True)


def _finish(replicas: Replicas, done: list[Tended], *, as_json: bool) -> None:
    listed = replicas.all()
    _emit(listed, as_json=as_json)
    folders = ", ".join(f'"{each.folder}"' for each in listed)
    typer.echo(f"now set in the settings: [log] replicas = [{folders}]", err=True)
    _exit_by(done)


def _emit(listed: list[ReplicaInfo], *, as_json: bool) -> None:
    """A row each; what is wrong with one in whose place another's folder is has no room in a table."""
    rows = [asdict(each) for each in listed]
    emit(rows, as_json=as_json, columns=[name for name in rows[0] if name != "detail"])
    for each in listed:
        if each.detail:
            typer.echo(each.detail, err=True)


def _say_what_is_set_aside(listed: list[ReplicaInfo]) -> None:
    for each in listed:
        if each.set_aside:
            typer.echo(
                f"{each.folder}/archive has {each.set_aside} bytes of records that the log does not have: "
                "look at them by `otclog log dump FILE --mail`, and remove what nobody wants; the log never does",
                err=True,
            )


def _exit_by(done: list[Tended]) -> None:
    for each in done:
        if each.alarms:
            typer.echo(f"{each.topic}-{each.partition}: {each.detail}", err=True)
    if any(each.alarms for each in done):
        raise typer.Exit(1)
