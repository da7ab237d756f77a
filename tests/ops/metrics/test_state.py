"""ops.metrics.state"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pytest

import conf
from conf.heartbeat import FOLDER, Heartbeat
from log import Record, TopicPartition, open_log
from ops.metrics.state import GAUGES, look

Read = Callable[..., dict[tuple[str, ...], float]]


@pytest.fixture
def read(settings: conf.Settings) -> Read:
    """The samples of a gauge, by the values of its labels."""

    def read(name: str, used: conf.Settings = settings) -> dict[tuple[str, ...], float]:
        (family,) = [each for each in look(used, {}) if each.name == name]
        labels = GAUGES[name][1]
        return {tuple(sample.labels[each] for each in labels): sample.value for sample in family.samples}

    return read


def test_before_there_is_anything_every_gauge_has_its_name_and_no_check_failed(
    settings: conf.Settings, read: Read
) -> None:
    settings.ingest.sources[0].path.joinpath("new").mkdir(parents=True)
    assert [each.name for each in look(settings, {})] == list(GAUGES)
    assert set(read("otclog_look_failed").values()) == {0.0}
    assert read("otclog_topic_end_offset") == {}


def test_a_topic_says_where_it_ends_and_a_group_what_it_has_not_read(settings: conf.Settings, read: Read) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 2)
        log.append("mails", [Record(b"", b"one"), Record(b"", b"two")], 0)
        log.commit("audit", {TopicPartition("mails", 0): 1})
        first, second = log.describe("mails")
    assert read("otclog_topic_end_offset")["mails", "0"] == 2.0
    assert read("otclog_topic_end_offset")["mails", "1"] == 0.0
    assert read("otclog_topic_bytes")["mails", "0"] == first.bytes
    assert read("otclog_topic_in_sync_replicas")["mails", "1"] == len(second.isr) == 3
    assert read("otclog_group_lag_records")["audit", "mails", "0"] == 1.0
    assert read("otclog_group_committed_offset")["audit", "mails", "0"] == 1.0
    assert read("otclog_group_late")["audit", "mails", "0"] == 0.0
    late = replace(settings, status=replace(settings.status, oldest_unread_after_s=1e-6))
    assert read("otclog_group_late", late)["audit", "mails", "0"] == 1.0
    assert read("otclog_group_oldest_unread_seconds")["audit", "mails", "0"] > 0.0


def test_a_replica_that_is_away_is_told(settings: conf.Settings, read: Read) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 1)
    assert read("otclog_replica_reachable") == {("1",): 1.0, ("2",): 1.0, ("3",): 1.0}
    settings.log.replicas[1].rename(settings.log.replicas[1].with_name("away"))
    assert read("otclog_replica_reachable") == {("1",): 1.0, ("2",): 0.0, ("3",): 1.0}


def test_files_that_wait_and_those_put_aside_are_counted(settings: conf.Settings, read: Read) -> None:
    folder = settings.ingest.sources[0].path
    for name in ("new/one", "new/two", "failed/three"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"From: a@b.example\n\nrun\n")
    assert read("otclog_folder_waiting_files") == {(str(folder),): 2.0}
    assert read("otclog_folder_failed_files") == {(str(folder),): 1.0}


def test_a_process_that_goes_on_is_seen_by_its_signs_of_life(settings: conf.Settings, read: Read) -> None:
    with closing(open_log(settings.log)), Heartbeat(settings.log.root, "watch", "mail"):
        assert read("otclog_program_processes") == {("watch", "runs"): 1.0}
        assert 0.0 <= read("otclog_program_beat_age_seconds")[("watch",)] < 60.0
    assert read("otclog_program_processes") == {}


def test_how_long_ago_a_program_beat_is_asked_of_those_that_go_on(settings: conf.Settings, read: Read) -> None:
    with closing(open_log(settings.log)), Heartbeat(settings.log.root, "watch", "mail"):
        (own,) = (settings.log.root / FOLDER).glob("*.json")
        dead = json.loads(own.read_text()) | {"pid": 2**22 + 1, "beat_clock": 0.0}
        own.with_name(f"watch-{dead['pid']}-1-0.json").write_text(json.dumps(dead))
        assert read("otclog_program_processes") == {("watch", "runs"): 1.0, ("watch", "gone"): 1.0}
        assert read("otclog_program_beat_age_seconds")[("watch",)] < time.monotonic() / 2


def test_a_check_that_breaks_costs_its_own_gauges_alone_and_is_told_once(
    settings: conf.Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 1)
    told: dict[str, str] = {}
    for _ in range(2):
        found = {each.name: each.samples for each in look(settings, told)}
        assert found["otclog_folder_waiting_files"] == []
        assert found["otclog_topic_end_offset"] != []
        assert {each.labels["check"] for each in found["otclog_look_failed"] if each.value} == {"folders"}
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.startswith(f"folders: {settings.ingest.sources[0].path}: no such folder")
    (settings.ingest.sources[0].path / "new").mkdir(parents=True)
    assert {each.value for each in look(settings, told)[0].samples} == {0.0}
    assert told == {}
