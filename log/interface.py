"""The promises of a log, in three protocols: its records, its administration, its groups.

Every backend keeps them; docs/decisions/kafka-contract.md says by what. What can be built on these calls is a function
over them, not a member. What only one backend has is that backend's own, and no part of this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from types import TracebackType

    from log.errors import PartitionBusy
    from log.records import Records
    from log.types import (
        GroupOffset,
        Member,
        PartitionInfo,
        Position,
        Record,
        ReplicaInfo,
        Tended,
        TopicConfig,
        TopicPartition,
        Trouble,
    )

    Appends = Mapping[str, Sequence[Record]]  # by topic
    Choose = Callable[[Mapping[TopicPartition, PartitionBusy]], Appends | None]
    Decide = Callable[["Standing"], Sequence[Record]]


class Data(Protocol):
    """Partitions of records, read by offset."""

    @property
    def log_id(self) -> str:
        """What tells it from every other log."""

    def append(self, topic: str, records: Sequence[Record], partition: int | None = None) -> Sequence[Position]:
        """Append each record, in the order given, to `partition`, or to that of its key (murmur2; without one, spread).

        Returns when they are durable. Raises UnknownTopic, RecordTooLarge: nothing was appended; NotEnoughReplicas,
        PartitionBusy, DiskFull and other retriable errors: nothing was acknowledged, and some of them may be there.
        """

    def append_new(
        self, sources: Collection[TopicPartition], choose: Choose, carry_on: Callable[[], None] = lambda: None
    ) -> Mapping[str, Sequence[Position]] | None:
        """How a mail is published unless it is there: `choose` looks, and says what is then appended, by topic.

        It may rely on what `sources` hold up to their ends, and appends nothing to any other partition. It is told
        which of these another process keeps busy, and returns None to end it. The embedded log lets nobody append to
        the others from before it looks until all is durable, so a record is there exactly once. Kafka cannot: who
        appends between the two is not seen, and a record is there at least once. `carry_on` is called before each wait,
        and may raise to give up. Returns the positions by topic; raises what `choose` does, and as `append`.
        """

    def read(self, source: TopicPartition, offset: int, max_bytes: int) -> Records:
        """Records from `offset` on, in offset order, at least one if any is visible; [] at the high watermark.

        Raises UnknownTopic, OffsetOutOfRange, CorruptRecord.
        """

    def span(self, source: TopicPartition) -> range:
        """[log start offset, high watermark). Raises UnknownTopic."""

    def offset_for_time(self, source: TopicPartition, timestamp_ms: int) -> int | None:
        """The first visible offset whose timestamp is at or after `timestamp_ms`; None if there is none."""

    def bytes_from(self, source: TopicPartition, offset: int) -> int | None:
        """Bytes on one replica's disk from the batch of an offset on, or of all that is kept; None: not told (Kafka's).

        Nothing is read for it but where the batch begins. Raises UnknownTopic.
        """

    def close(self) -> None:
        """Release what is held. What was acknowledged stays; an append from now on raises LogUnusable."""


class Administration(Protocol):
    """Topics, and the replicas that hold them."""

    def create_topic(self, topic: str, partitions: int, config: TopicConfig | None = None) -> None:
        """Return when the topic is durable and can be used. Raises TopicExists, LogUnusable."""

    def alter_topic(self, topic: str, partitions: int | None = None, config: TopicConfig | None = None) -> None:
        """Give the topic more partitions, or other settings; durable when this returns.

        What was appended stays where it is, so a key may be in another partition from now on.
        Raises UnknownTopic, LogUnusable for fewer partitions or settings that cannot be.
        """

    def delete_topic(self, topic: str) -> None:
        """Delete it with all records, and what groups have committed of it; a crash leaves it as it was, or gone.

        Raises UnknownTopic, PartitionBusy while somebody appends or tends it, NotEnoughReplicas where most are away.
        """

    def delete_records(self, source: TopicPartition, before: int) -> int:
        """Delete what lies before an offset; the log start offset then. Whoever may object is the caller's to ask.

        Raises UnknownTopic, OffsetOutOfRange.
        """

    def topics(self) -> list[str]:
        """Names, sorted, internal topics (`__…`) among them; a cluster's topics of other programs are not the log's."""

    def topic_config(self, topic: str) -> TopicConfig:
        """Its settings. Raises UnknownTopic."""

    def topic_id(self, topic: str) -> str:
        """What tells it from every other topic that had, or will have, its name, in this log or another one.

        It stays the same as long as the topic is there. (Kafka's topic id, KIP-516.) Raises UnknownTopic.
        """

    def value_limit(self, topic: str) -> int:
        """How many bytes a record's value may have, with 64 KiB for its key, its headers and what the log adds.

        They are counted as they are given: before a batch is compressed.

        Raises UnknownTopic.
        """

    def partition_count(self, topic: str) -> int:
        """How many partitions the topic has now. Raises UnknownTopic."""

    def describe(self, topic: str) -> list[PartitionInfo]:
        """One entry a partition, in order. Raises UnknownTopic."""

    def replicas(self) -> list[ReplicaInfo]:
        """Where copies lie, one entry each: folders, or brokers."""

    def troubles(self, topics: Collection[str] = ()) -> list[Trouble]:
        """What is wrong with the log as a whole, or will be, and what to do; to these `topics` we are to write."""

    def tend(self, progress: Callable[[], None] = lambda: None) -> list[Tended]:
        """Do what is due: bring replicas back, delete, compact; what was done or failed. A broker does its own.

        `progress` is called before each partition and each file that is read: who waits sees that it gets on.
        """


class Standing(Protocol):
    """Where groups stand, as of when it is asked."""

    def latest(self, group: str) -> dict[TopicPartition, GroupOffset]:
        """What the group committed last; {} for one never seen."""

    def generation(self, group: str) -> int:
        """The group's: the latest that any of its partitions or its journal has."""

    def moves(self, group: str) -> dict[int, dict[str, Any]]:
        """The journal's values by generation, ascending; {} for a group never moved."""


class Groups(Protocol):
    """Consumer groups remember how far they came: records of the topic that groups.py describes."""

    def change_group(self, group: str, decide: Decide) -> None:
        """Write, durably, all or none of what `decide` makes of where groups stand; nobody else changes this one then.

        It may be called again where somebody was faster. Raises what it does; LogUnusable, PartitionBusy, as `append`.
        """

    def commit(
        self,
        group: str,
        offsets: Mapping[TopicPartition, int],
        metadata: str = "",
        generations: Mapping[TopicPartition, int] | None = None,
        topics: Mapping[str, str] | None = None,
    ) -> None:
        """Remember, durably, the next offset to read, all or none. A smaller one is a rewind.

        With `generations`, one for each offset, only as long as none of the partitions is of a later one: a consumer
        whose partition was moved or taken over meanwhile gets GroupFenced. So does who has said by `topics` which ids
        the topics have that the offsets are of, where one of them is another topic's, or nobody's, by now.
        """

    def committed(self, group: str) -> dict[TopicPartition, int]:
        """What was committed last; {} for a group never seen."""

    def standing(self) -> Standing:
        """Where groups stand; what was read once to know that is not read again."""

    def groups(self) -> list[str]:
        """Names of the groups that have committed, sorted."""

    def join(self, group: str, topics: Iterable[str]) -> Membership:
        """Be a member of the group, until `leave`. Raises LogUnusable for what names no group, OSError."""

    def members(self, group: str) -> list[Member]:
        """Who lives, and which of the partitions that the group has committed each of them reads."""


class Lease(Protocol):
    """The right to read a partition for a group."""

    def release(self) -> None:
        """Give it back."""

    def close(self) -> None:
        """Not used any more."""


class Membership(Protocol):
    """A member of a group. Of one thread."""

    @property
    def member(self) -> Member:
        """As others see it."""

    def share(
        self, sources: Iterable[TopicPartition], revoked: Callable[[list[TopicPartition]], object]
    ) -> list[TopicPartition]:
        """The partitions that this member is to read now; it gives up any other one.

        Of those that cannot wait until this returns `revoked` is told meanwhile: it gives them up at once.
        """

    def lease(self, source: TopicPartition) -> Lease | None:
        """The right to read a partition; None as long as another member has it."""

    def leave(self) -> None:
        """Be no member any more."""

    def __enter__(self) -> Self:
        """The membership itself."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave."""


class CommitLog(Data, Administration, Groups, Protocol):
    """All three, as `log.open_log` gives them: topics of partitions of records, and groups that remember theirs."""
