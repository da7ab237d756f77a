"""log.sender: what a process says comes into the topic `ops`, on either backend."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from conf.settings import LogSettings
from log import CommitLog, TopicPartition
from log.opslog import MAX_VALUE_BYTES, TOPIC
from log.reading import has_topic, records_of
from log.sender import Sender


def line(event: str) -> str:
    return json.dumps({"timestamp": "2026-11-29T08:00:00.000001Z", "level": "info", "event": event, "process": 17})


def said_in(log: CommitLog) -> list[dict[str, Any]]:
    return [json.loads(each.value or b"") for each in records_of(log, TopicPartition(TOPIC, 0))]


@pytest.fixture
def sender(log_options: LogSettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sender]:
    """Of the unit `otclog watch` on the host `desk-1`; what failed is tried again soon, and a busy machine is no matter."""
    monkeypatch.setattr("log.sender.LINGER_S", 0.02)
    monkeypatch.setattr("log.sender.FLUSH_S", 60)
    sender = Sender(log_options, "desk-1", "otclog watch")
    yield sender
    sender.close()


def test_what_is_said_is_in_the_topic_as_it_was_said_keyed_by_who_says_it(
    commit_log: CommitLog, sender: Sender
) -> None:
    lines = [line(str(number)) for number in range(1_200)]  # more than go at once
    for each in lines:
        sender.send(each)
    sender.flush()
    found = list(records_of(commit_log, TopicPartition(TOPIC, 0)))
    assert [each.value for each in found] == [each.encode() for each in lines]
    assert {each.key for each in found} == {b"desk-1|otclog watch"}


def test_a_line_that_is_too_long_is_cut(commit_log: CommitLog, sender: Sender) -> None:
    sender.send(line("x" * 20_000_000))
    sender.flush()
    (record,) = records_of(commit_log, TopicPartition(TOPIC, 0))
    assert len(record.value or b"") <= MAX_VALUE_BYTES
    said = json.loads(record.value or b"")
    assert (said["cut"], said["host"], said["unit"], said["process"]) == (True, "desk-1", "otclog watch", 17)


def test_for_who_says_nothing_no_topic_is_made(commit_log: CommitLog, sender: Sender) -> None:
    sender.flush()
    assert not has_topic(commit_log, TOPIC)


def test_a_topic_that_is_deleted_meanwhile_is_made_anew(commit_log: CommitLog, sender: Sender) -> None:
    sender.send(line("one"))
    sender.flush()
    commit_log.delete_topic(TOPIC)
    sender.send(line("two"))
    wait_until(lambda: has_topic(commit_log, TOPIC) and said_in(commit_log) != [])
    assert [each["event"] for each in said_in(commit_log)] == ["two"]


def wait_until(is_so: Callable[[], bool]) -> None:
    """Fails by the test's timeout."""
    while not is_so():
        time.sleep(0.01)
