"""Which records: ranges of offsets."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from log.topic_rules import NAME
from pipelines.errors import BadSelection

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa


@dataclass(frozen=True, slots=True, order=True)
class OffsetRange:
    """Offsets [start, stop) of one partition."""

    topic: str
    partition: int
    start: int
    stop: int

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.topic):
            raise BadSelection(f"{self.topic!r} is no topic: letters, digits, '.', '_' and '-' only")
        if not 0 <= self.start < self.stop:
            raise BadSelection(f"{self}: the first offset must be below the end, and neither below 0")

    def __str__(self) -> str:
        return f"{self.topic}:{self.partition}:{self.start}-{self.stop}"

    def __len__(self) -> int:
        return self.stop - self.start


def merged(ranges: Iterable[OffsetRange]) -> list[OffsetRange]:
    """The same offsets as few ranges, in order, none touching another."""
    joined: list[OffsetRange] = []
    for each in sorted(ranges):
        last = joined[-1] if joined else None
        if last and (last.topic, last.partition) == (each.topic, each.partition) and each.start <= last.stop:
            joined[-1] = OffsetRange(last.topic, last.partition, last.start, max(last.stop, each.stop))
        else:
            joined.append(each)
    return joined


def intersected(one: Iterable[OffsetRange], other: Iterable[OffsetRange]) -> list[OffsetRange]:
    """The offsets that are in both, as few ranges, in order."""
    ours, theirs = merged(one), merged(other)
    found: list[OffsetRange] = []
    at = 0
    for each in ours:
        place = each.topic, each.partition
        while at < len(theirs) and (theirs[at].topic, theirs[at].partition, theirs[at].stop) <= (*place, each.start):
            at += 1
        behind = at  # one of theirs may reach into several of ours
        while behind < len(theirs) and (theirs[behind].topic, theirs[behind].partition) == place:
            start, stop = max(each.start, theirs[behind].start), min(each.stop, theirs[behind].stop)
            if theirs[behind].start >= each.stop:
                break
            if start < stop:
                found.append(OffsetRange(*place, start, stop))
            behind += 1
    return found


def of_rows(rows: pa.Table) -> list[OffsetRange]:
    """The records of rows with columns topic, log_partition, log_offset, in whatever order, as few ranges."""
    found: list[OffsetRange] = []
    for place in rows.group_by(["topic", "log_partition"]).aggregate([]).to_pylist():
        here = (pc.field("topic") == place["topic"]) & (pc.field("log_partition") == place["log_partition"])
        offsets = np.unique(rows.filter(here)["log_offset"].to_numpy())
        cuts = np.flatnonzero(np.diff(offsets) > 1) + 1
        found += [
            OffsetRange(place["topic"], place["log_partition"], int(run[0]), int(run[-1]) + 1)
            for run in np.split(offsets, cuts)
        ]
    return sorted(found)


def rows_of_records(ranges: Iterable[OffsetRange]) -> pc.Expression:
    """The rows of these few records, to narrow a table by; of however many `replacing.Chosen` tells them."""
    partitions: dict[tuple[str, int], list[OffsetRange]] = defaultdict(list)
    for each in ranges:
        partitions[each.topic, each.partition].append(each)
    return _any([_in_partition(*key, parts) for key, parts in sorted(partitions.items())])


def _in_partition(topic: str, partition: int, ranges: list[OffsetRange]) -> pc.Expression:
    offset = pc.field("log_offset")
    offsets = [(offset >= each.start) & (offset < each.stop) for each in ranges if len(each) > 1]
    if single := [each.start for each in ranges if len(each) == 1]:
        offsets.append(offset.isin(single))
    return (pc.field("topic") == topic) & (pc.field("log_partition") == partition) & _any(offsets)


def _any(conditions: Sequence[pc.Expression]) -> pc.Expression:
    """One of them, as a balanced tree: a chain of thousands overflows the stack of whoever walks down it."""
    if len(conditions) == 1:
        return conditions[0]
    middle = len(conditions) // 2
    return _any(conditions[:middle]) | _any(conditions[middle:])
