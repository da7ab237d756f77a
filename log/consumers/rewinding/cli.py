"""The command `otclog group rewind`: what its options mean, shown and done."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

import log.rewind as to
from conf.cli import ConfigOption, JsonOption, emit, seconds
from log.command import ExecuteOption, opened_log, partitions_of
from log.consumers.cli import GroupArgument, ScopesArgument, group, say, scope_of, unknown_group
from log.interface import CommitLog
from log.journal import move, undo_target
from log.times import NoZone, now_ms, timestamp_ms
from log.types import TopicPartition


@group.command("rewind")
def rewind_group(
    name: GroupArgument,
    scopes: ScopesArgument = None,
    all_topics: Annotated[bool, typer.Option("--all-topics", help="All that the group has committed.")] = False,
    to_earliest: Annotated[bool, typer.Option("--to-earliest", help="To the oldest record kept.")] = False,
    to_latest: Annotated[bool, typer.Option("--to-latest", help="Behind the last record.")] = False,
    to_current: Annotated[bool, typer.Option("--to-current", help="To where it is; useful with --export.")] = False,
    to_offset: Annotated[int | None, typer.Option(help="To this offset.", show_default=False)] = None,
    shift_by: Annotated[int | None, typer.Option(help="So many records on; back if negative.")] = None,
    to_datetime: Annotated[str | None, typer.Option(help="To this time: 2026-03-01T14:00:00Z")] = None,
    by_duration: Annotated[str | None, typer.Option(help="To so long ago: 1d, 2h30m")] = None,
    from_file: Annotated[Path | None, typer.Option(help="To TOPIC,PARTITION,OFFSET lines, as --export writes.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Back to before the latest move.")] = False,
    new: Annotated[bool, typer.Option("--new", help="Also a group that has committed nothing yet.")] = False,
    zone: Annotated[str | None, typer.Option(help="Zone of a --to-datetime without one: Europe/London")] = None,
    reason: Annotated[str, typer.Option(help="For the journal.")] = "",
    execute: ExecuteOption = False,
    export: Annotated[bool, typer.Option("--export", help="Print TOPIC,PARTITION,OFFSET lines.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Move a group to other offsets: its next run begins there. Without --execute nothing is moved.

    A group that is running needs not be stopped: its consumers cannot commit what they read before, and go on there.
    An offset that the log does not have becomes the nearest that it has, and stderr says so.

    Examples:
      otclog group rewind extract mails --to-earliest
      otclog group rewind extract mails:0,1 --to-datetime 2026-03-01T14:00:00 --zone Europe/London --execute
      otclog group rewind extract mails --shift-by -500 --reason "new CDS parser" --execute
      otclog group rewind extract --all-topics --to-current --export > before.csv
      otclog group rewind extract --from-file before.csv --execute
      otclog group rewind extract --undo --execute
      otclog group rewind audit mails --to-latest --new --execute
    """
    given: dict[str, Any] = {
        "--to-earliest": to_earliest,
        "--to-latest": to_latest,
        "--to-current": to_current,
        "--to-offset": to_offset,
        "--shift-by": shift_by,
        "--to-datetime": None if to_datetime is None else (to_datetime, zone),
        "--by-duration": by_duration,
        "--from-file": from_file,
        "--undo": undo,
    }
    with opened_log(config, writes=execute) as opened:
        if export and as_json:
            raise typer.BadParameter("--export prints lines of text, for --from-file: leave --json out")
        option, value = _the_one(given)
        if not new and not opened.committed(name):
            raise unknown_group(opened, name, "; --new moves a group that has not begun")
        goal = _goal(opened, name, option, value, scopes, all_topics=all_topics)
        for line in to.outside(opened, name, goal.sources, goal.target):
            say(line)
        if execute:
            moves = move(opened, name, goal.sources, goal.target, reason=reason, undoes=goal.undoes)
        else:
            moves = to.plan(opened, name, goal.sources, goal.target)
        _print(moves, export=export, as_json=as_json)
        say("the group was moved" if execute else "nothing was moved: add --execute to move the group")


def _the_one(given: dict[str, Any]) -> tuple[str, Any]:
    """The option that says where to, and its value. Raises typer.BadParameter unless there is exactly one."""
    named = [(option, value) for option, value in given.items() if value is not None and value is not False]
    if len(named) != 1:
        raise typer.BadParameter(f"name one of {', '.join(given)}", param_hint="target")
    return named[0]


