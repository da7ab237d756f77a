"""otclog.py: the command as a whole."""

from __future__ import annotations

import functools
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import otclog

ROOT = Path(__file__).parent.parent
OTCLOG = str(Path(sys.executable).with_name("otclog"))
INTERRUPTED = """
import signal, sys
def watch(frame, event, argument):
    if event == "call" and (frame.f_code.co_filename.endswith({file!r}) and frame.f_code.co_name == {function!r}):
        sys.setprofile(None)
        signal.raise_signal(signal.SIGINT)
sys.setprofile(watch)
from otclog import main
sys.argv = ["otclog", "topic", "list"]
main()
"""
BRACKETED = re.compile(r"\[\[?[a-z][\w.]*\]\]?")


def commands() -> Iterator[tuple[tuple[str, ...], str, list[str]]]:
    """Every command's words, docstring and what is said of its parameters."""
    todo: list[tuple[tuple[str, ...], Any]] = [((), typer.main.get_command(otclog.app))]
    while todo:
        words, command = todo.pop()
        todo += [((*words, name), below) for name, below in getattr(command, "commands", {}).items()]
        of_parameters = [each.help for each in command.params if getattr(each, "help", None)]
        yield words, inspect.getdoc(command.callback) or "", of_parameters


@functools.cache
def shown(*words: str) -> str:
    done = CliRunner().invoke(otclog.app, [*words, "--help"], env={"COLUMNS": "200", "TERMINAL_WIDTH": "200"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_every_sample_that_a_help_text_or_the_readme_names_is_there() -> None:
    texts = [doc for _, doc, _ in commands()] + [(ROOT / "README.md").read_text("utf-8")]
    named = {name for text in texts for name in re.findall(r"\bsamples/[\w.*-]*", text)}
    assert "samples/ig_usd_run_text.eml" in named
    assert [name for name in sorted(named) if not list(ROOT.glob(name))] == []


@pytest.mark.slow
def test_no_word_in_brackets_is_lost_from_any_commands_help() -> None:
    bracketed = {words: BRACKETED.findall(" ".join([doc, *helps])) for words, doc, helps in commands()}
    assert sum(map(bool, bracketed.values())) >= 2
    for words, names in bracketed.items():
        help_text = shown(*words)
        assert [name for name in names if name not in help_text] == [], words
    assert "[lmtp]" in shown("lmtp")
    assert "files of [metrics] there" in shown("ops", "metrics")
    assert "those of [extract]." in shown("kafka", "acls")


def test_help_shows_no_escape_and_keeps_examples_apart() -> None:
    for words, doc, _ in commands():
        help_text = shown(*words)
        assert "\\[" not in help_text
        for line in doc.partition("Examples:\n")[2].splitlines():
            assert any(line.strip() in each for each in help_text.splitlines()), line


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete_commands(shell: str) -> None:
    environ = os.environ | {"_OTCLOG_COMPLETE": f"source_{shell}"}  # what --install-completion writes for its shell
    done = subprocess.run([OTCLOG], env=environ, capture_output=True, text=True, check=True)
    assert "_OTCLOG_COMPLETE=complete_" in done.stdout
    environ = os.environ | {"_OTCLOG_COMPLETE": "complete_bash", "COMP_WORDS": "otclog rej", "COMP_CWORD": "1"}
    done = subprocess.run([OTCLOG], env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["rejects"]


def test_the_version_names_program_parser_and_python() -> None:
    done = CliRunner().invoke(otclog.app, ["--version"])
    assert done.exit_code == 0
    assert re.fullmatch(r"otclog \d+\.\d+\.\d+ \(parser \d+\.\d+\.\d+, Python 3\.\d+\.\d+\)\n", done.stdout)


@pytest.mark.parametrize(
    ("file", "function"),
    [("log/cli.py", "<module>"), ("typer/main.py", "get_command"), ("conf/loader.py", "load")],
    ids=["while modules are imported", "while the commands are built", "in a command"],
)
def test_ctrl_c_at_any_time_is_one_line_and_exit_130(tmp_path: Path, file: str, function: str) -> None:
    code = INTERRUPTED.format(file=file, function=function)
    command = [sys.executable, "-c", code]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "otclog: stopped\n")
