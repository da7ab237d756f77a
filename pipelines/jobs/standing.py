"""A group stands no further than its tables, though these were lost or put back from a backup.

And no less far, where it is the group that was lost: the published runs say what it has read, its journal where it was
moved since.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from log.errors import UnknownTopic
from log.journal import journal, move
from log.protection import begin_protected
from log.rewind import to_listed
from log.types import TopicPartition
from pipelines.errors import BadSelection, NothingPublished
from pipelines.jobs.plan import is_run_id
from pipelines.jobs.topics import require_rows_of
from pipelines.tables.publication import latest
from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from log.interface import CommitLog
    from log.rewind import Move
    from log.types import GroupOffset
    from pipelines.tables.store.interface import Store

logger = logging.getLogger(__name__)

_REASON = "ahead of the tables"
_RECOVERED = "recovered from the tables"
_MOVED = pa.schema([("topic", pa.string()), ("partition", pa.int32()), ("at_ms", pa.int64()), ("to", pa.int64())])
# A run that was in hand when the group was moved did not take it further: what comes behind a move begins where it led.
# From there runs go forward alone: one that began further back without a move is of a group that had been lost.
_READ_TO = """
WITH read AS (
    SELECT started_ts, topic, "partition", start, stop, "to"
    FROM (
        SELECT started_ts, unnest(ranges, recursive := true)
        FROM runs WHERE kind = 'extract' AND "group" = $group
    ) LEFT JOIN moved USING (topic, "partition")
    WHERE at_ms IS NULL OR epoch_ms(started_ts) > at_ms
), begun AS (
    SELECT topic, "partition", min(started_ts) AS first FROM read WHERE "to" IS NULL OR start = "to" GROUP BY ALL
)
SELECT topic, "partition", max(stop) AS stop
FROM (SELECT * FROM read JOIN begun USING (topic, "partition") WHERE started_ts >= first) GROUP BY ALL
"""
_ENDS = """
    SELECT * FROM (
        SELECT "group", read.topic AS topic, read.partition AS partition, max(read.stop) AS stop
        FROM (SELECT "group", unnest(ranges) AS read FROM runs) GROUP BY ALL
    )
