"""Damaged batches of a segment, mended from the in-sync copies that have them whole.

1. examine    read the segment in every in-sync copy, batch by batch: which copy has which batch whole
2. leave      a copy with a damaged batch leaves the ISR, durably, unless too few would be left: that is the alarm
3. mend       write the batch there as another in-sync copy has it, and flush. The copies are equal byte by byte, so it
              fits; one of another size, or with other whole batches, is not touched: it leaves, and is copied anew when
              it rejoins (rejoining.py)
4. come back  into the ISR, durably

All under the partition's lock, one copy after the other. A crash in between leaves a copy out of sync, which rejoins.
What no copy has whole is lost, said and remembered (losses.py); the copies stay in sync, equal in what they lack. Where
its header is damaged everywhere, each gets one that says where it ends (gaps.py), so that what lies behind is found, by
readers too.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from log.disk.files import FILE_MODE, errors_naming, fsync_folder, write_all
from log.embedded.partition.changing import admit, expel
from log.embedded.recovery.gaps import Gap, Spot, end_of_gap, in_indexes, let_pass, pread, whole_batch
from log.embedded.recovery.losses import loss_in_words
from log.embedded.replicas.suspects import LostBatch, changed_at, clear, lost_segments, remember, suspects
from log.embedded.segment import codec
from log.embedded.segment.epochs import read_epochs, write_epochs
from log.embedded.segment.names import segment_bases, segment_file
from log.errors import CorruptRecord, LogError
from log.times import now_ms, rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.partition.partition import Partition
    from log.embedded.segment.segment import Fence
    from log.types import TopicPartition

logger = logging.getLogger(__name__)

REPAIRS = "repairs.jsonl"  # in the log's root: a line for each batch that was mended, or whose header was written anew


class Bad(NamedTuple):
    """A batch that one copy has damaged, and another one whole."""

    offset: int
    position: int
    size: int
    donor: int  # the replica that has it whole


@dataclass(slots=True)
class Examined:
    """What a look at one segment in several copies found."""

    bad: dict[int, list[Bad]] = field(default_factory=dict)  # by replica
    unlike: dict[int, int] = field(default_factory=dict)  # replica to the offset from which it cannot be compared
    lost: list[Gap] = field(default_factory=list)  # what no copy has whole


@dataclass(slots=True)
class Mended:
    """What became of a segment."""

    repaired: dict[int, list[int]] = field(default_factory=dict)  # replica to the offsets where batches were mended
    left: dict[int, str] = field(default_factory=dict)  # replica to why it is still out of sync, or still damaged
    lost: list[range] = field(default_factory=list)


def examine(copies: Mapping[int, Path], base: int, stop: int, end: int, fence: Fence, *, closed: bool) -> Examined:
    """Compare a segment's batches before offset `stop` in several copies, the leader's first. Raises OSError.

    Args:
        copies: replica to its folder of the partition.
        base: the segment.
        stop: the high watermark, or where the next segment begins, if that is less.
        end: the offset after all that the segment has.
        fence: the epochs that a batch can have.
        closed: nothing is appended to it any more, so that all copies have one size.
    """
    found = Examined()
    with _opened(copies, base) as files:
        sizes = {number: os.fstat(fd).st_size for number, fd in files.items()}
        size = _size_of_whole(files, sizes, base, fence, found) if closed else min(sizes.values())
        spot, last = Spot(0, base), Spot(size, end)
        while spot.offset < stop and spot.position < size:
            alike = {number: fd for number, fd in files.items() if number not in found.unlike}
            whole = {number: batch for number, fd in alike.items() if (batch := whole_batch(fd, spot, fence))}
            if whole:
                spot = _compare(whole, alike, spot, found)
            else:
                gap = end_of_gap(list(alike.values()), Gap(spot, last), in_indexes(copies.values(), base), fence)
                found.lost.append(gap)
                spot = gap.end
    return found


@contextlib.contextmanager
def _opened(copies: Mapping[int, Path], base: int) -> Iterator[dict[int, int]]:
    """The segment's file in each copy, open for reading, in the copies' order. Raises OSError."""
    with contextlib.ExitStack() as opened:
        files: dict[int, int] = {}
        for number, folder in copies.items():
            files[number] = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
            opened.callback(os.close, files[number])
        yield files


def _size_of_whole(files: Mapping[int, int], sizes: Mapping[int, int], base: int, fence: Fence, found: Examined) -> int:
    """Where a closed segment ends. Copies of another size are noted as unlike, if one that ends there is whole."""
    if len(set(sizes.values())) == 1:
        return min(sizes.values())
    sound = [own for number, own in sizes.items() if _ends_whole(files[number], own, base, fence)]
    size = max(sound or sizes.values())  # where none is, each batch is taken from whoever has it
    if sound:
        found.unlike = {number: base for number, own in sizes.items() if own != size}
    return size


def _compare(whole: Mapping[int, bytes], alike: Iterable[int], spot: Spot, found: Examined) -> Spot:
    """Note which copies have the batch at a spot damaged, and which have another one; where the next one begins."""
    batch = Counter(whole.values()).most_common(1)[0][0]
    donor = next(number for number, own in whole.items() if own == batch)
    for number in alike:
        if number not in whole:
            found.bad.setdefault(number, []).append(Bad(spot.offset, spot.position, len(batch), donor))
        elif whole[number] != batch:
            found.unlike[number] = spot.offset
    header = codec.read_header(batch)
    assert header is not None  # noqa: S101  it is whole
    return Spot(spot.position + len(batch), header.next_offset)


def mend(home: Home, partition: Partition, base: int, least: int = 1) -> Mended:
    """Mend what is damaged in a segment; at least so many replicas stay in the ISR meanwhile. Raises OSError, LogError.

    What is lost is noted; the suspicion is cleared, unless a copy could not be mended.
    """
    done = Mended()
    with partition.hold():
        source = partition.source
        copies = _copies(partition, base)
        if not copies:  # deleted since
            remember(home, source, base, [])
            clear(home, source, base)
            return done
        found = _examine_in_sync(partition, copies, base)
        passed = _let_pass(home, partition, copies, base, found)
        done.left = passed.left
        if passed.written:
            found = _examine_in_sync(partition, copies, base)
        done.lost = [gap.offsets for gap in found.lost]
        for number in {**found.bad, **found.unlike}:
            bad = [] if number in found.unlike else found.bad[number]
            offset = bad[0].offset if bad else found.unlike[number]
            file = segment_file(copies[number], base)
            reason = CorruptRecord(source, offset, f"{file}" + (f", position {bad[0].position}" if bad else ""))
            leaves = _leave(partition, number, reason, least)
            if not bad:
                done.left[number] = str(reason)
                continue
            try:
                _write_anew(copies, number, base, bad)
                if leaves:
                    _come_back(partition, copies[number], number)
            except OSError as error:
                done.left[number] = f"{reason}; it cannot be mended: {error}"
                continue
            done.repaired[number] = [each.offset for each in bad]
            places = [{"offset": each.offset, "position": each.position, "from_replica": each.donor} for each in bad]
            with _unwritten_notes_logged(source):
                _journal(home, partition, number, places)
        with _unwritten_notes_logged(source):
            lost = [LostBatch(gap.begin.position, gap.begin.offset, gap.end.offset) for gap in found.lost]
            remember(home, source, base, lost)
            if not done.left:
                clear(home, source, base)
    return done


def known_gaps(home: Home, partition: Partition) -> list[Gap]:
    """What no copy in sync has whole, of the segments where that is known. Held. Raises OSError."""
    segments = [(base, _copies(partition, base)) for base in lost_segments(home, partition.source)]
    return [gap for base, copies in segments if copies for gap in _examine_in_sync(partition, copies, base).lost]


class Mender:
    """Mends what readers have noted, before an append: for an appender. A failure is logged, and stops no append."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._looked: dict[TopicPartition, int] = {}  # when notes had last changed

    def mend_suspects(self, partition: Partition) -> None:
        """Look for notes, if there may be other ones than the last time. Held."""
        source = partition.source
        try:
            changed = changed_at(self._home, source)
            if self._looked.get(source) == changed:
                return
            noted = suspects(self._home, source)
            self._looked[source] = changed
            for base in noted:
                done = mend(self._home, partition, base, partition.settings.min_insync)
                if done.lost:
                    logger.error("%s: %s", source, loss_in_words(done.lost))
        except (OSError, LogError) as error:
            logger.error("%s: not looked for damage: %s", source, error)  # noqa: TRY400 -- the message says all


