"""The slow scrub: every segment of every replica in sync is read, over and over, at a set rate, its CRCs are checked.

    <root>/scrub.json    the segment read last, and the bytes that may be read at once

Damage is found while another copy can still mend it, though nobody reads there. `tend` calls this with whatever time
has passed: then so many segments are read at once as the rate allowed since, at most a day's worth, so that how often a
log is tended does not matter. What is larger than the allowance is owed. A batch counts for more than its bytes: small
ones take as long. One pass takes each segment of each replica; how far it is is written down, durably, after each
64 MiB, so that it goes on there, in whatever process, after any crash, though a slice may take hours.
"""

from __future__ import annotations

import errno
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from log.disk.documents import read_document, write_document
from log.disk.files import disk_errors_as_log_errors
from log.embedded.replicas.state import load_state
from log.embedded.replicas.suspects import lost_segments, suspect
from log.embedded.replicas.watermark import read_watermark
from log.embedded.segment.names import copy_bases, segment_file
from log.embedded.segment.segment import Wanted, read_batches
from log.embedded.topics import sources
from log.embedded.upkeep.tending import Tender, tending
from log.errors import LogError
from log.types import Tended, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.open_log import OpenedLog

MOST_S = 86400.0  # a clock that jumps, or a log that nobody tended, makes no longer burst
FIRST_S = 60.0  # what the first slice of a log may have
BATCH_COSTS, SEGMENT_COSTS = 1600, 65536  # bytes, besides their own: small ones take longer (benchmarks/scrub.py)
KEPT_EVERY = 64 * 2**20  # bytes of cost, and the segment that they end in: what a crash repeats at most
ALL_BYTES = 2**63


class Segment(NamedTuple):
    """In the order of a pass."""

    topic: str
    partition: int
    replica: int
    base: int


class Checked(NamedTuple):
    """What the look at a segment took, and found."""

    bytes: int
    batches: int
    is_whole: bool


NOTHING = Checked(0, 0, is_whole=True)
BEGINNING = Segment("", -1, -1, -1)


class Progress(NamedTuple):
    """What is kept of a pass."""

    last: Segment  # that was read
    at_ms: int  # when the allowance was counted
    allowance: int  # bytes; below 0 they are owed
    bytes: int  # read in this pass
    segments: int  # of these so many


def scrub(log: OpenedLog, progress: Callable[[], None] = lambda: None) -> list[Tended]:
    """Read what is due, each segment after a call of `progress`; what was found, and the end of a pass.

    What was found is told also where it goes no further: where the root is full, say, and nobody can write down how far
    it is, so that the next one begins at the same place.
    """
    done: list[Tended] = []
    try:
        with disk_errors_as_log_errors():
            done.extend(_slice(log, log.home.root / "scrub.json", progress))
    except LogError as error:
        done.append(Tended("", 0, "scrub", ok=False, detail=str(error)))
    return done


def _keep(file: Path, reached: Progress) -> None:
    write_document(file, {**reached._asdict(), "last": list(reached.last)})


def _progress(file: Path, rate: int) -> Progress:
    now_ms, found = time.time_ns() // 1_000_000, read_document(file)
    if found is None:
        return Progress(BEGINNING, now_ms, int(rate * FIRST_S), 0, 0)
    passed_s = min(max(0, now_ms - int(found["at_ms"])) / 1000, MOST_S)
    allowance = min(int(found["allowance"]) + int(rate * passed_s), int(rate * MOST_S))
    return Progress(Segment(*found["last"]), now_ms, allowance, int(found["bytes"]), int(found["segments"]))


def _slice(log: OpenedLog, file: Path, progress: Callable[[], None]) -> Iterator[Tended]:
    if not log.options.scrub_bytes_s:
        return
    known = _progress(file, log.options.scrub_bytes_s)
    kept_at = known.allowance
    if known.allowance <= 0:
        return
    for segment in _segments(log.home):
        if segment <= known.last:
            continue
        if known.allowance <= 0:
            _keep(file, known)
            return
        progress()
        checked, found = _read(log, segment)
        yield from found
        read, left = known.bytes + checked.bytes, known.allowance - cost(checked)
        known = Progress(segment, known.at_ms, left, read, known.segments + 1)
        if kept_at - left >= KEPT_EVERY:
            _keep(file, known)
            kept_at = left
    yield Tended("", 0, "scrub", ok=True, detail=f"all replicas read: {known.segments} segments, {known.bytes} bytes")
    _keep(file, known._replace(last=BEGINNING, bytes=0, segments=0))


def _segments(home: Home) -> Iterator[Segment]:
    """The segments of all replicas in sync, in the order of a pass."""
    for source in sorted(sources(home)):
        try:
            isr = sorted(load_state(home, source).isr)
        except LogError:  # who tends the partition is told
            continue
        for number in isr:
            try:
                bases = copy_bases(home.partition_folder(source, number))
            except OSError:  # its appender finds out
                continue
            for base in bases:
                yield Segment(*source, number, base)


def _read(log: OpenedLog, segment: Segment) -> tuple[Checked, list[Tended]]:
    """What was read of a segment, and what was found and mended."""
    home, source = log.home, TopicPartition(segment.topic, segment.partition)
    try:
        partition = log.partition(source)
        with tending(log, partition):
            mark = read_watermark(home.watermark_file(source))
            if mark is None:
                return NOTHING, []
            folder = home.partition_folder(source, segment.replica)
            checked = check_segment(folder, segment.base, mark.high_watermark)
            if checked.is_whole and segment.base not in lost_segments(home, source):
                return checked, []
            suspect(home, source, segment.base)
            tender = Tender(home, partition, log.topic_config(source.topic))
            tender.mend_segment(segment.base)
            tender.rejoin()
            return checked, tender.done
    except FileNotFoundError:  # deleted meanwhile
        return NOTHING, []
    except (OSError, LogError) as error:
        return NOTHING, [Tended(*source, "scrub", ok=False, detail=f"replica {segment.replica}: {error}")]


def cost(checked: Checked) -> int:
    """What of the allowance it took, in bytes."""
    return checked.bytes + checked.batches * BATCH_COSTS + SEGMENT_COSTS


def check_segment(folder: Path, base: int, stop: int) -> Checked:
    """Whether every batch of a segment before offset `stop` is whole on the disk. Raises OSError."""
    fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
    try:
        size, batches = os.fstat(fd).st_size, 0
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)  # what memory has of it says nothing of the disk
        try:
            for found in read_batches(folder, base, base, Wanted(stop, ALL_BYTES)) if size and base < stop else ():
                batches += found.batches
                if found.next_offset >= stop:
                    break
        except (ValueError, OSError) as error:
            if isinstance(error, OSError) and error.errno != errno.EIO:
                raise
            return Checked(size, batches, is_whole=False)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)  # nor is it worth memory that others use
        return Checked(size, batches, is_whole=True)
    finally:
        os.close(fd)
