"""A log on the test process's broker, and one that no broker answers."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from conf.settings import KafkaSettings, LogSettings
from log import TopicConfig
from log.kafka import KafkaLog
from tests.brokers import on_kafka

OpenKafka = Callable[..., KafkaLog]
Questions = Callable[[str], list[object]]


@pytest.fixture
def on_brokers(options: LogSettings, brokers: Path) -> LogSettings:
    """Settings for a log of the broker."""
    return on_kafka(options, brokers)


@pytest.fixture
def open_kafka(on_brokers: LogSettings) -> Iterator[OpenKafka]:
    """Open it once more, as another process would."""
    opened: list[KafkaLog] = []

    def open_() -> KafkaLog:
        opened.append(KafkaLog(on_brokers))
        return opened[-1]

    yield open_
    for log in opened:
        log.close()


@pytest.fixture
def kafka(open_kafka: OpenKafka) -> KafkaLog:
    """The log, open."""
    return open_kafka()


@pytest.fixture
def topic(kafka: KafkaLog) -> str:
    """A topic of one partition that no other test has."""
    name = f"mails-{uuid.uuid4().hex[:8]}"
    kafka.create_topic(name, 1, TopicConfig(mail=True))
    return name


@pytest.fixture
def questions(kafka: KafkaLog, monkeypatch: pytest.MonkeyPatch) -> Questions:
    """The calls of a method of its administration client from now on, a row each, which grows as they are made."""

    def counted(name: str) -> list[object]:
        asked: list[object] = []
        ask = getattr(kafka._admin.client, name)

        def noted(*given: object, **more: object) -> object:
            asked.append(given)
            return ask(*given, **more)

        monkeypatch.setattr(kafka._admin.client, name, noted)
        return asked

    return counted


@pytest.fixture
def dead(options: LogSettings) -> Iterator[KafkaLog]:
    """A log whose brokers are gone."""
    gone = KafkaSettings(bootstrap="127.0.0.1:1")
    log = KafkaLog(replace(options, backend="kafka", claims=(options.root / "claims",), kafka=gone))
    yield log
    log.close()
