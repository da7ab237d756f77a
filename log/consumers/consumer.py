"""A consumer: reads its share of some topics for a group, and remembers how far it came.

    with Consumer(log, "extract", ["mails"]) as consumer:
        while True:
            for record in consumer.poll(timeout_s=1):
                work(record)                # before the commit: at least once; behind it: at most once
            consumer.commit()

Consumers of one group share its partitions: each partition is read by the one that holds its lease. When
one comes, leaves or dies the others see it at their next poll, give up what is no longer theirs and take what nobody
reads. What was polled and not committed is read again by the next.

A commit carries the generation in which the partition was taken. Taking a partition over, and moving the group
(`otclog group rewind`), begin a new one: who still reads from before gets GroupFenced, and reads on where the group
was moved to. Nobody needs to be stopped for a rewind.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self

from log.errors import GroupFenced, OffsetOutOfRange
from log.groups import check_name, take
from log.reading import sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType

    from log.interface import CommitLog, Lease
    from log.types import GroupOffset, StoredRecord, TopicPartition

logger = logging.getLogger(__name__)

FETCH_BYTES = 2**20
BETWEEN_LOOKS_S = 0.02  # at first; ever longer as long as nothing comes
MOST_BETWEEN_LOOKS_S = 0.16


@dataclass(slots=True)
class _Held:
    """A partition that this consumer reads."""

    lease: Lease
    position: int  # the next to be polled
    committed: int
    generation: int
    topic_id: str
    paused: bool = False


class Consumer:
    """A consumer of one thread; after a fork the child opens its own."""

    def __init__(
        self,
        log: CommitLog,
        group: str,
        topics: Iterable[str],
        *,
        start: Literal["earliest", "latest"] = "earliest",
        rebalance_s: float = 1.0,
        on_revoke: Callable[[list[TopicPartition]], object] | None = None,
    ) -> None:
        """Join the group.

        Args:
            log: where to read; it stays the caller's to close.
            group: what is remembered, is remembered under this name.
            topics: to be read.
            start: where to begin in a partition that the group never committed.
            rebalance_s: how often to look who else is there.
            on_revoke: called with partitions that are about to be given up: the last moment to commit them.

        Raises LogUnusable for a name that cannot be one, OSError when the log's root cannot be written.
        """
        check_name(group)
        self._log, self._group, self._topics, self._start = log, group, sorted(set(topics)), start
        self._rebalance_s, self._on_revoke = rebalance_s, on_revoke
        self._offsets = log.standing()
        self._membership = log.join(group, self._topics)
        self._held: dict[TopicPartition, _Held] = {}
        self._look_at = 0.0  # on the monotonic clock
        self._left = False

    def poll(self, timeout_s: float = 0, max_bytes: int = FETCH_BYTES) -> Sequence[StoredRecord]:
        """The next records of one partition; [] if none came in time. Partitions take turns.

        Raises OffsetOutOfRange where retention took what was to be read next: `seek` or a rewind goes on; UnknownTopic,
        CorruptRecord, ReplicaFailed, PartitionBusy.
        """
        deadline, pause_s = time.monotonic() + timeout_s, BETWEEN_LOOKS_S
        while True:
            self._follow()
            self._balance()
            for source, held in [each for each in self._held.items() if not each[1].paused]:
                if records := self._log.read(source, held.position, max_bytes):
                    held.position = records[-1].offset + 1
                    self._held[source] = self._held.pop(source)  # to the end of the queue
                    return records
            left = deadline - time.monotonic()
            if left <= 0:
                return []
            time.sleep(min(pause_s, left))
            pause_s = min(2 * pause_s, MOST_BETWEEN_LOOKS_S)

    def commit(self, offsets: Mapping[TopicPartition, int] | None = None, metadata: str = "") -> None:
        """Remember, durably, what was polled so far, or just these next offsets to read.

        Raises GroupFenced where a partition is not this consumer's any more, or was moved: nothing was committed.
        """
        if offsets is None:
            offsets = {source: held.position for source, held in self._held.items() if held.position != held.committed}
        latest = self._offsets.latest(self._group)
        for source in offsets:
            self._holding(source)
            if source not in latest:  # it was taken, so it was there
                raise GroupFenced(self._group, source, "its topic was deleted, or made anew")
        if offsets:
            generations = {source: self._held[source].generation for source in offsets}
            topics = {source.topic: self._held[source].topic_id for source in offsets}
            self._log.commit(self._group, offsets, metadata, generations, topics)
        for source, offset in offsets.items():
            self._held[source].committed = offset

    def seek(self, source: TopicPartition, offset: int) -> None:
        """Poll from there next; the next commit makes it lasting. Raises GroupFenced, OffsetOutOfRange."""
        held, span = self._holding(source), self._log.span(source)
        if not span.start <= offset <= span.stop:
            raise OffsetOutOfRange(source, offset, span)
        held.position = offset

    def position(self, source: TopicPartition) -> int:
        """The next offset to be polled. Raises GroupFenced."""
        return self._holding(source).position

    def pause(self, *sources: TopicPartition) -> None:
        """Poll nothing from these until `resume`; they stay this consumer's. Raises GroupFenced."""
        for source in sources:
            self._holding(source).paused = True

    def resume(self, *sources: TopicPartition) -> None:
        """Poll from these again. Raises GroupFenced."""
        for source in sources:
            self._holding(source).paused = False

    @property
    def assignment(self) -> list[TopicPartition]:
        """The partitions that this consumer reads, since its last poll."""
        return sorted(self._held)

    def close(self) -> None:
        """Leave the group. What was polled and not committed is somebody else's to read again."""
        if self._left:
            return
        self._left = True
        try:
            self._give_up(self.assignment)
        finally:
            self._membership.leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self._on_revoke = None  # its work was not finished
        self.close()

    def _holding(self, source: TopicPartition) -> _Held:
        if source not in self._held:
            raise GroupFenced(self._group, source, "not, or no longer, this consumer's to read")
        return self._held[source]

    def _follow(self) -> None:
        """Go where the group was moved; of a topic that was made anew take the partitions anew."""
        latest = self._offsets.latest(self._group)
        for source in [source for source, held in self._held.items() if not _is_of(held, latest.get(source))]:
            _release([self._held.pop(source).lease])
            self._look_at = 0
        for source, held in self._held.items():
            now = latest.get(source)
            if now is not None and now.generation > held.generation:
                logger.info("group %s was moved to offset %d of %s", self._group, now.offset, source)
                held.position, held.committed, held.generation = now.offset, now.offset, now.generation

    def _balance(self) -> None:
        """Give up what is another member's now, take what is free."""
        if time.monotonic() < self._look_at:
            return
        sources = [source for topic in self._topics for source in sources_of(self._log, topic)]
        wanted = self._membership.share(sources, self._revoked)
        self._give_up([source for source in self._held if source not in wanted])
        self._take([source for source in wanted if source not in self._held])
        self._look_at = time.monotonic() + self._rebalance_s

    def _revoked(self, sources: list[TopicPartition]) -> None:
        self._give_up([source for source in sources if source in self._held])

    def _give_up(self, sources: list[TopicPartition]) -> None:
        try:
            if sources and self._on_revoke is not None:
                self._on_revoke(sources)
        finally:
            _release(self._held.pop(source).lease for source in sources)

    def _take(self, sources: list[TopicPartition]) -> None:
        leases = {source: lease for source in sources if (lease := self._membership.lease(source)) is not None}
        if not leases:
            return
        try:
            topics = {topic: self._log.topic_id(topic) for topic in sorted({source.topic for source in leases})}
            taken = take(self._log, self._group, {source: self._first(source) for source in leases}, topics)
        except BaseException:
            _release(leases.values())
            raise
        for source, lease in leases.items():
            offset, generation = taken[source].offset, taken[source].generation
            self._held[source] = _Held(lease, offset, offset, generation, topics[source.topic])

    def _first(self, source: TopicPartition) -> int:
        span = self._log.span(source)
        return span.start if self._start == "earliest" else span.stop


def _is_of(held: _Held, now: GroupOffset | None) -> bool:
    return now is not None and now.topic_id == held.topic_id


def _release(leases: Iterable[Lease]) -> None:
    for lease in leases:
        lease.release()
        lease.close()
