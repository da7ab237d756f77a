from __future__ import annotations

import pytest

from log import LogUnreachable, Record, TopicPartition
from log.kafka import KafkaLog
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


def test_many_records_come_in_order_and_once(kafka: KafkaLog, topic: str) -> None:
    values = [b"%d" % number + b"." * (number % 997) for number in range(5000)]
    kafka.append(topic, [Record(b"key", value) for value in values])
    assert [each.value for each in records_of(kafka, TopicPartition(topic, 0), max_bytes=100_000)] == values


def test_brokers_that_are_gone_are_told(dead: KafkaLog) -> None:
    with pytest.raises(LogUnreachable):
        dead.read(TopicPartition("mails", 0), 0, 1)
