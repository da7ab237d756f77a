"""The commands `otclog topic` and `otclog log` (here `records`); `otclog group` is in consumers/cli.py."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from log import CommitLog, StoredRecord, TopicConfig, TopicPartition
from log.claims import ClaimStore, claim_of, open_claims
from log.command import TopicArgument, opened_log, partitions_of, settings_and_log
from log.errors import ClaimMissing, CorruptRecord
from log.mails import mail_row
from log.reading import holds_mails, readable_records
from log.rows import record_row, value_row

topic = typer.Typer(name="topic", no_args_is_help=True, help="Topics: make, describe, change, copy and delete them.")
records = typer.Typer(
    name="log", no_args_is_help=True, help="What is in the log: read, verify, tend it; dump a segment."
)

_SHOWN = 20  # records a partition, where a person looks

MailOption = Annotated[bool, typer.Option("--mail", help="Decode each value as a mail: from, subject, date, parts.")]


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
    with opened_log(config, writes=True, makes=True) as opened:
        opened.create_topic(name, partitions, TopicConfig(compression=compression, segment_bytes=segment_bytes))
        emit([{"topic": name, "partitions": partitions}], as_json=as_json)


@topic.command("list")
def list_topics(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the topics, internal ones among them. Those hidden because their settings are lost are named beside it.

    Examples:
      otclog topic list --json
    """
    with opened_log(config) as opened:
        for trouble in opened.troubles():
            if trouble.what == "topic":
                typer.echo(trouble.detail, err=True)
        emit([_topic_row(opened, name) for name in opened.topics()], as_json=as_json)


def _topic_row(opened: CommitLog, name: str) -> dict[str, Any]:
    described = opened.describe(name)
    return {
        "topic": name,
        "partitions": len(described),
        "records": sum(each.high_watermark - each.start for each in described),
        "bytes": None if any(each.bytes < 0 for each in described) else sum(each.bytes for each in described),
    }


@topic.command("describe")
def describe_topic(name: TopicArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show each partition: leader, epoch, in-sync replicas, offsets, bytes.

    The table has the replicas' numbers, as `otclog replica list` does; --json has their folders.

    Examples:
      otclog topic describe mails
    """
    with opened_log(config) as opened:
        columns = ("partition", "leader", "epoch", "isr", "start", "end", "high_watermark", "bytes")
        rows = [asdict(each) for each in opened.describe(name)]
        emit(rows if as_json else _by_number(opened, rows), as_json=as_json, columns=columns)


def _by_number(opened: CommitLog, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Partitions' rows with the replicas' numbers for their folders."""
    numbers = {each.folder: each.replica for each in opened.replicas()}
    return [
        row | {"leader": numbers.get(row["leader"], row["leader"]), "isr": [numbers.get(it, it) for it in row["isr"]]}
        for row in rows
    ]


@records.command("read")
def read_records(
    name: Annotated[str, typer.Option("--topic", help="The topic.", show_default=False)],
    partition: Annotated[int | None, typer.Option(help="One partition. Default: all.", show_default=False)] = None,
    start: Annotated[int | None, typer.Option("--from", help="First offset. Default: the oldest.")] = None,
    most: Annotated[
        int | None,
        typer.Option(
            "--max",
            min=1,
            help="At most so many records a partition. Default: 20 as a table, all with --json or --raw.",
        ),
    ] = None,
    raw: Annotated[Path | None, typer.Option(help="Also write each mail to DIR/<partition>-<offset>.eml.")] = None,
    mail: MailOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read records. Of a topic that holds no mails the values are shown, as text.

    Examples:
      otclog log read --topic mails --partition 0 --from 1200 --max 5
      otclog log read --topic mails --raw mails/ --json
      otclog log read --topic mails --mail
      otclog log read --topic ingest-journal
    """
    with errors_to_exit_codes(), settings_and_log(config) as (settings, opened):
        sources = partitions_of(opened, name, None if partition is None else [partition])
        found = _Found(opened, sources, start, most or (None if as_json or raw else _SHOWN))
        mails = mail or any(holds_mails(opened, source) for source in sources)
        claims = open_claims(settings.log)
        rows = (_kept(each, raw, claims) | (mail_row if mail else value_row)(each) for each in found)
        emit(rows, as_json=as_json, columns=("partition", "offset", "timestamp", *_columns(mails=mails, decoded=mail)))
        if found.more and not most:
            typer.echo(
                f"only {_SHOWN} records a partition are shown, and there are more of "
                f"{', '.join(map(str, found.more))}: give --max, or --json for all",
                err=True,
            )
        for damage in found.damaged:
            typer.echo(str(damage), err=True)
        if found.damaged:
            raise typer.Exit(1)


class _Found:
    """The records of partitions, at most `limit` of each; then, where there are more, and what is lost."""

    def __init__(self, opened: CommitLog, sources: list[TopicPartition], start: int | None, limit: int | None) -> None:
        self._opened, self._sources, self._start, self._limit = opened, sources, start, limit
        self.more: list[TopicPartition] = []
        self.damaged: list[CorruptRecord] = []

    def __iter__(self) -> Iterator[StoredRecord]:
        for source in self._sources:
            records = readable_records(self._opened, source, self.damaged.append, self._start)
            yield from islice(records, self._limit)
            self.more += [each.source for each in islice(records, 1)]


def _columns(*, mails: bool, decoded: bool) -> tuple[str, ...]:
    """What a table shows of a record beside its place and time."""
    if decoded:
        return ("from", "subject", "parts")
    return ("key", "size", "sha256") if mails else ("key", "value")


def _kept(record: StoredRecord, folder: Path | None, claims: ClaimStore) -> dict[str, Any]:
    """The record's row; its mail in a file, if there is a folder for it. The name has nothing of the mail in it.

    Raises ClaimMissing, ClaimUnavailable: no file is written then.
    """
    if folder is not None and record.value is not None:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        path = folder / f"{record.source.partition}-{record.offset}.eml"
        with (
            _mail(record, record.value, claims) as mail,
            os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as file,
        ):
            shutil.copyfileobj(mail, file)
    return record_row(record)


def _mail(record: StoredRecord, value: bytes, claims: ClaimStore) -> BinaryIO:
    try:
        claim = claim_of(record)
    except ValueError as error:
        raise ClaimMissing(f"{record.source}, offset {record.offset}: {error}") from error
    return claims.open_intact(claim) if claim else BytesIO(value)


@records.command("dump")
def dump_segment(
    file: Annotated[Path, typer.Argument(help="A segment: <20 digits>.log", exists=True, dir_okay=False)],
    mail: MailOption = False,
) -> None:
    """Print a segment's batches and records as JSON lines. Takes no lock and needs no settings.

    Examples:
      otclog log dump log/replica-1/mails-0/00000000000000000000.log
      otclog log dump --mail log/replica-1/mails-0/00000000000000000000.log
    """
    from log.embedded.segment.dump import dump

    with errors_to_exit_codes():
        emit(dump(file, mail_row if mail else lambda _: {}), as_json=True)
