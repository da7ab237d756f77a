"""Appends: idempotent, acknowledged by all in-sync replicas, each delivery awaited.

All threads of a process share a producer, and an append that fails is its own thread's affair: only an error that is
fatal to the producer ends it. Then the next append begins another, and who still waits for the old one's answers gets
them. Whoever appends again what "may be there" looks first: of mails, the ledger does so by their SHA-256, from where
it had read the partition to its end.
"""

from __future__ import annotations

import os
import random
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaError, KafkaException, Producer

from log.errors import LogUnreachable, LogUnusable
from log.kafka.client import ANSWER_S, opened
from log.kafka.errors import kafka_errors, log_error
from log.murmur2 import partition_of
from log.topic_rules import VALUES_COMPANY
from log.types import Position

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from confluent_kafka import Message

    from log.options import KafkaOptions
    from log.types import Record

DELIVERY_S = ANSWER_S
MAX_RECORD_BYTES = 64 * 2**20  # the brokers say what they take; this only keeps the client from saying less
BATCH_BYTES = 2**18  # less than any limit of a topic that takes mails
POLL_S = 0.01  # another thread may have been told meanwhile what this one waits for


class Appender:
    """Safe for threads; of one process: a fork has no threads of the client's, so its child opens its own log."""

    def __init__(self, options: KafkaOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._producer: Producer | None = None
        self._process = os.getpid()
        self._is_closed = False

    def append(self, topic: str, records: Sequence[Record], partition: int | None, partitions: int) -> list[Position]:
        """See `Data.append`. The partition is computed here as the embedded log does: one function for both."""
        sent = _Sent(topic, len(records))
        spread = random.randrange(partitions)  # noqa: S311  no secret
        with kafka_errors(f"topic {topic}", f"Write of topic {topic}"), self._producing() as producer:
            for index, record in enumerate(records):
                number = partition
                if number is None:
                    number = spread if record.key is None else partition_of(record.key, partitions)
                sent.send(producer, index, record, number)
            sent.wait(producer)
        return sent.positions()

    def close(self) -> None:
        """No append from now on."""
        with self._lock:
            self._is_closed, producer, self._producer = True, self._producer, None
        if producer is not None:
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

    def _begun(self) -> Producer:
        if self._process != os.getpid():
            raise LogUnusable("this log was opened by the parent process: open another one after a fork")
        with self._lock:
            if self._is_closed:
                raise LogUnusable("the log is closed")
            if self._producer is None:
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
                )
            return self._producer

    def _forget(self, producer: Producer) -> None:
        with self._lock:
            if self._producer is producer:
                self._producer = None


class _Sent:
    """The records of one append, on their way. Whichever thread asks the producer next is told what became of them."""

    def __init__(self, topic: str, count: int) -> None:
        self._topic, self._count = topic, count
        self._found: dict[int, Position] = {}
        self._failed: list[tuple[KafkaError, str]] = []

    def send(self, producer: Producer, index: int, record: Record, partition: int) -> None:
        """Give a record to the producer, waiting where its queue is full."""

        def delivered(error: KafkaError | None, message: Message) -> None:
            if error is not None:
                self._failed.append((error, f"{self._topic}-{partition}"))
            else:
                self._found[index] = Position(self._topic, partition, message.offset() or 0)

        headers: Any = list(record.headers)
        while True:
            try:
                producer.produce(
                    self._topic, record.value, record.key, partition=partition, headers=headers, on_delivery=delivered
                )
            except BufferError:
                producer.poll(POLL_S)
            else:
                return

    def wait(self, producer: Producer) -> None:
        """Return when each has been delivered. Raises LogError."""
        deadline = time.monotonic() + DELIVERY_S + 2
        while (left := self._count - len(self._found) - len(self._failed)) and time.monotonic() < deadline:
            producer.poll(POLL_S)
        if self._failed:
            error, where = self._failed[0]
            raise log_error(error, where, f"Write of topic {self._topic}")
        if left:
            raise LogUnreachable(f"topic {self._topic}: no word of {left} records: they may be there")

    def positions(self) -> list[Position]:
        """Where they are, in the order given."""
        return [self._found[index] for index in range(self._count)]


def value_limit(max_message_bytes: int) -> int:
    """How long a value may be where a batch may have so many bytes; 0 where not even batches of small ones fit."""
    room = max_message_bytes - VALUES_COMPANY
    return room if room >= BATCH_BYTES else 0