def repairs(root: Path) -> dict[int, int]:
    """How many batches of each replica were ever mended. Raises OSError."""
    path = root / REPAIRS
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    written = [json.loads(line) for line in lines if line.endswith("}")]
    return dict(Counter(int(each["replica"]) for each in written if "from_replica" in each))


def _copies(partition: Partition, base: int) -> dict[int, Path]:
    """The replicas in sync that have a segment, the leader first."""
    replicas = partition.replicas
    numbers = sorted(replicas.state.isr, key=lambda number: number != replicas.state.leader)
    folders = {number: replicas.folder(number) for number in numbers}
    return {number: folder for number, folder in folders.items() if segment_file(folder, base).exists()}


def _examine_in_sync(partition: Partition, copies: Mapping[int, Path], base: int) -> Examined:
    mark, fence = partition.mark, partition.replicas.state.fence
    behind = [each for folder in copies.values() for each in segment_bases(folder) if each > base]
    stop, end = min([mark.high_watermark, *behind]), min([mark.end, *behind])
    return examine(copies, base, stop, end, fence, closed=base < mark.segment_base)


def _ends_whole(fd: int, size: int, base: int, fence: Fence) -> bool:
    """Whether all that a copy has of a segment is whole batches. The longest of such copies lacks nothing."""
    position, offset = 0, base
    while position < size:
        header = codec.read_header(pread(fd, codec.HEADER.size, position))
        batch = None if header is None else whole_batch(fd, Spot(position, header.base_offset), fence)
        if header is None or batch is None or header.base_offset < offset:
            return False
        position, offset = position + len(batch), header.next_offset
    return True


