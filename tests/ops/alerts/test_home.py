"""ops.alerts.home: what status finds wrong, or calls a warning, as alarms, and of what nothing could be found out."""

from __future__ import annotations

import errno
import os
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import conf
from log import Record, TopicPartition, open_log
from ops import status
from ops.alerts.alarm import Thing
from ops.alerts.home import standing
from ops.findings import room


def told(settings: conf.Settings) -> list[tuple[str, str]]:
    return [(alarm.kind, alarm.subject) for alarm in standing(settings).found.alarms]


def test_a_partition_that_gets_most_of_a_topics_records_is_an_alarm_beyond_a_thousand(settings: conf.Settings) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("axes", 4)
        log.append("axes", [Record(b"same", b"x")] * 999)
        assert ("skew", "axes") not in told(settings)
        log.append("axes", [Record(b"same", b"x")])
        assert ("skew", "axes") in told(settings)
        log.append("axes", [Record(b"%d" % number, b"x") for number in range(6_000)])
        assert ("skew", "axes") not in told(settings)


def test_where_nothing_runs_and_nothing_waits_nothing_is_wrong(settings: conf.Settings) -> None:
    for name in ("new", "cur", "tmp"):
        (settings.ingest.sources[0].path / name).mkdir(parents=True)
    assert told(settings) == []


def unseen(settings: conf.Settings) -> frozenset[Thing]:
    return standing(settings).found.unseen


def test_of_a_disk_that_does_not_answer_and_of_one_that_is_away_nothing_is_known_and_of_the_others_is(
    settings: conf.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("axes", 1)
    first, second = settings.log.replicas[:2]
    second.rename(second.with_name("away"))
    assert Thing("disk", str(second)) in unseen(settings)
    assert Thing("disk", str(settings.log.root)) not in unseen(settings)

    def broken(folder: Path, settings: conf.Settings) -> object:
        if folder == settings.log.root:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(folder))
        return room(folder, settings)

    monkeypatch.setattr(status, "room", broken)
    found = standing(settings).found
    (alarm,) = (each for each in found.alarms if each.kind == "disk")
    assert (alarm.subject, alarm.level) == (str(settings.log.root), "critical")
    assert "Input/output error" in alarm.text
    assert not found.is_unseen("disk", str(first))


def test_of_what_was_in_a_log_that_is_gone_nothing_is_known_nor_of_processes_that_beat_there(
    settings: conf.Settings,
) -> None:
    kinds = {"topic", "skew", "lag", "records", "replica", "process"}
    with closing(open_log(settings.log)) as log:
        log.create_topic("axes", 1)
    (settings.log.root / "heartbeats").mkdir(0o700)
    assert not {each.kind for each in unseen(settings)} & kinds
    settings.log.root.rename(settings.log.root.with_name("away"))
    assert {each.kind for each in unseen(settings)} >= kinds


def test_what_a_check_of_the_log_that_breaks_would_have_said_is_not_known_and_the_rest_is(
    settings: conf.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("axes", 1)
    (settings.log.root / "heartbeats").mkdir(0o700)

    def broken(*_: object) -> object:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("ops.logs.lag_monitor_of", broken)
    found = standing(settings).found
    assert found.unseen == {Thing("lag")} | {each for each in found.unseen if each.kind == "disk"}
    assert "Input/output error" in next(each.text for each in found.alarms if each.kind == "log")


def test_a_group_that_cannot_be_read_leaves_what_it_lags_behind_with_as_it_is(
    settings: conf.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = SimpleNamespace(unreadable={"audit": "written by a later otclog"}, judged=[])
    with closing(open_log(settings.log)) as log:
        log.create_topic("axes", 1)
    monkeypatch.setattr("ops.logs.lag_monitor_of", lambda *_: SimpleNamespace(look=lambda: seen))
    found = standing(settings).found
    assert found.is_unseen("lag", "audit/axes")
    assert not found.is_unseen("lag", "extract/axes")


def test_a_late_group_is_an_alarm_whosever_it_is(settings: conf.Settings) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"key", b"mail")])
        log.commit("audit", {TopicPartition("mails", 0): 0})
    time.sleep(0.002)
    late = replace(settings, status=replace(settings.status, oldest_unread_after_s=1e-6))
    found = [(each.subject, each.level) for each in standing(late).found.alarms if each.kind == "lag"]
    assert found == [("audit/mails", "warning")]


def test_groups_and_topics_are_unseen_while_the_log_is_away_and_not_where_there_are_none(
    settings: conf.Settings,
) -> None:
    of_a_log = {"topic", "skew", "lag", "replica", "records"}
    with closing(open_log(settings.log)):
        assert of_a_log.isdisjoint(thing.kind for thing in standing(settings).found.unseen)
    settings.ingest.ledger.touch()
    settings.log.root.rename(settings.log.root.with_name("away"))
    assert of_a_log <= {thing.kind for thing in standing(settings).found.unseen}
