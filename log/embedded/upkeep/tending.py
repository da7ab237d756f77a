"""What a partition needs from time to time: holes found, replicas brought back, old records deleted, keys compacted.

In this order: a copy with a hole that led the others would have them throw away what it lacks.

One process at a time tends a partition, under a lock of its own: appends and reads go on.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from log.disk.lock import FileLock, held_unless_read_only
from log.embedded.opening import adopt
from log.embedded.partition.changing import expel
from log.embedded.partition.sequences import Sequences
from log.embedded.recovery.losses import all_lack, loss_in_words, offsets_in_words, to_look_at
from log.embedded.recovery.mending import mend
from log.embedded.recovery.rejoining import rejoin
from log.embedded.replicas.suspects import lost_segments, suspects
from log.embedded.segment.names import copy_bases
from log.embedded.segment.wholeness import check_whole
from log.embedded.topics import copy_topic
from log.embedded.upkeep.compaction import compact
from log.embedded.upkeep.retention import advance_start, drop_before, expired_before, first_kept
from log.errors import CorruptRecord, LogError
from log.types import Tended

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.open_log import OpenedLog
    from log.embedded.partition.partition import Partition
    from log.types import RetentionHold, TopicConfig, TopicPartition


@contextlib.contextmanager
def tending(log: OpenedLog, partition: Partition) -> Iterator[None]:
    """Nobody else tends the partition meanwhile. Raises PartitionBusy."""
    lock = FileLock(log.home.tend_lock_file(partition.source), partition.source, log.options.lock_timeout_s)
    with contextlib.closing(lock), lock:
        yield


@contextlib.contextmanager
def untended(log: OpenedLog, source: TopicPartition) -> Iterator[None]:
    """Nobody tends the partition while its copies are looked at. Raises PartitionBusy."""
    lock = FileLock(log.home.tend_lock_file(source), source, log.options.lock_timeout_s)
    with contextlib.closing(lock), held_unless_read_only(lock):
        yield


class Tender:
    """Tends one partition; to be used under its tend lock."""

    def __init__(self, home: Home, partition: Partition, config: TopicConfig) -> None:
        self._home, self._partition, self._config = home, partition, config
        self.done: list[Tended] = []

    def expel(self) -> None:
        """Let replicas that lack segments leave the ISR, where another one has them; a damaged header seems a hole."""
        found = self._holes()
        for base in sorted({self._segment_of(number, hole.offset) for number, hole in found.items()}):
            if base not in lost_segments(self._home, self._partition.source):
                self.mend_segment(base)
        holes = self._holes() if found else {}
        with self._partition.hold():
            state = self._partition.replicas.state
        if holes and len(holes) == len(state.isr):
            self._say("check", all_lack(holes.values()), ok=False)
        elif holes:
            with self._partition.hold():
                expel(self._partition, holes)
            for hole in holes.values():
                self._say("check", f"no longer in sync: {hole}", ok=False)

    def _holes(self) -> dict[int, CorruptRecord]:
        """Replicas in sync that lack a segment, each with where."""
        source = self._partition.source
        with self._partition.hold():
            state, stop = self._partition.replicas.state, self._partition.mark.high_watermark
        holes: dict[int, CorruptRecord] = {}
        for number in state.isr:
            try:
                check_whole(source, self._folder(number), state.start, stop)
            except CorruptRecord as error:
                holes[number] = error
            except OSError as error:
                self._say("check", f"{self._folder(number)}: {error}", ok=False)
        return holes

    def _segment_of(self, number: int, offset: int) -> int:
        bases = copy_bases(self._folder(number))
        return max((base for base in bases if base <= offset), default=bases[0])

    def mend(self) -> None:
        """Mend the segments that somebody could not read whole in every copy, and those whose losses may be over."""
        with self._partition.hold():
            again = to_look_at(self._home, self._partition)
        for base in sorted({*suspects(self._home, self._partition.source), *again}):
            self.mend_segment(base)

    def mend_segment(self, base: int) -> None:
        """Look at a segment in every copy in sync, and mend what is damaged."""
        try:
            done = mend(self._home, self._partition, base)
        except (OSError, LogError) as error:
            self._say("mend", f"segment {base} is not mended: {error}", ok=False)
            return
        for number, offsets in done.repaired.items():
            said = offsets_in_words(range(offset, offset + 1) for offset in offsets)
            detail = f"{self._folder(number)}: damaged at {said}, and mended from another replica: look at its disk"
            self._say("mend", detail, look=True)
        with self._partition.hold():
            isr = self._partition.replicas.state.isr
        for number, why in done.left.items():
            self._say("mend", f"{'still damaged' if number in isr else 'no longer in sync'}: {why}", ok=False)
        if done.lost:
            self._say("mend", loss_in_words(done.lost), ok=False)

    def rejoin(self) -> None:
        """Bring back each replica that is out of sync and can be reached."""
        with self._partition.hold():
            state = self._partition.replicas.state
        for number in sorted(set(state.replicas) - set(state.isr)):
            folder = self._home.replicas[number]
            try:
                adopt(self._home, number)
                copy_topic(self._home, self._partition.source.topic, number)
                archived = rejoin(self._home, self._partition, number)
            except (OSError, LogError) as error:
                self._say("rejoin", f"{folder} stays out of sync: {error}", ok=False)
            else:
                aside = f"; records that the log does not have are set aside in {archived}" if archived else ""
                self._say("rejoin", f"{folder} is in sync{aside}")
                for base in lost_segments(self._home, self._partition.source):
                    self.mend_segment(base)  # it may have what the others had lost

    def retain(self, now_ms: int | None, hold: RetentionHold | None) -> None:
        """Delete what the topic's settings let go, but nothing that a protected group has not read."""
        with self._partition.hold():
            replicas = self._partition.replicas
            folder, high_watermark = replicas.folder(replicas.state.leader), self._partition.mark.high_watermark
            before = replicas.state.start
        if self._config.cleanup == "delete":
            wanted = expired_before(folder, self._config, high_watermark, now_ms)
            start = min(wanted, hold.offset) if hold else wanted
            if start < wanted and hold is not None:
                self._say("hold", f"kept from offset {start} on, as the protected group {hold.group} has not read it")
            if start > before:
                advance_start(self._partition, start)
                self._say("delete", f"offsets {before} to {start - 1} deleted")
        self.drop_deleted()

    def drop_deleted(self) -> None:
        """Remove the files of what was deleted."""
        with self._partition.hold():
            state = self._partition.replicas.state
        folders = [self._folder(number) for number in state.isr]
        for folder in folders:
            try:
                kept = first_kept(folder, state.start)
                if kept > copy_bases(folder)[0]:
                    sequences = self._sequences_before(kept, [folder, *folders])
                    with self._partition.hold():
                        sequences.write_before(folder, kept)
                    drop_before(folder, state.start)
            except OSError as error:
                self._say("delete", f"{folder}: {error}", ok=False)

    def _sequences_before(self, stop: int, folders: Sequence[Path]) -> Sequences:
        """What producers wrote before `stop`, by a copy that tells it all, else by the first. Raises OSError."""
        learnt = []
        for folder in folders:
            learnt.append(Sequences(self._partition.source))
            if learnt[-1].learn_before(folder, stop):
                return learnt[-1]
        return learnt[0]  # what nobody can tell any more keeps nothing from being deleted

    def compact(self) -> None:
        """Compact, as the topic says."""
        with self._partition.hold():
            before = self._partition.replicas.state.compacted
        try:
            end = compact(self._home, self._partition, self._config)
        except (OSError, LogError) as error:
            self._say("compact", str(error), ok=False)
            return
        if end > before:
            self._say("compact", f"compacted up to offset {end}")

    def _folder(self, number: int) -> Path:
        return self._home.partition_folder(self._partition.source, number)

    def _say(self, action: str, detail: str, *, ok: bool = True, look: bool = False) -> None:
        source = self._partition.source
        self.done.append(Tended(source.topic, source.partition, action, ok, detail, look))
