"""The commands `otclog ops alerts …`."""

from __future__ import annotations

import sys
from contextlib import nullcontext, redirect_stdout
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

import conf
from conf.alerting import Kind
from conf.cli import TRY_AGAIN, ConfigOption, JsonOption, emit, errors_to_exit_codes, seconds
from conf.helptext import Group
from conf.process import prepare
from log.command import share_with_log
from ops.cli import ops

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ops.alerts.state import Known, Silence

alerts = typer.Typer(name="alerts", invoke_without_command=True)
ops.add_typer(alerts, cls=Group)


@alerts.callback()
def show(context: typer.Context, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show what fires, as the last look found it, and what is silenced; `run` looks, and tells.

    Exit code 1 if anything fires, if the last look is older than 15 minutes, or if nobody has looked yet though the
    settings name a heartbeat or a sink other than standard output. How long ago the last look was made is told on
    stderr, and so is what a sink does not take.

    Examples:
      otclog ops alerts
      otclog ops alerts --json
    """
    if context.invoked_subcommand:
        return
    from ops.alerts.file import noted, opened
    from ops.alerts.lines import LOOK, look_lines
    from ops.alerts.state import firing, silences
    from ops.lines import ago, since, utc

    with errors_to_exit_codes():
        settings = conf.load(config)
        known: list[Known] = []
        quiet: list[Silence] = []
        looked_at = None
        if settings.alerts.state.exists():
            with opened(settings.alerts.state) as db:
                known, quiet, looked_ms = firing(db), silences(db, datetime.now(UTC)), noted(db, LOOK)
            looked_at = None if looked_ms is None else utc(looked_ms / 1000)
        emit(_rows(known, quiet), as_json=as_json, most={"text": 80})
        missing = [line.detail for line in look_lines(settings, looked_at)]
        last = "nobody has looked yet" if looked_at is None else f"the last was made {ago(since(looked_at))}"
        typer.echo(f"look: {missing[0] if missing else last}", err=True)
        for line in _undelivered(settings):
            typer.echo(line, err=True)
        if known or missing:
            raise typer.Exit(1)


def _rows(known: Iterable[Known], quiet: Sequence[Silence]) -> Iterator[dict[str, Any]]:
    """An alarm that fires is a row, and then each silence, whose text is its reason."""
    from ops.lines import utc

    for each in known:
        is_silenced = any(one.covers(each.kind, each.subject) for one in quiet)
        yield {
            "state": "silenced" if is_silenced else "firing",
            "kind": each.kind,
            "subject": each.subject,
            "level": each.level,
            "since": each.since,
            "until": None,
            "text": each.text,
        }
    for one in quiet:
        yield {
            "state": "silence",
            "kind": one.kind,
            "subject": one.subject,
            "level": None,
            "since": None,
            "until": utc(one.until_ms / 1000),
            "text": one.reason,
        }


@alerts.command()
def run(config: ConfigOption = None) -> None:
    """Look once, and tell those in [[alerts.sinks]] what began to be wrong, and what is right again: for a timer.

    What a sink does not take is told again at later looks, for a day, or as long as it fires; `otclog status` says so.
    Exit code 75 if something was to be told, and no sink took anything: why is told on stderr.

    Examples:
      otclog ops alerts run
    """
    from ops.alerts.looking import look

    with errors_to_exit_codes():
        settings = prepare(config)
        share_with_log(settings)
        looked = look(settings, datetime.now(UTC))
        if looked.fires and not settings.alerts.sinks:
            typer.echo("nobody is told: the settings have no [[alerts.sinks]]; `otclog ops alerts` lists it", err=True)
        if not looked.is_told:
            for line in _undelivered(settings):
                typer.echo(line, err=True)
            raise typer.Exit(TRY_AGAIN)


@alerts.command()
def account(config: ConfigOption = None) -> None:
    """Ask whether mails and outcomes, groups and claims add up, where that is due: for a timer of its own.

    It may take long, and reads the positions of all rows; looks go on meanwhile, and tell what it found. Due is each
    once in `accounts_every_s`, and each hour while it does not add up; nothing is asked twice at once. Exit code 1 if
    something could not be asked: why is told on stderr.

    Examples:
      otclog ops alerts account
    """
    from ops.alerts.accounting import account as ask

    with errors_to_exit_codes():
        settings = prepare(config)
        share_with_log(settings)
        unasked = ask(settings, datetime.now(UTC))
        for why in unasked:
            typer.echo(f"cannot be asked: {why}", err=True)
        if unasked:
            raise typer.Exit(1)


def _undelivered(settings: conf.Settings) -> list[str]:
    """A line a sink that does not take what it is told."""
    from ops.alerts.lines import sink_lines

    return [f"sink {line.name}: {line.detail}" for line in sink_lines(settings)]


@alerts.command()
def silence(
    what: Annotated[str, typer.Argument(metavar="KIND[:SUBJECT]", help="Patterns, as lag or 'silent:Fox*'.")],
    *,
    length: Annotated[
        str | None, typer.Option("--for", metavar="DURATION", help="15m, 2h, 3d.", show_default=False)
    ] = None,
    reason: Annotated[str | None, typer.Option(help="Why, for those who come after.", show_default=False)] = None,
    end: Annotated[bool, typer.Option("--end", help="End the one that was made by these words.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell nobody of these alarms for a while (--for, --reason); what fires still when that has ended is told then.

    What was told already is still told to be resolved. `otclog ops alerts` lists silences.

    Examples:
      otclog ops alerts silence lag --for 2h --reason "brokers move"
      otclog ops alerts silence 'silent:Fox*' --for 3d --reason "their desk is closed"
      otclog ops alerts silence 'silent:Fox*' --end
    """
    from ops.alerts.file import ms, opened
    from ops.alerts.state import Silence, silences
    from ops.alerts.state import silence as silence_them

    kind, subject = _of_alarms(what)
    now = datetime.now(UTC)
    if end:
        if length is not None or reason is not None:
            raise typer.BadParameter("--end takes no --for and no --reason")
        until = now
    elif length is None or reason is None or not reason.strip():
        raise typer.BadParameter("say how long and why: --for 2h --reason TEXT; or --end")
    else:
        until = now + timedelta(seconds=seconds(length))
    with errors_to_exit_codes():
        settings = prepare(config)
        with opened(settings.alerts.state) as db:
            why = reason or _reason_of(silences(db, now), kind, subject)
            silence_them(db, Silence(kind, subject, ms(until), why), now)  # until now: it has ended
        emit([{"kind": kind, "subject": subject, "until": until, "reason": why}], as_json=as_json)


def _reason_of(quiet: Sequence[Silence], kind: str, subject: str) -> str:
    """Why these patterns are silenced. Raises typer.BadParameter where they are not."""
    for one in quiet:
        if (one.kind, one.subject) == (kind, subject):
            return one.reason
    raise typer.BadParameter(f"there is no silence {kind}:{subject}: `otclog ops alerts` lists them")


def _of_alarms(what: str) -> tuple[str, str]:
    """The patterns of kind and subject. Raises typer.BadParameter."""
    kind, colon, subject = what.partition(":")
    if not any(fnmatchcase(each, kind) for each in get_args(Kind)):
        raise typer.BadParameter(f"{kind!r} is no kind of alarm: there are {', '.join(get_args(Kind))}")
    if colon and not subject.strip():
        raise typer.BadParameter(f"{what!r} names no subject: leave the colon out for all, or write {kind}:'*'")
    return kind, subject or "*"


@alerts.command()
def check(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Tell each sink a message that is marked as a test; exit code 1 if one does not take it.

    Rules and templates that cannot be are refused by every command. With --json a sink of kind stdout is told on
    stderr.

    Examples:
      otclog ops alerts check
    """
    from ops.alerts.sinks.sending import tried

    with errors_to_exit_codes():
        settings = prepare(config)
        with redirect_stdout(sys.stderr) if as_json else nullcontext():  # a sink of kind stdout is no JSON
            answers = [(sink, tried(sink, datetime.now(UTC))) for sink in settings.alerts.sinks]
        rows: list[dict[str, Any]] = [
            {"sink": sink.name, "kind": sink.kind, "taken": why is None, "why": why or ""} for sink, why in answers
        ]
        emit(rows, as_json=as_json)
        if not all(row["taken"] for row in rows):
            raise typer.Exit(1)
