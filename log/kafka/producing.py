"""Appends: idempotent, acknowledged by all in-sync replicas, each delivery awaited.

All threads of a process share a producer, and an append that fails is its own thread's affair: only an error that is
fatal to the producer ends it. Then the next append begins another, and who still waits for the old one's answers gets
them. Whoever appends again what "may be there" looks first: of mails, the ledger does so by their SHA-256, from where
it had read the partition to its end.

What a topic does not take is refused before anything of it is sent, by its size before compression: the brokers, who
ask for that of a compressed batch, would have taken the records before it.
"""

from __future__ import annotations

import os
import random
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from confluent_kafka import KafkaError, KafkaException, Producer

from log.errors import LogError, LogUnreachable, LogUnusable, RecordTooLarge, UnknownTopic
from log.kafka.client import ANSWER_S, opened
from log.kafka.errors import kafka_errors, log_error
from log.metrics import ClientStatistics
from log.murmur2 import partition_of
from log.topic_rules import RECORD_OVERHEAD_BYTES, check_partition
from log.types import Position, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from confluent_kafka import Message

    from log.options import KafkaOptions
    from log.types import Record

DELIVERY_S = ANSWER_S
MAX_RECORD_BYTES = 64 * 2**20  # the brokers say what they take; this only keeps the client from saying less
BATCH_BYTES = 2**18  # less than any limit of a topic that takes mails
POLL_S = 0.01  # another thread may have been told meanwhile what this one waits for
COUNT_S = 10.0  # until it is asked again how many partitions a topic has: keys follow one that grew then
GROWN_S = 10.0  # until a client knows a partition that the brokers have


class Appender:
    """Safe for threads; of one process: a fork has no threads of the client's, so its child opens its own log."""

    def __init__(
        self, options: KafkaOptions, partition_count: Callable[[str], int], max_message_bytes: Callable[[str], int]
    ) -> None:
        self._options, self._partition_count, self._max_message_bytes = options, partition_count, max_message_bytes
        self._counts: dict[str, tuple[int, float]] = {}  # of partitions, and when that was asked
        self._lock = threading.Lock()
        self._producer: Producer | None = None
        self._statistics = ClientStatistics()  # the producer's
        self._process = os.getpid()
        self._is_closed = False

    def append(self, topic: str, records: Sequence[Record], partition: int | None = None) -> list[Position]:
        """See `Data.append`. The partition is computed here as the embedded log does: one function for both."""
        sent = _Sent(topic)
        try:
            self._check_open()
            count = self._count(topic, partition)
            self._check_sizes(topic, records)
            spread = random.randrange(count)  # noqa: S311  no secret
            # Last, for a new producer that the brokers refuse says why to whose records it has, and nothing to others.
            with kafka_errors(f"topic {topic}", f"Write of topic {topic}"), self._producing() as producer:
                for record in records:
                    number = partition
                    if number is None:
                        number = spread if record.key is None else partition_of(record.key, count)
                    sent.send(producer, record, number)
                sent.wait(producer)
        except UnknownTopic as error:  # so it was a moment ago, to the client or to the broker that led it
            self.forget(topic)
            self._count(topic, partition)
            raise LogUnreachable(f"{error}; it is there now: records may be there, try again") from error
        except LogError:
            self.forget(topic)
            raise
        return sent.positions()

    def forget(self, topic: str) -> None:
        """It was changed: how many partitions it has is asked with the next append."""
        self._counts.pop(topic, None)

    def _count(self, topic: str, partition: int | None) -> int:
        """How many partitions it had a moment ago. Raises UnknownTopic, also where it has not the one that is named."""
        count, asked_at = self._counts.get(topic, (0, 0.0))
        if time.monotonic() - asked_at > COUNT_S or (partition or 0) >= count:
            count = self._partition_count(topic)
            self._counts[topic] = count, time.monotonic()
        check_partition(TopicPartition(topic, partition or 0), count)
        return count

    def _check_sizes(self, topic: str, records: Sequence[Record]) -> None:
        """Raises RecordTooLarge. Of small ones the topic is not asked."""
        size = max(map(_size, records), default=0)
        if size > BATCH_BYTES and size > (limit := min(self._max_message_bytes(topic), MAX_RECORD_BYTES)):
            raise RecordTooLarge(f"topic {topic}: a record of {size} bytes is more than {limit} (max.message.bytes)")

    def close(self) -> None:
        """No append from now on."""
        with self._lock:
            self._is_closed, producer, self._producer = True, self._producer, None
        if producer is not None:
            self._statistics.end()
            with suppress(KafkaException):
                producer.purge()
                producer.flush(0)

    @contextmanager
    def _producing(self) -> Iterator[Producer]:
        producer = self._begun()
        try:
            yield producer
        except KafkaException as error:
            if error.args[0].fatal():
                self._forget(producer)
            raise

    def _check_open(self) -> None:
        if self._process != os.getpid():
            raise LogUnusable("this log was opened by the parent process: open another one after a fork")
        if self._is_closed:
            raise LogUnusable("the log is closed")

    def _begun(self) -> Producer:
        with self._lock:
            self._check_open()
            if self._producer is None:
                self._statistics = ClientStatistics()
                self._producer = opened(
                    Producer,
                    self._options,
                    acks="all",
                    enable_idempotence=True,
                    partitioner="murmur2_random",
                    compression_type="zstd",
                    linger_ms=0,
                    batch_size=BATCH_BYTES,
                    message_max_bytes=MAX_RECORD_BYTES,
                    queue_buffering_max_kbytes=2**20,
                    delivery_timeout_ms=int(DELIVERY_S * 1000),
                    request_timeout_ms=int(DELIVERY_S * 1000),
                    **self._statistics.settings,
                )
                self._statistics.begin(partial(self._producer.poll, 0))
            return self._producer

    def _forget(self, producer: Producer) -> None:
        with self._lock:
            if self._producer is producer:
                self._producer = None
                self._statistics.end()


