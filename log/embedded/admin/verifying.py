"""All that a log has on disk, looked at byte by byte: every batch, index and epoch file of every replica.

Nothing is changed. Each copy is judged by itself; whether the copies are the same is `Replicas.verify`.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from log.disk.files import disk_errors_as_log_errors
from log.embedded.recovery.gaps import Spot
from log.embedded.recovery.losses import TO_DO, has_whole
from log.embedded.replicas.recovery import build_index
from log.embedded.replicas.state import load_state
from log.embedded.replicas.watermark import read_watermark
from log.embedded.segment import codec
from log.embedded.segment.epochs import NAME as EPOCHS
from log.embedded.segment.epochs import kept_epochs
from log.embedded.segment.names import SUFFIXES, segment_bases, segment_file
from log.embedded.segment.segment import walk
from log.embedded.segment.wholeness import first_missing
from log.embedded.upkeep.tending import untended
from log.topic_rules import check_partition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from log.embedded.home import Home
    from log.embedded.open_log import OpenedLog
    from log.embedded.segment.segment import Fence
    from log.types import StoredRecord, TopicPartition

    Judge = Callable[[StoredRecord], "str | None"]
    """What is wrong with a record; None: nothing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be, and what to do about it."""

    topic: str
    partition: int
    offset: int  # of the first record that it concerns
    replica: int
    file: str
    what: str
    todo: str


@dataclass(frozen=True, slots=True)
class _Copy:
    """A replica's copy of a partition, and how far it must be whole."""

    source: TopicPartition
    number: int
    folder: Path
    start: int
    stop: int
    others: tuple[Path, ...]  # of those in sync: what is damaged here is taken from them
    fence: Fence

    def damage(self, spot: Spot, file: Path, what: str) -> Finding:
        """A batch that is not whole here, and maybe in no other copy."""
        copies = [folder / file.name for folder in self.others]
        if any(has_whole(copy, [spot], self.fence) for copy in copies if copy.exists()):
            return self.finding(spot.offset, file, what)
        return self.finding(spot.offset, file, f"{what}, and damaged on every replica", f"a backup is needed: {TO_DO}")

    def hole(self, offset: int, file: Path, what: str) -> Finding:
        """Offsets that are missing here, and maybe in every other copy."""
        if any(_has(folder, offset) for folder in self.others):
            return self.finding(offset, file, what)
        return self.finding(offset, file, f"{what}, on every replica", f"a backup is needed: {TO_DO}")

    def finding(self, offset: int, file: Path, what: str, todo: str = "") -> Finding:
        repair = f"`otclog replica resync {self.number}` takes it from the other replicas"
        return Finding(*self.source, offset, self.number, str(file), what, todo or repair)


def verify(
    log: OpenedLog, source: TopicPartition, judge: Judge, advance: Callable[[int], object] = lambda _: None
) -> Iterator[Finding]:
    """What is wrong with any replica's copy of a partition, below the high watermark. Appends and reads go on.

    `advance` is told of each segment's bytes. Raises UnknownTopic, PartitionBusy while another process tends it.
    """
    check_partition(source, log.partition_count(source.topic))
    with disk_errors_as_log_errors(), untended(log, source):
        state, watermark = load_state(log.home, source), log.home.watermark_file(source)
        mark = read_watermark(watermark)
        stop = mark.high_watermark if mark else 0
        for number in state.replicas:
            others = tuple(log.home.partition_folder(source, each) for each in state.isr if each != number)
            folder = log.home.partition_folder(source, number)
            copy = _Copy(source, number, folder, state.start, stop, others, state.fence)
            if mark is None:
                yield copy.finding(state.start, watermark, "lost", "`otclog log tend` finds it again from the replicas")
            elif number in log.home.misplaced:
                what, todo, *_ = log.home.misplaced[number]
                yield copy.finding(state.start, log.home.replicas[number], what, todo)
            elif number not in state.isr:
                yield copy.finding(state.start, copy.folder, "out of sync", "`otclog log tend` brings it back")
            else:
                yield from _verify_copy(log.home, copy, judge, advance)


def _has(folder: Path, offset: int) -> bool:
    try:
        return first_missing(folder, offset, offset + 1) is None
    except OSError:
        return False


def _verify_copy(home: Home, copy: _Copy, judge: Judge, advance: Callable[[int], object]) -> Iterator[Finding]:
    end = copy.start
    try:
        home.check_replica(copy.number)
        bases = segment_bases(copy.folder)
        if kept_epochs(copy.folder) is None:
            yield copy.finding(copy.start, copy.folder / EPOCHS, "is missing or torn")
        for base, following in pairwise([*bases, None]):
            if base is None or (base > bases[0] and base >= copy.stop):
                break
            file = segment_file(copy.folder, base)
            if base > end:
                yield copy.hole(end, file, f"offsets {end} to {base - 1} are missing before it")
            elif end > base > bases[0]:
                continue  # left over by a compaction that died: its records are in the segment before
            found, end = _verify_batches(copy, base, judge)
            yield from found or _verify_indexes(copy, base, closed=following is not None and following <= copy.stop)
            advance(file.stat().st_size)
        if end < copy.stop:
            yield copy.hole(end, copy.folder, f"offsets {end} to {copy.stop - 1} are missing")
    except OSError as error:
        yield copy.finding(end, copy.folder, f"cannot be read: {error}")


def _verify_batches(copy: _Copy, base: int, judge: Judge) -> tuple[list[Finding], int]:
    """What is wrong in a segment, and the offset that it ends at."""
    file, end, offset = segment_file(copy.folder, base), 0, base
    found: list[Finding] = []
    fd = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    try:
        size = os.fstat(fd).st_size
        for position, header in walk(fd, 0, size):
            if offset >= copy.stop:
                return found, offset
            batch = os.pread(fd, header.size, position)
            if header.base_offset != offset or not codec.is_whole(batch):
                found.append(copy.damage(Spot(position, offset), file, f"position {position}: not an intact batch"))
            else:
                found += _verify_records(copy, file, batch, judge)
            offset += header.next_offset - header.base_offset
            end = position + header.size
        if end < size and offset < copy.stop:
            what = f"position {end}: no batch begins here, {size - end} bytes are lost"
            found.append(copy.damage(Spot(end, offset), file, what))
        return found, offset
    finally:
        os.close(fd)


def _verify_records(copy: _Copy, file: Path, batch: bytes, judge: Judge) -> Iterator[Finding]:
    for record in codec.decode(batch, copy.source):
        what = judge(record)
        if what is not None:
            yield copy.finding(
                record.offset, file, what, "its CRC is right, so it was appended so: look at who appended it"
            )


def _verify_indexes(copy: _Copy, base: int, *, closed: bool) -> Iterator[Finding]:
    """Both indexes must have the entries that the batches make; those of a segment that grows may be ahead."""
    with tempfile.TemporaryDirectory(prefix="otclog-verify-") as made:
        have = {suffix: _content(segment_file(copy.folder, base, suffix)) for suffix in SUFFIXES[1:]}
        build_index(copy.folder, base, Path(made), copy.stop)
        for suffix, entries in have.items():
            due = segment_file(Path(made), base, suffix).read_bytes()
            if entries is None or not (entries == due if closed else entries.startswith(due)):
                said = "is missing" if entries is None else "has other entries than its segment"
                yield copy.finding(base, segment_file(copy.folder, base, suffix), said)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
