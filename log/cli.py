"""The commands of this package: `otclog topic`, `otclog log` (here `records`) and `otclog group`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

import conf
import log.rewind as to
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from log import CommitLog, StoredRecord, TopicConfig, TopicPartition, open_log
from log.groups import GroupOffsets
from log.lag import lag
from log.rows import record_row
from log.times import rfc3339, timestamp_ms

FETCH_BYTES = 2**20

topic = typer.Typer(name="topic", no_args_is_help=True, help="Topics: make, list and describe them.")
records = typer.Typer(name="log", no_args_is_help=True, help="What is in the log: read records, dump a segment.")
group = typer.Typer(name="group", no_args_is_help=True, help="Consumer groups: where they stand, and moving them.")

GroupArgument = Annotated[str, typer.Argument(help="The group's name.", show_default=False)]
TopicArgument = Annotated[str, typer.Argument(help="The topic's name.", show_default=False)]


@contextmanager
def _opened(config: Path | None) -> Iterator[CommitLog]:
    """The log of the settings, closed afterwards; errors become exit codes."""
    with errors_to_exit_codes():
        opened = open_log(conf.load(config).log)
        try:
            yield opened
        finally:
            opened.close()


@topic.command("create")
def create_topic(
    name: TopicArgument,
    partitions: Annotated[int, typer.Option(min=1, help="How many partitions.")] = 4,
    compression: Annotated[str | None, typer.Option(help="none, gzip, snappy, lz4 or zstd.")] = None,
    segment_bytes: Annotated[int | None, typer.Option(min=1, help="A segment is closed at this size.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a topic.

    Examples:
      otclog topic create mails --partitions 4
    """
    with _opened(config) as opened:
        opened.create_topic(name, partitions, TopicConfig(compression=compression, segment_bytes=segment_bytes))
        emit([{"topic": name, "partitions": partitions}], as_json=as_json)


