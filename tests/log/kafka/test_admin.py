from __future__ import annotations

import uuid
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import OFFSET_INVALID, KafkaError, KafkaException, Producer
from confluent_kafka import TopicPartition as Place
from confluent_kafka.admin._config import AlterConfigOpType, ConfigEntry, ConfigResource
from confluent_kafka.admin._resource import ResourceType
from confluent_kafka.cimpl import NewTopic

from ingest.publish import make_mail_topic
from log import LogUnreachable, LogUnusable, OffsetOutOfRange, Record, TopicConfig, TopicPartition
from log.claims import ClaimStore, clean_claims, own_places
from log.claims.index import CLAIMS_TOPIC
from log.claims.places import FolderPlace
from log.kafka import KafkaLog
from log.opslog import TOPIC, ensure_topic
from log.reading import has_topic
from log.records import Records
from tests.brokers import KAFKAS_OWN, addresses, emptied
from tests.log.kafka.faults.misfortunes import until

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


@pytest.fixture
def foreign(kafka: KafkaLog) -> str:
    """Another program's topic, which no mail would fit into, with a record of its own."""
    name = f"orders-{uuid.uuid4().hex[:8]}"
    new = NewTopic(name, 3, 1, config={"max.message.bytes": "1000", "unclean.leader.election.enable": "true"})
    make_for_another_program(kafka, new)
    producer = Producer({"bootstrap.servers": kafka.options.kafka.bootstrap})
    producer.produce(name, b"order", headers=[("claim", b"1"), ("sha256", b"00")])
    assert producer.flush(20) == 0
    return name


def test_topics_of_other_programs_are_no_concern_of_ours(
    kafka: KafkaLog, topic: str, foreign: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert topic in kafka.topics()
    assert foreign not in kafka.topics()
    (broker,) = kafka.replicas()
    assert broker.partitions == sum(map(kafka.partition_count, kafka.topics()))
    assert not [each for each in kafka.troubles([topic]) if foreign in each.detail]
    read: list[str] = []
    whole = kafka.read

    def noted(source: TopicPartition, offset: int, max_bytes: int) -> Records:
        read.append(source.topic)
        return whole(source, offset, max_bytes)

    monkeypatch.setattr(kafka, "read", noted)
    kafka.append(topic, [Record(None, b"mail")])
    store = ClaimStore([FolderPlace(tmp_path / "claims")], 1)
    own_places(kafka, store.places)
    if has_topic(kafka, CLAIMS_TOPIC):
        kafka.delete_topic(CLAIMS_TOPIC)  # so that all records are looked through once
    clean_claims(kafka, store, 0.0)
    assert topic in read
    assert foreign not in read


def test_a_topic_of_another_program_that_the_settings_name_takes_no_mails_until_it_is_marked_as_ours(
    kafka: KafkaLog, foreign: str
) -> None:
    before = {name: each.value for name, each in kafka._admin.settings_of(foreign).items()}
    said = f"entity-name {foreign} --add-config message.timestamp.type=LogAppendTime"
    with pytest.raises(LogUnusable, match=said):
        make_mail_topic(kafka, foreign, 1)
    assert [each.fails for each in kafka.troubles([foreign, "yet-to-be-made"]) if said in each.detail] == [True]
    assert {name: each.value for name, each in kafka._admin.settings_of(foreign).items()} == before
    mark(kafka, foreign)
    make_mail_topic(kafka, foreign, 1)
    assert foreign in kafka.topics()
    assert not [each for each in kafka.troubles([foreign]) if said in each.detail]


def test_another_programs_topic_of_that_name_takes_no_messages(kafka: KafkaLog, brokers: Path) -> None:
    emptied(brokers)
    make_for_another_program(kafka, NewTopic(TOPIC, 1, 1))
    try:
        with pytest.raises(LogUnusable, match="topic ops is another program's"):
            ensure_topic(kafka)
        assert [each.fails for each in kafka.troubles([TOPIC]) if "entity-name ops" in each.detail] == [True]
        mark(kafka, TOPIC)
        ensure_topic(kafka)
    finally:
        kafka._admin.client.delete_topics([TOPIC])[TOPIC].result()


def make_for_another_program(kafka: KafkaLog, new: NewTopic) -> None:
    """And wait: it is the controller that answers, and the broker hears of it a moment later."""
    kafka._admin.client.create_topics([new])[new.topic].result()
    until(lambda: kafka.partition_count(new.topic) == new.num_partitions)


def mark(kafka: KafkaLog, topic: str) -> None:
    """As the message says."""
    entry = ConfigEntry("message.timestamp.type", "LogAppendTime", incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
    kafka._admin.client.incremental_alter_configs([resource])[resource].result()
    until(lambda: kafka._admin.settings_of(topic)["message.timestamp.type"].value == "LogAppendTime")


def test_a_topic_that_is_deleted_since_it_was_listed_keeps_nobody_from_hearing_of_the_others(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka._admin, "topics", lambda: [topic, "deleted-by-now"])
    (broker,) = kafka.replicas()
    assert broker.partitions == 1
    assert {each.what for each in kafka.troubles()} == {"topic"}


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


def test_an_end_that_the_client_does_not_know_is_asked_for_again(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, unknown = kafka._admin.client, [OFFSET_INVALID, OFFSET_INVALID]
    asked = client.list_offsets

    def list_offsets(places: dict[Place, Any], **options: Any) -> dict[Place, Future[Any]]:
        if not unknown:
            return asked(places, **options)
        told: Future[Any] = Future()
        told.set_result(SimpleNamespace(offset=unknown.pop()))
        return dict.fromkeys(places, told)

    kafka.append(topic, [Record(None, b"value")])
    monkeypatch.setattr(client, "list_offsets", list_offsets)
    assert kafka.span(TopicPartition(topic, 0)) == range(1)
    assert unknown == []


def test_a_client_that_goes_on_asking_who_led_a_partition_is_followed_by_another(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def list_offsets(places: dict[Place, Any], **_: Any) -> dict[Place, Future[Any]]:
        told: Future[Any] = Future()
        told.set_exception(KafkaException(KafkaError(KafkaError.FENCED_LEADER_EPOCH)))
        return dict.fromkeys(places, told)

    kafka.append(topic, [Record(None, b"value")])
    monkeypatch.setattr(kafka._admin.client, "list_offsets", list_offsets)
    assert kafka.span(TopicPartition(topic, 0)) == range(1)


def test_a_partition_that_no_broker_comes_to_lead_in_time_is_told(
    kafka: KafkaLog, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def list_offsets(_: object, places: dict[Place, Any], **_options: Any) -> dict[Place, Future[Any]]:
        told: Future[Any] = Future()
        told.set_exception(KafkaException(KafkaError(KafkaError.FENCED_LEADER_EPOCH)))
        return dict.fromkeys(places, told)

    monkeypatch.setattr("log.kafka.admin.ANSWER_S", 1.5)
    monkeypatch.setattr("confluent_kafka.admin.AdminClient.list_offsets", list_offsets)
    with pytest.raises(LogUnreachable, match="FENCED_LEADER_EPOCH"):
        kafka.span(TopicPartition(topic, 0))


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
