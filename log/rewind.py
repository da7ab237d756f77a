"""Moving a group to other offsets: a target, and a plan that can be looked at; journal.py carries it out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from log.errors import LogUnusable
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from log.interface import CommitLog

Target = Callable[["CommitLog", TopicPartition, "int | None"], int]
"""The offset to move to in a partition, given what is committed there. It may lie outside the span."""


@dataclass(frozen=True, slots=True)
class Move:
    """What would happen to a group in one partition."""

    group: str
    topic: str
    partition: int
    committed: int | None  # None: the group never committed here, and would begin at the start
    to: int
    replays: int  # records read before that would be read again
    skips: int  # records not read yet that never would be


def to_earliest(log: CommitLog, source: TopicPartition, _: int | None) -> int:
    """The oldest record kept."""
    return log.span(source).start


def to_latest(log: CommitLog, source: TopicPartition, _: int | None) -> int:
    """Behind the last record."""
    return log.span(source).stop


def to_current(log: CommitLog, source: TopicPartition, committed: int | None) -> int:
    """Where the group is, or would begin; where retention took that, the oldest record kept."""
    return log.span(source).start if committed is None else committed


def to_offset(offset: int) -> Target:
    """That offset. Raises LogUnusable for a negative one: -1 and -2 mean latest and earliest elsewhere, not here."""
    if offset < 0:
        raise LogUnusable(f"{offset} is no offset: to go to an end of the log, use --to-earliest or --to-latest")
    return lambda _log, _source, _committed: offset


def to_listed(offsets: Mapping[TopicPartition, int]) -> Target:
    """Each partition to its own offset. Raises LogUnusable for a negative one."""
    targets = {source: to_offset(offset) for source, offset in offsets.items()}
    return lambda log, source, committed: targets[source](log, source, committed)


def shift_by(records: int) -> Target:
    """So many records forward; backward when negative. Raises LogUnusable where nothing was committed."""

    def target(_: CommitLog, source: TopicPartition, committed: int | None) -> int:
        if committed is None:
            raise LogUnusable(f"{source}: nothing was committed, so there is nothing to shift from")
        return committed + records

    return target


def to_time(timestamp_ms: int) -> Target:
    """The first record appended at that time or later; behind the last record if there is none."""

    def target(log: CommitLog, source: TopicPartition, _: int | None) -> int:
        found = log.offset_for_time(source, timestamp_ms)
        return log.span(source).stop if found is None else found

    return target


def plan(log: CommitLog, group: str, sources: Sequence[TopicPartition], target: Target) -> list[Move]:
    """What the target means in each partition. Offsets outside the span are moved to its nearer end, as Kafka does."""
    committed = log.committed(group)
    return [_move(log, group, source, committed.get(source), target) for source in sources]


def outside(log: CommitLog, group: str, sources: Sequence[TopicPartition], target: Target) -> list[str]:
    """Where `plan` takes a span's nearer end instead of what the target says: a line for people each."""
    committed = log.committed(group)
    wanted = {source: target(log, source, committed.get(source)) for source in sources}
    return [
        f"{source}: offset {offset} is not in [{span.start}, {span.stop}]; {_nearest(offset, span)} is taken instead"
        for source, offset in wanted.items()
        if offset != _nearest(offset, span := log.span(source))
    ]


def _move(log: CommitLog, group: str, source: TopicPartition, committed: int | None, target: Target) -> Move:
    span = log.span(source)
    to = _nearest(target(log, source, committed), span)
    now = span.start if committed is None else _nearest(committed, span)
    return Move(group, source.topic, source.partition, committed, to, max(0, now - to), max(0, to - now))


def _nearest(offset: int, span: range) -> int:
    return min(max(offset, span.start), span.stop)
