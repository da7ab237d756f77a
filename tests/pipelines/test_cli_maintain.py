from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from parsers.parse import parse_mail
from pipelines.jobs.upkeep.maintain import Upkeep
from pipelines.tables.locks import maintaining
from pipelines.tables.publication import latest
from tests.pipelines.conftest import Home, home_in
from tests.pipelines.jobs.small_runs import SmallRuns

Otclog = Callable[..., Result]
JsonLines = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def small(shared_log: Any, mails: list[bytes], tmp_path: Path) -> Home:
    """Tables of three small runs."""
    home = home_in(tmp_path, shared_log)
    runs = SmallRuns(home.store, [parse_mail(mails[0])])
    for _ in range(3):
        runs.commit()
    return home


def test_a_maintain_is_shown_first_then_done_then_nothing_is_left(
    small: Home, otclog: Otclog, json_lines: JsonLines
) -> None:
    (planned,) = json_lines(small, "maintain")
    assert {name: planned[name] for name in ("rewritten", "into", "files", "publication")} == {
        "rewritten": 12,  # the mail has no reject
        "into": 4,
        "files": 0,
        "publication": None,
    }
    shown = otclog(small, "maintain")
    assert shown.exit_code == 0, shown.output
    assert "nothing is changed yet: --execute does it" in shown.stderr
    assert latest(small.store).number == 3
    assert json_lines(small, "maintain", "--execute") == [planned | {"publication": 4}]
    (again,) = json_lines(small, "maintain", "--execute")
    assert again["rewritten"] == 0
    assert again["publication"] is None


def test_beside_another_one_it_is_to_be_tried_again_and_where_there_are_no_tables_nothing_is_done(
    small: Home, otclog: Otclog, shared_log: Any, tmp_path: Path
) -> None:
    with maintaining(small.store):
        result = otclog(small, "maintain", "--execute")
    assert result.exit_code == 75, result.output
    assert "the tables are being maintained by process" in result.stderr
    empty = home_in(tmp_path / "empty", shared_log)
    assert otclog(empty, "maintain", "--execute").exit_code == 0
    assert not empty.tables.joinpath("_published").exists()


def test_it_goes_on_every_so_often_past_what_can_be_tried_again_until_it_is_told_to_stop(
    small: Home, otclog: Otclog, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: Iterator[OSError | Upkeep] = iter([OSError("no room"), Upkeep(), Upkeep(files=7)])

    def one(_: object) -> Upkeep:
        done = next(rounds)
        if isinstance(done, OSError):
            raise done
        if done.files:
            os.kill(os.getpid(), signal.SIGTERM)
        return done

    monkeypatch.setattr("pipelines.jobs.upkeep.maintain.maintain", one)
    result = otclog(small, "maintain", "--execute", "--every", "1ms", "--json")
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == 2
    refused = otclog(small, "maintain", "--every", "1h")
    assert refused.exit_code == 2
    assert "add --execute" in refused.stderr
