"""The commands that change topics: `otclog topic alter|copy|delete|delete-records`, `otclog log tend`."""

from __future__ import annotations

import dataclasses
from dataclasses import asdict
from typing import Annotated, Any

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes, seconds
from conf.heartbeat import Heartbeat
from log import LogUnusable, OffsetOutOfRange, TopicConfig, TopicPartition
from log.cli import records, topic
from log.command import ExecuteOption, TopicArgument, opened_log, settings_and_log
from log.protection import hold_on, protected, readers
from log.reading import has_topic
from log.tending import tend as tend_all
from log.topics.copying import copy_topic

RetentionOption = Annotated[
    str | None, typer.Option(help="Delete what is older: 90d, 36h, 15m, 30s; 'none' keeps everything.")
]
RetentionBytesOption = Annotated[
    str | None, typer.Option(help="Delete the oldest beyond so many bytes a partition; 'none' keeps everything.")
]


@topic.command("alter")
def alter_topic(
    name: TopicArgument,
    partitions: Annotated[int | None, typer.Option(min=1, help="More partitions than now.")] = None,
    retention: RetentionOption = None,
    retention_bytes: RetentionBytesOption = None,
    cleanup: Annotated[str | None, typer.Option(help="delete or compact; mail topics are never compacted.")] = None,
    compression: Annotated[str | None, typer.Option(help="none, gzip, snappy, lz4 or zstd.")] = None,
    segment_bytes: Annotated[int | None, typer.Option(min=1, help="A segment is closed at this size.")] = None,
    segment_age: Annotated[str | None, typer.Option(help="Or at this age: 7d, 12h")] = None,
    compaction_lag: Annotated[str | None, typer.Option(help="Compaction leaves younger records alone: 1h")] = None,
    tombstones: Annotated[
        str | None, typer.Option(help="How long compaction keeps a key's end for readers: 1d")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change a topic's settings, or add partitions. What is not named stays.

    Examples:
      otclog topic alter mails --retention 90d
      otclog topic alter mails --partitions 8
    """
    changes: dict[str, Any] = {"cleanup": cleanup, "compression": compression, "segment_bytes": segment_bytes}
    changes = {key: value for key, value in changes.items() if value is not None}
    if retention is not None:
        changes["retention_s"] = None if retention == "none" else seconds(retention)
    ages = {"segment_age_s": segment_age, "compaction_lag_s": compaction_lag, "tombstone_s": tombstones}
    changes |= {key: seconds(value) for key, value in ages.items() if value is not None}
    if retention_bytes is not None:
        changes["retention_bytes"] = None if retention_bytes == "none" else _bytes(retention_bytes)
    with opened_log(config, writes=True) as opened:
        wanted = dataclasses.replace(opened.topic_config(name), **changes) if changes else None
        opened.alter_topic(name, partitions, wanted)
        emit([_config_row(name, opened.partition_count(name), opened.topic_config(name))], as_json=as_json)
        if changes.get("retention_s") or changes.get("retention_bytes"):
            typer.echo(
                "whole segments are deleted, and none that is still written to: --segment-bytes and --segment-age say "
                "when the next record begins another",
                err=True,
            )


@topic.command("copy")
def copy(
    origin: Annotated[str, typer.Argument(help="The topic to copy.", show_default=False)],
    target: Annotated[str, typer.Argument(help="The topic to copy into; made if there is none.", show_default=False)],
    partitions: Annotated[int | None, typer.Option(min=1, help="Of a new target. Default: as the origin.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy a topic into another one, maybe with another number of partitions. Repeat it to go on after a failure.

    Examples:
      otclog topic copy mails mails-8 --partitions 8
    """
    with opened_log(config, writes=True) as opened:
        settings = opened.topic_config(origin)
        if not has_topic(opened, target):
            opened.create_topic(target, partitions or opened.partition_count(origin), settings)
        elif origin != target and partitions not in {None, opened.partition_count(target)}:
            raise LogUnusable(
                f"{target} is there, with another number of partitions: leave --partitions out, or alter it"
            )
        copied = sum(copy_topic(opened, origin, target))
        emit([{"from": origin, "to": target, "copied": copied}], as_json=as_json)


@topic.command("delete")
def delete_topic(
    name: TopicArgument,
    execute: ExecuteOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a topic with all its records, for good. Without --execute nothing is deleted.

    Examples:
      otclog topic delete old-mails
      otclog topic delete old-mails --execute
    """
    with opened_log(config, writes=execute) as opened:
        count = sum(each.high_watermark - each.start for each in opened.describe(name))
        if execute:
            opened.delete_topic(name)
        emit([{"topic": name, "deleted" if execute else "would_delete": count}], as_json=as_json)
        if not execute:
            typer.echo("nothing was deleted: add --execute to delete the topic with its records for good", err=True)


@topic.command("delete-records")
def delete_records(
    name: TopicArgument,
    partition: Annotated[int, typer.Option(min=0, help="Of this partition.", show_default=False)],
    before: Annotated[int, typer.Option(min=0, help="All before this offset.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Also what a protected group has not read.")] = False,
    execute: ExecuteOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete the oldest records of a partition, for good. Without --execute nothing is deleted.

    Shows how many records go, and of which groups how many of these are not read yet.

    Examples:
      otclog topic delete-records mails --partition 0 --before 1200
      otclog topic delete-records mails --partition 0 --before 1200 --execute
    """
    source = TopicPartition(name, partition)
    with opened_log(config, writes=execute) as opened:
        span = opened.span(source)
        if before > span.stop:
            raise OffsetOutOfRange(source, before, span)
        hold = hold_on(opened, source, protected(opened))
        if hold is not None and before > hold.offset and not force:
            raise LogUnusable(
                f"{source}: the protected group {hold.group} has read up to offset {hold.offset} only; "
                f"delete before that, wait for it, or add --force"
            )
        row: dict[str, Any] = {"topic": name, "partition": partition, "start": max(before, span.start)}
        unread = {
            hold.group: before - max(hold.offset, span.start) for hold in readers(opened, source, opened.groups())
        }
        row["deleted" if execute else "would_delete"] = row["start"] - span.start
        row["unread"] = {group: n for group, n in unread.items() if n > 0}
        if execute:
            row["start"] = opened.delete_records(source, before)
        shown = row | {"unread": ", ".join(f"{group}: {n}" for group, n in row["unread"].items()) or "none"}
        emit([row if as_json else shown], as_json=as_json)
        if not execute:
            typer.echo("nothing was deleted: add --execute to delete these records for good", err=True)


@records.command("tend")
def tend(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Do what is due: bring replicas back in sync, delete by retention, compact, remove claims that no record needs.

    Also the scrub: so much of all replicas is read as [log] scrub_bytes_s allows since the last time. Exit code 1 if
    something could not be done, or damage was found: also what was mended, for it tells of a disk that fails.
    `otclog watch` and `otclog lmtp` do all this by themselves.

    Examples:
      otclog log tend
    """
    with (
        errors_to_exit_codes(),
        settings_and_log(config, writes=True) as (settings, opened),
        Heartbeat(settings.log.root, "tend", str(settings.log.root)) as heartbeat,
    ):
        heartbeat.beat("round")
        done = tend_all(opened, settings.log, heartbeat.beat)
        if done or as_json:
            columns = ("topic", "partition", "action", "ok", "detail")
            emit([asdict(each) for each in done] or [{"done": 0}], as_json=as_json, columns=columns)
        else:
            typer.echo("nothing is due")
    if any(each.alarms for each in done):
        raise typer.Exit(1)


def _config_row(name: str, partitions: int, config: TopicConfig) -> dict[str, Any]:
    return {"topic": name, "partitions": partitions, **asdict(config)}


def _bytes(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise typer.BadParameter(f"{text!r} is no number of bytes above 0", param_hint="--retention-bytes")
    return int(text)
