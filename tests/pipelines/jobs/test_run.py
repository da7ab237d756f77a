from __future__ import annotations

import dataclasses
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import conf
from log import Record, TopicPartition, open_log
from pipelines.errors import NotConserved
from pipelines.jobs.counts import Counts, counted
from pipelines.jobs.extract import extract
from pipelines.jobs.plan import Plan, in_writing
from pipelines.jobs.reparse import reparse
from pipelines.jobs.run import Summary
from pipelines.tables.commits import Commit, replace
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import MAILS, RUNS, Table

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


def run(home: Home, max_mails: int = 1000) -> Summary | None:
    return extract(home.settings, home.log, home.group, home.topic, max_mails)


STEPS = (
    "pipelines.jobs.run.table_locks",  # staged, nothing written
    "pipelines.jobs.plan.start_writing",
    "pipelines.jobs.run.replace",  # all tables but one
    "pipelines.jobs.run.check_written",
    "pipelines.jobs.run._row",  # all tables but that of the runs
    "pipelines.jobs.run.publish",
    "pipelines.jobs.plan.end_writing",
    "pipelines.jobs.extract._commit",  # published, offsets not committed
)


class PowerCut(Exception):
    pass


def cut(*arguments: Any) -> Commit:
    """Fail; of the tables one alone."""
    if any(isinstance(each, Table) and each is not MAILS and each is not RUNS for each in arguments):
        return replace(*arguments)
    raise PowerCut


@pytest.mark.slow
@pytest.mark.timeout(900)  # nine runs
def test_crashes_at_every_step_and_in_the_runs_that_heal_them_leave_the_same_rows(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run is cut one step later than the one before: what stands before the step stands, nothing after it does."""
    root = home.settings.tables.root
    for step in STEPS:
        with monkeypatch.context() as patched:
            patched.setattr(step, cut)
            with pytest.raises(PowerCut):
                run(home)
        assert home.log.committed(home.group) == home.starts
        published = (root / "_published").exists()
        assert published == (step in STEPS[-2:])  # half a run is never published
        if published:
            assert home.outcomes() == extracted.outcomes()
    run(home)
    assert home.outcomes() == extracted.outcomes()
    assert in_writing(root) is None
    assert home.log.committed(home.group) == home.ends


@pytest.mark.slow
def test_another_group_finishes_a_run_that_was_cut_off_before_it_publishes(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.run.check_written", cut)
        with pytest.raises(PowerCut):
            run(home, max_mails=4)
    other = dataclasses.replace(home, group=f"{home.group}.backfill")
    run(other, max_mails=1)
    assert {row["group"] for row in home.rows("runs")} == {home.group, other.group}
    assert len(home.rows("mails")) == 4
    assert home.log.committed(home.group) == home.starts  # that is its own next run's to do
    run(home)
    assert home.outcomes() == extracted.outcomes()


@pytest.fixture
def own(home: Home, settings: conf.Settings, mails: list[bytes]) -> Iterator[Home]:
    """A log of the test's own, one partition: some of its records will be deleted."""
    with closing(open_log(settings.log)) as log:
        log.create_topic(home.topic, 1)
        log.append(home.topic, [Record(b"k", mail) for mail in mails])
        yield dataclasses.replace(home, settings=settings, log=log)


def offsets(home: Home, table: str) -> set[int]:
    return {row["log_offset"] for row in home.rows(table)}


def cut_off(home: Home, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """A run over the first four mails, all of whose tables are written and not published."""
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.run.check_written", cut)
        with pytest.raises(PowerCut):
            run(home, max_mails=4)
    left = in_writing(home.settings.tables.root)
    assert left is not None
    return left


@pytest.mark.slow
@pytest.mark.parametrize("finisher", ["the group itself", "another"])
def test_a_run_some_of_whose_records_are_deleted_is_finished_with_the_others(
    own: Home, monkeypatch: pytest.MonkeyPatch, finisher: str
) -> None:
    cut_off(own, monkeypatch)
    own.log.delete_records(TopicPartition(own.topic, 0), 2)
    if finisher == "another":
        run(dataclasses.replace(own, group=f"{own.group}.other"), max_mails=1)
    else:
        summary = run(own)
        assert summary
        assert summary.row["records"] == 2
    assert in_writing(own.settings.tables.root) is None
    assert offsets(own, "mails") == {2, 3}
    assert offsets(own, "quotes") | offsets(own, "parts") == {2, 3}
    assert own.log.committed(own.group) == {TopicPartition(own.topic, 0): 0}, (
        "where something is lost the group stays, and is told of it"
    )


@pytest.mark.slow
def test_a_reparse_all_of_whose_records_are_deleted_leaves_their_rows_as_they_were(
    own: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(own)
    before = own.outcomes()

    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.run.rows_of", lambda *_: ())
        patched.setattr("pipelines.jobs.run.replace", cut)
        with pytest.raises(PowerCut):
            list(reparse(own.settings, own.log, [OffsetRange(own.topic, 0, 0, 4)]))
    own.log.delete_records(TopicPartition(own.topic, 0), 4)
    run(dataclasses.replace(own, group=f"{own.group}.other"), max_mails=1)
    assert own.outcomes() == before
    assert in_writing(own.settings.tables.root) is None


@pytest.mark.slow
def test_a_run_that_no_longer_adds_up_is_put_back_and_stops_nobody(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = cut_off(home, monkeypatch)

    def not_this_one(staging: Path, plan: Plan) -> Counts:
        if plan.run_id == left.run_id:
            raise NotConserved("a mail has no outcome")
        return counted(staging, plan)

    monkeypatch.setattr("pipelines.jobs.run.counted", not_this_one)
    other = dataclasses.replace(home, group=f"{home.group}.other")
    run(other, max_mails=1)
    assert len(home.rows("mails")) == 1
    run(home)
    assert home.outcomes() == extracted.outcomes()


DRIVER = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
import conf
from log import open_log
import pipelines.jobs.run
from pipelines.jobs.extract import extract
pipelines.jobs.run.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
settings = conf.load(Path(sys.argv[1]), {})
settings = replace(settings, tables=replace(settings.tables, root=Path(sys.argv[2])))
extract(settings, open_log(settings.log), sys.argv[3], "mails", 1000)
"""


@pytest.mark.slow
def test_a_driver_killed_while_it_writes_is_healed_by_the_next_run(home: Home, extracted: Home, tmp_path: Path) -> None:
    root = home.settings.tables.root
    command = [sys.executable, "-c", DRIVER, str(home.file), str(root), home.group]
    driver = subprocess.run(command, stderr=subprocess.DEVNULL, cwd=tmp_path, check=False, timeout=300)
    assert driver.returncode == -signal.SIGKILL
    assert in_writing(root) is not None
    assert home.log.committed(home.group) == home.starts
    assert list((root / "_staging").iterdir())
    run(home)
    assert home.outcomes() == extracted.outcomes()
    assert home.log.committed(home.group) == home.ends
    assert in_writing(root) is None
    assert not list((root / "_staging").iterdir())
