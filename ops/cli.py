"""The commands that look after it all: doctor, status; and `otclog ops`, whose commands inner rooms have."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, edge, emit, errors_to_exit_codes, write_lines
from conf.printable import printable
from conf.watching import EveryOption, WatchOption, refuse_every, watch
from conf.wrapping import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ops.lines import Line


ops = typer.Typer(
    name="ops", no_args_is_help=True, help="What programs say, in the topic `ops` of the log; and what they count."
)


def doctor(
    *,
    tables: Annotated[
        bool, typer.Option("--tables", help="Also read through the tables: does each record have one outcome?")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check that everything is in its place; exit code 1 if something will not work.

    --tables: each record that was extracted has one outcome, tables have the rows that mails and runs say, no group is
    ahead of them, claims and records belong together.

    Examples:
      otclog doctor
      otclog doctor --tables
      otclog doctor --json
    """
    from ops.doctor import examine

    with errors_to_exit_codes():
        findings = list(examine(conf.load(config), tables=tables))
        emit([asdict(finding) for finding in findings], as_json=as_json)
        if any(finding.state == "fail" for finding in findings):
            raise typer.Exit(1)


def status(
    *,
    again: WatchOption = False,
    every: EveryOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what runs, what waits and what came of it: processes, folders, topics, groups, replicas, tables, disks.

    Exit code 1 if something is wrong, for cron or a monitor: a process is stopped, hangs, or was killed; files wait and
    no watcher runs; a file or a mail waits too long ([status] says how long that is); a folder is missing, a replica is
    not in sync, records are damaged on every replica, a disk is full. A `warn` is to be read, and leaves the exit
    code at 0. `otclog group lag --help` says when a group is late.

    Of the tables: the last runs, and what was refused of the mails received today (UTC). --watch ends with 0.

    Examples:
      otclog status
      otclog status --watch
      otclog status --json
      otclog status > /dev/null || echo "look at otclog"
    """
    from ops.status import status as lines_of

    refuse_every(every, again=again)
    with errors_to_exit_codes():
        settings = conf.load(config)
        if again:
            watch(lambda: list(lines_of(settings)), lambda lines: _show(lines, as_json=as_json), every)
            return
        lines = list(lines_of(settings))
        _show(lines, as_json=as_json)
        if any(line.state == "fail" for line in lines):
            raise typer.Exit(1)


def _show(lines: list[Line], *, as_json: bool) -> bool:
    """Whether somebody still reads it."""
    if as_json:
        return emit([line.row() for line in lines], as_json=True)
    return write_lines(text for line in lines for text in _wrapped(line))


def _wrapped(line: Line) -> Iterator[str]:
    text = printable(f"{line.name}: {line.detail}".removeprefix(": "))
    return wrapped(text, edge(), f"{line.state:<5} {line.what:<8} ")
