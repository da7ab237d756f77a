"""The commands `otclog ops alerts …`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from typing import Annotated, Any, get_args

import typer

import conf
from conf.alerting import Kind
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes, seconds
from conf.helptext import Group
from conf.process import prepare
from log.command import share_with_log
from ops.cli import ops

alerts = typer.Typer(name="alerts", invoke_without_command=True)
ops.add_typer(alerts, cls=Group)


@alerts.callback()
def show(context: typer.Context, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show what fires, as the last look found it; exit code 1 if anything does. `run` looks, and tells."""
    if context.invoked_subcommand:
        return
    from ops.alerts.file import opened
    from ops.alerts.state import firing, silences

    with errors_to_exit_codes():
        path, now = conf.load(config).alerts.state, datetime.now(UTC)
        if not path.exists():
            emit([], as_json=as_json)
            return
        with opened(path) as db:
            known, quiet = firing(db), silences(db, now)
        rows = [
            {
                "kind": each.kind,
                "subject": each.subject,
                "level": each.level,
                "since": each.since,
                "silenced": any(one.covers(each.kind, each.subject) for one in quiet),
                "text": each.text,
            }
            for each in known
        ]
        emit(rows, as_json=as_json, most={"text": 80})
        if rows:
            raise typer.Exit(1)


@alerts.command()
def run(config: ConfigOption = None) -> None:
    """Look once, and tell those in [[alerts.sinks]] what began to be wrong, and what is right again: for a timer.

    What a sink does not take is told again at later looks, for a day, or as long as it fires; `otclog status` says so.

    Examples:
      otclog ops alerts run
    """
    from ops.alerts.looking import look

    with errors_to_exit_codes():
        settings = prepare(config)
        share_with_log(settings)
        look(settings, datetime.now(UTC))


@alerts.command()
def silence(
    what: Annotated[str, typer.Argument(metavar="KIND[:SUBJECT]", help="Patterns, as lag or 'silent:Fox*'.")],
    *,
    length: Annotated[str, typer.Option("--for", metavar="DURATION", help="15m, 2h, 3d.")],
    reason: Annotated[str, typer.Option(help="Why, for those who come after.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell nobody of these alarms for a while; what fires still when that has ended is told then.

    What was told already is still told to be resolved.

    Examples:
      otclog ops alerts silence lag --for 2h --reason "brokers move"
      otclog ops alerts silence 'silent:Fox*' --for 3d --reason "their desk is closed"
    """
    from ops.alerts.file import ms, opened
    from ops.alerts.state import Silence
    from ops.alerts.state import silence as silence_them

    kind, _, subject = what.partition(":")
    if not any(fnmatchcase(each, kind) for each in get_args(Kind)):
        raise typer.BadParameter(f"{kind!r} is no kind of alarm: there are {', '.join(get_args(Kind))}")
    now = datetime.now(UTC)
    until = now + timedelta(seconds=seconds(length))
    with errors_to_exit_codes():
        settings = prepare(config)
        with opened(settings.alerts.state) as db:
            silence_them(db, Silence(kind, subject or "*", ms(until), reason), now)
        emit([{"kind": kind, "subject": subject or "*", "until": until, "reason": reason}], as_json=as_json)


@alerts.command()
def check(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Tell each sink a message that is marked as a test; exit code 1 if one does not take it.

    Rules and templates that cannot be are refused by every command.

    Examples:
      otclog ops alerts check
    """
    from ops.alerts.sinks.sending import tried

    with errors_to_exit_codes():
        settings = prepare(config)
        rows: list[dict[str, Any]] = [
            {"sink": sink.name, "kind": sink.kind, "taken": why is None, "why": why or ""}
            for sink, why in ((sink, tried(sink, datetime.now(UTC))) for sink in settings.alerts.sinks)
        ]
        emit(rows, as_json=as_json)
        if not all(row["taken"] for row in rows):
            raise typer.Exit(1)
