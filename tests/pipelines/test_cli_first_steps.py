"""pipelines.cli_first_steps"""

from __future__ import annotations

from pathlib import Path

import typer
from typer.testing import CliRunner

from pipelines.cli_first_steps import demo

app = typer.Typer()
app.command()(demo)


def test_a_demo_in_somebodys_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "precious").touch()
    result = CliRunner().invoke(app, [str(tmp_path)])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
