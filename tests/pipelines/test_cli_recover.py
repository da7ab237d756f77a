"""pipelines.cli_recover, and what it asks of pipelines.jobs.standing."""

from __future__ import annotations

import random
from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

import pytest
from typer.testing import Result

import conf
from log import CommitLog, TopicPartition
from log.journal import delete_offsets, journal, move
from log.protection import protected
from log.reading import sources_of
from log.rewind import to_earliest, to_latest, to_offset
from pipelines.jobs.extract import extract
from pipelines.jobs.standing import recovered
from tests.pipelines.conftest import Home
from tests.pipelines.jobs.reparsing.conftest import fresh, small

pytestmark = pytest.mark.slow

__all__ = ["fresh", "small"]  # fixtures

Otclog = Callable[..., Result]
JsonLines = Callable[..., list[dict[str, Any]]]
Shared = tuple[conf.Settings, CommitLog]


def lose(home: Home) -> dict[TopicPartition, int]:
    """Forget all that the group committed, and its journal; where it stood."""
    stood = home.log.committed(home.group)
    delete_offsets(home.log, home.group, list(stood))
    return stood


def run(home: Home, mails: int = 1000) -> None:
    extract(home.settings, home.log, home.group, home.topic, mails)


def test_a_group_that_was_lost_reads_on_where_its_published_runs_end(
    fresh: Home, otclog: Otclog, json_lines: JsonLines
) -> None:
    run(fresh, 7)
    stood = lose(fresh)
    assert fresh.log.committed(fresh.group) == {}
    moves = json_lines(fresh, "group", "recover", fresh.group)
    assert sum(each["skips"] for each in moves) == 7
    assert fresh.log.committed(fresh.group) == {}, "without --execute nothing is moved"
    assert otclog(fresh, "group", "recover", fresh.group, "--execute").exit_code == 0
    assert fresh.log.committed(fresh.group) == stood
    assert [entry.reason for entry in journal(fresh.log, fresh.group)] == ["recovered from the tables"]
    assert fresh.group in protected(fresh.log), "retention waits for it, as it did before"
    assert "stands where" in otclog(fresh, "group", "recover", fresh.group, "--execute").stderr
    run(fresh)
    assert [row["records"] for row in fresh.rows("runs") if row["records"] != 7] == [5]


def test_a_group_stands_where_it_was_moved_to_since_its_last_run(small: Home) -> None:
    for target in (to_earliest, to_latest, to_offset(1)):
        move(small.log, small.group, sources_of(small.log, small.topic), target)
        assert recovered(small.log, small.store, small.group) == small.log.committed(small.group)
        run(small, 2)
        assert recovered(small.log, small.store, small.group) == small.log.committed(small.group)


def test_a_run_that_began_anew_after_a_loss_is_not_taken_for_where_the_group_stood(
    small: Home, otclog: Otclog, caplog: pytest.LogCaptureFixture
) -> None:
    move(small.log, small.group, sorted(small.ends), to_earliest)
    run(small)
    stood = lose(small)
    caplog.clear()
    run(small, 3)
    assert f"`otclog group recover {small.group} --execute` sets it to where it stood" in caplog.text
    assert otclog(small, "group", "recover", small.group, "--execute").exit_code == 0
    assert small.log.committed(small.group) == stood
    before = len(small.rows("runs"))
    run(small)
    assert len(small.rows("runs")) == before, "nothing is read again"


def test_a_group_that_begins_for_the_first_time_or_was_moved_is_not_told_that_it_was_lost(
    fresh: Home, caplog: pytest.LogCaptureFixture
) -> None:
    run(fresh, 3)
    run(fresh)
    move(fresh.log, fresh.group, sorted(fresh.ends), to_earliest)
    run(fresh, 3)
    assert "group recover" not in caplog.text


def test_a_run_that_was_in_hand_when_the_group_was_moved_takes_it_no_further(
    fresh: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = "pipelines.jobs.run.replaced"
    run(fresh, 3)
    own = resolve_name(step)

    def moved_meanwhile(*arguments: Any) -> Any:
        move(fresh.log, fresh.group, sorted(fresh.ends), to_earliest)
        return own(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(step, moved_meanwhile)
        run(fresh)
    assert fresh.log.committed(fresh.group) == fresh.starts
    assert recovered(fresh.log, fresh.store, fresh.group) == fresh.starts


def test_any_history_of_runs_and_moves_is_recovered(fresh: Home) -> None:
    chance = random.Random(23)
    sources = sources_of(fresh.log, fresh.topic)
    run(fresh, 1)
    for _ in range(12):
        if chance.random() < 0.6:
            run(fresh, chance.randint(1, 4))
        else:
            chosen = chance.sample(sources, chance.randint(1, len(sources)))
            move(fresh.log, fresh.group, chosen, to_offset(chance.randint(0, 3)))
        found, stands = recovered(fresh.log, fresh.store, fresh.group), fresh.log.committed(fresh.group)
        assert found == {source: at for source, at in stands.items() if source in found}
        assert all(at == 0 for source, at in stands.items() if source not in found)


def test_what_no_run_is_of_is_said(small: Home, otclog: Otclog) -> None:
    done = otclog(small, "group", "recover", "nobody")
    assert (done.exit_code, done.stderr.splitlines()) == (
        2,
        ["otclog: no published run is of group nobody: the tables do not say where it stood"],
    )