class _Sent:
    """The records of one append, on their way. Whichever thread asks the producer next is told what became of them."""

    def __init__(self, topic: str) -> None:
        self._topic, self._count = topic, 0
        self._found: dict[int, Position] = {}
        self._failed: list[tuple[KafkaError, str]] = []

    def send(self, producer: Producer, record: Record, partition: int) -> None:
        """Give a record to the producer, waiting where its queue is full. What was given before is awaited if it fails.

        The client looks every 5 minutes how many partitions a topic has: of one that grew it is told to look at once.
        """
        index = self._count
        headers: list[tuple[str, str | bytes | None]] = list(record.headers)
        deadline = time.monotonic() + GROWN_S

        def delivered(error: KafkaError | None, message: Message) -> None:
            if error is not None:
                self._failed.append((error, f"{self._topic}-{partition}"))
            else:
                self._found[index] = Position(self._topic, partition, message.offset() or 0)

        while True:
            try:
                producer.produce(
                    self._topic, record.value, record.key, partition=partition, headers=headers, on_delivery=delivered
                )
            except BufferError:
                producer.poll(POLL_S)
            except KafkaException as error:
                if not _is_unknown_partition(error) or time.monotonic() > deadline:
                    self._settle(producer)
                    raise
                producer.list_topics(self._topic, timeout=ANSWER_S)
                producer.poll(POLL_S)
            else:
                self._count += 1
                return

    def wait(self, producer: Producer) -> None:
        """Return when each has been delivered. Raises LogError."""
        left = self._settle(producer)
        if self._failed:
            error, where = self._failed[0]
            raise log_error(error, where, f"Write of topic {self._topic}")
        if left:
            raise LogUnreachable(f"topic {self._topic}: no word of {left} records: they may be there")

    def _settle(self, producer: Producer) -> int:
        """Return when it is known of each what became of it, or after a time of how many it is not."""
        deadline = time.monotonic() + DELIVERY_S + 2
        while (left := self._count - len(self._found) - len(self._failed)) and time.monotonic() < deadline:
            producer.poll(POLL_S)
        return left

    def positions(self) -> list[Position]:
        """Where they are, in the order given."""
        return [self._found[index] for index in range(self._count)]


def _is_unknown_partition(error: KafkaException) -> bool:
    return bool(error.args[0].code() == KafkaError._UNKNOWN_PARTITION)  # noqa: SLF001 -- the client's own code


def _size(record: Record) -> int:
    """Bytes of a batch with this record alone, or some more: with the lengths and numbers in it."""
    headers = sum(len(name.encode()) + len(value) + 10 for name, value in record.headers)
    return len(record.key or b"") + len(record.value or b"") + headers + 100


def value_limit(max_message_bytes: int) -> int:
    """How long a value may be where a batch may have so many bytes; 0 where not even batches of small ones fit."""
    room = min(max_message_bytes, MAX_RECORD_BYTES) - RECORD_OVERHEAD_BYTES
    return room if room >= BATCH_BYTES else 0
