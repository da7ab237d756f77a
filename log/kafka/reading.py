"""Reading a partition from an offset on, by one consumer that is told where to read, and joins no group."""

from __future__ import annotations

import threading
import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, cast

from confluent_kafka import Consumer, KafkaError
from confluent_kafka import TopicPartition as Place

from log.errors import LogUnreachable, OffsetOutOfRange
from log.kafka.client import ANSWER_S, opened
from log.kafka.errors import kafka_errors, log_error
from log.records import Records
from log.topic_rules import check_offset

if TYPE_CHECKING:
    from collections.abc import Callable

    from confluent_kafka import Message

    from log.options import KafkaOptions
    from log.types import Header, TopicPartition

AT_ONCE = 1000  # messages taken from the client's queue
QUEUE_KB = 16_384  # what the client fetches ahead


class Read:
    """A message as `log.records` wants it."""

    __slots__ = ("headers", "key", "offset", "size", "timestamp", "value")

    def __init__(self, message: Message) -> None:
        self.offset = message.offset() or 0
        self.timestamp = message.timestamp()[1]
        key, value = message.key(), message.value()
        self.key: bytes | None = key  # nobody decodes it
        self.value: bytes | None = value
        headers = cast("list[tuple[str, bytes | None]] | None", message.headers())
        self.headers: list[Header] = [(name, said or b"") for name, said in headers or ()]
        self.size = len(self.value or b"") + len(self.key or b"")


class Reader:
    """Safe for threads, one after the other."""

    def __init__(self, options: KafkaOptions, span: Callable[[TopicPartition], range]) -> None:
        self._options, self._span = options, span
        self._lock = threading.Lock()
        self._consumer: Consumer | None = None
        self._source: TopicPartition | None = None  # which is assigned
        self._ahead: deque[Read] = deque()  # taken from the queue and not asked for yet
        self._at_end = False  # behind what is ahead there was nothing
        self._next = 0  # the offset behind what was returned last
        self._stop = 0  # where the partition ended when it was asked for last

    def read(self, source: TopicPartition, offset: int, max_bytes: int) -> Records:
        """See `Data.read`."""
        span = self._span(source)
        check_offset(source, offset, span)
        with self._lock:
            self._stop = span.stop
            if (source, offset) != (self._source, self._next):
                self._assign(source, offset)
            found = self._take(source, max_bytes) if offset < span.stop else []
            self._next = found[-1].offset + 1 if found else offset
            return Records(source, [partial(iter, found)], len(found), self._next)

    def close(self) -> None:
        """Let go of the client."""
        with self._lock:
            if self._consumer is not None:
                self._consumer.close()
                self._consumer, self._source = None, None

    def _assign(self, source: TopicPartition, offset: int) -> None:
        if self._consumer is None:
            self._consumer = opened(
                Consumer,
                self._options,
                group_id="otclog-readers",  # the client wants a name; nothing is committed under it
                enable_auto_commit=False,
                enable_partition_eof=True,
                auto_offset_reset="error",
                isolation_level="read_committed",
                fetch_wait_max_ms=10,  # who reads at the end is told at once
                queued_max_messages_kbytes=QUEUE_KB,
                fetch_message_max_bytes=4 * 2**20,
            )
        self._ahead.clear()
        self._at_end = False
        with kafka_errors(f"{source}, offset {offset}"):
            self._consumer.assign([Place(source.topic, source.partition, offset)])
        self._source, self._next = source, offset

    def _take(self, source: TopicPartition, max_bytes: int) -> list[Read]:
        """At least one record, if there is any before the end; the rest stays for the next who asks."""
        found: list[Read] = []
        size = 0
        deadline = time.monotonic() + ANSWER_S
        while not found and (self._ahead or not self._at_end):
            if not self._ahead:
                self._fetch(source)
                if not (self._ahead or self._at_end) and time.monotonic() > deadline:
                    self._source = None
                    raise LogUnreachable(f"{source}: no broker gave what lies at offset {self._next}")
            while self._ahead and (not found or size + self._ahead[0].size <= max_bytes):
                size += self._ahead[0].size
                found.append(self._ahead.popleft())
                if not self._ahead and size < max_bytes:
                    self._fetch(source, wait_s=0)
        if self._at_end and not self._ahead:
            self._rest()
        return found

    def _fetch(self, source: TopicPartition, wait_s: float = 0.2) -> None:
        """Take what the client has."""
        assert self._consumer is not None  # noqa: S101 -- it was assigned
        first = self._consumer.poll(wait_s)
        for message in [] if first is None else [first, *self._consumer.consume(AT_ONCE, 0)]:
            error = message.error()
            if error is None:
                self._ahead.append(Read(message))
            elif error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001 -- the client's own code
                self._at_end = (message.offset() or 0) >= self._stop  # or it was the end before others appended
            elif not (error.retriable() or error.code() == KafkaError.GROUP_AUTHORIZATION_FAILED):  # it is in no group
                self._source = None
                raise self._told(source, error)

    def _told(self, source: TopicPartition, error: KafkaError) -> Exception:
        if error.code() in {KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE}:  # noqa: SLF001
            return OffsetOutOfRange(source, self._next, self._span(source))
        return log_error(error, str(source), f"Read of topic {source.topic}")

    def _rest(self) -> None:
        """At the end nothing is fetched any more: who asks again says where."""
        if self._consumer is not None:
            self._consumer.unassign()
        self._source = None
