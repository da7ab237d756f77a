"""The promise every backend keeps. What can be built on these calls is a function over them, not a method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from log.records import Records
    from log.types import PartitionInfo, Position, Producer, Record, Tended, TopicConfig, TopicPartition

Wait = Literal["durable", "written"]


class CommitLog(Protocol):
    """Topics of partitions of records, read by offset; consumer groups remember theirs."""

    @property
    def root(self) -> Path:
        """A folder on this machine, one for all who use the log: the locks of consumers lie in it."""

    @property
    def log_id(self) -> str:
        """What tells it from every other log."""

    def create_topic(self, topic: str, partitions: int, config: TopicConfig | None = None) -> None:
        """Return when the topic is durable. Raises TopicExists."""

    def alter_topic(self, topic: str, partitions: int | None = None, config: TopicConfig | None = None) -> None:
        """Give the topic more partitions, or other settings; durable when this returns.

        What was appended stays where it is, so a key may be in another partition from now on.
        Raises UnknownTopic, LogUnusable for fewer partitions or settings that cannot be.
        """

    def delete_topic(self, topic: str) -> None:
        """Delete it with all records, and what groups have committed of it; a crash leaves it as it was, or gone.

        Raises UnknownTopic, PartitionBusy while somebody appends or tends it, NotEnoughReplicas where most are away.
        """

    def topic_config(self, topic: str) -> TopicConfig:
        """Its settings. Raises UnknownTopic."""

    def topic_id(self, topic: str) -> str:
        """What tells it from every other topic that had, or will have, its name, in this log or another one.

        It stays the same as long as the topic is there. (Kafka's topic id, KIP-516.) Raises UnknownTopic.
        """

    def topics(self) -> list[str]:
        """Names, sorted, internal topics (`__…`) among them."""

    def describe(self, topic: str) -> list[PartitionInfo]:
        """One entry a partition, in order. Raises UnknownTopic."""

    def partition_count(self, topic: str) -> int:
        """How many partitions the topic has now. Raises UnknownTopic."""

    def append(
        self, topic: str, records: Sequence[Record], wait: Wait = "durable", producer: Producer | None = None
    ) -> Sequence[Position]:
        """Append each record to the partition of its key (murmur2; without a key, spread), in the order given.

        `durable` returns when the high watermark has passed the records. `written` returns provisional positions:
        not acknowledged, not visible, possibly given again after a power loss; `flush` acknowledges them.
        With a `producer` (producers.py), an append that is repeated because it raised is stored once; without one it
        may be stored twice. Raises UnknownTopic, NotEnoughReplicas, PartitionBusy, DiskFull: nothing was acknowledged;
        OutOfSequence, ProducerFenced, RecordTooLarge where the producer is at fault.
        """

    def flush(self, topic: str) -> None:
        """Return when every record appended before this call is durable."""

    def exclusive(self, source: TopicPartition) -> AbstractContextManager[None]:
        """Hold the partition against other appenders, settled: within it nothing unacknowledged precedes an append.

        Re-entrant for this thread's own appends. On Kafka there is no such lock and this is a no-op (at-least-once).
        Raises PartitionBusy.
        """

    def partition_for(self, topic: str, key: bytes | None) -> TopicPartition:
        """The partition a record with this key goes to: murmur2(key) mod n. Raises UnknownTopic."""

    def read(self, source: TopicPartition, offset: int, max_bytes: int) -> Records:
        """Records from `offset` on, in offset order, at least one if any is visible; [] at the high watermark.

        Raises UnknownTopic, OffsetOutOfRange, CorruptRecord.
        """

    def span(self, source: TopicPartition) -> range:
        """[log start offset, high watermark). Raises UnknownTopic."""

    def offset_for_time(self, source: TopicPartition, timestamp_ms: int) -> int | None:
        """The first visible offset whose timestamp is at or after `timestamp_ms`; None if there is none."""

    def delete_records(self, source: TopicPartition, before: int) -> int:
        """Delete what lies before an offset; the log start offset then. Whoever may object is the caller's to ask.

        Raises UnknownTopic, OffsetOutOfRange.
        """

    def tend(self, progress: Callable[[], None] = lambda: None) -> list[Tended]:
        """Do what is due: bring replicas back, delete, compact; what was done or failed. A broker does its own.

        `progress` is called before each partition and each file that is read: who waits sees that it gets on.
        """

    def commit(
        self,
        group: str,
        offsets: Mapping[TopicPartition, int],
        metadata: str = "",
        generations: Mapping[TopicPartition, int] | None = None,
    ) -> None:
        """Remember, durably, the next offset to read, all or none. A smaller one is a rewind.

        With `generations`, one for each offset, only as long as none of the partitions is of a later one: a consumer
        whose partition was moved or taken over meanwhile gets GroupFenced.
        """

    def committed(self, group: str) -> dict[TopicPartition, int]:
        """What was committed last; {} for a group never seen."""

    def groups(self) -> list[str]:
        """Names of the groups that have committed, sorted."""

    def close(self) -> None:
        """Release locks and files. What was acknowledged stays; an append from now on raises LogUnusable."""
