"""Appends: idempotent, acknowledged by all in-sync replicas, each delivery awaited.

A producer that timed out may have sent what it gave up, and one that failed for good sends nothing more: both are let
go of, and the next append begins another. Whoever appends again what "may be there" looks first: of mails, the ledger
does so by their SHA-256, from where it had read the partition to its end.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaError, KafkaException, Producer

from log.errors import LogUnreachable, LogUnusable
from log.kafka.client import ANSWER_S, opened
from log.kafka.errors import kafka_errors, log_error
from log.murmur2 import partition_of
from log.topic_rules import VALUES_COMPANY
from log.types import Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from confluent_kafka import Message

    from log.options import KafkaOptions
    from log.types import Record

DELIVERY_S = ANSWER_S
MAX_RECORD_BYTES = 64 * 2**20  # the brokers say what they take; this only keeps the client from saying less
BATCH_BYTES = 2**18  # less than any limit of a topic that takes mails
POLL_S = 0.2


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
        producer = self._begun()
        spread = random.randrange(partitions)  # noqa: S311  no secret
        try:
            with kafka_errors(f"topic {topic}", f"Write of topic {topic}"):
                for index, record in enumerate(records):
                    number = partition
                    if number is None:
                        number = spread if record.key is None else partition_of(record.key, partitions)
                    sent.send(producer, index, record, number)
                sent.wait(producer)
        except BaseException:
            self._let_go(producer)
            raise
        return sent.positions()

    def close(self) -> None:
        """No append from now on."""
        with self._lock:
            self._is_closed, producer, self._producer = True, self._producer, None
        if producer is not None:
            _purge(producer)

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

    def _let_go(self, producer: Producer) -> None:
        with self._lock:
            if self._producer is producer:
                self._producer = None
        _purge(producer)


class _Sent:
    """The records of one append, on their way."""

    def __init__(self, topic: str, count: int) -> None:
        self._topic, self._left = topic, count
        self._found: list[Position | None] = [None] * count
        self._error: tuple[KafkaError, str] | None = None

    def send(self, producer: Producer, index: int, record: Record, partition: int) -> None:
        """Give a record to the producer, waiting where its queue is full."""

        def delivered(error: KafkaError | None, message: Message) -> None:
            self._left -= 1
            if error is not None:
                self._error = self._error or (error, f"{self._topic}-{partition}")
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
        while self._left and time.monotonic() < deadline:
            producer.poll(POLL_S)
        if self._error is not None:
            error, where = self._error
            raise log_error(error, where, f"Write of topic {self._topic}")
        if self._left:
            raise LogUnreachable(f"topic {self._topic}: no word of {self._left} records: they may be there")

    def positions(self) -> list[Position]:
        """Where they are, in the order given."""
        return [at for at in self._found if at is not None]


def _purge(producer: Producer) -> None:
    with contextlib.suppress(KafkaException):
        producer.purge()
        producer.flush(0)


def value_limit(max_message_bytes: int) -> int:
    """How long a value may be where a batch may have so many bytes; 0 where not even batches of small ones fit."""
    room = max_message_bytes - VALUES_COMPANY
    return room if room >= BATCH_BYTES else 0
