"""Extract: what a group has not read yet, into the tables; its offsets move last."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from log.errors import CorruptRecord, GroupFenced
from log.groups import advance, check_name, has_lost_what_was_read
from log.protection import begin_protected
from log.reading import fetched, has_topic, sources_of
from log.types import TopicPartition
from parsers.taught import Taught
from pipelines.errors import NotConserved, NothingToRead, OtherLog, RecordsDamaged, RecordsUnreadable
from pipelines.jobs.lane import READ_BYTES, first_bytes
from pipelines.jobs.plan import new_plan
from pipelines.jobs.recovery import finish_own, require_publication
from pipelines.jobs.run import run
from pipelines.jobs.standing import set_from_tables, tell_if_lost
from pipelines.jobs.taught import keep
from pipelines.jobs.topics import ids_of, require_rows_of
from pipelines.tables.locks import lease
from pipelines.tables.publication import require_tables
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from conf.settings import Settings
    from log.interface import CommitLog
    from log.types import GroupOffset
    from pipelines.jobs.committing import Summary
    from pipelines.jobs.plan import Plan
    from pipelines.tables.store.interface import Hold

    FindDamage = Callable[[CommitLog, OffsetRange], CorruptRecord | None]

logger = logging.getLogger(__name__)


def extract(
    settings: Settings,
    log: CommitLog,
    group: str,
    topic: str,
    max_mails: int,
    *,
    taught: Callable[[], Taught] | None = None,
    max_bytes: int | None = None,
    beside: str | None = None,
) -> Summary | None:
    """One run of the group over at most `max_mails` of its pending mails; None if there are none.

    It ends with the mail by which it has `max_bytes`. A group that has not begun a topic does so at its start; one that
    reads `beside` another group where that stands: what it is to read before that it is moved back to.

    A run of this group that was cut off is finished instead, as it was planned. From the group's first run on retention
    keeps what it has not read, unless `group unprotect` ends that. `taught` reads what users teach; it is called when
    the run is planned. Without it the settings' files are read. Raises LogUnusable for what names no group, GroupBusy,
    NothingToRead, OtherLog, and what `Taught.load` and `run` raise; RecordsDamaged when all that is left is behind
    records that no replica has whole.
    """
    check_name(group)
    store = store_of(settings.tables)
    with lease(store, group) as held:
        if finished := finish_own(settings, lambda plan: plan.group == group):
            _advance(log, held, group, finished.plan)
            return finished
        require_topic(log, topic)
        topics = ids_of(log, [topic])
        require_rows_of(store, require_publication(store), topics)  # before the group is moved for other tables
        set_from_tables(log, store, group, topic)
        generation = log.standing().generation(group)  # before its offsets: a move in between is noticed
        latest, others = log.standing().latest(group), log.committed(beside) if beside else {}
        committed = {source: each.offset for source, each in latest.items()}
        spans = {source: log.span(source) for source in sources_of(log, topic)}  # behind what was committed before
        first = starts(spans, others)
        left_to_read = pending(group, committed, spans, first)
        if left_to_read:
            require_tables(store)
            _require_what_was_read(log, group, latest, left_to_read)
        if not committed:
            begin_protected(log, group, first, topics)
        if not left_to_read:  # who looks every 2 s is done here; the rest is for runs
            return None
        tell_if_lost(store, group, {source: at for source, at in first.items() if source not in committed})
        now_taught = taught() if taught else Taught.load(settings.parsers)
        keep(store, now_taught)

        def run_over(find: FindDamage) -> Summary | None:
            ranges, damaged = first_whole_mails(log, left_to_read, max_mails, find)
            if not ranges and damaged:
                raise RecordsDamaged("; ".join(how_to_pass(each, group) for each in damaged))
            if not ranges:
                return None
            if max_bytes is not None:
                ranges = first_bytes(log, ranges, max_bytes)
            plan = new_plan("extract", group, ranges, now_taught, generation, topics=topics)
            summary = run(settings, log, plan)
            _advance(log, held, group, plan)
            return summary

        try:
            return run_over(_next_damaged)
        except (RecordsUnreadable, NotConserved):  # damage further on: to find it all of a run's records are read
            return run_over(_damage_in)


@contextmanager
def membership(log: CommitLog, group: str, topic: str) -> Iterator[None]:
    """Be a member of the group, between runs too: who looks sees it running, and `group delete` is refused.

    Raises LogUnusable for what names no group, OSError.
    """
    with log.join(group, [topic]):
        yield


def require_topic(log: CommitLog, topic: str) -> None:
    """Raises NothingToRead where there is none of this name."""
    if not has_topic(log, topic):
        raise NothingToRead(
            f"there is no topic {topic!r} yet; `otclog topic list` shows those there are, "
            "`otclog watch` makes its own with the first mail"
        )


def starts(spans: Mapping[TopicPartition, range], others: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
    """Where a group begins these partitions: where the `others` beside it stand, else at their first record."""
    return {source: max(others.get(source, 0), span.start) for source, span in spans.items()}


def pending(
    group: str,
    committed: Mapping[TopicPartition, int],
    spans: Mapping[TopicPartition, range],
    first: Mapping[TopicPartition, int],
) -> list[OffsetRange]:
    """What the group has not read of what partitions have; `first` says where it begins. Raises NothingToRead."""
    at = {source: committed.get(source, offset) for source, offset in first.items()}
    for source, span in spans.items():
        if not span.start <= at[source] <= span.stop:
            raise NothingToRead(
                f"group {group} is at offset {at[source]} of {source}, but the log has [{span.start}, {span.stop}); "
                "move the group with `otclog group rewind`"
            )
    return [OffsetRange(*source, at[source], span.stop) for source, span in spans.items() if at[source] < span.stop]


def _require_what_was_read(
    log: CommitLog, group: str, latest: Mapping[TopicPartition, GroupOffset], left_to_read: Sequence[OffsetRange]
) -> None:
    """Raises OtherLog where a partition has lost its end since, and has grown past the group with other records."""
    for each in left_to_read:
        source = TopicPartition(each.topic, each.partition)
        committed = latest.get(source)
        if committed and has_lost_what_was_read(log, source, committed):
            raise OtherLog(
                f"{source} has lost its end since group {group} read it up to offset {committed.offset}, and other "
                "records have those offsets now: read them again from before the loss, "
                f"`otclog group rewind {group} {each.topic}:{each.partition} --to-datetime TIME --execute`"
            )


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


def first_whole_mails(
    log: CommitLog,
    left: list[OffsetRange],
    limit: int,
    find: FindDamage,
) -> tuple[list[OffsetRange], list[CorruptRecord]]:
    """At most `limit` mails, as `first_mails`, of each partition only those before its first damaged record.

    And the damaged records with which a partition begins: of these partitions there is nothing to read. `find` says
    which record of a range no replica has whole.
    """
    damaged: list[CorruptRecord] = []
    while True:
        kept = []
        for each in first_mails(left, limit):
            damage = find(log, each)
            if damage is None:
                kept.append(each)
            elif damage.offset > each.start:
                kept.append(replace(each, stop=damage.offset))
            else:
                damaged.append(damage)
                left = [other for other in left if other.partition != each.partition]
        if kept or not left:
            return kept, damaged


def _next_damaged(log: CommitLog, each: OffsetRange) -> CorruptRecord | None:
    """Of the first record alone, which costs next to nothing."""
    try:
        log.read(TopicPartition(each.topic, each.partition), each.start, 1)
    except CorruptRecord as error:
        return error
    return None


def _damage_in(log: CommitLog, each: OffsetRange) -> CorruptRecord | None:
    source = TopicPartition(each.topic, each.partition)
    try:
        for _ in fetched(log, source, range(each.start, each.stop), READ_BYTES):
            pass
    except CorruptRecord as error:
        return error
    return None


def how_to_pass(damage: CorruptRecord, group: str) -> str:
    """What was found, and the command that moves the group behind it."""
    topic, partition = damage.source
    behind = damage.offset + 1 if damage.stop is None else damage.stop
    return (
        f"{damage}. The other partitions are read. To go on behind them: "
        f"otclog group rewind {group} {topic}:{partition} --to-offset {behind} --new --execute"
    )


def _advance(log: CommitLog, held: Hold, group: str, plan: Plan) -> None:
    """Move the group past the plan, unless it was moved since that was made: then it stays, and is read from there.

    So it does where another process took this one for dead, and has read on, or where a topic is another one by now.
    """
    read = {TopicPartition(each.topic, each.partition): range(each.start, each.stop) for each in plan.ranges}
    held.check()
    try:
        advance(log, group, read, plan.run_id, plan.generation, topics=plan.topics)
    except GroupFenced as fenced:
        logger.warning(
            "the rows of run %s are published, but its group stays where it was put: %s", plan.run_id, fenced
        )
