"""The commands that look after it all: doctor."""

from __future__ import annotations

from dataclasses import asdict

import typer

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes


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
