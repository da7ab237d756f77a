"""Reading a log without a lock and without writing anything: all that Spark's workers and read-only tools need."""

from __future__ import annotations

import contextlib
import errno
import logging
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from log.embedded.partition.copies import Copies
from log.embedded.replicas.behind import is_behind
from log.embedded.replicas.recovery import look
from log.embedded.replicas.suspects import suspect
from log.embedded.replicas.watermark import Watermark, read_watermark, this_boot
from log.embedded.segment import codec
from log.embedded.segment.by_time import offset_since
from log.embedded.segment.names import copy_bases, segment_file
from log.embedded.segment.segment import Wanted, begins_behind, read_batches
from log.embedded.segment.weight import bytes_since
from log.embedded.topics import load_topic
from log.errors import CorruptRecord, LogError, LogUnusable, OffsetOutOfRange, ReplicaFailed
from log.records import Records
from log.topic_rules import check_partition
from log.types import PartitionInfo, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.segment.segment import Batches, BatchPosition
    from log.records import Decoded, Part

T = TypeVar("T")

logger = logging.getLogger(__name__)

ALL_BYTES = 2**63


class Reader:
    """Reads visible records from any in-sync replica, the leader first."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._boot = this_boot()
        self._marks: dict[TopicPartition, Path] = {}  # where each partition's watermark is
        self._copies = Copies(home)
        self._last_read: dict[Path, BatchPosition] = {}  # by folder: the batch that was read last out of it
        self._told: set[tuple[Path, int]] = set()  # folder and segment that were not intact
        self._looked: set[TopicPartition] = set()  # whether the replicas go on behind the watermark
        self._ends: dict[TopicPartition, tuple[Watermark, int]] = {}  # looked for after a power cut

    def read(self, source: TopicPartition, offset: int, max_bytes: int) -> Records:
        """See `CommitLog.read`; `max_bytes` counts keys and values. Damage is raised by the read that begins at it."""
        parts: list[Part] = []
        count, mark = 0, self._mark(source)
        wanted = Wanted(mark.high_watermark, max_bytes)
        try:
            for found in self._visible(source, offset, wanted, mark):
                if found.header is None or _fits(found, found.header, offset, wanted):
                    parts.append(codec.decoder(found.data, found.batches))
                    count, offset = count + found.records, found.next_offset
                    wanted.room -= found.most_bytes
                    if count and wanted.room <= 0:
                        break
                    continue
                some, wanted.room = _some(found.data, range(offset, wanted.stop), wanted.room, begun=bool(count))
                parts.append(partial(iter, some))
                count += len(some)
                if count and wanted.room <= 0:
                    offset = some[-1].offset + 1 if some else offset
                    break
                offset = min(found.next_offset, wanted.stop)
        except (CorruptRecord, ReplicaFailed):
            if not count:
                raise
        return Records(source, parts, count, offset)

    def batches(self, source: TopicPartition, offset: int, stop: int) -> Iterator[tuple[codec.BatchHeader, bytes]]:
        """The batches that hold visible records of [offset, stop), their CRC checked. Raises as `CommitLog.read`."""
        for found in self._visible(source, offset, Wanted(stop, ALL_BYTES), self._mark(source)):
            yield from islice(codec.split(found.data), found.batches)

    def _visible(self, source: TopicPartition, offset: int, wanted: Wanted, mark: Watermark) -> Iterator[Batches]:
        span = self._span(source, mark)
        if not span.start <= offset <= span.stop:
            raise OffsetOutOfRange(source, offset, span)
        wanted.stop = min(wanted.stop, span.stop)
        while offset < wanted.stop:
            try:
                for found in self._run(source, offset, wanted, mark):
                    yield found
                    offset = found.next_offset
                    if offset >= wanted.stop:
                        return
            except (CorruptRecord, ReplicaFailed):
                span = self.span(source)
                if offset < span.start:  # deleted meanwhile
                    raise OffsetOutOfRange(source, offset, span) from None
                raise
            mark = self._mark(source)

    def span(self, source: TopicPartition) -> range:
        """See `CommitLog.span`."""
        return self._span(source, self._mark(source))

    def _span(self, source: TopicPartition, mark: Watermark) -> range:
        oldest = self._copies.somewhere(source, mark, lambda folder: self._copies.bases(folder, mark)[0])
        return range(max(oldest, self._copies.state(source, mark).start), mark.high_watermark)

    def has_unflushed(self, source: TopicPartition) -> bool:
        """Whether records may stand behind the high watermark."""
        mark = read_watermark(self._home.watermark_file(source))
        return mark is None or mark.end > mark.high_watermark

    def offset_for_time(self, source: TopicPartition, timestamp_ms: int) -> int | None:
        """See `CommitLog.offset_for_time`."""
        mark = self._mark(source)
        start = self._span(source, mark).start

        stop = mark.high_watermark
        offset = self._copies.somewhere(source, mark, lambda folder: offset_since(folder, start, stop, timestamp_ms))
        if offset is None or offset >= mark.high_watermark:
            return None
        return max(offset, start)

    def bytes_from(self, source: TopicPartition, offset: int) -> int:
        """See `CommitLog.bytes_from`."""
        mark = self._mark(source)
        span = self._span(source, mark)
        if offset >= span.stop:
            return 0
        first = max(offset, span.start)

        def ask(folder: Path, *, at_most: bool) -> int:
            return bytes_since(folder, self._copies.bases(folder, mark), first, at_most=at_most)

        try:
            return self._copies.somewhere(source, mark, partial(ask, at_most=False))
        except ReplicaFailed:  # no copy shows where that begins
            return self._copies.somewhere(source, mark, partial(ask, at_most=True))

    def describe(self, source: TopicPartition) -> PartitionInfo:
        """See `CommitLog.describe`."""
        mark = self._mark(source)
        state = self._copies.state(source, mark)
        folders = {number: str(self._home.replicas[number]) for number in state.replicas}

        def size(folder: Path) -> tuple[int, int]:
            bases = copy_bases(folder, max(mark.segment_base, mark.high_watermark))
            return max(bases[0], state.start), sum(segment_file(folder, base).stat().st_size for base in bases)

        start, size_bytes = self._copies.somewhere(source, mark, size)
        return PartitionInfo(
            topic=source.topic,
            partition=source.partition,
            leader=folders[state.leader],
            epoch=state.epoch,
            isr=tuple(folders[number] for number in state.isr),
            replicas=tuple(folders.values()),
            start=start,
            end=max(mark.end, mark.high_watermark),
            high_watermark=mark.high_watermark,
            bytes=size_bytes,
        )

    def somewhere(self, source: TopicPartition, ask: Callable[[Path], T]) -> T:
        """What the first in-sync replica's folder says whose disk answers. Raises UnknownTopic, ReplicaFailed."""
        return self._copies.somewhere(source, self._mark(source), ask)

    def _run(self, source: TopicPartition, offset: int, wanted: Wanted, mark: Watermark) -> Iterator[Batches]:
        """Batches of one segment from `offset` on, out of the first replica that has the first of them intact.

        Ends early at damage further on, so that the caller asks again, and another replica gets its turn.
        """
        errors: list[LogError] = []
        for folder in self._copies.folders(source, mark):
            sent, base = False, None
            try:
                base = _segment_with(offset, folder, self._copies.bases(folder, mark))
                for found in read_batches(folder, base, offset, wanted, self._last_read):
                    yield found
                    sent = True
            except ValueError as error:
                errors.append(CorruptRecord(source, offset, str(error)))
                self._tell(source, folder, base, error)
            except OSError as error:
                if error.errno == errno.EIO:  # a sector that is gone: damage, as wrong bytes are
                    errors.append(CorruptRecord(source, offset, str(error)))
                    self._tell(source, folder, base, error)
                else:
                    errors.append(ReplicaFailed(f"{source}: offset {offset} cannot be read: {error}"))
            if sent:
                return
        away = next((error for error in errors if not isinstance(error, CorruptRecord)), None)
        if away:  # a copy that could not be asked may have it whole
            raise away
        where = next(error.where for error in errors if isinstance(error, CorruptRecord))
        raise CorruptRecord(source, offset, where, self._readable_behind(source, offset, mark)) from errors[0]

    def _readable_behind(self, source: TopicPartition, offset: int, mark: Watermark) -> int:
        """The first offset behind one that no copy has whole from which any copy can be read; the end, if none can."""
        folders, stop = self._copies.folders(source, mark), mark.high_watermark
        begins: set[int] = set()
        for folder in folders:
            with contextlib.suppress(OSError):
                begins.update(begins_behind(folder, self._copies.bases(folder, mark), offset))
        return next((each for each in sorted(begins) if offset < each < stop and _any_has(folders, each)), stop)

    def _tell(self, source: TopicPartition, folder: Path, base: int | None, error: ValueError | OSError) -> None:
        """Say once that a copy is not intact, and leave a note of the segment to whoever may mend it."""
        if base is not None and (folder, base) not in self._told:
            self._told.add((folder, base))
            logger.warning("%s: a replica is damaged, the others are asked: %s", source, error)
            suspect(self._home, source, base)

    def _mark(self, source: TopicPartition) -> Watermark:
        path = self._marks.get(source)
        if path is None:
            path = self._marks[source] = self._home.watermark_file(source)
        try:
            mark = read_watermark(path)
        except OSError as error:
            raise LogUnusable(
                f"{source}: {path}: {error.strerror}; moved away, `otclog log tend` finds its high watermark again"
            ) from error
        if mark is None:
            check_partition(source, load_topic(self._home, source.topic).partitions)
            raise LogUnusable(
                f"{source}: its high watermark is lost; `otclog log tend` finds it again from the replicas, "
                "and so does whatever is started to append"
            )
        if mark.boot != self._boot:
            return mark._replace(high_watermark=self._end_on_disk(source, mark))
        if source not in self._looked:
            self._look_behind(source, mark)
        return mark

    def _look_behind(self, source: TopicPartition, mark: Watermark) -> None:
        """Say, once, that the root knows less than the replicas: a look at each partition when it is first read."""
        self._looked.add(source)
        if is_behind(self._home, source, mark, self._copies.state(source, mark)):
            logger.warning(
                "%s: the replicas go on behind offset %d, where they end by what the root says: an appender died, the "
                "root was put back from an older copy, or another one has the same replicas. What was acknowledged "
                "there is shown after `otclog log tend`, or the next append",
                *(source, mark.end),
            )

    def _end_on_disk(self, source: TopicPartition, mark: Watermark) -> int:
        """After a power cut the mark may lag: what in-sync replicas have now came from their disks, so is flushed.

        All of them had what was acknowledged, so a majority of them has it still, though a folder was emptied or put
        back from an older copy: what a majority has is shown. That they differ is said: it may be so, or a tail that
        was never acknowledged. An appender of this boot writes the mark first; the second look sees that.
        """
        known, end = self._ends.get(source, (None, 0))
        if known == mark:
            return end
        told = {folder: _end_of(folder, mark) for folder in self._copies.folders(source, mark)}
        ends = sorted((found for found in told.values() if found is not None), reverse=True)
        majority = len(told) // 2 + 1
        end = ends[majority - 1] if len(ends) >= majority else mark.high_watermark
        again = read_watermark(self._home.watermark_file(source))
        if again is not None and again.boot == self._boot:
            return again.high_watermark
        self._ends[source] = (mark, end)
        if set(told.values()) != {end}:
            said = ", ".join(f"{folder} {'nowhere' if found is None else found}" for folder, found in told.items())
            logger.warning(
                "%s: since the machine stopped the replicas in sync end at different offsets (%s): records are shown "
                "up to offset %d, and what was acknowledged beyond that, if anything, after `otclog log tend`",
                *(source, said, end),
            )
        return end


