from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from conf import Settings
from ingest import tending as module
from ingest.tending import tending
from log import CommitLog, Record


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY_S", 0.05)


class Watched:
    """The log; counts how often it is tended."""

    def __init__(self, log: CommitLog) -> None:
        self._log = log
        self.times = 0

    def tend(self) -> list[Any]:
        self.times += 1
        return list(self._log.tend())


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def replicas_in_sync(log: CommitLog) -> int:
    (partition,) = log.describe("mails")
    return len(partition.isr)


@pytest.fixture
def degraded(commit_log: CommitLog, settings: Settings) -> Path:
    """A replica that is out of sync, because somebody removed its folder."""
    commit_log.create_topic("mails", 1)
    commit_log.append("mails", [Record(b"k", b"first")])
    lost = settings.log.replicas[2]
    shutil.rmtree(lost)
    commit_log.append("mails", [Record(b"k", b"second")])
    assert replicas_in_sync(commit_log) == 2
    return lost


def test_a_replica_that_was_lost_is_brought_back(commit_log: CommitLog, degraded: Path) -> None:
    with tending(commit_log):
        until(lambda: replicas_in_sync(commit_log) == 3)
        commit_log.append("mails", [Record(b"k", b"third")])
    assert any(file.stat().st_size for file in degraded.rglob("*.log"))
    assert replicas_in_sync(commit_log) == 3


def test_what_fails_again_and_again_is_told_once(
    commit_log: CommitLog, degraded: Path, caplog: pytest.LogCaptureFixture
) -> None:
    degraded.write_bytes(b"in the way")
    watched = Watched(commit_log)
    with tending(cast("CommitLog", watched)):
        until(lambda: watched.times > 3)
    assert caplog.text.count("stays out of sync") == 1
    assert replicas_in_sync(commit_log) == 2
