"""log.metrics.clients: what a real client says of itself, to brokers that the client's own library plays."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest
from confluent_kafka import Producer
from prometheus_client import REGISTRY

from log.metrics import ClientStatistics


def value(name: str, **labels: str) -> float:
    """Of all that is read, as a process does that writes it down."""
    samples = (each for family in list(REGISTRY.collect()) for each in family.samples)
    return next((each.value for each in samples if (each.name, each.labels) == (name, labels)), 0.0)


@pytest.fixture
def statistics() -> Iterator[ClientStatistics]:
    """Of a client that is opened while somebody reads."""
    value("otclog_kafka_sent_messages_total")
    statistics = ClientStatistics()
    yield statistics
    statistics.end()


def opened(statistics: ClientStatistics) -> Producer:
    settings = {name.replace("_", "."): each for name, each in statistics.settings.items() if name != "stats_cb"}
    assert settings.pop("statistics.interval.ms") >= 1_000
    producer = Producer(
        {
            "bootstrap.servers": "played:9092",
            "test.mock.num.brokers": 2,
            "log_level": 2,
            "statistics.interval.ms": 50,
            "stats_cb": statistics.settings["stats_cb"],
        }
    )
    statistics.begin(lambda: producer.poll(0))
    return producer


def test_whoever_reads_has_a_client_that_rests_tell_what_it_sent(statistics: ClientStatistics) -> None:
    before = value("otclog_kafka_sent_messages_total"), value("otclog_kafka_sent_bytes_total")
    requests = sum(value("otclog_kafka_requests_total", broker=each) for each in ("1", "2"))
    producer = opened(statistics)
    for _ in range(30):
        producer.produce("t", b"x" * 100)
    assert producer.flush(30) == 0
    end = time.monotonic() + 60  # from here on nobody but the reader asks the client
    while value("otclog_kafka_sent_messages_total") < before[0] + 30 and time.monotonic() < end:
        time.sleep(0.01)
    assert value("otclog_kafka_sent_messages_total") == before[0] + 30
    assert value("otclog_kafka_sent_bytes_total") == before[1] + 3_000
    assert sum(value("otclog_kafka_requests_total", broker=each) for each in ("1", "2")) > requests
    assert value("otclog_kafka_queued_messages") == 0.0
    # A client connects to those brokers that it needs: of one partition's leader, perhaps one.
    assert max(value("otclog_kafka_broker_up", broker=each) for each in ("1", "2")) == 1.0


def test_what_waited_in_a_client_that_is_closed_waits_no_more(statistics: ClientStatistics) -> None:
    queued = value("otclog_kafka_queued_messages")
    statistics.note('{"txmsgs": 1, "txmsg_bytes": 10, "msg_cnt": 5, "msg_size": 50, "brokers": {}}')
    statistics.note('{"txmsgs": 2, "txmsg_bytes": 20, "msg_cnt": 7, "msg_size": 70, "brokers": {}}')
    assert value("otclog_kafka_queued_messages") == queued + 7
    statistics.end()
    assert value("otclog_kafka_queued_messages") == queued


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"txmsgs": "x"}', '{"brokers": {"a": 1}}'])
def test_what_another_version_of_the_client_says_fails_no_append(statistics: ClientStatistics, text: str) -> None:
    statistics.note(text)


def test_in_a_forked_child_nobody_reads(statistics: ClientStatistics) -> None:
    assert statistics.settings
    if (child := os.fork()) == 0:
        os._exit(len(ClientStatistics().settings))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
