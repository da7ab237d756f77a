from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest
from confluent_kafka import Consumer, KafkaError
from confluent_kafka import TopicPartition as Place

from conf.settings import KafkaSettings, LogSettings
from log import LogUnreachable, Record, TopicConfig, TopicPartition
from log.errors import NoRecord
from log.kafka import KafkaLog, reading
from log.kafka.reading import Reader
from log.reading import record_at, records_of
from log.topics.copying import copy_topic
from tests.log.kafka import bare
from tests.log.kafka.conftest import Questions

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


def test_what_was_fetched_of_partitions_that_are_read_in_turns_is_not_fetched_again(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed: list[Place] = []

    class Watched(Consumer):
        """Tells where it was told to read."""

        def assign(self, places: list[Place]) -> None:
            placed.extend(places)
            super().assign(places)

        def incremental_assign(self, places: list[Place]) -> None:
            placed.extend(places)
            super().incremental_assign(places)

    monkeypatch.setattr(reading, "Consumer", Watched)
    kafka.alter_topic(topic, 3)
    for number in range(3):
        kafka.append(topic, [Record(b"key", b"." * 1000) for _ in range(300)], number)
    next_of = dict.fromkeys((TopicPartition(topic, number) for number in range(3)), 0)
    while any(offset < 300 for offset in next_of.values()):
        for source, offset in next_of.items():
            next_of[source] = kafka.read(source, offset, 10_000).next_offset
    assert sorted((place.partition, place.offset) for place in placed) == [(0, 0), (1, 0), (2, 0)]


def test_of_a_partition_that_is_read_to_its_end_nothing_but_the_end_is_asked(
    kafka: KafkaLog, topic: str, questions: Questions
) -> None:
    kafka.append(topic, [Record(b"key", b"value") for _ in range(10)])
    assert len(kafka.read(TopicPartition(topic, 0), 0, 2**20)) == 10
    asked = questions("list_offsets")
    for _ in range(10):
        assert kafka.read(TopicPartition(topic, 0), 10, 2**20) == []
    assert len(asked) == 10


def test_what_is_appended_meanwhile_is_read(kafka: KafkaLog, topic: str) -> None:
    source = TopicPartition(topic, 0)
    for number in range(5):
        assert kafka.read(source, number, 100) == []
        kafka.append(topic, [Record(b"key", b"%d" % number)])
        assert [each.value for each in kafka.read(source, number, 100)] == [b"%d" % number]


class Scripted:
    """A client that had fetched, and found the end, before somebody appended."""

    def __init__(self) -> None:
        where = {"topic": lambda: "mails", "partition": lambda: 0}
        end = SimpleNamespace(error=lambda: KafkaError(KafkaError._PARTITION_EOF), offset=lambda: 0, **where)
        record = {
            "topic": "mails",
            "partition": 0,
            "error": None,
            "offset": 0,
            "timestamp": (1, 7),
            "key": b"k",
            "value": b"late",
            "headers": None,
        }
        came = SimpleNamespace(**{name: partial(lambda value: value, value) for name, value in record.items()})
        self.queue = [end, came]

    def poll(self, _: float) -> object:
        return self.queue.pop(0) if self.queue else None

    def consume(self, *_: object) -> list[object]:
        return []

    def incremental_assign(self, *_: object) -> None: ...

    incremental_unassign = close = incremental_assign


def test_an_end_that_the_client_saw_before_an_append_is_not_taken_for_the_one_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "opened", lambda *_, **__: Scripted())
    reader = Reader(KafkaSettings(bootstrap="a:1"), lambda _: range(1), lambda _: 1, lambda _: False)
    assert [each.value for each in reader.read(TopicPartition("mails", 0), 0, 100)] == [b"late"]


def test_many_records_come_in_order_and_once(kafka: KafkaLog, topic: str) -> None:
    values = [b"%d" % number + b"." * (number % 997) for number in range(5000)]
    kafka.append(topic, [Record(b"key", value) for value in values])
    assert [each.value for each in records_of(kafka, TopicPartition(topic, 0), max_bytes=100_000)] == values


def test_brokers_that_are_gone_are_told(dead: KafkaLog) -> None:
    with pytest.raises(LogUnreachable):
        dead.read(TopicPartition("mails", 0), 0, 1)


def test_a_record_whose_header_has_no_name_in_utf_8_is_read_without_headers(
    kafka: KafkaLog, topic: str, on_brokers: LogSettings
) -> None:
    for number in range(20):  # enough for Python to call the client in its quick way
        kafka.append(topic, [Record(b"key", b"%d" % number, (("sha256", b"0" * 64),))])
        bare.produce(on_brokers.kafka.bootstrap, topic, b"another's", b"\xff\xfe")
    found = list(records_of(kafka, TopicPartition(topic, 0)))
    assert [(each.value, len(each.headers)) for each in found[-2:]] == [(b"19", 1), (b"another's", 0)]
    assert len(found) == 40


def test_offsets_that_a_transaction_takes_are_a_gap_that_is_told_and_passed_but_in_a_compacted_topic(
    kafka: KafkaLog, topic: str, on_brokers: LogSettings
) -> None:
    source = TopicPartition(topic, 0)
    kafka.append(topic, [Record(b"key", b"0")])
    bare.in_transaction(on_brokers.kafka.bootstrap, topic, b"aborted", is_kept=False)  # offsets 1 and 2
    bare.await_end(kafka, source, 3)
    with pytest.raises(NoRecord, match="offsets 1 to 2 hold no record: another program writes"):
        kafka.read(source, 1, 100)
    bare.in_transaction(on_brokers.kafka.bootstrap, topic, b"kept", is_kept=True)  # 3, and 4 for its end
    bare.await_end(kafka, source, 5)
    kafka.append(topic, [Record(b"key", b"5")])
    assert [each.value for each in kafka.read(source, 0, 100)] == [b"0"]
    with pytest.raises(NoRecord) as told:
        kafka.read(source, 1, 100)
    assert told.value.stop == 3
    assert [each.value for each in kafka.read(source, 3, 100)] == [b"kept"]
    assert [each.value for each in kafka.read(source, 5, 100)] == [b"5"]
    assert [each.value for each in records_of(kafka, source)] == [b"0", b"kept", b"5"]
    assert record_at(kafka, source, 1) is None
    kafka.create_topic(f"{topic}-copy", 1, TopicConfig(mail=True))
    assert sum(copy_topic(kafka, topic, f"{topic}-copy")) == 3
    kafka.alter_topic(topic, config=TopicConfig(cleanup="compact"))
    assert [each.value for each in kafka.read(source, 0, 100)] == [b"0", b"kept", b"5"]
