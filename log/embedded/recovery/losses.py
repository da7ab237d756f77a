"""What no copy in sync has whole: told until a copy has it again, or it is deleted.

Damage is told as it was found, for to find it is to read all. Whether a segment is missing is seen at once.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from log.disk.files import disk_errors_as_log_errors
from log.embedded.recovery.gaps import Spot, whole_batch
from log.embedded.replicas.state import load_state
from log.embedded.replicas.suspects import lost_batches, lost_segments
from log.embedded.replicas.watermark import read_watermark
from log.embedded.segment.names import segment_file
from log.embedded.segment.wholeness import check_whole
from log.embedded.topics import sources
from log.errors import CorruptRecord, LogError
from log.types import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.partition.partition import Partition
    from log.embedded.replicas.state import PartitionState
    from log.embedded.segment.segment import Fence
    from log.types import TopicPartition

TOLD = 10  # ranges in one line
TO_DO = "put the partition back from it as docs/operations.md says"


def loss_in_words(lost: Iterable[range]) -> str:
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
            try:
                state = load_state(home, source)
                lacking = _lacking(home, source, state)
            except LogError as error:
                yield Trouble("records", True, str(error))
                continue
            kept = [range(max(each.start, state.start), each.stop) for each in noted if each.stop > state.start]
            if kept:
                yield Trouble("records", True, f"{source}: {loss_in_words(kept)}")
            if lacking:
                yield Trouble("records", True, f"{source}: {all_lack(lacking)}")


def all_lack(holes: Iterable[CorruptRecord]) -> str:
    """What to say of segments that each copy in sync lacks."""
    advice = "restore the files, or give up what lies before by `otclog topic delete-records`"
    return f"every replica in sync lacks records: {'; '.join(map(str, holes))}; {advice}"


def _lacking(home: Home, source: TopicPartition, state: PartitionState) -> list[CorruptRecord]:
    """What each copy in sync that is there lacks; [] if one lacks nothing, or the state has changed meanwhile."""
    mark = read_watermark(home.watermark_file(source))
    holes = []
    for number in (state.leader, *(each for each in state.isr if each != state.leader)):
        try:
            check_whole(source, home.partition_folder(source, number), state.start, mark.high_watermark if mark else 0)
        except CorruptRecord as error:
            holes.append(error)
        except OSError:  # it is away, as is told of the replica
            continue
        else:
            return []
    return holes if load_state(home, source).version == state.version else []


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
