"""The errors of the log, one tree.

LogError
├── UnknownTopic            no such topic or partition
├── TopicExists             created twice
├── OffsetOutOfRange        the offset is not kept, or not yet written
├── RecordTooLarge          no batch can hold it
├── GroupFenced             the group was moved, or the partition is another consumer's now: nothing was committed
├── CorruptRecord           bytes that fail their CRC where no torn tail can be
│   └── NoRecord            offsets of mails that hold nothing, on Kafka
├── ClaimMissing            the bytes that a claim names are nowhere, or damaged everywhere
├── ClaimUnavailable        (retriable) they are nowhere, but a place that may have them cannot be read now
├── LogUnusable             the folder, its file system or its settings cannot serve a log
│   └── GroupUnreadable     what a group committed is of a later otclog
├── OutOfSequence           a producer's numbers are not the ones that come next
├── ProducerFenced          a later epoch of the producer has appended
├── NotEnoughReplicas       (retriable) fewer than min_insync replicas are in sync: nothing acknowledged
├── PartitionBusy           (retriable) another process holds the partition's lock
├── DiskFull                (retriable) no space or no inodes left: nothing acknowledged
├── LogUnreachable          (retriable) no broker answered in time: what was appended may be there
├── OutOfResources          (retriable) no more open files or memory for this process, or the machine
└── ReplicaFailed           (retriable) a replica's disk answered with an error
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from log.types import TopicPartition


class LogError(Exception):
    """Root of the tree. `retriable` says whether the same call may succeed later."""

    retriable = False


class UnknownTopic(LogError):
    """No such topic or partition."""


class TopicExists(LogError):
    """The topic is there already."""


class OffsetOutOfRange(LogError):
    """The offset asked for is outside the log's span."""

    def __init__(self, source: TopicPartition, offset: int, span: range) -> None:
        super().__init__(f"{source}: offset {offset} is not in [{span.start}, {span.stop}]")
        self.source, self.offset, self.span = source, offset, span


class RecordTooLarge(LogError):
    """A record that no batch can hold; what is larger belongs elsewhere, with a claim in the log."""


class GroupFenced(LogError):
    """The group was moved, or another consumer has the partition now: nothing was committed."""

    def __init__(self, group: str, source: TopicPartition, reason: str) -> None:
        super().__init__(f"group {group}, {source}: {reason}; nothing was committed, poll again")
        self.group, self.source = group, source


class CorruptRecord(LogError):
    """Bytes that fail their CRC before the tail: not silently skipped.

    `stop` is the first offset behind `offset` that can be read, where a reader knows that no replica has the rest.
    """

    def __init__(self, source: TopicPartition, offset: int, where: str, stop: int | None = None) -> None:
        lost = "" if stop is None else f"; offsets {offset} to {stop - 1} are lost, unless a backup has them"
        super().__init__(f"{source}: damaged at offset {offset} ({where}){lost}")
        self.source, self.offset, self.where, self.stop = source, offset, where, stop


_WHY_NO_RECORD = (
    "another program writes to this topic in transactions, which leave such gaps: take that right from it; "
    "or it was compacted"
)


class NoRecord(CorruptRecord):
    """Offsets of a topic of mails hold nothing: on Kafka, where another program has written there in a transaction."""

    def __init__(self, source: TopicPartition, offset: int, stop: int) -> None:
        super().__init__(source, offset, "no record", stop)
        self.args = (f"{source}: offsets {offset} to {stop - 1} hold no record: {_WHY_NO_RECORD}",)
        self.stop: int = stop


class ClaimMissing(LogError):
    """No place of the claim store has the bytes that a claim names."""


class ClaimUnavailable(LogError):
    """No place of the claim store gives the bytes that a claim names, and one that may have them cannot be read now."""

    retriable = True


class LogUnusable(LogError):
    """The folder, its file system or its settings cannot serve a log; the message says what to do."""


class GroupUnreadable(LogUnusable):
    """What a group committed was written by a later otclog, and this one cannot tell where the group stands."""

    def __init__(self, group: str, topics: Collection[str], where: str) -> None:
        super().__init__(f"group {group}: {where} was written by a later otclog: use that one for this group")
        self.group, self.topics = group, topics


class OutOfSequence(LogError):
    """A producer's numbers are not the ones that come next: an append before this one was lost, or given up."""


class ProducerFenced(LogError):
    """A later epoch of the producer has appended: this one was thought dead. Register again."""


class NotEnoughReplicas(LogError):
    """Fewer than min_insync replicas are in sync: nothing was acknowledged."""

    retriable = True


class PartitionBusy(LogError):
    """Another process holds the partition's lock, or the log's own."""

    retriable = True

    def __init__(self, source: TopicPartition | str, pid: int | None) -> None:
        super().__init__(f"{source}: locked by process {pid if pid is not None else 'unknown'}; try again")
        self.source, self.pid = source, pid


class DiskFull(LogError):
    """No space, quota or inodes left: nothing was acknowledged."""

    retriable = True


class LogUnreachable(LogError):
    """No broker of the cluster answered in time, or it could not do what was asked just then.

    What was appended may be there nevertheless, as after any append that raised.
    """

    retriable = True


class OutOfResources(LogError):
    """No more open files or memory for this process, or the machine: no fault of a disk; nothing was acknowledged.

    What was appended may be there nevertheless, as after any append that raised. The limit may be met again until
    something is given back: see `ulimit -n`, or LimitNOFILE of a systemd unit.
    """

    retriable = True


class ReplicaFailed(LogError):
    """A replica's disk answered with an error and left the ISR."""

    retriable = True
