"""What no copy in sync has whole, as it was found: told until a copy has it again, or it is deleted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from log.disk.files import disk_errors_as_log_errors
from log.embedded.recovery.gaps import Spot, whole_batch
from log.embedded.replicas.state import load_state
from log.embedded.replicas.suspects import lost_batches, lost_segments
from log.embedded.segment.names import segment_file
from log.embedded.topics import sources
from log.errors import LogError
from log.types import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.partition.partition import Partition
    from log.embedded.segment.segment import Fence

TOLD = 10  # ranges in one line
TO_DO = "put the partition back from it as docs/operations.md says"


def in_words(lost: Iterable[range]) -> str:
    """What to say of offsets that no copy has whole."""
    said = offsets_in_words(lost)
    verb = "are" if said.startswith("offsets") else "is"
    return f"{said} {verb} damaged on every replica in sync: lost unless a backup has them, so {TO_DO}"


def offsets_in_words(ranges: Iterable[range]) -> str:
    """`offset 7`, `offsets 0 to 6`, `offsets 0 to 6, 9`: neighbours as one."""
    joined = list(_joined(ranges))
    said = [f"{each.start} to {each.stop - 1}" if len(each) > 1 else str(each.start) for each in joined[:TOLD]]
    one = len(joined) == len(joined[0]) == 1
    return f"offset{'' if one else 's'} {', '.join(said)}{' …' if len(joined) > TOLD else ''}"


def losses(home: Home) -> Iterator[Trouble]:
    """What was found to be lost in each partition, and is not deleted. Raises LogError."""
    with disk_errors_as_log_errors():
        for source in sources(home):
            noted = [each for base in lost_segments(home, source) for each in lost_batches(home, source, base)]
            if not noted:
                continue
            try:
                start = load_state(home, source).start
            except LogError as error:
                yield Trouble("records", True, str(error))
                continue
            kept = [range(max(each.start, start), each.stop) for each in noted if each.stop > start]
            if kept:
                yield Trouble("records", True, f"{source}: {in_words(kept)}")


def to_look_at(home: Home, partition: Partition) -> list[int]:
    """The segments with losses that a copy has again, that are deleted, or of which is not known what is lost.

    A backup was put in place, say. A batch is read for each loss, no segment. Held. Raises OSError.
    """
    source, replicas = partition.source, partition.replicas
    folders = [replicas.folder(number) for number in replicas.state.isr]
    found = []
    for base in lost_segments(home, source):
        copies = [segment_file(folder, base) for folder in folders if segment_file(folder, base).exists()]
        lost = lost_batches(home, source, base)
        spots = [Spot(each.position, each.start) for each in lost]
        if not lost or not copies or any(has_whole(copy, spots, replicas.state.fence) for copy in copies):
            found.append(base)
    return found


def has_whole(file: Path, spots: Iterable[Spot], fence: Fence) -> bool:
    """Whether a copy of a segment has the batch of any of these places whole. Raises OSError."""
    fd = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return any(whole_batch(fd, spot, fence) is not None for spot in spots)
    finally:
        os.close(fd)


def _joined(ranges: Iterable[range]) -> Iterator[range]:
    open_ = None
    for each in sorted(ranges, key=lambda each: each.start):
        if open_ is not None and each.start <= open_.stop:
            open_ = range(open_.start, max(open_.stop, each.stop))
            continue
        if open_ is not None:
            yield open_
        open_ = each
    if open_ is not None:
        yield open_
