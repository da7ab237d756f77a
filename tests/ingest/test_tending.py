from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from conf import Settings
from ingest.tending import tending
from log import CommitLog, Record


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def lose_a_replica(log: CommitLog, settings: Settings) -> None:
    """Its disk is exchanged for an empty one; a record is appended without it."""
    replica = settings.log.replicas[2]
    replica.rename(replica.with_name(f"away-{time.monotonic_ns()}"))
    log.append("mails", [Record(b"k", b"a")])


def in_sync(log: CommitLog) -> int:
    return len(log.describe("mails")[0].isr)


def test_a_replica_comes_back_while_mails_are_taken(
    commit_log: CommitLog, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.tending.EVERY_S", 0.05)
    commit_log.create_topic("mails", 1)
    with tending(settings.log):
        for _ in range(2):
            lose_a_replica(commit_log, settings)
            until(lambda: in_sync(commit_log) == 3)
    lose_a_replica(commit_log, settings)
    assert in_sync(commit_log) == 2, "nobody tends it any more"


def test_what_cannot_be_done_is_logged_once_as_long_as_it_lasts(
    commit_log: CommitLog, settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ingest.tending.EVERY_S", 0.05)
    commit_log.create_topic("mails", 1)
    settings.log.replicas[2].rename(settings.log.replicas[2].with_name("away"))
    settings.log.replicas[2].mkdir()
    (settings.log.replicas[2] / "another's").touch()
    commit_log.append("mails", [Record(b"k", b"a")])
    clock = settings.log.root / "clock.json"
    with tending(settings.log):
        for _ in range(3):  # rounds
            clock.unlink(missing_ok=True)
            until(clock.exists)
    told = [record.message for record in caplog.records if record.name == "ingest.tending"]
    assert len(told) == 1
    assert told[0].startswith("mails-0: rejoin: ")


def test_a_log_that_cannot_be_tended_is_told_and_tried_again(
    commit_log: CommitLog, settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ingest.tending.EVERY_S", 0.05)
    commit_log.create_topic("mails", 1)
    lose_a_replica(commit_log, settings)
    in_the_way = settings.log.root / "tended"
    in_the_way.mkdir()
    with tending(settings.log):
        until(lambda: "the log cannot be tended" in caplog.text)
        in_the_way.rmdir()
        until(lambda: in_sync(commit_log) == 3)
