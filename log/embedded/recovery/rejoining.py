"""How a replica that is out of sync comes back: it is not trusted in anything that the leader does not say too.

1. compare    read the whole copy, and find where it stops being the same as the leader's (comparing.py): at the latest
              where the epoch of its last records ended
2. archive    set aside what it has behind that (archiving.py), durably
3. cut        remove that, the last segment first, and what the leader does not keep any more; index anew what is left
4. catch up   copy from the leader what is acknowledged, while appends go on: batches whose CRC is right, and whose
              epoch, which no CRC covers, can be
5. admit      under the partition's lock: copy the rest, write the epochs and the state. With the state it is in sync.
              Unless the leader is another by then: its epoch began with records that this one's copy may not have

A crash before the end of 5 leaves it out of sync, and the next one begins at 1 again.

A batch that no replica in sync has whole (mending.py) is copied as the leader has it. Where the one that comes back has
it whole behind an equal header, it stays, and mends the others; with another header, it is not cut, and stays out.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from log.disk.files import FILE_MODE, fsync_folder, make_folder, replace_file, write_all
from log.embedded.partition.changing import admit
from log.embedded.recovery.gaps import Spot, whole_batch
from log.embedded.recovery.mending import known_gaps
from log.embedded.replicas.archiving import archive_after
from log.embedded.replicas.recovery import rebuild_index
from log.embedded.replicas.watermark import read_watermark
from log.embedded.segment import codec
from log.embedded.segment.comparing import SegmentPosition, common_part
from log.embedded.segment.epochs import read_epochs, write_epochs
from log.embedded.segment.names import SUFFIXES, copy_bases, segment_bases, segment_file
from log.embedded.segment.segment import walk
from log.embedded.segment.wholeness import check_whole
from log.errors import CorruptRecord, ReplicaFailed

if TYPE_CHECKING:
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.partition.partition import Partition
    from log.embedded.segment.segment import Fence
    from log.types import TopicPartition

ROUNDS = 20  # of catching up, after which the appenders have to wait for the rest


class _Copying(NamedTuple):
    """What is copied: from where, to where, and the epochs that its batches can have."""

    source: TopicPartition
    leader: Path
    folder: Path
    fence: Fence
    lost: frozenset[int]  # base offsets of batches that no replica in sync has whole


def rejoin(home: Home, partition: Partition, number: int) -> Path | None:
    """Bring a replica back into the ISR. The file with records that were set aside, if there were any.

    Raises OSError when one of the disks fails, CorruptRecord when the leader is damaged, ReplicaFailed when it left the
    ISR meanwhile: it is not in sync then.
    """
    source = partition.source
    with partition.hold():
        begun = partition.replicas.state
        high_watermark = partition.mark.high_watermark
        lost = frozenset(gap.begin.offset for gap in known_gaps(home, partition))
    leader, start = home.partition_folder(source, begun.leader), begun.start
    check_whole(source, leader, start, high_watermark)
    home.check_replica(number)
    folder = home.partition_folder(source, number)
    make_folder(folder)
    place = common_part(folder, leader, high_watermark, begun.fence, lost)
    copying = _Copying(source, leader, folder, begun.fence, lost)
    _check_leader(copying, place, high_watermark)
    archived = archive_after(folder, place, start, leader)
    cut_to(folder, place, keep_from=copy_bases(leader)[0])
    for base in segment_bases(folder):
        rebuild_index(folder, base)
    for _ in range(ROUNDS):
        stop = _high_watermark(home, source)
        if stop == place.offset:
            break
        place = _copy_up_to(copying, place, stop)
    with partition.hold():
        if partition.replicas.state.epoch != begun.epoch:  # each leader has its own
            raise ReplicaFailed(f"{source}: {leader}, which was copied, does not lead any more: it begins anew")
        mark = partition.mark
        place = _copy_up_to(copying, place, mark.end)
        if place != (mark.segment_base, mark.position, mark.end):
            raise CorruptRecord(
                source, place.offset, f"{leader}: it ends at offset {mark.end}, but not its whole batches"
            )
        write_epochs(folder, read_epochs(leader))
        for snapshot in leader.glob("*.snapshot"):  # of batches that may be deleted by now
            replace_file(folder / snapshot.name, snapshot.read_bytes())
        admit(partition, number)
    return archived


def _check_leader(copying: _Copying, place: SegmentPosition, stop: int) -> None:
    """Raise CorruptRecord where the copies differ because the leader is damaged: this one may have what that lacks."""
    if place.offset >= stop:
        return
    path = segment_file(copying.leader, place.base)
    with path.open("rb") as file:
        if place.position == os.fstat(file.fileno()).st_size or _batch_at(file.fileno(), place, copying.fence):
            return
    own = segment_file(copying.folder, place.base)
    if place.offset in copying.lost:
        if not own.exists():
            return
        with own.open("rb") as file:
            if not _batch_at(file.fileno(), place, copying.fence):
                return
    raise CorruptRecord(copying.source, place.offset, f"{path}, position {place.position}: the leader's copy")


def _batch_at(fd: int, place: SegmentPosition, fence: Fence) -> bool:
    return whole_batch(fd, Spot(place.position, place.offset), fence) is not None


def cut_to(folder: Path, place: SegmentPosition, keep_from: int) -> None:
    """Remove what is behind `place` and what is before segment `keep_from`; durable when this returns."""
    for snapshot in folder.glob("*.snapshot"):
        snapshot.unlink()
    for base in reversed(segment_bases(folder)):
        path = segment_file(folder, base)
        if base > place.base or base < keep_from:
            for suffix in SUFFIXES:
                segment_file(folder, base, suffix).unlink(missing_ok=True)
        elif base == place.base and path.stat().st_size > place.position:
            os.truncate(path, place.position)
            for suffix in SUFFIXES[1:]:
                segment_file(folder, base, suffix).unlink(missing_ok=True)
    fsync_folder(folder)


def _copy_up_to(copying: _Copying, place: SegmentPosition, stop: int) -> SegmentPosition:
    """Copy batches before offset `stop`, each whole; durable when this returns, and where the copy ends then.

    Raises CorruptRecord for one that is not whole, or has an epoch that cannot be; OSError.
    """
    source, leader, folder, _, _ = copying
    for base in [each for each in segment_bases(leader) if place.base <= each <= stop]:
        if place.base < base < place.offset:
            continue  # left over by a compaction that died: its records are in the segment before
        if base not in {place.base, place.offset}:
            raise CorruptRecord(source, place.offset, f"{segment_file(leader, place.base)}, position {place.position}")
        begin = place if base == place.base else SegmentPosition(base, 0, base)
        place = _copy_segment(copying, begin, stop)
        rebuild_index(folder, base)
    fsync_folder(folder)
    return place


def _copy_segment(copying: _Copying, place: SegmentPosition, stop: int) -> SegmentPosition:
    path = segment_file(copying.leader, place.base)
    theirs = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        own = os.open(segment_file(copying.folder, place.base), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        try:
            os.ftruncate(own, place.position)
            for position, header in walk(theirs, place.position, os.fstat(theirs).st_size):
                if header.next_offset > stop:
                    break
                batch = os.pread(theirs, header.size, position)
                sound = header.base_offset in copying.lost or codec.is_whole(batch)
                if not (copying.fence.admits(header) and sound):
                    raise CorruptRecord(copying.source, header.base_offset, f"{path}, position {position}")
                write_all(own, batch, position)
                place = SegmentPosition(place.base, position + header.size, header.next_offset)
            os.fsync(own)
        finally:
            os.close(own)
    finally:
        os.close(theirs)
    return place


def _high_watermark(home: Home, source: TopicPartition) -> int:
    mark = read_watermark(home.watermark_file(source))
    return mark.high_watermark if mark else 0
