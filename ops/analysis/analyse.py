"""Analyse: what programs said into the topic `ops` since the last time, as rows of the table `events`, each once.

The order of durable effects; each is repeated without harm:
 1. by the holder of the table, it is put back to what is published, so that a run that died amid it is gone
 2. data files are written, which no commit names yet
 3. one commit adds them, and takes what is left of files that had rows of the same offsets, and days that are old
 4. a publication names the version: from here on readers see the lines
 5. the group's offsets are committed; who dies before that reads the same lines again, in the place of the same rows
 6. small files become large ones, and what nobody sees any more goes

Retention does not wait for the analysis, as it does for an extraction: `ops` forgets by age and size, read or not.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from log.errors import GroupFenced
from log.groups import advance, has_lost_what_was_read
from log.journal import move
from log.opslog import MAX_VALUE_BYTES, TOPIC
from log.reading import has_topic, readable_records, sources_of
from log.rewind import to_listed
from ops.analysis.lines import batch_of
from ops.analysis.place import GROUP, store_of_events
from pipelines.errors import NothingToRead, OtherLog
from pipelines.jobs.plan import new_run_id
from pipelines.jobs.upkeep.garbage import collect
from pipelines.tables.commits import Change, commit, create, put_back, require_files
from pipelines.tables.compacting import compacted, due
from pipelines.tables.datafiles import write
from pipelines.tables.delta import opened
from pipelines.tables.locks import hold_tables
from pipelines.tables.publication import NOTHING, newest, publish
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.replacing import Chosen, candidates, described, survivors
from pipelines.tables.schemas.events import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    import pyarrow as pa

    from conf.settings import Settings
    from log.errors import CorruptRecord
    from log.interface import CommitLog
    from log.types import StoredRecord, TopicPartition
    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Hold, Store

logger = logging.getLogger(__name__)

KEEP = timedelta(days=90)  # three times as long as the topic has them
BATCH_BYTES = 4 << 20  # of lines, before they are rows
_BY = "ops-analyse:"  # before a run's id in what the group commits: a bare one is a run's that is in the table `runs`
_ENDS = "SELECT * FROM (SELECT log_partition, max(log_offset) + 1 AS stop FROM events GROUP BY ALL)"


@dataclass(frozen=True, slots=True)
class Analysed:
    """What a run did."""

    lines: int = 0  # that were read
    expired: int = 0  # that retention took before they were read
    publication: int | None = None  # that shows them; None where there was nothing to read


@dataclass(frozen=True, slots=True)
class _Plan:
    run_id: str
    topic_id: str
    generation: int  # the group's, before its offsets were read
    begins: Mapping[TopicPartition, int]  # where the group stands, or begins
    kept: Mapping[TopicPartition, range]  # what is to be read: no less than the log still has


def analyse(settings: Settings, log: CommitLog) -> Analysed:
    """One run over all that waits.

    Raises NothingToRead without a topic `ops`; OtherLog where the rows are of another one; TableBusy where another
    analysis goes on; TablesDamaged, SchemaDiffers, JobCutOff, CorruptRecord: nothing is published then.
    """
    if not has_topic(log, TOPIC):
        raise NothingToRead(
            f"there is no topic {TOPIC} yet: `[logging] ops` of the settings, or `otclog ops ship`, fills it"
        )
    store = store_of_events(settings.tables)
    membership = log.join(GROUP, [TOPIC])
    try:
        with hold_tables(store, 0.0) as hold:
            done = _analyse(store, log, hold)
    finally:
        membership.leave()
    if done.publication is not None:
        collect(store, settings.tables, datetime.now(UTC), (EVENTS.name,))
    return done


def _analyse(store: Store, log: CommitLog, hold: Hold) -> Analysed:
    on = newest(store)
    topic_id = log.topic_id(TOPIC)
    if on.topics.get(TOPIC, topic_id) != topic_id:
        raise OtherLog(
            f"{store.uri()} has lines of another topic {TOPIC} (id {on.topics[TOPIC]}) than this log's (id "
            f"{topic_id}): move it away, and all that this log has is analysed anew"
        )
    _set_back(store, log, on)
    plan = _plan(log, topic_id)
    expired = sum(offsets.start - plan.begins[source] for source, offsets in plan.kept.items())
    if not any(plan.kept.values()):
        return Analysed(expired=expired)
    put_back(store, EVENTS, hold, on)
    create(store, EVENTS, hold)
    change = _change(store, log, plan)
    require_files(store, EVENTS, change)
    version = commit(store, EVENTS, change, {"run_id": plan.run_id, "group": GROUP}, hold, published=on)
    shown = publish(store, plan.run_id, {EVENTS.name: version}, hold, on, topics={TOPIC: topic_id})
    _advance(log, hold, plan)
    _compact(store, hold, shown, plan.run_id)
    return Analysed(sum(map(len, plan.kept.values())), expired, shown.number)


def _set_back(store: Store, log: CommitLog, on: Publication) -> None:
    """Move the group back where the run that brought it there is not published: the table is lost, or a backup's.

    Ids of runs sort by time. Where somebody moved the group since, it is still known by its last run, and stays.
    """
    latest = log.standing().latest(GROUP)
    ahead = [source for source, each in latest.items() if each.metadata.removeprefix(_BY) > on.run_id]
    ends = _ends(store) if ahead and on != NOTHING else {}
    starts = {source: max(ends.get(source.partition, 0), log.span(source).start) for source in ahead}
    back = {source: offset for source, offset in starts.items() if offset < latest[source].offset}
    if back:
        logger.warning(
            "group %s is ahead of %s, which lacks lines that it had: it is set back to where the table ends, and reads "
            "again what the log still has",
            GROUP,
            store.uri(EVENTS.name),
        )
        move(log, GROUP, sorted(back), to_listed(back), reason="ahead of the table")


def _ends(store: Store) -> dict[int, int]:
    """Behind which line of each partition the published table ends."""
    with published(store, EVENTS.name) as tables:
        return {row["log_partition"]: row["stop"] for row in tables.rows(_ENDS, [], "", {})}


def _plan(log: CommitLog, topic_id: str) -> _Plan:
    """From where the group stands up to the log's end."""
    spans = {source: log.span(source) for source in sources_of(log, TOPIC)}
    latest = log.standing().latest(GROUP)
    if lost := [source for source, each in latest.items() if has_lost_what_was_read(log, source, each)]:
        raise OtherLog(
            f"{lost[0]} has lost its end since group {GROUP} read it, and other lines have those offsets now: "
            f"`otclog group rewind {GROUP} {TOPIC} --to-datetime TIME --execute` from before the loss"
        )
    begins = {source: latest[source].offset if source in latest else span.start for source, span in spans.items()}
    kept = {source: range(max(span.start, begins[source]), span.stop) for source, span in spans.items()}
    return _Plan(new_run_id(), topic_id, log.standing().generation(GROUP), begins, kept)


