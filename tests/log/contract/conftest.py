"""The promise of `log.interface.CommitLog`, as tests. A backend joins by an entry in BACKENDS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import CommitLog, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.kafka import KafkaLog
from tests.brokers import emptied, on_kafka

BACKENDS: dict[str, Callable[[LogSettings], CommitLog]] = {"embedded": EmbeddedLog, "kafka": KafkaLog}


@pytest.fixture(params=["embedded", pytest.param("kafka", marks=pytest.mark.slow)])
def log_options(request: pytest.FixtureRequest, options: LogSettings) -> LogSettings:
    """The settings of the test's log."""
    if request.param == "embedded":
        return options
    home: Path = request.getfixturevalue("brokers")
    emptied(home)
    return on_kafka(options, home)


@pytest.fixture
def open_log(log_options: LogSettings) -> Iterator[Callable[[], CommitLog]]:
    """Open the test's log once more: as another process would, or after a restart."""
    opened: list[CommitLog] = []

    def open_() -> CommitLog:
        opened.append(BACKENDS[log_options.backend](log_options))
        return opened[-1]

    yield open_
    for log in opened:
        log.close()


@pytest.fixture
def patience_s(request: pytest.FixtureRequest) -> float:
    """How long a member may wait for what is its to read: none where members meet by locks, brokers take a moment."""
    return 15.0 if "kafka" in request.node.name else 0.0


@pytest.fixture
def commit_log(open_log: Callable[[], CommitLog]) -> CommitLog:
    """An open log with the topic `mails` of four partitions and `single` of one."""
    log = open_log()
    log.create_topic("mails", 4)
    log.create_topic("single", 1)
    return log


@pytest.fixture
def single() -> TopicPartition:
    """The one partition of the topic `single`."""
    return TopicPartition("single", 0)


@pytest.fixture
def mails() -> list[Record]:
    """Twenty mails of seven senders."""
    return [
        Record(f"sender{number % 7}@bank.example".encode(), f"mail {number}".encode() * 50, (("source", b"inbox"),))
        for number in range(20)
    ]
