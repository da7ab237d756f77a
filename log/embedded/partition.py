"""The appender of one partition. The order of its steps is the whole promise:

hold       lock; settle with what the last appender left, which may have died
stage      write the batches to every in-sync replica: provisional
flush      fsync them there (flushing.py)
resolve    replicas that failed leave the ISR, durably; with too few left nothing is acknowledged
publish    write the watermark: now readers see the records, and the append is acknowledged
roll_back  instead of publish: cut the replicas to where they stood
"""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import time
from typing import TYPE_CHECKING, NamedTuple

from log.embedded import codec
from log.embedded.epochs import begin_epoch
from log.embedded.files import NO_SPACE, NOT_THE_DISK
from log.embedded.lock import PartitionLock
from log.embedded.recovery import Standing, level, look
from log.embedded.replica import Replica
from log.embedded.state import PartitionState, load_state, save_state
from log.embedded.watermark import Watermark, WatermarkFile, this_boot
from log.errors import CorruptRecord, DiskFull, LogError, LogUnusable, NotEnoughReplicas, ReplicaFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from log.embedded.home import Home
    from log.types import Record, TopicPartition

logger = logging.getLogger(__name__)


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
        self.replicas: list[Replica] = []  # the ISR, open for append
        self._home, self._settings = home, settings
        self._lock = PartitionLock(home.lock_file(str(source)), source, settings.lock_timeout_s)
        self._watermark = WatermarkFile(home.watermark_file(source))
        self._boot = this_boot()
        self._state = load_state(home, source)
        self._published: Watermark | None = None  # what the file said last
        self._staged: Watermark | None = None  # the same, and what was staged since
        self._offline: OSError | None = None  # the fsync of the last replica failed

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the partition against every other appender, settled. Re-entrant. Raises PartitionBusy."""
        outermost = self._lock.acquire()
        try:
            if outermost:
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
            raise ReplicaFailed(f"{self.source}: offline since its last replica failed to flush ({self._offline})")
        if not self.has_enough(len(self._state.isr)):
            raise NotEnoughReplicas(
                f"{self.source}: of the replicas {_listed(self._state.replicas)} only {_listed(self._state.isr)} are in "
                f"sync, {self._settings.min_insync} are needed: nothing was appended"
            )
        first = self.mark.end
        now_ms = max(time.time_ns() // 1_000_000, self.mark.last_timestamp_ms)
        for run in codec.gather(records, min(codec.BATCH_BYTES, self._settings.segment_bytes)):
            self._stage_batch(codec.encode(run, self.mark.end, now_ms, self._state.epoch, self._settings.compression))
        return range(first, self.mark.end)

    def resolve(self) -> None:
        """Let failed replicas leave the ISR. Raises NotEnoughReplicas or DiskFull when too few would be left."""
        while failed := [replica for replica in self.replicas if replica.error is not None]:
            if not self.has_enough(len(self.replicas) - len(failed)):
                raise self._too_few(failed)
            self._shrink(failed)

    def publish(self, *, flushed: bool) -> None:
        """Show where the partition stands; with `flushed`, readers see all of it."""
        mark = self.mark._replace(boot=self._boot, state_version=self._state.version)
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
            if replica.error is None or (replica.error.errno in NO_SPACE and not replica.flush_failed):
                replica.error = None
                self._attempt(replica, lambda each: each.cut(mark.segment_base, mark.position, mark.end))
        failed = [replica for replica in self.replicas if replica.error is not None]
        if 0 < len(failed) < len(self.replicas):
            self._shrink(failed)
        elif failed:
            self._offline = next((each.error for each in failed if each.flush_failed), None)
            self._close_replicas()

    def close(self) -> None:
        """Give locks and files back."""
        self._close_replicas()
        with contextlib.suppress(OSError):  # it only saves readers a look after a power cut
            self._watermark.sync()
        self._watermark.close()
        self._lock.close()

    # The log's tail, under the lock.

    def _stage_batch(self, batch: bytes) -> None:
        header = codec.read_header(batch)
        if header is None:
            raise LogUnusable(f"{self.source}: a batch of {len(batch)} bytes has no header")
        if self._is_full(len(batch), header.max_timestamp_ms):
            self._roll()
        mark = self.mark
        self._on_each(lambda replica: replica.append(batch, header, mark.position))
        self._staged = mark._replace(
            end=header.next_offset,
            position=mark.position + header.size,
            segment_started_ms=mark.segment_started_ms or header.max_timestamp_ms,
            last_timestamp_ms=header.max_timestamp_ms,
        )

    def _is_full(self, more_bytes: int, now_ms: int) -> bool:
        mark, settings = self.mark, self._settings
        too_old = now_ms - mark.segment_started_ms > settings.segment_age_s * 1000
        return mark.position > 0 and (mark.position + more_bytes > settings.segment_bytes or too_old)

    def _roll(self) -> None:
        """Flush the active segment, as later flushes only see the new one, and begin that."""
        end = self.mark.end
        self._on_each(lambda replica: replica.fsync())
        self._on_each(lambda replica: replica.roll(end))
        self._staged = self.mark._replace(segment_base=end, position=0, segment_started_ms=0)

    def _on_each(self, action: Callable[[Replica], None]) -> None:
        for replica in self.replicas:
            if replica.error is None:
                self._attempt(replica, action)

    def _attempt(self, replica: Replica, action: Callable[[Replica], None]) -> None:
        try:
            action(replica)
        except OSError as error:
            if error.errno in NOT_THE_DISK:
                raise
            replica.error = error

    # Who is in sync, under the lock.

    def _shrink(self, failed: Sequence[Replica]) -> None:
        """Without these the ISR is smaller, durably, and another replica leads if the leader is among them."""
        numbers = {replica.number for replica in failed}
        left = [replica for replica in self.replicas if replica.number not in numbers]
        self._replace_isr([replica.number for replica in left], {each.number: each.error for each in failed})
        for replica in failed:
            replica.close()
        self.replicas = left

    def _replace_isr(self, isr: Sequence[int], errors: dict[int, Exception | None]) -> None:
        leader = self._state.leader if self._state.leader in isr else isr[0]
        epoch = self._state.epoch + (leader != self._state.leader)
        if epoch != self._state.epoch:
            for number in isr:
                begin_epoch(self._home.partition_folder(self.source, number), epoch, self.mark.end)
        state = dataclasses.replace(
            self._state, version=self._state.version + 1, leader=leader, epoch=epoch, isr=tuple(isr)
        )
        save_state(self._home, self.source, state)
        self._state = state
        for number, error in errors.items():
            folder = self._home.partition_folder(self.source, number)
            logger.error("%s: replica %d (%s) left the in-sync set: %s", self.source, number, folder, error)

    def _too_few(self, failed: Sequence[Replica]) -> LogError:
        reasons = "; ".join(f"{each.folder}: {each.error}" for each in failed)
        if all(each.error is not None and each.error.errno in NO_SPACE for each in failed):
            return DiskFull(f"{self.source}: no space or no inodes left, nothing was appended ({reasons})")
        return NotEnoughReplicas(
            f"{self.source}: {len(self.replicas) - len(failed)} of {self._settings.min_insync} replicas needed are in "
            f"sync, nothing was acknowledged ({reasons})"
        )

    # What another appender left, under the lock.

    def _settle(self) -> None:
        mark = self._watermark.read()
        if mark is None or mark.boot != self._boot:
            self._recover(mark)
            return
        if mark != self._published or not self.replicas:
            self._state = self._load_state(mark)
            if not self._open_replicas(mark):
                self._recover(mark)
                return
            self._published = self._staged = mark
        if not all(self._stands(replica, mark) for replica in self.replicas):
            self._recover(mark)

    def _load_state(self, mark: Watermark | None) -> PartitionState:
        state = load_state(self._home, self.source)
        if mark is not None and state.version < mark.state_version:
            raise LogUnusable(
                f"{self.source}: its state is version {state.version}, but version {mark.state_version} was in force: "
                "the root or the replicas were put back from an older copy"
            )
        return state

    def _open_replicas(self, mark: Watermark) -> bool:
        self._close_replicas()
        try:
            for number in self._state.isr:
                folder = self._home.partition_folder(self.source, number)
                self.replicas.append(Replica(number, folder, mark.segment_base))
        except OSError as error:
            if error.errno in NOT_THE_DISK:
                raise
            return False
        return True

    def _stands(self, replica: Replica, mark: Watermark) -> bool:
        try:
            return replica.stands_at(mark.position, mark.end)
        except OSError:
            return False

    def _close_replicas(self) -> None:
        for replica in self.replicas:
            replica.close()
        self.replicas = []

    def _recover(self, mark: Watermark | None) -> None:
        """The last appender died, or the machine did, or files are not as they were left: see recovery.py."""
        self._close_replicas()
        self._state = self._load_state(mark)
        standings, errors = self._look(mark)
        if not standings:
            raise _as_log_error(self.source, errors)
        ahead = max(standings, key=lambda number: (standings[number].end, standings[number].base))
        goal = standings[ahead]
        self._staged = Watermark(
            self._boot,
            self._state.version,
            min(goal.end, mark.high_watermark if mark else 0),
            goal.end,
            goal.base,
            goal.position,
            goal.segment_started_ms,
            max(goal.last_timestamp_ms, mark.last_timestamp_ms if mark else 0),
        )
        for number, standing in standings.items():
            folder = self._home.partition_folder(self.source, number)
            try:
                level(folder, standing, self._home.partition_folder(self.source, ahead), goal)
                self.replicas.append(Replica(number, folder, goal.base))
            except OSError as error:
                if error.errno in NOT_THE_DISK:
                    raise
                errors[number] = error
        if errors and self.replicas:
            self._replace_isr([replica.number for replica in self.replicas], dict(errors))
        elif errors:
            raise _as_log_error(self.source, errors)
        self.publish(flushed=True)

    def _look(self, mark: Watermark | None) -> tuple[dict[int, Standing], dict[int, Exception]]:
        standings: dict[int, Standing] = {}
        errors: dict[int, Exception] = {}
        for number in self._state.isr:
            folder = self._home.partition_folder(self.source, number)
            try:
                standing = look(folder, mark.high_watermark if mark else None)
            except OSError as error:
                if error.errno in NOT_THE_DISK:
                    raise
                errors[number] = error
                continue
            if standing.damaged:
                errors[number] = CorruptRecord(self.source, standing.end, f"{folder}, segment {standing.base}")
            else:
                standings[number] = standing
        return standings, errors


def _as_log_error(source: TopicPartition, errors: dict[int, Exception]) -> LogError:
    """No in-sync replica can be used: the reason of one, damage before absence."""
    for error in errors.values():
        if isinstance(error, LogError):
            return error
    reasons = "; ".join(str(error) for error in errors.values())
    return NotEnoughReplicas(f"{source}: no in-sync replica can be opened ({reasons})")


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in numbers) or "none"
