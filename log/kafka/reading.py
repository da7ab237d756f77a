"""Reading partitions, each from an offset on, by one consumer that is told where to read, and joins no group."""

from __future__ import annotations

import threading
import time
from collections import deque
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, cast

from confluent_kafka import Consumer, KafkaError
from confluent_kafka import TopicPartition as Place

from log.errors import LogUnreachable, NoRecord, OffsetOutOfRange
from log.kafka.client import ANSWER_S, opened
from log.kafka.errors import kafka_errors, log_error
from log.records import Records
from log.topic_rules import check_offset
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable

    from confluent_kafka import Message

    from log.options import KafkaOptions
    from log.types import Header

AT_ONCE = 1000  # messages taken from the client's queue
QUEUE_KB = 16_384  # what the client fetches ahead
# Of a name that is no UTF-8 the client gives a list with a hole in it, and the error besides. Python sees that only
# where a method is called by its name: a plain call goes on with the list after some turns, and crashes.
_asked_for_headers = methodcaller("headers")


class Read:
    """A message as `log.records` wants it."""

    __slots__ = ("headers", "key", "offset", "size", "timestamp", "value")

    def __init__(self, message: Message) -> None:
        self.offset = message.offset() or 0
        self.timestamp = message.timestamp()[1]
        key, value = message.key(), message.value()
        self.key: bytes | None = key  # nobody decodes it
        self.value: bytes | None = value
        self.headers = _headers(message)
        self.size = len(self.value or b"") + len(self.key or b"")


def _headers(message: Message) -> list[Header]:
    """None where a name is no UTF-8: the client cannot show one, so it is another program's record, not a mail's."""
    try:
        found = cast("list[tuple[str, bytes | None]] | None", _asked_for_headers(message))
    except (SystemError, UnicodeDecodeError):
        return []
    return [(name, said or b"") for name, said in found or ()]


