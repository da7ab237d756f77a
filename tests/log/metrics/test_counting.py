"""log.metrics"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing

import pytest
from prometheus_client import REGISTRY

import conf
from log import CommitLog, NotEnoughReplicas, Record, open_log
from log.tending import tend
from tests.log.rot import flip


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.fixture
def log(settings: conf.Settings) -> Iterator[CommitLog]:
    with closing(open_log(settings.log)) as opened:
        opened.create_topic("counted", 1)
        yield opened


@pytest.fixture
def topic() -> str:
    return "counted"


def test_a_durable_append_is_counted_with_its_records_and_their_bytes_and_each_replica_is_flushed_once(
    log: CommitLog, topic: str
) -> None:
    names = ["otclog_log_append_seconds_count", "otclog_log_appended_records_total", "otclog_log_appended_bytes_total"]
    before = [value(name, topic=topic) for name in names]
    flushed = [value("otclog_log_fsync_seconds_count", replica=str(each)) for each in (1, 2, 3)]
    log.append(topic, [Record(b"key", b"value"), Record(None, b"another")])
    assert [value(name, topic=topic) - each for name, each in zip(names, before, strict=True)] == [1.0, 2.0, 15.0]
    now = [value("otclog_log_fsync_seconds_count", replica=str(each)) for each in (1, 2, 3)]
    assert [each - before for each, before in zip(now, flushed, strict=True)] == [1.0, 1.0, 1.0]


def test_an_append_that_fails_is_counted_by_its_error_alone(
    log: CommitLog, topic: str, settings: conf.Settings
) -> None:
    before = value("otclog_log_append_seconds_count", topic=topic)
    failed = value("otclog_log_append_failures_total", topic=topic, error="NotEnoughReplicas")
    for folder in settings.log.replicas[1:]:
        folder.rename(folder.with_name(f"{folder.name}-away"))
    with pytest.raises(NotEnoughReplicas):
        log.append(topic, [Record(b"", b"")])
    assert value("otclog_log_append_failures_total", topic=topic, error="NotEnoughReplicas") == failed + 1
    assert value("otclog_log_append_seconds_count", topic=topic) == before


def test_damage_that_tending_mended_is_counted_as_something_to_look_at(
    log: CommitLog, topic: str, settings: conf.Settings
) -> None:
    log.append(topic, [Record(b"key", b"value" * 100)])
    before = value("otclog_log_tended_total", action="mend", outcome="look")
    (segment,) = (settings.log.replicas[1] / f"{topic}-0").glob("*.log")
    flip(segment, segment.stat().st_size - 9)
    tend(log, settings.log)
    assert value("otclog_log_tended_total", action="mend", outcome="look") == before + 1


def test_a_forked_child_appends_and_counts_for_nobody(settings: conf.Settings) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic("forked", 1)
    before = value("otclog_log_appended_records_total", topic="forked")
    if (child := os.fork()) == 0:
        code = 2
        try:
            with closing(open_log(settings.log)) as log:
                log.append("forked", [Record(b"", b"")])
            code = int(value("otclog_log_appended_records_total", topic="forked") != before)
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
