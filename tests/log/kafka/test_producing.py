from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException, Producer
from prometheus_client import REGISTRY

from log import LogUnreachable, LogUnusable, Position, Record, RecordTooLarge, TopicPartition, UnknownTopic
from log.kafka import KafkaLog, producing
from log.kafka.client import client_settings
from log.kafka.producing import value_limit
from log.metrics import clients
from tests.log.kafka.conftest import OpenKafka, Questions


@pytest.mark.slow
def test_a_record_that_the_broker_does_not_take_is_told_and_the_next_append_works(kafka: KafkaLog, topic: str) -> None:
    small = Record(b"key", b"small")
    with pytest.raises(RecordTooLarge, match=rf"topic {topic}: .* is more than 1048588 \(max.message.bytes\)"):
        kafka.append(topic, [small, Record(b"key", os.urandom(2 * 2**20)), small])
    assert kafka.append(topic, [Record(b"key", os.urandom(2**19))])[0].offset == 0


@pytest.mark.slow
def test_an_append_that_the_broker_refuses_costs_those_of_other_threads_nothing(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 0
    monkeypatch.setattr(kafka._appender, "_max_message_bytes", lambda _: 2**26)  # as before it was lowered

    def append_too_much() -> None:
        nonlocal refused
        for _ in range(5):
            with pytest.raises(LogUnusable, match=rf"{topic}-0: .*\(MSG_SIZE_TOO_LARGE\)"):
                kafka.append(topic, [Record(b"large", os.urandom(2 * 2**20))])
            refused += 1

    with ThreadPoolExecutor(1) as thread:
        other = thread.submit(append_too_much)
        found: list[Position] = []
        while not other.done():
            found += kafka.append(topic, [Record(b"small", b"value") for _ in range(50)])
        other.result()
    assert refused == 5
    assert [at.offset for at in found] == list(range(len(found)))


@pytest.mark.slow
def test_a_key_goes_where_kafkas_own_clients_send_it(kafka: KafkaLog, topic: str) -> None:
    kafka.alter_topic(topic, 7)
    keys = [b"desk%d@bank.example" % number for number in range(50)]
    ours = [at.partition for at in kafka.append(topic, [Record(key, b"value") for key in keys])]
    found: dict[bytes, int] = {}
    producer = Producer(client_settings(kafka.options.kafka, partitioner="murmur2_random"))
    for key in keys:
        producer.produce(topic, b"value", key, on_delivery=lambda _, told: found.update({told.key(): told.partition()}))  # type: ignore[dict-item]
    producer.flush(30)
    assert [found[key] for key in keys] == ours


@pytest.mark.slow
def test_who_appends_while_a_topic_grows_goes_on_and_follows(
    kafka: KafkaLog, topic: str, open_kafka: OpenKafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    kafka.append(topic, [Record(b"key", b"before")])
    open_kafka().alter_topic(topic, 4)
    kafka.append(topic, [Record(b"key", b"value")])
    assert kafka.append(topic, [Record(b"key", b"value")], 2) == [Position(topic, 2, 0)]
    open_kafka().alter_topic(topic, 8)
    monkeypatch.setattr(producing, "COUNT_S", 0)
    records = [Record(b"desk%d@bank.example" % number, b"value") for number in range(50)]
    assert {at.partition for at in kafka.append(topic, records)} == set(range(8))
    with pytest.raises(UnknownTopic, match=f"{topic}-8"):
        kafka.append(topic, records, 8)


@pytest.mark.slow
def test_how_many_partitions_there_are_is_not_asked_with_each_append(
    kafka: KafkaLog, topic: str, questions: Questions, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = questions("describe_topics")
    monkeypatch.setattr(producing, "COUNT_S", 600)
    for _ in range(20):
        kafka.append(topic, [Record(b"key", b"value")])
    assert len(asked) == 1


@pytest.mark.slow
def test_an_append_that_breaks_off_returns_when_it_is_known_what_became_of_the_records_before(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refusing(Producer):
        """Takes no value but small ones."""

        def produce(self, topic: str, value: Any = None, *given: Any, **more: Any) -> None:
            if len(value) > 10:
                raise KafkaException(KafkaError(KafkaError._INVALID_ARG))
            super().produce(topic, value, *given, **more)

    monkeypatch.setattr(producing, "Producer", Refusing)
    with pytest.raises(LogUnusable):
        kafka.append(topic, [*[Record(b"key", b"small")] * 5000, Record(b"key", b"a large value")])
    assert kafka.span(TopicPartition(topic, 0)) == range(5000)


@pytest.mark.slow
def test_a_closed_log_appends_nothing(kafka: KafkaLog, topic: str) -> None:
    kafka.close()
    with pytest.raises(LogUnusable, match="closed"):
        kafka.append(topic, [Record(b"key", b"value")])


@pytest.mark.slow
def test_a_child_of_a_fork_is_told_to_open_its_own(kafka: KafkaLog, topic: str, open_kafka: OpenKafka) -> None:
    kafka.append(topic, [Record(b"key", b"parent")])
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        try:
            kafka.append(topic, [Record(b"key", b"child")])
        except LogUnusable as error:
            os.write(write, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert b"after a fork" in os.read(read, 1000)
    assert open_kafka().span(TopicPartition(topic, 0)) == range(1)
    os.close(read)
    os.close(write)


@pytest.mark.slow
def test_a_dead_cluster_is_told_within_fifteen_seconds(dead: KafkaLog) -> None:
    began = time.monotonic()
    with pytest.raises(LogUnreachable):
        dead.append("mails", [Record(b"key", b"value")])
    assert time.monotonic() - began < 15


def test_a_mails_headers_have_room_beside_it() -> None:
    assert value_limit(1_048_588) == 983_052, "more than the 786,432 that are the default"
    assert value_limit(300_000) == 0, "a batch of small mails may have 262,144 bytes"


@pytest.mark.slow
def test_while_somebody_reads_what_is_counted_the_client_tells_what_it_sent_though_no_append_polls_it(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sent() -> float:
        samples = (each for family in list(REGISTRY.collect()) for each in family.samples)
        return next(each.value for each in samples if each.name == "otclog_kafka_sent_messages_total")

    monkeypatch.setattr(clients, "EVERY_MS", 100)
    before = sent()
    kafka.append(topic, [Record(b"key", b"value") for _ in range(20)])
    end = time.monotonic() + 60
    while sent() != before + 20:
        assert time.monotonic() < end
        time.sleep(0.05)
