from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest
from confluent_kafka import KafkaError

from conf.settings import KafkaSettings
from log import LogUnreachable, Record, TopicPartition
from log.kafka import KafkaLog, reading
from log.kafka.reading import Reader
from log.reading import records_of

pytestmark = pytest.mark.slow


def test_two_partitions_are_read_in_turns_each_from_where_it_was_left(kafka: KafkaLog, topic: str) -> None:
    kafka.alter_topic(topic, 2)
    for number in range(2):
        kafka.append(topic, [Record(b"key", b"%d %d" % (number, each)) for each in range(30)], number)
    found: dict[int, list[bytes | None]] = {0: [], 1: []}
    for turn in range(20):
        number = turn % 2
        records = kafka.read(TopicPartition(topic, number), len(found[number]), 60)
        found[number] += [each.value for each in records]
    assert all(values == [b"%d %d" % (number, each) for each in range(len(values))] for number, values in found.items())
    assert all(len(values) >= 20 for values in found.values())


def test_what_is_appended_meanwhile_is_read(kafka: KafkaLog, topic: str) -> None:
    source = TopicPartition(topic, 0)
    for number in range(5):
        assert kafka.read(source, number, 100) == []
        kafka.append(topic, [Record(b"key", b"%d" % number)])
        assert [each.value for each in kafka.read(source, number, 100)] == [b"%d" % number]


class Scripted:
    """A client that had fetched, and found the end, before somebody appended."""

    def __init__(self) -> None:
        end = SimpleNamespace(error=lambda: KafkaError(KafkaError._PARTITION_EOF), offset=lambda: 0)
        record = {"error": None, "offset": 0, "timestamp": (1, 7), "key": b"k", "value": b"late", "headers": None}
        came = SimpleNamespace(**{name: partial(lambda value: value, value) for name, value in record.items()})
        self.queue = [end, came]

    def poll(self, _: float) -> object:
        return self.queue.pop(0) if self.queue else None

    def consume(self, *_: object) -> list[object]:
        return []

    def assign(self, *_: object) -> None: ...

    unassign = close = assign


def test_an_end_that_the_client_saw_before_an_append_is_not_taken_for_the_one_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "opened", lambda *_, **__: Scripted())
    reader = Reader(KafkaSettings(bootstrap="a:1"), lambda _: range(1))
    assert [each.value for each in reader.read(TopicPartition("mails", 0), 0, 100)] == [b"late"]


def test_many_records_come_in_order_and_once(kafka: KafkaLog, topic: str) -> None:
    values = [b"%d" % number + b"." * (number % 997) for number in range(5000)]
    kafka.append(topic, [Record(b"key", value) for value in values])
    assert [each.value for each in records_of(kafka, TopicPartition(topic, 0), max_bytes=100_000)] == values


def test_brokers_that_are_gone_are_told(dead: KafkaLog) -> None:
    with pytest.raises(LogUnreachable):
        dead.read(TopicPartition("mails", 0), 0, 1)
