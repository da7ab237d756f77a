"""The embedded backend: a library over local folders, used by several processes of one machine at once."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING

from log.disk.files import disk_errors_as_log_errors
from log.embedded import topic_admin
from log.embedded.admin.lost_topics import hidden_topics
from log.embedded.admin.replica_admin import Replicas
from log.embedded.groups import EmbeddedGroups
from log.embedded.opening import open_home
from log.embedded.partition.acknowledging import acknowledge, check_written, everything, note_written
from log.embedded.partition.background import BackgroundFlush
from log.embedded.partition.fast_append import ShortWay
from log.embedded.partition.flushing import Flusher
from log.embedded.partition.partitions import Partitions
from log.embedded.partition.reader import Reader
from log.embedded.partition.sharing import positions_of, share_out
from log.embedded.partition.staging import Holding, stage
from log.embedded.recovery.losses import losses
from log.embedded.recovery.mending import Mender
from log.embedded.segment.encoding import MAX_RECORD_BYTES
from log.embedded.topics import TopicCache, topic_names
from log.embedded.upkeep import tend_log
from log.errors import LogError, PartitionBusy
from log.groups import commit
from log.metrics import appending
from log.topic_rules import RECORD_OVERHEAD_BYTES
from log.types import TopicConfig, TopicPartition, Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from log.embedded.home import Home
    from log.embedded.members import Membership
    from log.embedded.open_log import OpenedLog
    from log.embedded.partition.partition import Partition, Ticket
    from log.embedded.partition.sharing import Pick
    from log.interface import Choose, Decide, Standing
    from log.options import LogOptions
    from log.records import Records
    from log.types import Member, PartitionInfo, Position, Producer, Record, ReplicaInfo, Tended, Wait

logger = logging.getLogger(__name__)

FLUSH_MESSAGES = 1000
FLUSH_MS = 200


class EmbeddedLog:
    """See `CommitLog`. Safe for threads; after a fork the child opens its own."""

    def __init__(self, options: LogOptions, *, flush_messages: int = FLUSH_MESSAGES, flush_ms: int = FLUSH_MS) -> None:
        """Open the log that `options` names, made if there is none. Raises LogUnusable.

        What is `written` is flushed once so many records of a partition wait for it, or one has for so long.
        """
        self._options, self._flush_messages = options, flush_messages
        with disk_errors_as_log_errors():
            self._home = open_home(options)
        self._topics = TopicCache(self._home)
        self._reader = Reader(self._home)
        self._flusher = Flusher(options.replica_timeout_s)
        self._background = BackgroundFlush(flush_ms, self._flush)
        self._partitions = Partitions(self._home, self._topics, options)
        self._short = ShortWay(self._topics, flush_messages)
        self._mender = Mender(self._home)
        self._groups = EmbeddedGroups(self)

    @property
    def log_id(self) -> str:
        """See `CommitLog`."""
        return self._home.log_id

    def create_topic(self, topic: str, partitions: int, config: TopicConfig | None = None) -> None:
        """See `CommitLog`."""
        with disk_errors_as_log_errors():
            topic_admin.create_topic(
                self._home, self._options, topic, partitions, config or TopicConfig(), forget=self._groups.forget
            )

    def alter_topic(self, topic: str, partitions: int | None = None, config: TopicConfig | None = None) -> None:
        """See `CommitLog`."""
        if config is not None and config.cleanup == "compact":
            tend_log.check_compactable(self, topic)
        with disk_errors_as_log_errors():
            topic_admin.alter_topic(self._home, self._options, topic, partitions, config)

    def delete_topic(self, topic: str) -> None:
        """See `CommitLog`."""
        with disk_errors_as_log_errors():
            topic_admin.delete_topic(self._home, self._options, topic, forget=self._groups.forget)
            self._forget(topic)

    def topic_config(self, topic: str) -> TopicConfig:
        """See `CommitLog`."""
        return self._topics.config(topic)

    def value_limit(self, topic: str) -> int:
        """See `CommitLog`."""
        self._topics.config(topic)
        return MAX_RECORD_BYTES - RECORD_OVERHEAD_BYTES

    def topic_id(self, topic: str) -> str:
        """See `CommitLog`."""
        return self._topics.id(topic)

    def delete_records(self, source: TopicPartition, before: int) -> int:
        """See `CommitLog`."""
        return tend_log.delete_records(self, source, before)

    def tend(self, progress: Callable[[], None] = lambda: None) -> list[Tended]:
        """See `CommitLog`."""
        return tend_log.tend(self, progress)

    def replicas(self) -> list[ReplicaInfo]:
        """See `Administration`."""
        return Replicas(self).all()

    def troubles(self, topics: Collection[str] = ()) -> list[Trouble]:  # noqa: ARG002 -- all are its own
        """See `Administration`."""
        hidden = [Trouble("topic", True, told) for told in hidden_topics(self._home)]
        folders = [Trouble("replicas", True, each) for each in self._home.troubles().values()]
        return [*hidden, *folders, *losses(self._home)]

    def topics(self) -> list[str]:
        """See `CommitLog`."""
        return topic_names(self._home)

    def describe(self, topic: str) -> list[PartitionInfo]:
        """See `CommitLog`."""
        return [
            self._reader.describe(TopicPartition(topic, number)) for number in range(self._topics.partitions(topic))
        ]

    def partition_count(self, topic: str) -> int:
        """See `CommitLog`."""
        return self._topics.partitions(topic)

    def append(
        self,
        topic: str,
        records: Sequence[Record],
        partition: int | None = None,
        *,
        wait: Wait = "durable",
        producer: Producer | None = None,
    ) -> Sequence[Position]:
        """See `Data`. This log alone has `wait` and `producer`.

        `durable` returns when the high watermark has passed the records. `written` returns provisional positions:
        not acknowledged, not visible, possibly given again after a power loss; `flush` acknowledges them.
        With a `producer` (producers.py), an append that is repeated because it raised is stored once; without one it
        may be stored twice. Raises OutOfSequence, ProducerFenced where the producer is at fault.
        """
        if wait == "written" and producer is None and partition is None:
            positions = self._short.append(topic, records)
            if positions is not None:
                self._background.expect(topic)
                return positions
        shares = share_out(topic, self._topics.partitions(topic), records, partition, producer)
        flushes = wait == "durable"
        with appending(topic, records) if flushes else contextlib.nullcontext():
            tickets = self._append(topic, records, shares, producer, flushes=flushes)
        offsets = {each.source: ticket.offsets for each, ticket in tickets.items()}
        if producer is not None:
            producer.count_on(offsets)
        return positions_of(shares, offsets, len(records))

    def _append(
        self,
        topic: str,
        records: Sequence[Record],
        shares: Mapping[TopicPartition, Pick],
        producer: Producer | None,
        *,
        flushes: bool,
    ) -> Mapping[Partition, Ticket]:
        """Stage and publish each share; acknowledge them too, if told to, or where so much waits for it."""
        with disk_errors_as_log_errors():
            partitions = [self.partition(source) for source in shares]
            with Holding(partitions):
                for each in partitions:
                    self._mender.mend_suspects(each)
                self._short.learn(topic, partitions)
                tickets = stage(partitions, [pick(records) for pick in shares.values()], producer)
                due = flushes or any(one.unflushed >= self._flush_messages for one in partitions)
                if not due:
                    note_written(tickets)
            if due:
                acknowledge(self._flusher, tickets)
            elif partitions:
                self._background.expect(topic)
        return tickets

    def append_new(
        self, sources: Collection[TopicPartition], choose: Choose, carry_on: Callable[[], None] = lambda: None
    ) -> Mapping[str, Sequence[Position]] | None:
        """See `Data`."""
        busy: dict[TopicPartition, PartitionBusy] = {}
        with contextlib.ExitStack() as held:
            for source in sorted(sources):  # in one order, so that two never wait for each other
                carry_on()
                try:
                    held.enter_context(self.exclusive(source))
                except PartitionBusy as error:
                    busy[source] = error
            chosen = choose(busy)
            return None if chosen is None else {topic: self.append(topic, each) for topic, each in chosen.items()}

    def flush(self, topic: str) -> None:
        """Return when every record appended before this call is durable."""
        with disk_errors_as_log_errors():
            check_written(self._partitions_of(topic))
            self._flush(topic)

    def _flush(self, topic: str) -> None:
        self._short.forget(topic)  # so that now and then it is asked whether the topic is as it was
        with disk_errors_as_log_errors():
            partitions = [each for each in self._partitions_of(topic) if self._reader.has_unflushed(each.source)]
            with Holding(partitions):
                tickets = {partition: everything(partition) for partition in partitions}
            acknowledge(self._flusher, tickets)

    def _partitions_of(self, topic: str) -> list[Partition]:
        return [self.partition(TopicPartition(topic, number)) for number in range(self._topics.partitions(topic))]

    @contextlib.contextmanager
    def exclusive(self, source: TopicPartition) -> Iterator[None]:
        """See `OpenedLog`."""
        with contextlib.ExitStack() as held:
            with disk_errors_as_log_errors():
                partition = self.partition(source)
                held.enter_context(partition.hold())
                self._mender.mend_suspects(partition)
                acknowledge(self._flusher, {partition: everything(partition)})
            yield  # the caller's own files are not the log's: what they say is passed on as it is

    def read(self, source: TopicPartition, offset: int, max_bytes: int) -> Records:
        """See `CommitLog`."""
        return self._reader.read(source, offset, max_bytes)

    def span(self, source: TopicPartition) -> range:
        """See `CommitLog`."""
        return self._reader.span(source)

    def offset_for_time(self, source: TopicPartition, timestamp_ms: int) -> int | None:
        """See `CommitLog`."""
        return self._reader.offset_for_time(source, timestamp_ms)

    def bytes_from(self, source: TopicPartition, offset: int) -> int | None:
        """See `CommitLog`."""
        return self._reader.bytes_from(source, offset)

    def commit(
        self,
        group: str,
        offsets: Mapping[TopicPartition, int],
        metadata: str = "",
        generations: Mapping[TopicPartition, int] | None = None,
        topics: Mapping[str, str] | None = None,
    ) -> None:
        """See `Groups`."""
        commit(self, group, offsets, metadata, generations=generations, topics=topics)

    def committed(self, group: str) -> dict[TopicPartition, int]:
        """See `CommitLog`."""
        return {source: found.offset for source, found in self._groups.offsets.latest(group).items()}

    def standing(self) -> Standing:
        """See `Groups`."""
        return self._groups.offsets

    def groups(self) -> list[str]:
        """See `CommitLog`."""
        return self._groups.offsets.names()

    def change_group(self, group: str, decide: Decide) -> None:
        """See `Groups`."""
        self._groups.change(group, decide)

    def join(self, group: str, topics: Iterable[str]) -> Membership:
        """See `Groups`."""
        return self._groups.join(group, topics)

    def members(self, group: str) -> list[Member]:
        """See `Groups`."""
        return self._groups.members(group)

    @property
    def home(self) -> Home:
        """See `OpenedLog`."""
        return self._home

    @property
    def options(self) -> LogOptions:
        """See `OpenedLog`."""
        return self._options

    def close(self) -> None:
        """See `CommitLog`. What was only `written` is flushed if it can be."""
        for topic in self._background.close():
            try:
                self.flush(topic)
            except LogError as error:
                logger.warning("%s: closed with records that are not acknowledged: %s", topic, error)
        self._partitions.close()
        self._flusher.close()
        self._home.end_writing()

    def partition(self, source: TopicPartition) -> Partition:
        """See `OpenedLog`."""
        return self._partitions.one(source)

    def _forget(self, topic: str) -> None:
        gone = self._partitions.forgotten(topic)
        self._short.forget(topic)  # behind it: what was learnt of one of them meanwhile is forgotten, too
        for partition in gone:  # waits for its appender, which may be opening another partition
            partition.close()


if TYPE_CHECKING:
    _OPENED_LOG: type[OpenedLog] = EmbeddedLog
