"""Reparse: chosen records again, with the parsers of today; their rows are replaced, all others stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from parsers.taught import Taught
from pipelines.jobs.plan import new_plan
from pipelines.jobs.run import run
from pipelines.jobs.taught import keep
from pipelines.readers.selection import require_kept
from pipelines.tables.publication import require_tables
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange, rows_of_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conf.settings import Settings
    from log.interface import CommitLog
    from pipelines.jobs.run import Summary

MAX_TERMS = 1000  # ranges a run: Delta takes minutes for a condition of several thousand
_TOTALS = """
SELECT count(*)::BIGINT mails, coalesce(sum(size_bytes), 0)::BIGINT bytes, coalesce(sum(parts), 0)::BIGINT parts,
    coalesce(sum(quotes), 0)::BIGINT quotes, coalesce(sum(rejects), 0)::BIGINT rejects
FROM mails
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a reparse would do: counts of today's rows that it would replace."""

    records: int
    runs: int  # each one publication
    mails: int  # of the records, those extracted before
    bytes: int  # of these mails
    parts: int
    quotes: int
    rejects: int
    ranges: tuple[OffsetRange, ...]


def reparse(settings: Settings, log: CommitLog, ranges: Sequence[OffsetRange]) -> Iterator[Summary]:
    """Do it, in runs of at most `[extract] max_mails` mails, all of them taught what the settings' files say now.

    Raises DealerTableError, OSError, and what `run` raises.
    """
    require_kept(log, ranges)
    require_tables(settings.tables.root)
    taught = Taught.load(settings.parsers.dealers)
    keep(settings.tables.root, taught)
    for part in sliced(ranges, settings.extract.max_mails):
        yield run(settings, log, new_plan("reparse", None, part, taught))


def preview(settings: Settings, log: CommitLog, ranges: Sequence[OffsetRange]) -> Preview:
    """Count, and change nothing. Raises NothingToRead, NothingPublished."""
    require_kept(log, ranges)
    slices = list(sliced(ranges, settings.extract.max_mails))
    with published(settings.tables.root, "mails") as tables:
        totals = [next(tables.rows(_TOTALS, [rows_of_records(part).sql], "1", {})) for part in slices]
    sums = {name: sum(total[name] for total in totals) for name in ("mails", "bytes", "parts", "quotes", "rejects")}
    return Preview(records=sum(map(len, ranges)), runs=len(slices), ranges=tuple(ranges), **sums)


def sliced(ranges: Sequence[OffsetRange], max_mails: int) -> Iterator[list[OffsetRange]]:
    """The same records in lists of at most `max_mails` records and MAX_TERMS ranges."""
    taken: list[OffsetRange] = []
    room = max_mails
    for each in ranges:
        start = each.start
        while start < each.stop:
            stop = min(each.stop, start + room)
            taken.append(OffsetRange(each.topic, each.partition, start, stop))
            room -= stop - start
            start = stop
            if not room or len(taken) == MAX_TERMS:
                yield taken
                taken, room = [], max_mails
    if taken:
        yield taken