def _end_of(folder: Path, mark: Watermark) -> int | None:
    """Where a copy ends; None where it is not whole up to the high watermark, or cannot be read."""
    try:
        found = look(folder, mark.high_watermark)
    except OSError:
        return None
    return None if found.damaged else found.end


def _segment_with(offset: int, folder: Path, bases: list[int]) -> int:
    """The base of the segment that should hold the offset. Raises ValueError where the copy begins behind it."""
    base = next((base for base in reversed(bases) if base <= offset), None)
    if base is None:
        raise ValueError(f"{folder}: the offsets before {bases[0]} are missing")
    return base


def _any_has(folders: list[Path], offset: int) -> bool:
    """Whether a copy has the batch whole that begins at the offset."""
    for folder in folders:
        with contextlib.suppress(ValueError, OSError):
            base = _segment_with(offset, folder, copy_bases(folder))
            if next(read_batches(folder, base, offset, Wanted(offset + 1, 1)), None) is not None:
                return True
    return False


def _fits(found: Batches, header: codec.BatchHeader, offset: int, wanted: Wanted) -> bool:
    """Whether all records of the batch are wanted, as far as its header tells."""
    return (
        header.base_offset >= offset
        and found.next_offset <= wanted.stop
        and found.most_bytes <= wanted.room
        and not header.attributes & codec.COMPRESSION_MASK
    )


def _some(batch: bytes, wanted: range, left: int, *, begun: bool) -> tuple[list[Decoded], int]:
    """The wanted records of a batch until so many bytes are full, and what is left of them; one if none was `begun`."""
    some: list[Decoded] = []
    for record in codec.decoder(batch)():
        if record.offset in wanted:
            left -= len(record.key or b"") + len(record.value or b"")
            if left < 0 and (some or begun):
                break
            some.append(record)
    return some, left