def _change(store: Store, log: CommitLog, plan: _Plan) -> Change:
    """Write the lines; and what is left of files that have some of their offsets, as after a rewind."""
    added = write(_batches(log, plan), store, EVENTS, plan.run_id)
    stored = opened(store, EVENTS.name)
    chosen = Chosen(
        OffsetRange(*source, offsets.start, offsets.stop) for source, offsets in plan.kept.items() if offsets
    )
    old = [file for file, _ in described(stored) if _is_old(file.day, datetime.now(UTC).date())]
    left = [
        survivors(store, EVENTS, file, chosen, plan.run_id) for file in candidates(stored, chosen) if file not in old
    ]
    replaced = [each for each in left if each.chosen]
    return Change(
        (*added, *(file for each in replaced for file in each.files)), (*old, *(each.of for each in replaced))
    )


def _is_old(day: str | None, today: date) -> bool:
    return day is not None and day < (today - KEEP).isoformat()


def _batches(log: CommitLog, plan: _Plan) -> Iterator[pa.RecordBatch]:
    for source, offsets in plan.kept.items():
        held: list[StoredRecord] = []
        size = 0
        for record in readable_records(log, source, _tell, offsets.start) if offsets else ():
            if record.offset >= offsets.stop:
                break
            held.append(record)
            size += min(len(record.value or b""), MAX_VALUE_BYTES)
            if size >= BATCH_BYTES:
                yield batch_of(held)
                held, size = [], 0
        if held:
            yield batch_of(held)


def _tell(damage: CorruptRecord) -> None:
    logger.warning("%s: what was said there is not analysed", damage)


def _advance(log: CommitLog, hold: Hold, plan: _Plan) -> None:
    read = {source: range(plan.begins[source], offsets.stop) for source, offsets in plan.kept.items() if offsets}
    hold.check()
    try:
        advance(log, GROUP, read, f"{_BY}{plan.run_id}", plan.generation, topics={TOPIC: plan.topic_id})
    except GroupFenced as fenced:
        logger.warning("run %s is published, but its group stays where it was put: %s", plan.run_id, fenced)


def _compact(store: Store, hold: Hold, on: Publication, run_id: str) -> None:
    parts = due(opened(store, EVENTS.name), EVENTS)
    if not parts:
        return
    added = tuple(file for part in parts for file in compacted(store, EVENTS, part, run_id))
    change = Change(added, tuple(of for part in parts for of in part.files), is_new_data=False)
    require_files(store, EVENTS, change)
    version = commit(store, EVENTS, change, {"run_id": run_id, "group": GROUP}, hold, published=on)
    publish(store, run_id, {EVENTS.name: version}, hold, on)
