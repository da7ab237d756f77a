"""The command `otclog group rewind`: what its options mean, shown and done."""

from __future__ import annotations

import csv
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import log.rewind as to
from conf.cli import ConfigOption, JsonOption, emit, seconds
from log.command import ExecuteOption, opened_log, partitions_of
from log.consumers.cli import GroupArgument, ScopesArgument, group, say, scope_of, unknown_group
from log.interface import CommitLog
from log.journal import move, undo_target
from log.times import now_ms, timestamp_ms
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
    with opened_log(config, writes=execute) as opened:
        if export and as_json:
            raise typer.BadParameter("--export prints lines of text, for --from-file: leave --json out")
        listed = _listed(from_file, name) if from_file is not None else None
        at_ms = _time(to_datetime, by_duration, zone)
        named = {
            "--to-earliest": to.to_earliest if to_earliest else None,
            "--to-latest": to.to_latest if to_latest else None,
            "--to-current": to.to_current if to_current else None,
            "--to-offset": None if to_offset is None else to.to_offset(to_offset),
            "--shift-by": None if shift_by is None else to.shift_by(shift_by),
            "--to-datetime": to.to_time(at_ms) if to_datetime is not None else None,
            "--by-duration": to.to_time(at_ms) if by_duration is not None else None,
            "--from-file": None if listed is None else to.to_listed(listed),
        }
        targets = [target for target in named.values() if target is not None]
        if len(targets) + undo != 1:
            raise typer.BadParameter(f"name one of {', '.join(named)}, --undo", param_hint="target")
        if not new and not opened.committed(name):
            raise unknown_group(opened, name, "; --new moves a group that has not begun")
        undoes = None
        if undo:
            entry, target = undo_target(opened, name)
            undoes, sources = entry.generation, [TopicPartition(one.topic, one.partition) for one in entry.moves]
        else:
            target, sources = targets[0], _sources(opened, name, scopes, all_topics, listed)
        for line in to.outside(opened, name, sources, target):
            say(line)
        if execute:
            moves = move(opened, name, sources, target, reason=reason, undoes=undoes)
        else:
            moves = to.plan(opened, name, sources, target)
        if export:
            csv.writer(sys.stdout, lineterminator="\n").writerows((one.topic, one.partition, one.to) for one in moves)
        else:
            emit([asdict(one) for one in moves], as_json=as_json)
        say(f"{sum(one.replays for one in moves)} records to be read again, {sum(one.skips for one in moves)} skipped")
        say("the group was moved" if execute else "nothing was moved: add --execute to move the group")


def _sources(
    opened: CommitLog,
    name: str,
    scopes: list[str] | None,
    all_topics: bool,
    listed: dict[TopicPartition, int] | None,
) -> list[TopicPartition]:
    """The partitions meant. Raises typer.BadParameter, UnknownTopic."""
    if scopes:
        found = [source for scope in scopes for source in _in_scope(opened, scope)]
        return [source for source in found if listed is None or source in listed]
    if listed is not None:
        return [source for each in listed for source in partitions_of(opened, each.topic, [each.partition])]
    if not all_topics:
        raise typer.BadParameter("name topics, or --all-topics", param_hint="SCOPES")
    return sorted(opened.committed(name))


def _in_scope(opened: CommitLog, scope: str) -> list[TopicPartition]:
    topic, numbers = scope_of(scope)
    return partitions_of(opened, topic, numbers)


def _time(to_datetime: str | None, by_duration: str | None, zone: str | None) -> int:
    """Milliseconds since the epoch; 0 if no time was named. Raises typer.BadParameter."""
    if to_datetime is None:
        return 0 if by_duration is None else now_ms() - round(seconds(by_duration) * 1000)
    try:
        return timestamp_ms(to_datetime, zone)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--to-datetime") from error


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
