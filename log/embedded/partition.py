"""The appender of one partition. The order of its steps is the whole promise.

hold       lock; settle with what the last appender left, which may have died
stage      write the batches to every in-sync replica: provisional
flush      fsync them there (flushing.py)
resolve    replicas that failed leave the ISR, durably; with too few left nothing is acknowledged
publish    write the watermark: now readers see the records, and the append is acknowledged
roll_back  instead of publish: cut the replicas to where they stood
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, NamedTuple

from log.embedded import codec
from log.embedded.files import NOT_THE_DISK, make_folder
from log.embedded.lock import PartitionLock
from log.embedded.replicas import InSyncReplicas, attempt
from log.embedded.settling import recover
from log.embedded.watermark import Watermark, WatermarkFile, this_boot
from log.errors import DiskFull, LogError, LogUnusable, NotEnoughReplicas, ReplicaFailed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from log.embedded.home import Home
    from log.types import Record, TopicPartition


class AppendSettings(NamedTuple):
    """What holds for every append to a partition."""

    min_insync: int
    segment_bytes: int
    segment_age_s: float
    compression: str
    lock_timeout_s: float


class Partition:
    """All but `hold` and `close` is to be called within `hold`."""

    def __init__(self, home: Home, source: TopicPartition, settings: AppendSettings) -> None:
        self.source = source
        self.replicas = InSyncReplicas(home, source)
        self._settings = settings
        self._lock = PartitionLock(home.lock_file(source), source, settings.lock_timeout_s)
        make_folder(home.state_file(source).parent)  # it is gone where the root was lost
        self._watermark = WatermarkFile(home.watermark_file(source))
        self._boot = this_boot()
        self._published: Watermark | None = None  # what the file said last
        self._staged: Watermark | None = None  # the same, and what was staged since
        self._offline: OSError | None = None  # the last replica failed to flush

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the partition against every other appender, settled. Re-entrant. Raises PartitionBusy."""
        outermost = self._lock.acquire()
        try:
            if outermost or not self.replicas:
                self._settle()
            yield
        finally:
            self._lock.release()

    @property
    def mark(self) -> Watermark:
        """Where the partition stands, staged records counted."""
        if self._staged is None:
            raise LogUnusable(f"{self.source}: not settled")
        return self._staged

    @property
    def unflushed(self) -> int:
        """Records that are written but not acknowledged."""
        return self.mark.end - self.mark.high_watermark

    def has_enough(self, replicas: int) -> bool:
        """Whether so many replicas can acknowledge."""
        return replicas >= self._settings.min_insync

    def stage(self, records: Sequence[Record]) -> range:
        """Write the records to every in-sync replica; their offsets. A replica that fails carries its error."""
        if self._offline is not None:
            raise ReplicaFailed(f"{self.source}: offline since its last replica failed to flush: {self._offline}")
        if not self.has_enough(len(self.replicas)):
            raise self._too_few(len(self.replicas), "the others left before")
        first = self.mark.end
        now_ms = max(time.time_ns() // 1_000_000, self.mark.last_timestamp_ms)
        epoch, compression = self.replicas.state.epoch, self._settings.compression
        for run in codec.gather(records, min(codec.BATCH_BYTES, self._settings.segment_bytes)):
            batch = codec.encode(run, self.mark.end, now_ms, epoch, compression)
            if self._is_full(len(batch), now_ms):
                self._roll()
            self._stage_batch(batch, len(run), now_ms)
        return range(first, self.mark.end)

    def resolve(self) -> None:
        """Let failed replicas leave the ISR. Raises NotEnoughReplicas or DiskFull when too few would be left."""
        while failed := self.replicas.failed:
            left = len(self.replicas) - len(failed)
            if not self.has_enough(left):
                reasons = "; ".join(f"{each.folder}: {each.error}" for each in failed)
                if all(each.is_full for each in failed):
                    raise DiskFull(f"{self.source}: no space or no inodes left, nothing was acknowledged ({reasons})")
                raise self._too_few(left, reasons)
            self.replicas.drop_failed(self.mark.end)

    def publish(self, *, flushed: bool) -> None:
        """Show where the partition stands; with `flushed`, readers see all of it."""
        mark = self.mark._replace(boot=self._boot, state_version=self.replicas.state.version)
        if flushed and self.has_enough(len(self.replicas)):
            mark = mark._replace(high_watermark=mark.end)
        self._watermark.write(mark)
        self._published = self._staged = mark

    def roll_back(self) -> None:
        """Forget what was staged. A replica whose disk was only full stays; one that failed leaves the ISR."""
        mark = self._published
        if mark is None:
            return
        self._staged = mark
        for replica in self.replicas:
            if replica.is_full:
                replica.error = None
            attempt(replica, lambda each: each.cut(mark.segment_base, mark.position, mark.end))
        failed = self.replicas.failed
        if 0 < len(failed) < len(self.replicas):
            self.replicas.drop_failed(mark.end)
        elif failed:
            self._offline = next((each.error for each in failed if each.flush_failed), None)
            self.replicas.close()

    def close(self) -> None:
        """Give locks and files back."""
        self.replicas.close()
        with contextlib.suppress(OSError):  # it only saves readers a look after a power cut
            self._watermark.sync()
        self._watermark.close()
        self._lock.close()

    def _settle(self) -> None:
        """Take over from the last appender, which may have been this one."""
        mark = self._watermark.read()
        if mark is None or mark.boot != self._boot or not self._take_over(mark):
            self._published = self._staged = recover(self.replicas, mark, self._boot)
            self.publish(flushed=True)

    def _take_over(self, mark: Watermark) -> bool:
        """Whether everything is as the mark says, so that appending can go on at once."""
        if mark != self._published or not self.replicas or not self.replicas.state_is_current():
            self.replicas.load_state(mark)
            try:
                self.replicas.open(self.replicas.state.isr, mark.segment_base)
            except OSError as error:
                if error.errno in NOT_THE_DISK:
                    raise
                return False
            self._published = self._staged = mark
        return self.replicas.stand_at(mark)

    def _is_full(self, more_bytes: int, now_ms: int) -> bool:
        mark, settings = self.mark, self._settings
        too_old = now_ms - mark.segment_started_ms > settings.segment_age_s * 1000
        return mark.position > 0 and (mark.position + more_bytes > settings.segment_bytes or too_old)

    def _roll(self) -> None:
        """Flush the active segment, as later flushes only see the new one, and begin that."""
        end = self.mark.end
        self.replicas.on_each(lambda replica: replica.fsync())
        self.replicas.on_each(lambda replica: replica.roll(end))
        self._staged = self.mark._replace(segment_base=end, position=0, segment_started_ms=0)

    def _stage_batch(self, batch: bytes, count: int, now_ms: int) -> None:
        mark = self.mark
        last = mark.end + count - 1
        self.replicas.on_each(lambda replica: replica.append(batch, mark.position, last, now_ms))
        self._staged = mark._replace(
            end=last + 1,
            position=mark.position + len(batch),
            segment_started_ms=mark.segment_started_ms or now_ms,
            last_timestamp_ms=now_ms,
        )

    def _too_few(self, left: int, reasons: str) -> LogError:
        return NotEnoughReplicas(
            f"{self.source}: {left} of {len(self.replicas.state.replicas)} replicas are in sync, "
            f"{self._settings.min_insync} are needed, nothing was acknowledged ({reasons})"
        )