class _Goal(NamedTuple):
    """Where to, in which partitions, and the generation of the move that this one takes back."""

    target: to.Target
    sources: list[TopicPartition]
    undoes: int | None = None


def _goal(
    opened: CommitLog, name: str, option: str, value: Any, scopes: list[str] | None, *, all_topics: bool
) -> _Goal:
    """What the option means. Raises typer.BadParameter, LogUnusable, UnknownTopic, OSError."""
    if option == "--undo":
        entry, target = undo_target(opened, name)
        return _Goal(target, [TopicPartition(one.topic, one.partition) for one in entry.moves], entry.generation)
    if option == "--from-file":
        listed = _listed(value, name)
        return _Goal(to.to_listed(listed), _listed_sources(opened, scopes, listed))
    return _Goal(_TARGETS[option](value), _sources(opened, name, scopes, all_topics=all_topics))


def _print(moves: list[to.Move], *, export: bool, as_json: bool) -> None:
    if export:
        csv.writer(sys.stdout, lineterminator="\n").writerows((one.topic, one.partition, one.to) for one in moves)
    else:
        emit([asdict(one) for one in moves], as_json=as_json)
    say(f"{sum(one.replays for one in moves)} records to be read again, {sum(one.skips for one in moves)} skipped")


def _sources(opened: CommitLog, name: str, scopes: list[str] | None, *, all_topics: bool) -> list[TopicPartition]:
    """The partitions meant. Raises typer.BadParameter, UnknownTopic."""
    if scopes:
        return [source for scope in scopes for source in _in_scope(opened, scope)]
    if not all_topics:
        raise typer.BadParameter("name topics, or --all-topics", param_hint="SCOPES")
    return sorted(opened.committed(name))


def _listed_sources(
    opened: CommitLog, scopes: list[str] | None, listed: dict[TopicPartition, int]
) -> list[TopicPartition]:
    """The partitions that a file lists, or those of them that are named. Raises typer.BadParameter, UnknownTopic."""
    if scopes:
        return [source for scope in scopes for source in _in_scope(opened, scope) if source in listed]
    return [source for each in listed for source in partitions_of(opened, each.topic, [each.partition])]


def _in_scope(opened: CommitLog, scope: str) -> list[TopicPartition]:
    topic, numbers = scope_of(scope)
    return partitions_of(opened, topic, numbers)


def _to_datetime(given: tuple[str, str | None]) -> to.Target:
    """To a time, and the zone it is of if it does not say. Raises typer.BadParameter."""
    try:
        return to.to_time(timestamp_ms(*given))
    except NoZone as error:
        raise typer.BadParameter(f"{error}, or name the zone by --zone", param_hint="--to-datetime") from error
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--to-datetime") from error


def _by_duration(duration: str) -> to.Target:
    """To so long ago. Raises typer.BadParameter."""
    return to.to_time(now_ms() - round(seconds(duration) * 1000))


_TARGETS: dict[str, Callable[[Any], to.Target]] = {
    "--to-earliest": lambda _: to.to_earliest,
    "--to-latest": lambda _: to.to_latest,
    "--to-current": lambda _: to.to_current,
    "--to-offset": to.to_offset,
    "--shift-by": to.shift_by,
    "--to-datetime": _to_datetime,
    "--by-duration": _by_duration,
}


def _listed(file: Path, name: str) -> dict[TopicPartition, int]:
    """What the lines say, TOPIC,PARTITION,OFFSET, or with the GROUP before. Raises typer.BadParameter, OSError."""
    listed: dict[TopicPartition, int] = {}
    if file.exists() and not file.is_file():
        raise typer.BadParameter(f"{file} is no regular file", param_hint="--from-file")
    with file.open(newline="", encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(csv.reader(lines), start=1):
            try:
                topic, partition, offset = line[-3:]
                if len(line) == 4 and line[0] != name:
                    continue
                listed[TopicPartition(topic, int(partition))] = int(offset)
            except ValueError:
                raise typer.BadParameter(
                    f"{file}, line {number}: not TOPIC,PARTITION,OFFSET", param_hint="--from-file"
                ) from None
    return listed
