from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from confluent_kafka import Producer

from log import LogUnreachable, LogUnusable, Position, Record, RecordTooLarge, TopicPartition
from log.kafka import KafkaLog
from log.kafka.client import client_settings
from log.kafka.producing import value_limit
from tests.log.kafka.conftest import OpenKafka


@pytest.mark.slow
def test_a_record_that_the_broker_does_not_take_is_told_and_the_next_append_works(kafka: KafkaLog, topic: str) -> None:
    with pytest.raises(RecordTooLarge, match=f"{topic}-0"):
        kafka.append(topic, [Record(b"key", os.urandom(2 * 2**20))])
    assert kafka.append(topic, [Record(b"key", os.urandom(2**19))])[0].offset == 0


@pytest.mark.slow
def test_an_append_that_the_broker_refuses_costs_those_of_other_threads_nothing(kafka: KafkaLog, topic: str) -> None:
    refused = 0

    def append_too_much() -> None:
        nonlocal refused
        for _ in range(5):
            with pytest.raises(RecordTooLarge):
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
            kafka.appender.append(topic, [Record(b"key", b"child")], 0, 1)
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
