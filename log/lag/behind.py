"""How far a group is behind: a function over the interface, so for both backends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from log.errors import GroupUnreadable, UnknownTopic
from log.reading import has_topic, readable_records, sources_of
from log.times import rfc3339

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from log.errors import CorruptRecord
    from log.interface import CommitLog
    from log.types import TopicPartition


@dataclass(frozen=True, slots=True)
class Lag:
    """One partition of a topic that the group has begun, or has still to begin."""

    group: str
    topic: str
    partition: int
    committed: int | None  # the next offset that the group reads; None: nothing was read yet
    end: int | None  # the high watermark; None: there is no such topic or partition any more
    lag: int  # records not read yet
    oldest_unread: str | None  # when the first of them that can be read was appended, RFC 3339
    damaged: int | None = None  # the offset of the first of them, if no replica has it whole
    expired: int = 0  # records that retention took before the group had read them
    bytes: int | None = None  # of those not read yet, as they lie on one replica's disk; None: the log does not tell

    @property
    def is_behind_end(self) -> bool:
        """Whether the group has read what the log lacks: it was put back, or its brokers elected one that had less."""
        return self.committed is not None and self.end is not None and self.committed > self.end


def lag(log: CommitLog, group: str) -> list[Lag]:
    """One row a partition of each topic that the group has begun, in order; [] for a group that never committed."""
    return lag_at(log, group, log.committed(group))


def lag_at(log: CommitLog, group: str, committed: Mapping[TopicPartition, int]) -> list[Lag]:
    """The same of a group that stands there."""
    topics = {source.topic for source in committed}
    there = {source for topic in topics if has_topic(log, topic) for source in sources_of(log, topic)}
    return [_of(log, group, source, committed.get(source)) for source in sorted(there | set(committed))]


def not_begun(log: CommitLog, group: str, topics: Iterable[str]) -> list[Lag]:
    """One row a partition of these topics, where there is such a topic and nobody has committed any of it."""
    begun = {topic for name in log.groups() for topic in _topics_of(log, name)}
    waiting = [topic for topic in sorted(set(topics) - begun) if has_topic(log, topic)]
    return [_of(log, group, source, None) for topic in waiting for source in sources_of(log, topic)]


def losses(rows: Sequence[Lag]) -> list[str]:
    """What a group will never read of a topic, or may not without help, in words: its rows there say so."""
    lost = []
    if damaged := [
        f"{row.topic}-{row.partition} from offset {row.damaged} on" for row in rows if row.damaged is not None
    ]:
        where = ", ".join(damaged)
        lost.append(f"no replica has whole what comes next in {where}: `otclog extract` says how to pass it")
    if expired := sum(row.expired for row in rows):
        records = "1 record" if expired == 1 else f"{expired} records"
        lost.append(f"retention took {records} before it had read them")
    if behind_end := [f"{row.topic}-{row.partition}" for row in rows if row.is_behind_end]:
        lost.append(f"it stands behind the end of {', '.join(behind_end)}, which has lost records")
    return lost


def _topics_of(log: CommitLog, group: str) -> Collection[str]:
    try:
        return {source.topic for source in log.committed(group)}
    except GroupUnreadable as error:
        return error.topics


def _of(log: CommitLog, group: str, source: TopicPartition, committed: int | None) -> Lag:
    try:
        span = log.span(source)
    except UnknownTopic:
        return Lag(group, source.topic, source.partition, committed, None, 0, None)
    damage: list[CorruptRecord] = []
    unread = range(max(committed or 0, span.start), span.stop)  # what retention took cannot be read any more
    readable = readable_records(log, source, damage.append, unread.start, max_bytes=1) if unread else iter(())
    found = next(readable, None)  # none, where compaction left nothing to read
    oldest = rfc3339(found.timestamp_ms) if found else None
    damaged = damage[0].offset if damage else None
    expired = 0 if committed is None else max(span.start - committed, 0)
    size = log.bytes_from(source, unread.start) if unread else 0
    return Lag(group, source.topic, source.partition, committed, span.stop, len(unread), oldest, damaged, expired, size)
