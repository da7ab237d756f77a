from __future__ import annotations

import pytest
from confluent_kafka import KafkaError, KafkaException

from log import (
    LogError,
    LogUnreachable,
    LogUnusable,
    NotEnoughReplicas,
    TopicExists,
    UnknownTopic,
)
from log.kafka.errors import kafka_errors, log_error, note_refusal, raise_if_refused


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (KafkaError.UNKNOWN_TOPIC_OR_PART, UnknownTopic),
        (KafkaError.TOPIC_ALREADY_EXISTS, TopicExists),
        (KafkaError.MSG_SIZE_TOO_LARGE, LogUnusable),
        (KafkaError.NOT_ENOUGH_REPLICAS, NotEnoughReplicas),
        (KafkaError.INVALID_REPLICATION_FACTOR, LogUnusable),
        (KafkaError.TOPIC_AUTHORIZATION_FAILED, LogUnusable),
        (KafkaError._TIMED_OUT, LogUnreachable),
        (KafkaError._ALL_BROKERS_DOWN, LogUnreachable),
        (KafkaError.NOT_LEADER_FOR_PARTITION, LogUnreachable),
    ],
)
def test_each_of_kafkas_errors_is_one_of_the_logs_and_names_what_was_asked_for(code: int, kind: type[LogError]) -> None:
    with pytest.raises(kind, match=r"^mails-3, offset 7: ") as raised, kafka_errors("mails-3, offset 7"):
        raise KafkaException(KafkaError(code))
    assert isinstance(raised.value.__cause__, KafkaException)


def test_what_is_refused_for_want_of_rights_is_no_matter_of_trying_again() -> None:
    missing = "mails-0: the right Write of topic mails is missing .*otclog kafka acls"
    with pytest.raises(LogUnusable, match=missing), kafka_errors("mails-0", "Write of topic mails"):
        raise KafkaException(KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED))


def test_one_cluster_that_refuses_us_is_no_reason_for_what_another_one_does_not_answer() -> None:
    silent = LogUnreachable("no broker answered in time")
    note_refusal("k1:9092", str, KafkaError(KafkaError._AUTHENTICATION))
    with pytest.raises(LogUnusable, match="refuses us"):
        raise_if_refused("k1:9092", silent, were_taken=False)
    raise_if_refused("k2:9092", silent, were_taken=False)


def test_a_refusal_by_who_had_taken_us_is_tried_again() -> None:
    note_refusal("k1:9092", str, KafkaError(KafkaError._AUTHENTICATION))
    with pytest.raises(LogUnreachable, match="refuses us now"):
        raise_if_refused("k1:9092", LogUnreachable("no broker answered in time"), were_taken=True)


def test_what_is_fatal_to_a_client_can_be_tried_again_by_another() -> None:
    said = KafkaError(KafkaError.OUT_OF_ORDER_SEQUENCE_NUMBER, "a broker lost what it had", True)
    error = log_error(said, "mails-0")
    assert isinstance(error, LogUnreachable)
    assert error.retriable