class _Passed(NamedTuple):
    """What became of the headers of what is lost."""

    written: bool  # any
    left: dict[int, str]  # replica to why one could not be written there


def _let_pass(home: Home, partition: Partition, copies: Mapping[int, Path], base: int, found: Examined) -> _Passed:
    """Give what is lost a header that is passed, in each copy that lacks it and can be written."""
    state, passed = partition.replicas.state, _Passed(written=False, left={})
    for gap in found.lost:
        epochs = read_epochs(copies.get(state.leader, partition.replicas.folder(state.leader)))
        epoch = max((epoch for epoch, start in epochs if start <= gap.begin.offset), default=state.epoch)
        for number in [each for each in copies if each not in found.unlike]:
            file = segment_file(copies[number], base)
            place = {"offset": gap.begin.offset, "position": gap.begin.position}

            def note(before: bytes, number: int = number, place: Mapping[str, object] = place) -> None:
                _journal(home, partition, number, [{**place, "header_before": before.hex()}])

            try:
                with file.open("r+b") as opened:
                    written = let_pass(opened.fileno(), gap, epoch, note)
                passed = passed._replace(written=passed.written or written)
            except OSError as error:
                passed.left[number] = f"{file}, position {gap.begin.position}: no header can be written: {error}"
    return passed


def _leave(partition: Partition, number: int, reason: CorruptRecord, least: int) -> bool:
    """Let a damaged copy leave the ISR, durably; False, and told, where it stays, and is to be mended where it is."""
    if len(partition.replicas.state.isr) <= least:
        logger.error("%s; in sync with too few others to leave", reason)
        return False
    try:
        expel(partition, {number: reason})
    except OSError as error:  # the root is full, or fails
        logger.error("%s; that it leaves cannot be written down: %s", reason, error)  # noqa: TRY400 -- it says all
        return False
    return True


def _write_anew(copies: Mapping[int, Path], number: int, base: int, bad: Sequence[Bad]) -> None:
    """Write the batches as their donors have them; durable, and read back, when this returns. Raises OSError."""
    fd = os.open(segment_file(copies[number], base), os.O_RDWR | os.O_CLOEXEC)
    try:
        for each in bad:
            with segment_file(copies[each.donor], base).open("rb") as donor:
                batch = os.pread(donor.fileno(), each.size, each.position)
            if not codec.is_whole(batch):
                raise OSError(f"{copies[each.donor]}: another batch at position {each.position} than a moment ago")
            write_all(fd, batch, each.position)
        os.fsync(fd)
    finally:
        os.close(fd)


def _come_back(partition: Partition, folder: Path, number: int) -> None:
    """Into the ISR: nothing was appended since it left, so it ends where the others do. Raises OSError."""
    replicas = partition.replicas
    write_epochs(folder, read_epochs(replicas.folder(replicas.state.leader)))
    with segment_file(folder, segment_bases(folder)[-1]).open("rb") as active:
        os.fsync(active.fileno())  # what the others had still to flush
    admit(partition, number)


def _journal(home: Home, partition: Partition, number: int, written: Sequence[Mapping[str, object]]) -> None:
    """A line for each place of a copy that is written anew; durable when this returns. Raises OSError."""
    source, at = partition.source, rfc3339(now_ms())
    lines = [
        json.dumps({"at": at, "replica": number, "topic": source.topic, "partition": source.partition, **each}) + "\n"
        for each in written
    ]
    with errors_naming(home.root / REPAIRS):
        fd = os.open(home.root / REPAIRS, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        try:
            size = os.fstat(fd).st_size
            torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"  # by a power cut, or a full disk
            write_all(fd, ("\n" * torn + "".join(lines)).encode(), size)
            os.fsync(fd)
        finally:
            os.close(fd)
    fsync_folder(home.root)


@contextlib.contextmanager
def _unwritten_notes_logged(source: TopicPartition) -> Iterator[None]:
    """A note that cannot be written undoes no mending: it is looked at again, or not counted among the repairs."""
    try:
        yield
    except OSError as error:
        logger.error("%s: mended, but not noted: %s", source, error)  # noqa: TRY400 -- the message says all
