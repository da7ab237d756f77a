"""How far a group is behind: a function over the interface, so for both backends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from log.errors import UnknownTopic
from log.reading import has_topic, readable_records, sources_of
from log.times import rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterable

    from log.errors import CorruptRecord
    from log.interface import CommitLog
    from log.types import TopicPartition


@dataclass(frozen=True, slots=True)
class Lag:
    """One partition that the group has committed, or has still to begin."""

    group: str
    topic: str
    partition: int
    committed: int | None  # the next offset that the group reads; None: nothing was read yet
    end: int | None  # the high watermark; None: there is no such topic or partition any more
    lag: int  # records not read yet
    oldest_unread: str | None  # when the first of them that can be read was appended, RFC 3339
    damaged: int | None = None  # the offset of the first of them, if no replica has it whole


def lag(log: CommitLog, group: str) -> list[Lag]:
    """One row a partition, in order; [] for a group that never committed."""
    return [_of(log, group, source, offset) for source, offset in sorted(log.committed(group).items())]


def not_begun(log: CommitLog, group: str, topics: Iterable[str]) -> list[Lag]:
    """One row a partition of these topics, where there is such a topic and nobody has committed any of it."""
    begun = {source.topic for name in log.groups() for source in log.committed(name)}
    waiting = [topic for topic in sorted(set(topics) - begun) if has_topic(log, topic)]
    return [_of(log, group, source, None) for topic in waiting for source in sources_of(log, topic)]


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
    return Lag(group, source.topic, source.partition, committed, span.stop, len(unread), oldest, damaged)
