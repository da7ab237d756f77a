"""A group stands no further than its tables, though these were lost or put back from a backup."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from log.groups import GroupOffsets
from log.journal import journal, move
from log.rewind import to_listed
from log.types import TopicPartition
from pipelines.errors import NothingPublished
from pipelines.jobs.plan import is_run_id
from pipelines.tables.published import published

if TYPE_CHECKING:
    from log.interface import CommitLog
    from pipelines.tables.store.interface import Store

logger = logging.getLogger(__name__)


def set_from_tables(log: CommitLog, store: Store, group: str, topic: str) -> None:
    """Move the group back where the run that brought it there is not published: else its mails would never be read.

    It then stands behind what its published runs have read, and the journal says why. Where somebody moved it since,
    it stays: that was meant. Raises TablesDamaged, and as `append` does.
    """
    committed = {source: each for source, each in GroupOffsets(log).latest(group).items() if source.topic == topic}
    if not committed:
        return
    runs, ends = _published_runs(store, group)
    moved = {
        (entry.generation, one.partition, one.to)
        for entry in journal(log, group)
        for one in entry.moves
        if one.topic == topic
    }
    back = {
        source: min(each.offset, max(ends.get(source, 0), log.span(source).start))
        for source, each in committed.items()
        if is_run_id(each.metadata)
        and each.metadata not in runs
        and (each.generation, source.partition, each.offset) not in moved
    }
    back = {source: offset for source, offset in back.items() if offset < committed[source].offset}
    if back:
        logger.warning(
            "group %s is ahead of the tables in %s, which lack the rows of %s: it is set back to where they end, and "
            "reads on from there",
            group,
            store.uri(),
            ", ".join(f"{source} [{offset}, {committed[source].offset})" for source, offset in sorted(back.items())),
        )
        move(log, group, sorted(back), to_listed(back), reason="ahead of the tables")


def _published_runs(store: Store, group: str) -> tuple[set[str], dict[TopicPartition, int]]:
    """The group's runs that the tables know, and behind which record of each partition they end."""
    runs: set[str] = set()
    ends: dict[TopicPartition, int] = {}
    try:
        with published(store, "runs") as tables:
            for row in tables.rows("SELECT run_id, ranges FROM runs", ['"group" = $group'], "run_id", {"group": group}):
                runs.add(row["run_id"])
                for each in row["ranges"]:
                    source = TopicPartition(each["topic"], each["partition"])
                    ends[source] = max(ends.get(source, 0), each["stop"])
    except NothingPublished:
        pass
    return runs, ends
