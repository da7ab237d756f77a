"""pipelines.cli_upgrade"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import Result

from pipelines.jobs.upkeep.upgrade import upgrade
from pipelines.tables.locks import hold_tables
from pipelines.tables.schemas import TABLES
from pipelines.tables.versions import ADDED

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

Otclog = Callable[..., Result]
JsonLines = Callable[..., list[dict[str, Any]]]


def test_an_upgrade_is_shown_first_then_done_then_nothing_is_left(
    older: Home, otclog: Otclog, json_lines: JsonLines
) -> None:
    shown = otclog(older, "upgrade")
    assert shown.exit_code == 0, shown.output
    assert [line.split() for line in shown.stdout.splitlines()][1:3] == [
        ["quotes", "1", "2", "as_of_ts", "timestamp"],
        ["mails", "1", "2", "date_text", "string"],
    ]
    assert "nothing is changed yet: --execute does it" in shown.stderr
    planned = json_lines(older, "upgrade")
    assert planned[0] == {
        "table": "quotes",
        "from_version": 1,
        "to_version": 2,
        "adds": ["as_of_ts timestamp"],
        "publication": None,
    }
    assert [row["table"] for row in planned] == list(TABLES)
    assert json_lines(older, "upgrade", "--execute") == [row | {"publication": 2} for row in planned]
    again = otclog(older, "upgrade", "--execute")
    assert again.exit_code == 0, again.output
    assert "nothing is to be done" in again.stderr


def test_where_there_are_no_tables_an_upgrade_says_so(home: Home, otclog: Otclog) -> None:
    result = otclog(home, "upgrade", "--execute")
    assert result.exit_code == 0, result.output
    assert "`otclog extract` makes them" in result.stderr
    assert not home.tables.joinpath("_published").exists()


def test_an_upgrade_beside_a_run_is_to_be_tried_again(
    older: Home, otclog: Otclog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.jobs.upkeep.upgrade.hold_tables", lambda store: hold_tables(store, 0.1))
    with hold_tables(older.store):
        result = otclog(older, "upgrade", "--execute")
    assert result.exit_code == 75, result.output
    assert "the tables are being written by process" in result.stderr


WRITERS = [["extract"], ["reparse", "mails:0:0", "--execute"]]
READERS = [["prices"], ["rejects"], ["explain", "a"], ["reparse", "--stale"], ["upgrade"], ["upgrade", "--execute"]]


@pytest.mark.parametrize("words", WRITERS, ids=" ".join)
def test_who_writes_to_tables_of_an_earlier_otclog_is_told_to_upgrade_them(
    older: Home, otclog: Otclog, words: list[str]
) -> None:
    result = otclog(older, *words)
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.stderr
    *_, line = result.stderr.splitlines()  # first that it runs
    assert "`otclog upgrade --execute` adds them" in line


@pytest.mark.parametrize("words", [*WRITERS, *READERS], ids=" ".join)
def test_tables_of_a_later_otclog_are_refused_in_a_line(
    older: Home, otclog: Otclog, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    upgrade(older.store)
    monkeypatch.setitem(ADDED, "quotes", ())  # an earlier otclog
    monkeypatch.setitem(ADDED, "mails", ())
    result = otclog(older, *words)
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.stderr
    *_, line = result.stderr.splitlines()  # first that it runs
    assert "has version 2 of its schema, and this otclog knows 1: a later otclog wrote it; use that one" in line
