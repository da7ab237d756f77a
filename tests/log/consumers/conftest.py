"""A home with a group that has read some mails, and its commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import conf
from log import CommitLog, LogOptions, Record, TopicPartition, open_log
from otclog import app

Run = Callable[..., Any]


@pytest.fixture
def mails() -> list[Record]:
    """Nine, of three senders."""
    return [
        Record(b"desk%d@bank.example" % (number % 3), b"mail %d" % number, (("route", b"inbox"),))
        for number in range(9)
    ]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mails: list[Record]) -> Path:
    """A home whose log has nine mails, three of them read."""
    file = tmp_path / "otclog.toml"
    file.write_text("[log]\nlock_timeout_s = 0.2\n")
    monkeypatch.chdir(tmp_path)
    options: LogOptions = conf.load(file, {}).log
    log = open_log(options)
    log.create_topic("mails", 1)
    log.append("mails", mails)
    log.commit("extract", {TopicPartition("mails", 0): 3}, "run 1")
    log.close()
    return file


@pytest.fixture
def run(config: Path) -> Run:
    """Run a command on that home; its exit code, its rows, its other words."""

    def invoke(*words: str) -> tuple[int, list[dict[str, Any]], str]:
        assert config.exists()
        result = CliRunner().invoke(app, [*words], catch_exceptions=False)
        rows = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
        return result.exit_code, rows, result.output

    return invoke


@pytest.fixture
def log(config: Path) -> Iterator[CommitLog]:
    """The same log, opened by somebody else."""
    opened = open_log(conf.load(config, {}).log)
    yield opened
    opened.close()
