from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

import otclog
from conf.helptext import Command, help_text


def command(
    *, fast: Annotated[bool, typer.Option(help="Hurry.")] = False, name: Annotated[str, typer.Option()] = ""
) -> None:
    """Do it.

    A sentence that is longer than its line
    of [lmtp] goes on.

    Examples:
      otclog do
      otclog do --fast
    """


def test_a_paragraph_runs_on_and_examples_keep_their_lines() -> None:
    first, second, examples = help_text(command).split("\n\n")
    assert first == "Do it."
    assert second == r"A sentence that is longer than its line of \[lmtp] goes on."
    assert examples == "Examples:\n  otclog do\n  otclog do --fast"


def test_only_what_takes_a_value_shows_of_which_type() -> None:
    app = typer.Typer()
    app.command(cls=Command)(command)
    lines = CliRunner().invoke(app, ["--help"]).stdout.splitlines()
    for name, shown in {"--fast": False, "--help": False, "--name": True}.items():
        (line,) = (line for line in lines if f"│ {name}" in line)
        assert ("<" in line) == shown, line


@pytest.mark.parametrize("words", [["watch"], ["group", "rewind"], ["replica", "list"], ["topic"], []])
def test_no_switch_of_a_command_seems_to_take_a_value(words: list[str]) -> None:
    done = CliRunner().invoke(otclog.app, [*words, "--help"])
    assert "--help" in done.stdout
    assert "<bool>" not in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["prices", "--class", "corp_ig", "--class", "corp_hy"],
        ["rejects", "--code", "ROW_NO_PRICE", "--code", "ROW_WITHDRAWN"],
        ["group", "rewind", "extract", "--to-offset", "1", "--to-offset=2"],
    ],
    ids=" ".join,
)
def test_an_option_of_one_value_that_is_given_twice_is_refused(words: list[str]) -> None:
    done = CliRunner().invoke(otclog.app, words)
    assert done.exit_code == 2
    assert "was given 2 times" in done.stderr


def test_options_of_many_values_may_be_given_again_and_again(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    mails = [word for name in ("a", "b") for word in ("--mail", str(tmp_path / name))]
    done = CliRunner().invoke(otclog.app, ["init", str(tmp_path / "home"), *mails])
    assert done.exit_code == 0, done.stderr
