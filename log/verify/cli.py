"""The command `otclog log verify`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.printable import counted
from log import is_there, no_log
from log.claims import open_claims
from log.cli import records
from log.command import partitions_of
from log.errors import LogUnusable
from log.mails import wrong_with
from log.types import SHA256_HEADER

if TYPE_CHECKING:
    from log.embedded import EmbeddedLog
    from log.embedded.admin.verifying import Judge
    from log.types import StoredRecord, TopicPartition


@records.command("verify")
def verify_log(
    name: Annotated[str | None, typer.Option("--topic", help="One topic. Default: all.", show_default=False)] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check every batch, index and mail of every replica. Fails if something is not as it should be.

    A record with the header sha256, and every record of a mail topic, must be the mail of that digest, or a claim that
    every place of the claim store has. Whether the replicas are the same: `otclog replica verify`.

    Examples:
      otclog log verify
      otclog log verify --topic mails --json
    """
    from log.embedded import EmbeddedLog
    from log.embedded.admin.verifying import verify

    with errors_to_exit_codes():
        settings = conf.load(config).log
        if settings.backend != "embedded":
            raise LogUnusable(f"backend {settings.backend} keeps its files itself: use its own tools")
        if not is_there(settings):
            raise no_log(settings)
        with closing(EmbeddedLog(settings)) as opened:
            topics = opened.topics() if name is None else [name]
            sources = [source for topic in topics for source in partitions_of(opened, topic, None)]
            resolve = cache(open_claims(settings).lacks)
            with _bar(opened, sources) as advance:
                found = [
                    asdict(finding)
                    for source in sources
                    for finding in verify(opened, source, _judge(opened, source, resolve), advance)
                ]
        whole = [{"partitions": len(sources), "findings": 0}] if as_json else []
        if found or as_json:
            columns = ("topic", "partition", "offset", "replica", "file", "what", "todo")
            emit(found or whole, as_json=as_json, columns=columns)
    typer.echo(f"{counted(len(sources), 'partition')} verified, {counted(len(found), 'finding')}", err=True)
    if found:
        raise typer.Exit(1)


def _judge(opened: EmbeddedLog, source: TopicPartition, resolve: Callable[..., str | None]) -> Judge:
    mail = opened.topic_config(source.topic).mail

    def judge(record: StoredRecord) -> str | None:
        if mail or any(header == SHA256_HEADER for header, _ in record.headers):
            return wrong_with(record, resolve)
        return None

    return judge


@contextmanager
def _bar(opened: EmbeddedLog, sources: list[TopicPartition]) -> Iterator[Callable[[int], Any]]:
    """On a terminal, a bar of the bytes that are done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    described = [each for topic in {source.topic for source in sources} for each in opened.describe(topic)]
    columns = BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("verify", total=sum(each.bytes * len(each.isr) for each in described))
        yield lambda count: progress.advance(task, count)