class _Part:
    """A partition that is being read: what was fetched of it, and nobody has asked for yet."""

    def __init__(self, offset: int) -> None:
        self.ahead: deque[Read] = deque()
        self.size = 0  # of what is ahead
        self.next = offset  # behind what was returned last
        self.stop = 0  # where the partition ended when that was asked last
        self._seen_end = -1  # by the client

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is behind what is ahead; what the client takes for the end may be that before an append."""
        return self._seen_end >= self.stop

    def see_end(self, offset: int) -> None:
        """The client has come to it."""
        self._seen_end = max(self._seen_end, offset)

    def put(self, read: Read) -> None:
        """Fetched."""
        self.ahead.append(read)
        self.size += read.size

    def take(self, max_bytes: int) -> list[Read]:
        """At least one, if any is ahead."""
        found: list[Read] = []
        left = max_bytes
        while self.ahead and (not found or self.ahead[0].size <= left):
            found.append(self.ahead.popleft())
            left -= found[-1].size
            self.size -= found[-1].size
        if found:
            self.next = found[-1].offset + 1
        return found


class Reader:
    """Safe for threads, one after the other. Partitions that are read in turns are fetched at once, each kept apart."""

    def __init__(
        self,
        options: KafkaOptions,
        span: Callable[[TopicPartition], range],
        end: Callable[[TopicPartition], int],
        is_compacted: Callable[[str], bool],
    ) -> None:
        self._options, self._span, self._end, self._is_compacted = options, span, end, is_compacted
        self._lock = threading.Lock()
        self._consumer: Consumer | None = None
        self._parts: dict[TopicPartition, _Part] = {}  # those that the consumer is told to read

    def read(self, source: TopicPartition, offset: int, max_bytes: int) -> Records:
        """See `Data.read`. Brokers are asked where the partition ends only when nothing is ahead.

        Raises NoRecord at a gap, but in a topic that is compacted.
        """
        with self._lock:
            part = self._at(source, offset)
            if part is not None and part.ahead:
                return self._records(source, offset, self._filled(source, part, max_bytes))
        stop = self._end(source)
        if part is None and offset != stop:
            span = self._span(source)
            check_offset(source, offset, span)
            stop = span.stop
        if offset == stop:
            return Records(source, [], 0, offset)
        with self._lock:
            part = self._at(source, offset) or self._begin(source, offset)
            part.stop = stop
            found = self._fetched(source, part, max_bytes)
        return self._records(source, offset, found, stop)

    def close(self) -> None:
        """Let go of the client."""
        with self._lock:
            self._parts.clear()
            if self._consumer is not None:
                self._consumer.close()
                self._consumer = None

    def _at(self, source: TopicPartition, offset: int) -> _Part | None:
        """The partition, if it is read on from there."""
        part = self._parts.get(source)
        return part if part is not None and part.next == offset else None

    def _begin(self, source: TopicPartition, offset: int) -> _Part:
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
        self._end_of(source)
        with kafka_errors(f"{source}, offset {offset}"):
            self._consumer.incremental_assign([Place(source.topic, source.partition, offset)])
        self._parts[source] = _Part(offset)
        return self._parts[source]

    def _end_of(self, source: TopicPartition) -> None:
        """Nothing is fetched of it any more: who asks again says where."""
        if self._parts.pop(source, None) is not None and self._consumer is not None:
            self._consumer.incremental_unassign([Place(source.topic, source.partition)])

    def _fetched(self, source: TopicPartition, part: _Part, max_bytes: int) -> list[Read]:
        """At least one record, if there is any before the end; the rest stays for the next who asks."""
        deadline = time.monotonic() + ANSWER_S
        while not part.ahead and not part.is_at_end:
            self._fetch(source)
            if not (part.ahead or part.is_at_end) and time.monotonic() > deadline:
                self._end_of(source)
                raise LogUnreachable(f"{source}: no broker gave what lies at offset {part.next}")
        return self._filled(source, part, max_bytes)

    def _filled(self, source: TopicPartition, part: _Part, max_bytes: int) -> list[Read]:
        """What is ahead, and where that is less, what the client has at once."""
        if part.size < max_bytes:
            self._fetch(source, wait_s=0)
        found = part.take(max_bytes)
        if part.is_at_end and not part.ahead:
            self._end_of(source)
        return found

    def _fetch(self, source: TopicPartition, wait_s: float = 0.2) -> None:
        """Take what the client has, of whatever partition. Raises what it says of the one that is asked for."""
        assert self._consumer is not None  # noqa: S101 -- it was told to read
        first = self._consumer.poll(wait_s)
        for message in [] if first is None else [first, *self._consumer.consume(AT_ONCE, 0)]:
            of = source if message.topic() is None else TopicPartition(message.topic() or "", message.partition() or 0)
            part, error = self._parts.get(of), message.error()
            if part is None:
                continue
            if error is None:
                part.put(Read(message))
                if of != source and part.size > 1024 * QUEUE_KB:  # nobody has asked for it for long
                    self._end_of(of)
            elif error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001 -- the client's own code
                part.see_end(message.offset() or 0)
            elif not (error.retriable() or error.code() == KafkaError.GROUP_AUTHORIZATION_FAILED):  # it is in no group
                self._end_of(of)
                if of == source:
                    raise self._told(source, part.next, error)

    def _told(self, source: TopicPartition, offset: int, error: KafkaError) -> Exception:
        if error.code() in {KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE}:  # noqa: SLF001
            return OffsetOutOfRange(source, offset, self._span(source))
        return log_error(error, str(source), f"Read of topic {source.topic}")

    def _records(self, source: TopicPartition, offset: int, found: list[Read], stop: int = 0) -> Records:
        """Those before the first gap: at `offset`, up to the first that was found or `stop`, it raises NoRecord."""
        end = found[-1].offset + 1 if found else max(offset, stop)
        if end - offset != len(found) and not self._is_compacted(source.topic):
            if not found or found[0].offset > offset:
                raise NoRecord(source, offset, found[0].offset if found else end)
            found = [each for at, each in enumerate(found, offset) if each.offset == at]
            end = offset + len(found)
        return Records(source, [partial(iter, found)], len(found), end)