@topic.command("list")
def list_topics(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the topics, internal ones among them.

    Examples:
      otclog topic list --json
    """
    with _opened(config) as opened:
        emit([_topic_row(opened, name) for name in opened.topics()], as_json=as_json)


def _topic_row(opened: CommitLog, name: str) -> dict[str, Any]:
    described = opened.describe(name)
    return {
        "topic": name,
        "partitions": len(described),
        "records": sum(each.high_watermark - each.start for each in described),
        "bytes": sum(each.bytes for each in described),
    }


@topic.command("describe")
def describe_topic(name: TopicArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show each partition: leader, epoch, in-sync replicas, offsets, bytes.

    Examples:
      otclog topic describe mails
    """
    with _opened(config) as opened:
        columns = ("partition", "leader", "epoch", "isr", "start", "end", "high_watermark", "bytes")
        emit([asdict(each) for each in opened.describe(name)], as_json=as_json, columns=columns)


@records.command("read")
def read_records(
    name: Annotated[str, typer.Option("--topic", help="The topic.", show_default=False)],
    partition: Annotated[int | None, typer.Option(help="One partition. Default: all.", show_default=False)] = None,
    start: Annotated[int | None, typer.Option("--from", help="First offset. Default: the oldest.")] = None,
    most: Annotated[int, typer.Option("--max", min=1, help="At most so many records a partition.")] = 20,
    raw: Annotated[Path | None, typer.Option(help="Also write each mail to DIR/<partition>-<offset>.eml.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read records.

    Examples:
      otclog log read --topic mails --partition 0 --from 1200 --max 5
      otclog log read --topic mails --max 100 --raw mails/ --json
    """
    with _opened(config) as opened:
        sources = _partitions(opened, name, None if partition is None else [partition])
        found = (each for source in sources for each in islice(_records(opened, source, start), most))
        columns = ("partition", "offset", "timestamp", "key", "size", "sha256")
        emit((_kept(each, raw) for each in found), as_json=as_json, columns=columns)


def _records(opened: CommitLog, source: TopicPartition, start: int | None) -> Iterator[StoredRecord]:
    offset = opened.span(source).start if start is None else start
    while found := opened.read(source, offset, FETCH_BYTES):
        yield from found
        offset = found[-1].offset + 1


def _kept(record: StoredRecord, folder: Path | None) -> dict[str, Any]:
    """The record's row; its value in a file, if there is a folder for it. The name has nothing of the mail in it."""
    if folder is not None and record.value is not None:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        path = folder / f"{record.source.partition}-{record.offset}.eml"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as file:
            file.write(record.value)
    return record_row(record)


@records.command("dump")
def dump_segment(
    file: Annotated[Path, typer.Argument(help="A segment: <20 digits>.log", exists=True, dir_okay=False)],
) -> None:
    """Print a segment's batches and records as JSON lines. Takes no lock and needs no settings.

    Examples:
      otclog log dump log/replica-1/mails-0/00000000000000000000.log
    """
    from log.dump import dump

    with errors_to_exit_codes():
        emit(dump(file), as_json=True)


@group.command("list")
def list_groups(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the groups that have committed.

    Examples:
      otclog group list
    """
    with _opened(config) as opened:
        rows = [{"group": name, "partitions": len(opened.committed(name))} for name in opened.groups()]
        emit(rows, as_json=as_json)


@group.command("describe")
def describe_group(name: GroupArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show what a group committed last, when, and with which words.

    Examples:
      otclog group describe extract
    """
    with _opened(config) as opened:
        rows = [
            {
                "group": name,
                "topic": source.topic,
                "partition": source.partition,
                "committed": one.offset,
                "committed_at": rfc3339(one.committed_at_ms),
                "metadata": one.metadata,
                "generation": one.generation,
            }
            for source, one in sorted(GroupOffsets(opened).latest(name).items())
        ]
        emit(rows, as_json=as_json)


@group.command("lag")
def show_lag(
    name: Annotated[
        str | None, typer.Argument(help="The group's name. Default: all groups.", show_default=False)
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how many records groups have not read, and since when the oldest of them waits.

    Examples:
      otclog group lag
      otclog group lag extract
    """
    with _opened(config) as opened:
        names = [name] if name else opened.groups()
        emit([asdict(each) for name in names for each in lag(opened, name)], as_json=as_json)


@group.command("rewind")
def rewind_group(
    name: GroupArgument,
    scope: Annotated[str, typer.Argument(help="TOPIC, or TOPIC:0,2 for some partitions.", show_default=False)],
    to_earliest: Annotated[bool, typer.Option("--to-earliest", help="To the oldest record kept.")] = False,
    to_latest: Annotated[bool, typer.Option("--to-latest", help="Behind the last record.")] = False,
    to_offset: Annotated[int | None, typer.Option(help="To this offset.", show_default=False)] = None,
    shift_by: Annotated[int | None, typer.Option(help="So many records on; back if negative.")] = None,
    to_datetime: Annotated[str | None, typer.Option(help="To this time, with zone: 2026-03-01T14:00:00Z")] = None,
    execute: Annotated[bool, typer.Option("--execute/--dry-run", help="Move the group, or only show.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Move a group to other offsets: the next extract begins there. Without --execute nothing is moved.

    Examples:
      otclog group rewind extract mails --to-earliest
      otclog group rewind extract mails:0,1 --to-datetime 2026-03-01T14:00:00Z --execute
      otclog group rewind extract mails --shift-by -500 --execute
    """
    target = _target(to_earliest, to_latest, to_offset, shift_by, to_datetime)
    with _opened(config) as opened:
        topic_name, _, numbers = scope.partition(":")
        moves = to.plan(opened, name, _partitions(opened, topic_name, _numbers(numbers)), target)
        if execute:
            to.apply(opened, moves)
        emit([asdict(move) for move in moves], as_json=as_json)
        if not execute:
            typer.echo("nothing was moved: add --execute to move the group", err=True)


def _target(
    to_earliest: bool, to_latest: bool, to_offset: int | None, shift_by: int | None, to_datetime: str | None
) -> to.Target:
    """The one target that was named. Raises typer.BadParameter."""
    targets: list[to.Target] = []
    if to_earliest:
        targets.append(to.to_earliest)
    if to_latest:
        targets.append(to.to_latest)
    if to_offset is not None:
        targets.append(to.to_offset(to_offset))
    if shift_by is not None:
        targets.append(to.shift_by(shift_by))
    if to_datetime is not None:
        try:
            targets.append(to.to_time(timestamp_ms(to_datetime)))
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--to-datetime") from error
    if len(targets) != 1:
        raise typer.BadParameter(
            "name one of --to-earliest, --to-latest, --to-offset, --shift-by, --to-datetime", param_hint="target"
        )
    return targets[0]


def _numbers(text: str) -> list[int] | None:
    if not text:
        return None
    if not all(part.isdecimal() for part in text.split(",")):
        raise typer.BadParameter(f"{text!r} is no list of partitions like 0,2", param_hint="SCOPE")
    return [int(part) for part in text.split(",")]


def _partitions(opened: CommitLog, name: str, numbers: list[int] | None) -> list[TopicPartition]:
    count = len(opened.describe(name))
    wrong = [number for number in numbers or () if not 0 <= number < count]
    if wrong:
        raise typer.BadParameter(
            f"topic {name} has partitions 0 to {count - 1}, not {wrong[0]}", param_hint="partition"
        )
    return [TopicPartition(name, number) for number in (range(count) if numbers is None else numbers)]
