"""The two sides of benchmarks/log.py: the same messages through the embedded log, and through one Kafka broker.

Each function returns messages a second, and has checked that none is missing.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from confluent_kafka import Consumer, Producer, version
from confluent_kafka import TopicPartition as KafkaPartition

import conf
from benchmarks import kafka
from conf import LogSettings
from log import Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog

MESSAGE_BYTES = 200
FETCH = 1000  # messages
FETCH_BYTES = FETCH * (
    MESSAGE_BYTES + 2
)  # a message counts for so much: its length has two bytes, and may have had one
NEVER = 2**40  # no flush before the end
SOURCE = TopicPartition("benchmark", 0)
PLAIN = TopicConfig(compression="none")  # as Kafka's producer by default

KAFKA_EACH = {"linger.ms": 0, "max.in.flight.requests.per.connection": 5}
KAFKA_BEST = {"linger.ms": 20, "batch.num.messages": 100_000, "batch.size": 2**20}  # best of those tried

VERSION = version()
OTHER_EVERY_S = 0.1

OTHER = """
import sys, time
from pathlib import Path
from benchmarks.log_sides import SOURCE, attached, settings
from log import Record
with attached(settings(Path(sys.argv[1]))) as log:
    log.append(SOURCE.topic, [Record(None, b"")], wait="written")
    print("attached", flush=True)
    while True:
        time.sleep(float(sys.argv[2]))
        log.append(SOURCE.topic, [Record(None, b"")], wait="written")
"""


def messages(count: int) -> list[bytes]:
    """That cannot be compressed."""
    noise = random.Random(count)  # noqa: S311  no secret
    return [noise.randbytes(MESSAGE_BYTES) for _ in range(count)]


def settings(folder: Path, replicas: int = 1, min_insync: int = 1) -> LogSettings:
    """The defaults, but for where the log is, and how many replicas it has."""
    folders = tuple(folder / f"replica-{number}" for number in range(1, replicas + 1))
    return replace(
        conf.defaults({}).log,
        root=folder / "log",
        replicas=folders,
        min_insync=min_insync,
    )


@contextmanager
def attached(options: LogSettings) -> Iterator[EmbeddedLog]:
    """The log, open; nothing that is `written` is flushed unless it is asked for."""
    with closing(EmbeddedLog(options, flush_messages=NEVER, flush_ms=NEVER)) as log:
        yield log


@contextmanager
def new_log(folder: Path) -> Iterator[EmbeddedLog]:
    """A log with one topic, and a second process that appends to it now and then."""
    with tempfile.TemporaryDirectory(dir=folder) as place, attached(settings(Path(place))) as log:
        log.create_topic(SOURCE.topic, 1, PLAIN)
        command = [sys.executable, "-c", OTHER, place, str(OTHER_EVERY_S)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
            try:
                if other.stdout is None or other.stdout.readline() != b"attached\n":
                    raise ChildProcessError("the second process did not attach")
                yield log
            finally:
                other.kill()


def otclog_append(log: EmbeddedLog, values: Sequence[bytes], batch: int) -> float:
    """One append call for every `batch` messages, level `written`."""
    records = [Record(None, value) for value in values]
    batches = [records[start : start + batch] for start in range(0, len(records), batch)]
    topic, append, acknowledged = SOURCE.topic, log.append, 0
    began = time.perf_counter()
    for each in batches:
        acknowledged += len(append(topic, each, wait="written"))
    took = time.perf_counter() - began
    check(acknowledged, len(values))
    return len(values) / took


def otclog_consume(log: EmbeddedLog, count: int, *, made: bool) -> float:
    """From the first message on, about FETCH in each read; `made`: with a record object for each."""
    log.flush(SOURCE.topic)
    offset = size = 0
    began = time.perf_counter()
    while records := log.read(SOURCE, offset, FETCH_BYTES):
        if made:
            for record in records:
                size += len(record.value or b"")
        else:
            size += sum(map(len, filter(None, records.values())))
        offset = records.next_offset
    took = time.perf_counter() - began
    check(size, count * MESSAGE_BYTES)
    return count / took


def kafka_produce(address: str, topic: str, values: Sequence[bytes], options: dict[str, int]) -> float:
    """acks=1, from the first message to the answer for the last."""
    kafka.create_topic(address, topic)
    producer = Producer({"bootstrap.servers": address, "acks": 1, "queue.buffering.max.messages": 2_000_000} | options)
    producer.list_topics(topic)  # connected
    produce, answered = producer.produce, 0
    began = time.perf_counter()
    for value in values:
        produce(topic, value, partition=0)
    left = producer.flush(600)
    took = time.perf_counter() - began
    with closing(Consumer({"bootstrap.servers": address, "group.id": "check"})) as consumer:
        _, answered = consumer.get_watermark_offsets(KafkaPartition(topic, 0), timeout=kafka.ANSWER_S)
    check(answered - left, len(values))
    return len(values) / took


def kafka_consume(address: str, topic: str, count: int) -> float:
    """From the first message on, at most FETCH in each call."""
    options = {"bootstrap.servers": address, "group.id": "benchmark", "enable.auto.commit": False}
    with closing(Consumer(options)) as consumer:
        consumer.assign([KafkaPartition(topic, 0, 0)])
        size = 0
        began = time.perf_counter()
        while size < count * MESSAGE_BYTES:
            for message in consumer.consume(FETCH, kafka.ANSWER_S):
                if message.error():
                    raise RuntimeError(str(message.error()))
                size += len(message.value() or b"")
        took = time.perf_counter() - began
    check(size, count * MESSAGE_BYTES)
    return count / took


def check(found: int, expected: int) -> None:
    """Raises RuntimeError when messages are missing: a rate of lost messages is none."""
    if found != expected:
        raise RuntimeError(f"{found} where {expected} were sent")
