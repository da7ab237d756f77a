"""The command `otclog group`."""

from __future__ import annotations

import csv
import sys
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

import log.rewind as to
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes, seconds
from log.cli import ExecuteOption, opened_log, partitions_of, settings_and_log
from log.errors import LogUnusable
from log.interface import CommitLog
from log.journal import delete_offsets, journal, move, undo_target
from log.lag import lag, not_begun
from log.protection import protect, protected, unprotect
from log.times import now_ms, rfc3339, timestamp_ms
from log.types import TopicPartition

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
        emit([group_row(opened, name) for name in opened.groups()], as_json=as_json)


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
            raise _unknown(opened, name)
        emit(rows, as_json=as_json, columns=columns)


@group.command("lag")
def show_lag(
    name: Annotated[
        str | None, typer.Argument(help="The group's name. Default: all groups.", show_default=False)
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how many records groups have not read, and since when the oldest of them waits.

    A mail topic that no group has begun is shown as the extraction's, with nothing committed.

    Examples:
      otclog group lag
      otclog group lag extract
    """
    with errors_to_exit_codes(), settings_and_log(config) as (settings, opened):
        extract, ingest = settings.extract.group, settings.ingest
        topics = {ingest.topic, ingest.backfill_topic, *(rule.topic for rule in ingest.routes if rule.topic)}
        waiting = not_begun(opened, extract, topics) if name in {None, extract} else []
        names = [name] if name else opened.groups()
        rows = [asdict(each) for each in [*waiting, *(each for one in names for each in lag(opened, one))]]
        if name and not rows:
            raise _unknown(opened, name)
        emit(rows, as_json=as_json)
        for topic in dict.fromkeys(each.topic for each in waiting if each.lag):
            count = sum(each.lag for each in waiting if each.topic == topic)
            _say(f"no group has read any of topic {topic}: {count} records wait for `otclog extract --topic {topic}`")


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
            raise _unknown(opened, name, "; --new moves a group that has not begun")
        undoes = None
        if undo:
            entry, target = undo_target(opened, name)
            undoes, sources = entry.generation, [TopicPartition(one.topic, one.partition) for one in entry.moves]
        else:
            target, sources = targets[0], _sources(opened, name, scopes, all_topics, listed)
        for line in to.outside(opened, name, sources, target):
            _say(line)
        if execute:
            moves = move(opened, name, sources, target, reason=reason, undoes=undoes)
        else:
            moves = to.plan(opened, name, sources, target)
        if export:
            csv.writer(sys.stdout, lineterminator="\n").writerows((one.topic, one.partition, one.to) for one in moves)
        else:
            emit([asdict(one) for one in moves], as_json=as_json)
        _say(f"{sum(one.replays for one in moves)} records to be read again, {sum(one.skips for one in moves)} skipped")
        _say("the group was moved" if execute else "nothing was moved: add --execute to move the group")


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
        sources = _committed_in(opened, name, scopes)
        rows = [row for row in offset_rows(opened, name) if TopicPartition(row["topic"], row["partition"]) in sources]
        if execute:
            delete_offsets(opened, name, sources)
        emit(rows, as_json=as_json, columns=("topic", "partition", "committed", "lag"))
        if not execute:
            _say("nothing was deleted: add --execute to forget these offsets")


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


def _unknown(opened: CommitLog, name: str, otherwise: str = "") -> LogUnusable:
    groups = opened.groups()
    near = get_close_matches(name, groups, n=1)
    hint = f"did you mean {near[0]}?" if near else f"those that have: {', '.join(groups) or 'none yet'}"
    return LogUnusable(f"no group {name!r} has committed an offset; {hint}{otherwise}")


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


def _committed_in(opened: CommitLog, name: str, scopes: list[str] | None) -> list[TopicPartition]:
    """Of what the group committed: also of topics that are gone."""
    committed, meant = sorted(opened.committed(name)), [_scope(scope) for scope in scopes or []]
    return [
        source
        for source in committed
        if not scopes
        or any(source.topic == topic and (not numbers or source.partition in numbers) for topic, numbers in meant)
    ]


def _in_scope(opened: CommitLog, scope: str) -> list[TopicPartition]:
    topic, numbers = _scope(scope)
    return partitions_of(opened, topic, numbers)


def _scope(scope: str) -> tuple[str, list[int] | None]:
    """TOPIC or TOPIC:0,2."""
    topic, _, numbers = scope.partition(":")
    if numbers and not all(part.isdecimal() for part in numbers.split(",")):
        raise typer.BadParameter(f"{numbers!r} is no list of partitions like 0,2", param_hint="SCOPES")
    return topic, [int(part) for part in numbers.split(",")] if numbers else None


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


def _say(words: str) -> None:
    typer.echo(words, err=True)
