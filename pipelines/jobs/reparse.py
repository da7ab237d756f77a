"""Reparse: chosen records again, with the parsers of today; their rows are replaced, all others stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from parsers.taught import Taught
from pipelines.jobs.plan import new_plan
from pipelines.jobs.run import run, sliced
from pipelines.jobs.taught import keep
from pipelines.jobs.topics import ids_of, require_same
from pipelines.readers.selection import require_kept
from pipelines.tables.publication import require_tables
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange, rows_of_records
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conf.settings import Settings
    from log.interface import CommitLog
    from pipelines.jobs.committing import Summary

_TOTALS = """
SELECT count(*)::BIGINT mails, coalesce(sum(size_bytes), 0)::BIGINT bytes, coalesce(sum(parts), 0)::BIGINT parts,
    coalesce(sum(quotes), 0)::BIGINT quotes, coalesce(sum(rejects), 0)::BIGINT rejects
FROM mails
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a reparse would do: counts of today's rows that it would replace."""

    records: int
    mails: int  # of the records, those extracted before
    bytes: int  # of these mails
    parts: int
    quotes: int
    rejects: int
    ranges: tuple[OffsetRange, ...]


def reparse(settings: Settings, log: CommitLog, ranges: Sequence[OffsetRange]) -> Summary:
    """Do it: one run, and one publication, of any size. Raises DealerTableError, OSError, and what `run` raises."""
    topics = ids_of(log, {each.topic for each in ranges})
    require_kept(log, ranges)
    store = store_of(settings.tables)
    require_tables(store)
    taught = Taught.load(settings.parsers.dealers)
    keep(store, taught)
    plan = new_plan("reparse", None, ranges, taught, topics=topics)
    return run(settings, plan, lambda: require_same(log, plan))


def preview(settings: Settings, log: CommitLog, ranges: Sequence[OffsetRange]) -> Preview:
    """Count, and change nothing. Raises NothingToRead, NothingPublished."""
    require_kept(log, ranges)
    with published(store_of(settings.tables), "mails") as tables:
        totals = [
            next(tables.rows(_TOTALS, [rows_of_records(part).sql], "1", {}))
            for part in sliced(ranges, settings.extract.max_mails)
        ]
    sums = {name: sum(total[name] for total in totals) for name in ("mails", "bytes", "parts", "quotes", "rejects")}
    return Preview(records=sum(map(len, ranges)), ranges=tuple(ranges), **sums)
