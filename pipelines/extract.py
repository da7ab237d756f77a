"""Extract: what a group has not read yet, into the tables; its offsets move last."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from log.groups import GROUPS_PARTITION, check_name
from log.types import TopicPartition
from pipelines.errors import NothingToRead
from pipelines.locks import lease
from pipelines.plan import in_writing, new_plan
from pipelines.ranges import OffsetRange
from pipelines.run import finish, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conf.settings import Settings
    from log.interface import CommitLog
    from pipelines.run import Summary

logger = logging.getLogger(__name__)


def extract(settings: Settings, log: CommitLog, group: str, topic: str, max_mails: int) -> Summary | None:
    """One run of the group over at most `max_mails` of its pending mails; None if there are none.

    A run of this group that was cut off is finished instead, as it was planned, as far as the log still has its
    records. Raises LogUnusable for what names no group, GroupBusy, NothingToRead, and what `run` raises.
    """
    check_name(group)
    with lease(settings.tables.root, group):
        left = in_writing(settings.tables.root)
        if left and left.group == group:
            finished = finish(settings, log)
            if finished and finished.plan.run_id == left.run_id:
                whole = set(left.ranges) & set(finished.plan.ranges)  # behind a gap the group stays, and is told of it
                _commit(log, group, left.run_id, whole)
                return finished
        ranges = first_mails(pending(log, group, topic), max_mails)
        if not ranges:
            return None
        plan = new_plan("extract", group, ranges)
        summary = run(settings, log, plan)
        _commit(log, group, plan.run_id, plan.ranges)
        return summary


def pending(log: CommitLog, group: str, topic: str) -> list[OffsetRange]:
    """What the group has not read, by partition. Raises NothingToRead."""
    if topic not in log.topics():
        raise NothingToRead(f"there is no topic {topic!r} yet; `otclog watch` makes it with the first mail")
    committed = log.committed(group)
    sources = [TopicPartition(topic, info.partition) for info in log.describe(topic)]
    spans = {source: log.span(source) for source in sources}
    for source, span in spans.items():
        at = committed.get(source, span.start)
        if not span.start <= at <= span.stop:
            raise NothingToRead(
                f"group {group} is at offset {at} of {source}, but the log has [{span.start}, {span.stop}); "
                "move the group with `otclog group rewind`"
            )
    starts = {source: committed.get(source, span.start) for source, span in spans.items()}
    return [
        OffsetRange(*source, starts[source], span.stop) for source, span in spans.items() if starts[source] < span.stop
    ]


def first_mails(ranges: Sequence[OffsetRange], limit: int) -> list[OffsetRange]:
    """At most `limit` mails from the ranges' beginnings, each partition with its share of the backlog."""
    total = sum(map(len, ranges))
    if total <= limit:
        return list(ranges)
    ends = [sum(map(len, ranges[: i + 1])) * limit // total for i in range(len(ranges))]
    shares = [end - start for start, end in zip([0, *ends], ends, strict=False)]
    return [
        OffsetRange(each.topic, each.partition, each.start, each.start + share)
        for each, share in zip(ranges, shares, strict=True)
        if share
    ]


def _commit(log: CommitLog, group: str, run_id: str, ranges: Iterable[OffsetRange]) -> None:
    """Move the group past the ranges, but not where somebody moved it meanwhile; nobody can between look and move."""
    log.commit(group, {})  # changes nothing, but makes the groups' topic where there is none yet
    with log.exclusive(GROUPS_PARTITION):
        committed = log.committed(group)
        done = {TopicPartition(each.topic, each.partition): each for each in ranges}
        moved = [source for source, each in done.items() if committed.get(source, each.start) != each.start]
        for source in moved:
            logger.warning("group %s was moved to %d of %s meanwhile; it stays there", group, committed[source], source)
        log.commit(group, {source: each.stop for source, each in done.items() if source not in moved}, run_id)
