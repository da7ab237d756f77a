"""A home with a log, lines that are shipped into it by the command, and what its topic then has."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import conf
from conf.home import make_home
from log import TopicPartition, open_log
from log.opslog import TOPIC, ensure_topic
from otclog import app

Shipping = Callable[..., Result]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The settings of a home with a log."""
    file = make_home(tmp_path / "home")
    with closing(open_log(conf.load(file, {}).log)) as log:
        ensure_topic(log)
    return file


@pytest.fixture
def ship(file: Path) -> Shipping:
    """`otclog ops ship … --once`, which must end well."""

    def run(*words: str | Path, code: int = 0, **options: Any) -> Result:
        done = CliRunner().invoke(
            app, ["ops", "ship", *map(str, words), "--once", "--config", str(file)], catch_exceptions=False, **options
        )
        assert done.exit_code == code, done.output
        return done

    return run


def rows_of(file: Path) -> list[dict[str, Any]]:
    """What the topic has, in its order."""
    source, rows, offset = TopicPartition(TOPIC, 0), list[dict[str, Any]](), 0
    with closing(open_log(conf.load(file, {}).log)) as log:
        while records := log.read(source, offset, 2**22):
            for each in records:
                assert each.value is not None
                rows.append(json.loads(each.value) | {"key": each.key})
            offset = records[-1].offset + 1
    return rows


@pytest.fixture
def rows(file: Path) -> Callable[[], list[dict[str, Any]]]:
    """What the topic has."""
    return lambda: rows_of(file)


@pytest.fixture
def events(file: Path) -> Callable[[], list[str]]:
    """The messages alone."""
    return lambda: [row["event"] for row in rows_of(file)]
