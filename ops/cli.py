"""The commands that look after it all: doctor, status."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, edge, emit, errors_to_exit_codes, write_lines
from conf.printable import printable
from conf.wrapping import wrapped


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


def status(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show what runs and what waits: processes, watched folders, unread mails, tables, replicas, disks.

    Exit code 1 if something is wrong, for cron or a monitor: a process is stopped, hangs, or was killed; files wait and
    no watcher runs; a file or a mail waits too long ([status] says how long that is); a folder is missing, a replica is
    not in sync, records are damaged on every replica, a disk is full. A `warn` is to be read, and leaves the exit
    code at 0.

    Examples:
      otclog status
      otclog status --json
      otclog status > /dev/null || echo "look at otclog"
    """
    from ops.status import status as lines_of

    with errors_to_exit_codes():
        lines = list(lines_of(conf.load(config)))
        if as_json:
            emit([line.row() for line in lines], as_json=True)
        else:
            for line in lines:
                text = printable(f"{line.name}: {line.detail}".removeprefix(": "))
                write_lines(wrapped(text, edge(), f"{line.state:<5} {line.what:<8} "))
        if any(line.state == "fail" for line in lines):
            raise typer.Exit(1)
