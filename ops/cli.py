"""The commands that look after it all: doctor, status."""

from __future__ import annotations

import shutil
import sys
from dataclasses import asdict
from textwrap import fill

import typer

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.printable import printable

FILE_WIDTH = 80  # of lines in a file or pipe


def doctor(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Check that everything is in its place; exit code 1 if something will not work.

    Examples:
      otclog doctor
      otclog doctor --json
    """
    from ops.doctor import examine

    with errors_to_exit_codes():
        findings = list(examine(conf.load(config)))
        emit([asdict(finding) for finding in findings], as_json=as_json)
        if any(finding.state == "fail" for finding in findings):
            raise typer.Exit(1)


def status(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show what runs and what waits: processes, watched folders, unread mails, tables, replicas, disks.

    Exit code 1 if something is wrong, for cron or a monitor: a process is stopped, hangs, or was killed; files wait and
    no watcher runs; a file or a mail waits too long ([status] says how long that is); a folder is missing, a replica is
    not in sync, a disk is full. A `warn` is to be read, and leaves the exit code at 0.

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
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else FILE_WIDTH
            for line in lines:
                head = f"{line.state:<5} {line.what:<8} "
                text = printable(f"{line.name}: {line.detail}".removeprefix(": "))
                typer.echo(
                    fill(
                        text,
                        width,
                        initial_indent=head,
                        subsequent_indent=" " * len(head),
                        break_long_words=False,
                        break_on_hyphens=False,
                    )
                )
        if any(line.state == "fail" for line in lines):
            raise typer.Exit(1)