"""


def set_from_tables(log: CommitLog, store: Store, group: str, topic: str) -> None:
    """Move the group back where the run that brought it there is not published: else its mails would never be read.

    It then stands behind what its published runs have read, and the journal says why. Where somebody moved it since,
    it stays: that was meant. It costs the reading of the runs alone that brought it where it is, unless one of them is
    missing. Raises TablesDamaged, and as `append` does.
    """
    ahead = ahead_of(log, store, group, topic)
    read_to = ends(store, group) if ahead else {}
    back = {source: max(read_to.get(source, 0), log.span(source).start) for source in ahead}
    back = {
        source: offset
        for source, offset in back.items()
        if offset < ahead[source].offset and not _is_meant(log, group, source, ahead[source], offset)
    }
    if back:
        logger.warning(
            "group %s is ahead of the tables in %s, which lack the rows of %s: it is set back to where they end, and "
            "reads on from there",
            group,
            store.uri(),
            ", ".join(f"{source} [{offset}, {ahead[source].offset})" for source, offset in sorted(back.items())),
        )
        move(log, group, sorted(back), to_listed(back), reason=_REASON)


def recovered(log: CommitLog, store: Store, group: str) -> dict[TopicPartition, int]:
    """Where the group stood last: behind what its published runs have read, or where it was moved since.

    Runs that began anew, as those of a group that was lost do, do not count. What the log has no such partition of is
    left out. Raises BadSelection where nothing says it, OtherLog, NothingPublished, TablesDamaged.
    """
    moved = {
        (one.topic, one.partition): (entry.moved_at_ms, one.to) for entry in journal(log, group) for one in entry.moves
    }
    stands = {place: to for place, (_, to) in moved.items()}
    rows = [dict(zip(_MOVED.names, (*place, *last), strict=True)) for place, last in moved.items()]
    with published(store, "runs") as tables:
        tables.add("moved", ds.dataset(pa.Table.from_pylist(rows, _MOVED)))
        found = list(tables.rows(f"SELECT * FROM ({_READ_TO})", [], "", {"group": group}))  # noqa: S608 -- a constant
    stands |= {(row["topic"], row["partition"]): row["stop"] for row in found}
    if not stands:
        raise BadSelection(f"no published run is of group {group}: the tables do not say where it stood")
    here = {TopicPartition(*place): offset for place, offset in sorted(stands.items()) if _is_there(log, *place)}
    require_rows_of(store, latest(store), {source.topic: log.topic_id(source.topic) for source in here})
    return here


def recover(log: CommitLog, group: str, stands: Mapping[TopicPartition, int]) -> list[Move]:
    """Move the group there, forward too, with an entry in its journal. One that had been lost is protected again."""
    begin_protected(log, group, {source: log.span(source).start for source in stands})
    return move(log, group, sorted(stands), to_listed(stands), reason=_RECOVERED)


def tell_if_lost(store: Store, group: str, begins: Mapping[TopicPartition, int]) -> None:
    """Warn where a group begins partitions though published runs of it have read further. Raises TablesDamaged."""
    read_to = ends(store, group) if begins else {}
    again = sum(max(read_to.get(source, 0) - offset, 0) for source, offset in begins.items())
    if again:
        logger.warning(
            "group %s begins anew, and reads %d records again that its published runs have read: if it was lost, "
            "`otclog group recover %s --execute` sets it to where it stood",
            group,
            again,
            group,
        )


def _is_there(log: CommitLog, topic: str, partition: int) -> bool:
    try:
        return partition < log.partition_count(topic)
    except UnknownTopic:
        return False


def ahead_of(log: CommitLog, store: Store, group: str, topic: str | None = None) -> dict[TopicPartition, GroupOffset]:
    """Where runs that are not published have brought the group, of this topic or of all. Raises TablesDamaged."""
    committed = {
        source: each
        for source, each in log.standing().latest(group).items()
        if topic in {None, source.topic} and is_run_id(each.metadata)
    }
    known = _published_of(store, {each.metadata for each in committed.values()})
    return {source: each for source, each in committed.items() if each.metadata not in known}


def _is_meant(log: CommitLog, group: str, source: TopicPartition, at: GroupOffset, end: int) -> bool:
    """Whether somebody moved the group there over all mails from `end` on, which the tables lack.

    To undo a move, or to move back or nowhere, is no wish to skip any mail.
    """
    return any(
        (entry.generation, one.topic, one.partition, one.to) == (at.generation, *source, at.offset)
        for entry in journal(log, group)
        if entry.undoes is None and entry.reason != _REASON
        for one in entry.moves
        if (one.committed or 0) <= end < one.to
    )


def _published_of(store: Store, run_ids: Collection[str]) -> set[str]:
    """Those of the runs that the tables know. The ids begin with a time: other files stay shut by their statistics."""
    if not run_ids:
        return set()
    try:
        with published(store, "runs") as tables:
            name = pc.field("run_id")
            tables.narrow("runs", (name >= min(run_ids)) & (name <= max(run_ids)))
            known = {row["run_id"] for row in tables.rows("SELECT run_id FROM runs", [], "", {})}
    except NothingPublished:
        known = set()
    return known & set(run_ids)


def ends(store: Store, group: str | None = None) -> dict[TopicPartition, int]:
    """Behind which record of each partition the published runs end, those of the group or of all. {} without tables.

    Raises TablesDamaged.
    """
    found: dict[TopicPartition, int] = {}
    of_group = [] if group is None else ['"group" = $group']
    try:
        with published(store, "runs") as tables:
            for row in tables.rows(_ENDS, of_group, "", {"group": group} if group else {}):
                source = TopicPartition(row["topic"], row["partition"])
                found[source] = max(found.get(source, 0), row["stop"])
    except NothingPublished:
        pass
    return found
