"""The embedded backend: a library over local folders, used by several processes of one machine at once."""

from __future__ import annotations

import contextlib
import logging
import random
import threading
from typing import TYPE_CHECKING

from log.embedded.background import BackgroundFlush
from log.embedded.creation import create_partition
from log.embedded.files import disk_errors_as_log_errors
from log.embedded.flushing import Flusher
from log.embedded.home import open_home
from log.embedded.lock import PartitionLock
from log.embedded.partition import AppendSettings, Partition
from log.embedded.reader import Reader
from log.embedded.topics import TopicCache, check_config, check_name, check_partition, save_topic, topic_names
from log.errors import LogError, LogUnusable, TopicExists
from log.groups import GroupOffsets
from log.murmur2 import partition_of
from log.types import Position, TopicConfig, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from log.interface import CommitLog, Wait
    from log.options import LogOptions
    from log.types import PartitionInfo, Record, StoredRecord

logger = logging.getLogger(__name__)


class EmbeddedLog:
    """See `CommitLog`. Safe for threads; after a fork the child opens its own."""

    def __init__(self, options: LogOptions) -> None:
        """Open the log that `options` names, made if there is none. Raises LogUnusable."""
        _check_options(options)
        self._options = options
        with disk_errors_as_log_errors():
            self._home = open_home(options)
        self._topics = TopicCache(self._home)
        self._reader = Reader(self._home)
        self._flusher = Flusher(options.replica_timeout_s)
        self._background = BackgroundFlush(options.flush_ms, self.flush)
        self._partitions: dict[TopicPartition, Partition] = {}
        self._opening = threading.Lock()
        self._groups = GroupOffsets(self)

    def create_topic(self, topic: str, partitions: int, config: TopicConfig | None = None) -> None:
        """See `CommitLog`."""
        config = config or TopicConfig()
        check_name(topic)
        check_config(config)
        if partitions < 1:
            raise LogUnusable(f"{topic}: a topic has at least 1 partition, not {partitions}")
        lock = PartitionLock(self._home.topics_lock_file, TopicPartition(topic, 0), self._options.lock_timeout_s)
        with disk_errors_as_log_errors(), contextlib.closing(lock):
            lock.acquire()
            if topic in self.topics():
                raise TopicExists(f"topic {topic} exists")
            for partition in range(partitions):
                create_partition(self._home, TopicPartition(topic, partition), self._options.min_insync)
            save_topic(self._home, topic, partitions, config)

    def topics(self) -> list[str]:
        """See `CommitLog`."""
        return topic_names(self._home)

    def describe(self, topic: str) -> list[PartitionInfo]:
        """See `CommitLog`."""
        return [
            self._reader.describe(TopicPartition(topic, number)) for number in range(self._topics.partitions(topic))
        ]

    def append(self, topic: str, records: Sequence[Record], wait: Wait = "durable") -> list[Position]:
        """See `CommitLog`."""
        count = self._topics.partitions(topic)
        spread = random.randrange(count)  # noqa: S311  where records without a key go is no secret
        shares: dict[TopicPartition, list[int]] = {}
        for index, record in enumerate(records):
            partition = spread if record.key is None else partition_of(record.key, count)
            shares.setdefault(TopicPartition(topic, partition), []).append(index)
        if not shares:
            return []
        positions: list[Position | None] = [None] * len(records)
        with self._holding(sorted(shares)) as partitions:
            ranges = self._write(partitions, [[records[i] for i in shares[one.source]] for one in partitions], wait)
        for source, offsets in zip(sorted(shares), ranges, strict=True):
            for index, offset in zip(shares[source], offsets, strict=True):
                positions[index] = Position(topic, source.partition, offset)
        return [position for position in positions if position is not None]

    def flush(self, topic: str) -> None:
        """See `CommitLog`."""
        sources = [TopicPartition(topic, number) for number in range(self._topics.partitions(topic))]
        behind = [source for source in sources if self._reader.has_unflushed(source)]
        with self._holding(behind) as partitions:
            self._acknowledge(partitions)

    @contextlib.contextmanager
    def exclusive(self, source: TopicPartition) -> Iterator[None]:
        """See `CommitLog`."""
        with self._holding([source]) as partitions:
            self._acknowledge(partitions)
            yield

    def partition_for(self, topic: str, key: bytes | None) -> TopicPartition:
        """See `CommitLog`."""
        count = self._topics.partitions(topic)
        return TopicPartition(topic, 0 if key is None else partition_of(key, count))

    def read(self, source: TopicPartition, offset: int, max_bytes: int) -> list[StoredRecord]:
        """See `CommitLog`."""
        return self._reader.read(source, offset, max_bytes)

    def span(self, source: TopicPartition) -> range:
        """See `CommitLog`."""
        return self._reader.span(source)

    def offset_for_time(self, source: TopicPartition, timestamp_ms: int) -> int | None:
        """See `CommitLog`."""
        return self._reader.offset_for_time(source, timestamp_ms)

    def commit(self, group: str, offsets: Mapping[TopicPartition, int], metadata: str = "") -> None:
        """See `CommitLog`."""
        self._groups.commit(group, offsets, metadata)

    def committed(self, group: str) -> dict[TopicPartition, int]:
        """See `CommitLog`."""
        return {source: found.offset for source, found in self._groups.latest(group).items()}

    def groups(self) -> list[str]:
        """See `CommitLog`."""
        return self._groups.names()

    def close(self) -> None:
        """See `CommitLog`. What was only `written` is flushed if it can be."""
        for topic in self._background.close():
            try:
                self.flush(topic)
            except LogError as error:
                logger.warning("%s: closed with records that are not acknowledged: %s", topic, error)
        for partition in self._partitions.values():
            partition.close()
        self._partitions.clear()
        self._flusher.close()

    @contextlib.contextmanager
    def _holding(self, sources: Sequence[TopicPartition]) -> Iterator[list[Partition]]:
        """Hold these partitions, taken in the order given: sorted, so that two appenders never wait for each other."""
        with disk_errors_as_log_errors(), contextlib.ExitStack() as stack:
            partitions = [self._partition(source) for source in sources]
            for partition in partitions:
                stack.enter_context(partition.hold())
            yield partitions

    def _write(self, partitions: list[Partition], shares: list[list[Record]], wait: Wait) -> list[range]:
        """Stage, flush and publish in all partitions, or in none."""
        try:
            ranges = [one.stage(records) for one, records in zip(partitions, shares, strict=True)]
            durable = wait == "durable" or any(one.unflushed >= self._options.flush_messages for one in partitions)
            if durable:
                self._flusher.flush(partitions)
            for one in partitions:
                one.resolve()
        except BaseException:
            for one in partitions:
                one.roll_back()
            raise
        for one in partitions:
            one.publish(flushed=durable)
        if not durable:
            self._background.expect(partitions[0].source.topic)
        return ranges

    def _acknowledge(self, partitions: list[Partition]) -> None:
        """Acknowledge what was only written."""
        behind = [one for one in partitions if one.unflushed]
        if behind:
            self._write(behind, [[] for _ in behind], "durable")

    def _partition(self, source: TopicPartition) -> Partition:
        with self._opening:
            if source not in self._partitions:
                check_partition(source, self._topics.partitions(source.topic))
                self._partitions[source] = Partition(self._home, source, self._settings(source))
            return self._partitions[source]

    def _settings(self, source: TopicPartition) -> AppendSettings:
        config, options = self._topics.config(source.topic), self._options
        return AppendSettings(
            options.min_insync,
            config.segment_bytes or options.segment_bytes,
            config.segment_age_s or options.segment_age_s,
            config.compression or options.compression,
            options.lock_timeout_s,
        )


def _check_options(options: LogOptions) -> None:
    """Raises LogUnusable for settings that contradict themselves."""
    if not 1 <= options.min_insync <= len(options.replicas):
        raise LogUnusable(f"min_insync {options.min_insync} is not between 1 and the {len(options.replicas)} replicas")
    if len({folder.resolve() for folder in options.replicas}) < len(options.replicas):
        raise LogUnusable("two replicas are the same folder: one copy would be lost with the other")
    check_config(TopicConfig(segment_bytes=options.segment_bytes, compression=options.compression))


if TYPE_CHECKING:
    _COMMIT_LOG: type[CommitLog] = EmbeddedLog
