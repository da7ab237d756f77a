"""The commands for the first hour: demo, doctor."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes


def demo(
    home: Annotated[Path, typer.Argument(help="Where the demo keeps its data; made anew.")] = Path("demo"),
    as_json: JsonOption = False,
) -> None:
    """Sample mails in, prices out, rewind and reparse: the commands a user would type, one after the other.

    Examples:
      otclog demo
      otclog demo /tmp/otclog-demo
      otclog demo --json
    """
    from pipelines.demo import run_demo

    with errors_to_exit_codes():
        run_demo(home.absolute(), as_json=as_json)


def doctor(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Check that everything is in its place; exit code 1 if something will not work.

    Examples:
      otclog doctor
      otclog doctor --json
    """
    from pipelines.doctor import examine

    with errors_to_exit_codes():
        findings = list(examine(conf.load(config)))
        emit([asdict(finding) for finding in findings], as_json=as_json)
        if any(finding.state == "fail" for finding in findings):
            raise typer.Exit(1)
