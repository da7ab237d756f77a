"""The commands `otclog ops analyse` and `otclog ops search`, as somebody types them."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import conf
from log import open_log
from log.opslog import TOPIC, ensure_topic, record_of
from otclog import app

Otclog = Callable[..., Result]


@pytest.fixture
def otclog(settings: conf.Settings, tmp_path: Path) -> Otclog:
    """Run a command in a home whose programs have said sixty lines, one of them about a mail."""
    said = {"timestamp": "2026-11-28T09:00:00Z", "level": "info", "process": 7}
    lines = [said | {"event": f"line {number}"} for number in range(59)]
    lines.append(said | {"event": "taken \x1b[31m", "message_id": "1@bank.example"})
    with closing(open_log(settings.log)) as log:
        ensure_topic(log)
        log.append(TOPIC, [record_of(each, "desk-1", "otclog watch") for each in lines])
    return lambda *words: CliRunner().invoke(app, [*words, "--config", str(tmp_path / "otclog.toml")])


def test_analyse_says_how_many_lines_it_read_and_search_finds_them(otclog: Otclog) -> None:
    done = otclog("ops", "analyse")
    assert (done.exit_code, done.stdout) == (0, "60 lines analysed\n")
    found = otclog("ops", "search", "<1@bank.example>")
    assert found.exit_code == 0
    header, line = found.stdout.splitlines()
    assert header.split() == ["at", "level", "host", "unit", "event"]
    assert line.endswith("taken \\x1b[31m")


def test_json_has_the_run_and_whole_lines(otclog: Otclog) -> None:
    done = json.loads(otclog("ops", "analyse", "--json").stdout)
    assert done == {"lines": 60, "expired": 0, "publication": 1}
    (found,) = map(json.loads, otclog("ops", "search", "--text", "taken", "--json").stdout.splitlines())
    assert json.loads(found["line"])["event"] == "taken \x1b[31m"
    assert found["at"] == "2026-11-28T09:00:00Z"
    assert len(otclog("ops", "search", "--json").stdout.splitlines()) == 60


def test_of_many_lines_a_table_has_the_last_and_says_so(otclog: Otclog) -> None:
    otclog("ops", "analyse")
    found = otclog("ops", "search")
    assert len(found.stdout.splitlines()) == 51
    assert found.stdout.splitlines()[1].endswith("line 10")
    assert "only the last 50 are shown" in found.stderr
    assert otclog("ops", "search", "--limit", "2").stdout.splitlines()[1].endswith("line 58")


def test_a_level_is_that_and_the_graver_ones_and_an_unknown_one_is_refused(otclog: Otclog) -> None:
    otclog("ops", "analyse")
    for level, lines in {"debug": 60, "info": 60, "warning": 0}.items():
        found = otclog("ops", "search", "--level", level, "--json")
        assert len(found.stdout.splitlines()) == lines
        assert found.stderr == ("" if lines else "nothing to show\n")
    refused = otclog("ops", "search", "--level", "warn")
    assert refused.exit_code == 2
    assert "debug, info, warning, error, critical" in " ".join(refused.stderr.replace("│", " ").split())


def test_what_is_not_there_is_told_in_a_line(otclog: Otclog) -> None:
    found = otclog("ops", "search", "x@y")
    assert found.exit_code == 1
    assert "otclog ops analyse" in found.stderr


def test_the_help_says_that_a_line_is_found_by_the_day_on_which_the_log_took_it() -> None:
    said = " ".join(CliRunner().invoke(app, ["ops", "search", "--help"]).stdout.replace("│", " ").split())
    assert "Taken by the log on this day (UTC) or later." in said
    assert "Taken by the log on this day (UTC) or before." in said
    assert "Received" not in said
