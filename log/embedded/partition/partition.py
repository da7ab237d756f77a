"""The appender of one partition. The order of its steps is the whole promise.

enter      lock; settle with what the last appender left, which may have died
write      the batches, to every in-sync replica (writing.py)
resolve    replicas that failed leave the ISR, durably; with too few left nothing was appended
publish    write the watermark: other appenders go on behind the records, readers do not see them yet
leave      give the lock back, so that others can stage while this one flushes
roll_back  instead of publish: cut the replicas to where they stood

What follows, so that the append is acknowledged, is in acknowledging.py; an append to several partitions at once in
staging.py; the short way for who was the last to append in fast_append.py; other changes of a partition's state in
changing.py.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from log.disk.files import NOT_THE_DISK, error_in_words, make_folder
from log.disk.lock import FileLock
from log.embedded.partition.sequences import Sequences
from log.embedded.replicas.replicas import InSyncReplicas, attempt
from log.embedded.replicas.settling import recover
from log.embedded.replicas.watermark import Watermark, WatermarkFile, this_boot
from log.errors import (
    DiskFull,
    LogError,
    LogUnusable,
    NotEnoughReplicas,
    ReplicaFailed,
    UnknownTopic,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from log.embedded.home import Home
    from log.options import LogOptions
    from log.types import TopicConfig, TopicPartition


class AppendSettings(NamedTuple):
    """What holds for every append to a partition."""

    min_insync: int
    segment_bytes: int
    segment_age_s: float
    compression: str
    lock_timeout_s: float

    @classmethod
    def of(cls, options: LogOptions, config: TopicConfig) -> AppendSettings:
        """The topic's own settings, and the log's where the topic has none."""
        return cls(
            options.min_insync,
            config.segment_bytes or options.segment_bytes,
            config.segment_age_s or options.segment_age_s,
            config.compression or options.compression,
            options.lock_timeout_s,
        )


class Ticket(NamedTuple):
    """What an append remembers of its records, to find out later what became of them."""

    offsets: range
    crc: int  # of their first batch
    cuts: int  # the partition's count when they were staged


class Partition:
    """Where a method says `held`, the caller is between `enter` and `leave`."""

    def __init__(self, home: Home, source: TopicPartition, settings: AppendSettings) -> None:
        self.source = source
        self.settings = settings
        self.config: TopicConfig | None = None  # what the settings were made of
        self.written: Ticket | None = None  # what this process appended last that nobody has waited for
        self.stamp = 0  # the lock's, when they were in force: see fast_append.py
        self.replicas = InSyncReplicas(home, source)
        self.lock = FileLock(home.lock_file(source), source, settings.lock_timeout_s)
        self.flush_lock = FileLock(home.flush_lock_file(source), source, settings.lock_timeout_s)
        make_folder(home.state_file(source).parent)  # it is gone where the root was lost
        self.watermark_file = WatermarkFile(home.watermark_file(source))
        self._boot = this_boot()
        self.sequences = Sequences(source)
        self.published: Watermark | None = None  # what the file said last
        self.staged: Watermark | None = None  # the same, and what was staged since
        self._closed = False
        self.offline: OSError | None = None  # the last replica failed to flush

    def enter(self) -> None:
        """Hold the partition against every other appender, settled. Re-entrant. Raises PartitionBusy."""
        try:
            outermost = self.lock.acquire()
        except FileNotFoundError as error:
            raise UnknownTopic(f"{self.source}: the topic was deleted meanwhile: {error}") from error
        try:
            if outermost or not self.replicas:
                self._settle()
        except BaseException:
            self.lock.release()
            raise

    def leave(self) -> None:
        """Give back what `enter` took."""
        self.lock.release()

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """`enter`, and `leave` afterwards."""
        self.enter()
        try:
            yield
        finally:
            self.leave()

    @property
    def mark(self) -> Watermark:
        """Where the partition stands, staged records counted. Held."""
        if self.staged is None:
            raise LogUnusable(f"{self.source}: not settled")
        return self.staged

    @property
    def unflushed(self) -> int:
        """Records that are written but not acknowledged. Held."""
        return self.mark.end - self.mark.high_watermark

    def check_enough(self) -> None:
        """Raises NotEnoughReplicas or ReplicaFailed when no append could be acknowledged. Held."""
        if self.offline is not None:
            raise ReplicaFailed(f"{self.source}: offline since its last replica failed to flush: {self.offline}")
        if len(self.replicas) < self.settings.min_insync:
            raise self._too_few(len(self.replicas), "the others left before")

    def resolve(self) -> None:
        """Let failed replicas leave the ISR. Raises NotEnoughReplicas or DiskFull when too few would be left. Held."""
        while failed := self.replicas.failed:
            left = len(self.replicas) - len(failed)
            if left < self.settings.min_insync:
                reasons = "; ".join(f"{each.folder}: {error_in_words(each.error)}" for each in failed)
                if all(each.is_full for each in failed):
                    raise DiskFull(f"{self.source}: no space or no inodes left, nothing was acknowledged ({reasons})")
                raise self._too_few(left, reasons)
            self.begin_change()
            self.replicas.drop_failed(self.mark.end)

    def publish(self, acknowledged: int = 0) -> None:
        """Show where the partition stands; readers see what is acknowledged: before that offset. Held."""
        shown = self.mark
        version, boot = self.replicas.state.version, self._boot
        if (
            acknowledged > shown.high_watermark
            or shown.changes % 2
            or shown.state_version != version
            or shown.boot != boot
        ):
            high_watermark, changes = max(shown.high_watermark, acknowledged), shown.changes + shown.changes % 2
            shown = Watermark(boot, version, high_watermark, *shown[3:8], changes, shown.cuts)
        self.watermark_file.write(shown)
        self.published = self.staged = shown

    def begin_change(self, *, durable: bool = False) -> None:
        """Before a segment is begun or cut, or the state changes: whoever finds that unfinished must recover. Held.

        With `durable` the watermark does not lag behind this, even after a power cut.
        """
        if self.published is not None and self.published.changes % 2 == 0:
            self.staged = self.mark._replace(changes=self.published.changes + 1)
            mark = self.published._replace(changes=self.published.changes + 1)
            self.watermark_file.write(mark)
            self.published = mark
        if durable:
            self.watermark_file.sync()

    def roll_back(self) -> None:
        """Forget what was staged. A replica whose disk was only full stays; one that failed leaves the ISR. Held."""
        if self.published is not None:
            self.go_back(self.published)

    def go_back(self, mark: Watermark) -> None:
        """Make `mark` the end of every replica. One that cannot leaves the ISR, unless none would be left. Held."""
        self.staged = mark
        for replica in self.replicas:
            if replica.is_full:
                replica.error = None
            attempt(replica, replica.cut, mark.segment_base, mark.position, mark.end)
        failed = self.replicas.failed
        if failed and len(failed) == len(self.replicas):
            self.offline = next((each.error for each in failed if each.flush_failed), None)
            self.replicas.close()
            return
        if failed:
            self.begin_change()
            self.staged = self.mark._replace(changes=mark.changes | 1)
            self.replicas.drop_failed(mark.end)
        if mark.end < self.replicas.state.epoch_start:
            self.begin_change()
            self.replicas.begin_epoch_by(mark.end)
            self.staged = self.mark._replace(changes=mark.changes | 1)
        if self.mark != self.published:
            self.publish()

    def close(self) -> None:
        """Give locks and files back, when no other thread uses them. Who comes later is told that the topic is gone."""
        with self.lock.threads:
            if not self._closed:
                self._closed, self.published, self.staged = True, None, None
                self.replicas.close()
                with contextlib.suppress(OSError):  # it only saves readers a look after a power cut
                    self.watermark_file.sync()
                self.watermark_file.close()
                self.lock.close()
        self.flush_lock.close()

    def _settle(self) -> None:
        """Take over from the last appender, which may have been this one."""
        if self._closed:
            raise UnknownTopic(f"{self.source}: the topic was deleted, or the log closed, meanwhile")
        mark = self.watermark_file.read()
        if mark is not None and mark is self.published and mark.changes % 2 == 0 and self.replicas.stand_at(mark):
            return
        if mark is None or mark.boot != self._boot or mark.changes % 2 or not self._take_over(mark):
            self.published = mark
            if mark is not None:
                self.staged = mark
                self.begin_change()
            self.published = self.staged = recover(self.replicas, self.published, self._boot)
            self.publish(self.mark.end if len(self.replicas) >= self.settings.min_insync else 0)

    def _take_over(self, mark: Watermark) -> bool:
        """Whether everything is as the mark says, so that appending can go on at once."""
        self.replicas.load_state(mark)
        if self.replicas.state.version != mark.state_version:
            return False  # an older mark: the root was put back, or another root wrote meanwhile
        try:
            self.replicas.open(self.replicas.state.isr, mark.segment_base)
        except OSError as error:
            if error.errno in NOT_THE_DISK:
                raise
            return False
        self.published = self.staged = mark
        return self.replicas.stand_at(mark) and self.replicas.end_by(mark) and not self.replicas.go_on_at(mark.end)

    def _too_few(self, left: int, reasons: str) -> LogError:
        return NotEnoughReplicas(
            f"{self.source}: {left} of {len(self.replicas.state.replicas)} replicas are in sync, "
            f"{self.settings.min_insync} are needed, nothing was acknowledged ({reasons})"
        )
