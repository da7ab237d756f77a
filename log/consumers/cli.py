"""The command `otclog group`; `otclog group rewind` is in rewinding/cli.py."""

from __future__ import annotations

from dataclasses import asdict
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from conf.cli import ConfigOption, JsonOption, emit
from log.command import ExecuteOption, opened_log
from log.errors import LogUnusable
from log.groups import of_each
from log.interface import CommitLog
from log.journal import delete_offsets, journal
from log.protection import protect, protected, unprotect
from log.times import rfc3339
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Collection

group = typer.Typer(name="group", no_args_is_help=True, help="Consumer groups: where they stand, and moving them.")

GroupArgument = Annotated[str, typer.Argument(help="The group's name.", show_default=False)]
ScopesArgument = Annotated[
    list[str] | None, typer.Argument(help="TOPIC, or TOPIC:0,2 for some partitions.", show_default=False)
]


@group.command("list")
def list_groups(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the groups that have committed: who runs, how far behind they are.

    Examples:
      otclog group list
    """
    from log.consumers.show import group_row

    with opened_log(config) as opened:
        rows, unreadable = of_each(opened.groups(), partial(group_row, opened))
        emit([*rows.values()], as_json=as_json)
        fail_for(unreadable.values())


@group.command("describe")
def describe_group(name: GroupArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show where a group stands in each partition, who reads it, and what was committed when, with which words.

    Examples:
      otclog group describe extract
    """
    from log.consumers.show import offset_rows

    with opened_log(config) as opened:
        columns = ("topic", "partition", "committed", "end", "lag", "member", "committed_at", "generation", "metadata")
        rows = offset_rows(opened, name)
        if not rows:
            raise unknown_group(opened, name)
        emit(rows, as_json=as_json, columns=columns)


def fail_for(lines: Collection[str]) -> None:
    """Say these to people, and end with exit code 1; nothing where there are none."""
    for line in lines:
        say(line)
    if lines:
        raise typer.Exit(1)


@group.command("journal")
def show_journal(name: GroupArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show how a group was moved: when, by whom, why, from where to where.

    Examples:
      otclog group journal extract
    """
    with opened_log(config) as opened:
        rows = [
            {
                "generation": entry.generation,
                "moved_at": rfc3339(entry.moved_at_ms),
                "by": entry.by,
                "reason": entry.reason,
                "undoes": entry.undoes,
                **asdict(each),
            }
            for entry in journal(opened, name)
            for each in entry.moves
        ]
        columns = ("generation", "moved_at", "by", "topic", "partition", "committed", "to", "undoes", "reason")
        emit(rows, as_json=as_json, columns=columns)


@group.command("delete")
def delete_group(
    name: GroupArgument,
    scopes: ScopesArgument = None,
    execute: ExecuteOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Forget what a group committed, all of it or some topics. Without --execute nothing is forgotten.

    A group that runs is refused: stop it first.

    Examples:
      otclog group delete old-extract --execute
      otclog group delete extract backfill --execute
    """
    from log.consumers.show import group_row, offset_rows

    with opened_log(config, writes=execute) as opened:
        if group_row(opened, name)["members"]:
            raise LogUnusable(f"group {name} is running: stop its consumers first (`otclog group describe {name}`)")
        if not opened.committed(name):
            raise unknown_group(opened, name)
        sources = _committed_in(opened, name, scopes)
        rows = [row for row in offset_rows(opened, name) if TopicPartition(row["topic"], row["partition"]) in sources]
        if execute:
            delete_offsets(opened, name, sources)
        emit(rows, as_json=as_json, columns=("topic", "partition", "committed", "lag"))
        if execute:
            say("these offsets are forgotten; `otclog group recover` sets a group of extract to where its runs end")
        else:
            say("nothing was deleted: add --execute to forget these offsets")


@group.command("protect")
def protect_group(name: GroupArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Keep what a group has not read: retention, and delete-records without --force, do not pass it.

    Examples:
      otclog group protect extract
    """
    with opened_log(config, writes=True) as opened:
        protect(opened, name)
        emit([{"group": each} for each in protected(opened)], as_json=as_json)


@group.command("unprotect")
def unprotect_group(name: GroupArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Let retention pass a group again. Prints the groups that are still protected.

    Examples:
      otclog group unprotect extract
    """
    with opened_log(config, writes=True) as opened:
        unprotect(opened, name)
        emit([{"group": each} for each in protected(opened)], as_json=as_json)


def unknown_group(opened: CommitLog, name: str, otherwise: str = "") -> LogUnusable:
    """The error for a group that has committed nothing; it names one that is spelled alike."""
    groups = opened.groups()
    near = get_close_matches(name, groups, n=1)
    hint = f"did you mean {near[0]}?" if near else f"those that have: {', '.join(groups) or 'none yet'}"
    return LogUnusable(f"no group {name!r} has committed an offset; {hint}{otherwise}")


def _committed_in(opened: CommitLog, name: str, scopes: list[str] | None) -> list[TopicPartition]:
    """The partitions of these scopes, or all, that the group has committed: those of topics that are gone, too."""
    committed, meant = sorted(opened.committed(name)), [scope_of(scope) for scope in scopes or []]
    return [
        source
        for source in committed
        if not scopes
        or any(source.topic == topic and (not numbers or source.partition in numbers) for topic, numbers in meant)
    ]


def scope_of(scope: str) -> tuple[str, list[int] | None]:
    """The topic and the partitions, None for all, of TOPIC or TOPIC:0,2. Raises typer.BadParameter."""
    topic, _, numbers = scope.partition(":")
    if numbers and not all(part.isdecimal() for part in numbers.split(",")):
        raise typer.BadParameter(f"{numbers!r} is no list of partitions like 0,2", param_hint="SCOPES")
    return topic, [int(part) for part in numbers.split(",")] if numbers else None


def say(words: str) -> None:
    """To people, beside the rows for programs."""
    typer.echo(words, err=True)
