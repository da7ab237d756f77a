"""ops.cli"""

from __future__ import annotations

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from conf.home import make_home
from ops.cli import doctor

app = typer.Typer()
app.command()(doctor)


@app.callback()
def commands() -> None:
    """Several."""


def test_doctor_prints_a_finding_a_line_and_succeeds_in_a_fresh_home(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["doctor", "--config", str(make_home(tmp_path / "home")), "--json"])
    findings = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert {"java", "log", "sandbox"} <= {finding["check"] for finding in findings}


def test_doctor_fails_when_something_will_not_work(tmp_path: Path) -> None:
    config = make_home(tmp_path / "home")
    (tmp_path / "home" / "mail").rename(tmp_path / "home" / "elsewhere")
    assert CliRunner().invoke(app, ["doctor", "--config", str(config)]).exit_code == 1
