from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka import TopicPartition as Place

from log import LogUnreachable, LogUnusable, OffsetOutOfRange, Record, TopicConfig, TopicPartition
from log.kafka import KafkaLog
from log.kafka.admin import KAFKAS_OWN
from tests.brokers import addresses

pytestmark = pytest.mark.slow


def test_a_topic_can_be_appended_to_as_soon_as_it_is_made(kafka: KafkaLog, topic: str) -> None:
    for number in range(5):
        kafka.create_topic(f"{topic}-{number}", 3)
        assert kafka.append(f"{topic}-{number}", [Record(b"key", b"value")], 2)[0].offset == 0


def test_settings_are_kept_and_changed(kafka: KafkaLog, topic: str) -> None:
    assert kafka.topic_config(topic) == TopicConfig(mail=True)
    kafka.alter_topic(topic, 3, TopicConfig(retention_s=86400, compression="zstd"))
    assert kafka.topic_config(topic) == TopicConfig(mail=True, retention_s=86400, compression="zstd")
    assert kafka.partition_count(topic) == 3
    with pytest.raises(LogUnusable, match="never 2 again"):
        kafka.alter_topic(topic, 2)


def test_a_topic_of_mails_is_not_compacted(kafka: KafkaLog, topic: str) -> None:
    kafka.append(topic, [Record(b"desk@bank.example", b"mail", (("sha256", b"00"),))])
    with pytest.raises(LogUnusable, match="holds mails"):
        kafka.alter_topic(topic, config=TopicConfig(cleanup="compact"))


def test_the_oldest_records_are_deleted_and_nothing_else(kafka: KafkaLog, topic: str) -> None:
    source = TopicPartition(topic, 0)
    kafka.append(topic, [Record(None, b"%d" % number) for number in range(10)])
    assert kafka.delete_records(source, 4) == 4
    assert kafka.span(source) == range(4, 10)
    assert [each.value for each in kafka.read(source, 4, 2**20)] == [b"%d" % number for number in range(4, 10)]
    for offset in (0, 3):
        with pytest.raises(OffsetOutOfRange, match=rf"offset {offset} is not in \[4, 10\]"):
            kafka.read(source, offset, 1)
    with pytest.raises(OffsetOutOfRange):
        kafka.delete_records(source, 11)


def test_brokers_are_the_replicas_and_what_kafka_keeps_for_itself_is_no_topic_of_ours(
    kafka: KafkaLog, brokers: Path, topic: str
) -> None:
    (broker,) = kafka.replicas()
    assert (broker.replica, broker.folder, broker.reachable) == (1, addresses(brokers), True)
    assert broker.in_sync == broker.partitions == broker.leads > 0
    kafka.commit("extract", {TopicPartition(topic, 0): 0})
    assert not KAFKAS_OWN & set(kafka.topics())
    assert kafka.log_id == (brokers / "cluster").read_text().strip()


def test_where_a_partition_ends_is_asked_again_while_another_broker_comes_to_lead_it(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, moving = kafka._admin.client, [KafkaError.FENCED_LEADER_EPOCH, KafkaError.NOT_LEADER_FOR_PARTITION]
    asked = client.list_offsets

    def list_offsets(places: dict[Place, Any], **options: Any) -> dict[Place, Future[Any]]:
        if not moving:
            return asked(places, **options)
        told: Future[Any] = Future()
        told.set_exception(KafkaException(KafkaError(moving.pop())))
        return dict.fromkeys(places, told)

    monkeypatch.setattr(client, "list_offsets", list_offsets)
    kafka.append(topic, [Record(None, b"value")])
    assert kafka.span(TopicPartition(topic, 0)) == range(1)
    assert moving == []


def test_who_had_no_answer_asks_by_another_client_which_looks_for_the_brokers_anew(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = kafka._admin.client

    def describe_topics(*_: object, **_options: object) -> dict[str, Future[Any]]:
        told: Future[Any] = Future()
        told.set_exception(KafkaException(KafkaError(KafkaError._TIMED_OUT, "Timed out waiting for controller")))
        return {topic: told}

    monkeypatch.setattr(client, "describe_topics", describe_topics)
    with pytest.raises(LogUnreachable, match="waiting for controller"):
        kafka.partition_count(topic)
    assert kafka.partition_count(topic) == 1
