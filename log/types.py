"""Value types of the log. Kafka's terms; a unit in each name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from typing import Literal, NamedTuple, overload

Header = tuple[str, bytes]
Wait = Literal["durable", "written"]  # of an append to the embedded log


class TopicPartition(NamedTuple):
    """One partition of one topic; written `topic-partition` in messages and folder names."""

    topic: str
    partition: int  # 0-based

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


class Position(NamedTuple):
    """Where a record stands in the log."""

    topic: str
    partition: int
    offset: int  # the partition's first record is 0


_position = partial(tuple.__new__, Position)  # a million a second are made


class Positions(Sequence[Position]):
    """The positions of records that stand one behind the other, each made when it is asked for."""

    __slots__ = ("_offsets", "_source")

    def __init__(self, source: TopicPartition, offsets: range) -> None:
        self._source, self._offsets = source, offsets

    def __len__(self) -> int:
        return len(self._offsets)

    def __iter__(self) -> Iterator[Position]:
        topic, partition = self._source
        return map(_position, zip(repeat(topic), repeat(partition), self._offsets))

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> list[Position]: ...
    def __getitem__(self, index: int | slice) -> Position | list[Position]:
        """As of a list."""
        if isinstance(index, slice):
            return list(Positions(self._source, self._offsets[index]))
        return Position(*self._source, self._offsets[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return repr(list(self))


@dataclass(frozen=True, slots=True)
class Record:
    """A record to append. Its timestamp is set by the log (LogAppendTime)."""

    key: bytes | None
    value: bytes | None  # None is a tombstone in a compacted topic
    headers: tuple[Header, ...] = ()


class StoredRecord(NamedTuple):
    """A record as read back."""

    source: TopicPartition
    offset: int
    timestamp_ms: int  # append time, UTC milliseconds since the epoch, never falling within a partition
    key: bytes | None
    value: bytes | None
    headers: tuple[Header, ...]


@dataclass(frozen=True, slots=True)
class PartitionInfo:
    """What `topic describe` shows of one partition."""

    topic: str
    partition: int
    leader: str  # the leading replica's folder (embedded) or broker id (Kafka)
    epoch: int  # leader epoch; grows with each change of leader; -1: not told (Kafka's client)
    isr: tuple[str, ...]  # replicas in sync, the leader among them
    replicas: tuple[str, ...]
    start: int  # log start offset: the oldest record kept
    end: int  # log end offset of the leader: the next to be written
    high_watermark: int  # readers see offsets below it
    bytes: int  # size of the leader's segments; -1: not told (Kafka's client)


SHA256_HEADER = "sha256"  # of a mail's record: hex, of the raw mail


@dataclass(slots=True)
class Producer:
    """One writer that numbers its records (producers.py); not to be used by two threads at once."""

    id: int
    epoch: int
    next: dict[TopicPartition, int] = field(default_factory=dict)  # the number of its next record in each partition

    def count_on(self, appended: Mapping[TopicPartition, range]) -> None:
        """Its records have these offsets: the next ones get the numbers behind theirs."""
        for source, offsets in appended.items():
            self.next[source] = self.next.get(source, 0) + len(offsets)


@dataclass(frozen=True, slots=True)
class TopicConfig:
    """Settings of one topic; None takes the log's default. Sizes in bytes, times in seconds."""

    segment_bytes: int | None = None
    segment_age_s: float | None = None
    compression: str | None = None  # none, gzip, snappy, lz4 or zstd
    mail: bool = False  # its records are mails: never compacted
    cleanup: str = "delete"  # or "compact": internal and status topics only, never mail
    retention_s: float | None = None  # records older than this are deleted, whole segments at a time; None: never
    retention_bytes: int | None = None  # the oldest segments beyond so much a partition are deleted; None: never
    compaction_lag_s: float = 0.0  # compaction leaves younger records alone
    tombstone_s: float = 86400.0  # and keeps a tombstone so long, for readers that are behind


@dataclass(frozen=True, slots=True)
class Tended:
    """One thing that `tend` did, or could not do."""

    topic: str  # empty where it is the whole log's
    partition: int
    action: str  # restore, check (of holes), rejoin, delete, compact, claims; hold: for a group; tend: nothing could be
    ok: bool
    detail: str
    look: bool = False  # done, and yet somebody is to look: at a disk with damage that was mended

    @property
    def alarms(self) -> bool:
        """Whether somebody is to be told."""
        return self.look or not self.ok


@dataclass(frozen=True, slots=True)
class ReplicaInfo:
    """One replica of the log: a folder of the embedded one, a broker of Kafka's."""

    replica: int
    folder: str  # or the broker's HOST:PORT
    reachable: bool
    device: str | None  # major:minor of the file system, or the broker's rack; replicas with the same die together
    partitions: int  # that it is meant to have
    in_sync: int  # of these
    leads: int  # of these
    bytes: int
    set_aside: int  # bytes in its archive/: what it had and the log does not, until somebody removes it
    mended: int  # batches that were damaged on its disk and taken from another replica, ever
    detail: str  # what is wrong, and what to do: another replica's folder in its place, another root that writes


@dataclass(frozen=True, slots=True)
class GroupOffset:
    """What a group committed last for one partition."""

    offset: int  # the next to read
    committed_at_ms: int
    metadata: str  # the committer's own words
    generation: int
    topic_id: str | None = None  # which topic of that name; None in what versions before wrote
    last_timestamp_ms: int | None = None  # append time of the record before `offset`, where a job has read that


class Trouble(NamedTuple):
    """Something that is wrong with a log as a whole."""

    what: str  # topic, replicas, log
    fails: bool  # False: it works, but will not always
    detail: str  # with what to do


@dataclass(frozen=True, slots=True)
class Member:
    """One consumer of a group."""

    id: str
    host: str
    process: int
    joined_at_ms: int
    topics: tuple[str, ...]
    reads: tuple[TopicPartition, ...] = ()


@dataclass(frozen=True, slots=True)
class RetentionHold:
    """What a protected group has not read: it must not be deleted."""

    group: str
    offset: int
