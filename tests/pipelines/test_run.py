from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pipelines.extract import extract
from pipelines.plan import in_writing
from pipelines.run import Summary
from pipelines.schemas import MAILS, Table
from pipelines.tables import Commit, replace

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


def run(home: Home, max_mails: int = 1000) -> Summary | None:
    return extract(home.settings, home.log, home.group, home.topic, max_mails)


STEPS = (
    "pipelines.run.table_locks",  # staged, nothing written
    "pipelines.plan.start_writing",
    "pipelines.run.replace",  # all tables but one
    "pipelines.run.check_written",
    "pipelines.run.publish",
    "pipelines.plan.end_writing",
    "pipelines.extract._commit",  # published, offsets not committed
)


class PowerCut(Exception):
    pass


def cut(*arguments: Any) -> Commit:
    """Fail; of the tables one alone."""
    if any(isinstance(each, Table) and each is not MAILS for each in arguments):
        return replace(*arguments)
    raise PowerCut


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
        assert home.log.committed(home.group) == {}
        published = (root / "_published").exists()
        assert published == (step in STEPS[-2:])  # half a run is never published
        if published:
            assert home.outcomes() == extracted.outcomes()
    run(home)
    assert home.outcomes() == extracted.outcomes()
    assert in_writing(root) is None
    assert home.log.committed(home.group) == home.ends


def test_another_group_finishes_a_run_that_was_cut_off_before_it_publishes(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.run.check_written", cut)
        with pytest.raises(PowerCut):
            run(home, max_mails=4)
    other = dataclasses.replace(home, group=f"{home.group}.backfill")
    run(other, max_mails=1)
    assert {row["group"] for row in home.rows("runs")} == {home.group, other.group}
    assert len(home.rows("mails")) == 4
    assert home.log.committed(home.group) == {}  # that is its own next run's to do
    run(home)
    assert home.outcomes() == extracted.outcomes()


DRIVER = """
import sys
from dataclasses import replace
from pathlib import Path
import conf
from log import open_log
from pipelines.extract import extract
settings = conf.load(Path(sys.argv[1]), {})
settings = replace(settings, tables=replace(settings.tables, root=Path(sys.argv[2])))
extract(settings, open_log(settings.log), sys.argv[3], "mails", 1000)
"""


def test_a_driver_killed_while_it_writes_is_healed_by_the_next_run(home: Home, extracted: Home, tmp_path: Path) -> None:
    root = home.settings.tables.root
    command = [sys.executable, "-c", DRIVER, str(home.file), str(root), home.group]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=tmp_path) as driver:
        while driver.poll() is None and not (root / "_plans" / "in_writing.json").exists():
            time.sleep(0.005)
        os.kill(driver.pid, signal.SIGKILL)
    assert in_writing(root) is not None
    assert home.log.committed(home.group) == {}
    assert list((root / "_staging").iterdir())
    run(home)
    assert home.outcomes() == extracted.outcomes()
    assert home.log.committed(home.group) == home.ends
    assert in_writing(root) is None
    assert not list((root / "_staging").iterdir())
