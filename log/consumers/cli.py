"""The command `otclog group`; `otclog group rewind` is in rewinding/cli.py."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Annotated

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes, seconds
from log.command import ExecuteOption, opened_log, settings_and_log
from log.errors import LogUnusable
from log.interface import CommitLog
from log.journal import delete_offsets, journal
from log.lag import Lag, lag, not_begun
from log.protection import protect, protected, unprotect
from log.times import rfc3339
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
            raise unknown_group(opened, name)
        emit(rows, as_json=as_json, columns=columns)


@group.command("lag")
def show_lag(
    name: Annotated[
        str | None, typer.Argument(help="The group's name. Default: all groups.", show_default=False)
    ] = None,
    *,
    alert_after: Annotated[
        str | None, typer.Option(help="Fail if a record has been waiting longer: 15m, 2h.", show_default=False)
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how many records groups have not read, and since when the oldest of them waits.

    With --alert-after it is a check for cron or a monitor: exit code 1, and stderr says what waits for how long.

    A mail topic that no group has begun is shown as the extraction's, with nothing committed.

    Examples:
      otclog group lag
      otclog group lag extract
      otclog group lag extract --alert-after 15m
    """
    with errors_to_exit_codes(), settings_and_log(config) as (settings, opened):
        patience_s = seconds(alert_after) if alert_after else None
        extract, topics = settings.extract.group, settings.ingest.topics
        waiting = not_begun(opened, extract, topics) if name in {None, extract} else []
        begun = [each for one in ([name] if name else opened.groups()) for each in lag(opened, one)]
        found = waiting + begun
        if name and not found:
            raise unknown_group(opened, name)
        if not as_json:  # a backfill that was never used is nothing to look at
            found = [each for each in found if _is_used(each) or each.topic == settings.ingest.topic]
        emit([asdict(each) for each in found], as_json=as_json)
        _say_what_nobody_reads(waiting)
        alerts = [] if patience_s is None else _alerts(found, patience_s)
        for line in alerts:
            say(line)
        if alerts:
            raise typer.Exit(1)


def _is_used(each: Lag) -> bool:
    return bool(each.end) or each.committed is not None


def _say_what_nobody_reads(waiting: list[Lag]) -> None:
    """A line for each topic that has records, and no group that has begun it."""
    counts: Counter[str] = Counter()
    for each in waiting:
        counts[each.topic] += each.lag
    for topic, count in counts.items():
        if count:
            say(f"no group has read any of topic {topic}: {count} records wait for `otclog extract --topic {topic}`")


def _alerts(found: list[Lag], patience_s: float) -> list[str]:
    """A line for each partition whose oldest unread record has waited for longer, and for each where it is damaged."""
    ages = [(each, _age_s(each.oldest_unread)) for each in found if each.oldest_unread]
    late = [
        f"group {each.group} is late: {each.topic}-{each.partition} has waited for {age_s:,.0f} s"
        for each, age_s in ages
        if age_s > patience_s
    ]
    lost = [
        f"group {each.group} is before records that no replica has whole: {each.topic}-{each.partition}, "
        f"from offset {each.damaged} on; `otclog extract` says how to pass them"
        for each in found
        if each.damaged is not None
    ]
    return late + lost


def _age_s(time: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(time)).total_seconds()


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
