"""The in-sync replicas of a partition, open for append, and the state that says who they are."""

from __future__ import annotations

import dataclasses
import logging
from typing import TYPE_CHECKING, Any, ParamSpec

from log.disk.files import NOT_THE_DISK
from log.embedded.replicas.replica import Replica
from log.embedded.replicas.state import PartitionState, load_state, save_state
from log.embedded.segment.epochs import begin_epoch
from log.embedded.segment.names import segment_file
from log.embedded.segment.segment import end_of
from log.errors import LogUnusable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.replicas.watermark import Watermark
    from log.types import TopicPartition

P = ParamSpec("P")

logger = logging.getLogger(__name__)


class InSyncReplicas:
    """To be used under the partition's lock. A replica that fails carries its error until it is dropped."""

    def __init__(self, home: Home, source: TopicPartition) -> None:
        self.source = source
        self.state: PartitionState
        self._home = home
        self._open: list[Replica] = []
        self.load_state(None)

    def __iter__(self) -> Iterator[Replica]:
        return iter(self._open)

    def __len__(self) -> int:
        return len(self._open)

    @property
    def failed(self) -> list[Replica]:
        """The open replicas that carry an error."""
        for replica in self._open:
            if replica.error is not None:
                return [each for each in self._open if each.error is not None]
        return []

    def folder(self, number: int) -> Path:
        """A replica's folder of this partition."""
        return self._home.partition_folder(self.source, number)

    def check_place(self, number: int) -> None:
        """Raises OSError when the folder of another replica, or another log, has the place of this one."""
        self._home.check_place(number)

    def load_state(self, mark: Watermark | None) -> None:
        """Take the state in force. Raises LogUnusable when that is older than the watermark knows."""
        state = load_state(self._home, self.source)
        self._home.keep_up_with(state.replicas, state.isr)
        if mark is not None and state.version < mark.state_version:
            raise LogUnusable(
                f"{self.source}: its state is version {state.version}, but version {mark.state_version} was in force: "
                "the root or the replicas were put back from an older copy. Bring the newer ones back; or remove "
                f"{self._home.watermark_file(self.source)}, and the partition goes on with what the replicas have now"
            )
        self.state = state

    def restore_state(self) -> None:
        """Write the state in force again, where the root may have lost it."""
        self._save(self.state)

    def open(self, numbers: Iterable[int], base: int) -> None:
        """Open the segment `base` of these replicas. Raises OSError at the first that cannot."""
        self.close()
        for number in numbers:
            self.check_place(number)
            self._open.append(Replica(number, self.folder(number), base))

    def stand_at(self, mark: Watermark) -> bool:
        """Whether the replicas in sync are open, and the files of each are as the watermark says."""
        try:
            return len(self) == len(self.state.isr) and all(replica.stands_at(mark.position) for replica in self._open)
        except OSError:
            return False

    def end_at(self, position: int, min_insync: int) -> bool:
        """Whether the replicas in sync are open, so many, and nothing was written behind `position` of their files."""
        for replica in self._open:
            if replica.error is not None or not replica.ends_at(position):
                return False
        return min_insync <= len(self._open) == len(self.state.isr)

    def append(self, batch: bytes, position: int, last_offset: int, timestamp_ms: int) -> bool:
        """Write a batch to every replica that has not failed; an OSError of a disk marks it. False if any has."""
        everywhere = True
        for replica in self._open:
            if replica.error is None:
                try:
                    replica.append(batch, position, last_offset, timestamp_ms)
                except OSError as error:
                    mark_failed(replica, error)
            everywhere = everywhere and replica.error is None
        return everywhere

    def end_by(self, mark: Watermark) -> bool:
        """Whether no batch of the leader's active segment, as far as its headers are whole, ends behind the watermark.

        A disk that cannot be read says no.
        """
        try:
            return end_of(self.folder(self.state.leader), mark.segment_base) <= mark.end
        except OSError:
            return False

    def go_on_at(self, end: int) -> bool:
        """Whether one of them has a segment there that is not the active one: its appender died, or never said so."""
        return any(replica.base != end and segment_file(replica.folder, end).exists() for replica in self._open)

    def on_each(self, action: Callable[[Replica], None]) -> None:
        """Do it on every replica that has not failed; an OSError of a disk marks the replica."""
        for replica in self._open:
            if replica.error is None:
                attempt(replica, action, replica)

    def drop_failed(self, end: int) -> None:
        """Let the replicas that carry an error leave the ISR, durably; a new leader's epoch begins at offset `end`.

        Raises OSError when the root cannot record it: then they are still in it, and fail the next append too.
        """
        failed = self.failed
        self.drop({replica.number: replica.error for replica in failed}, end)
        self._open = [replica for replica in self._open if replica not in failed]
        for replica in failed:
            replica.close()

    def drop(self, reasons: Mapping[int, Exception | None], end: int) -> None:
        """Let replicas leave the ISR, durably, for these reasons, by number: also such as could not even be opened.

        A new leader's epoch begins at offset `end`. Raises OSError when the root cannot record it.
        """
        isr = tuple(number for number in self.state.isr if number not in reasons)
        leader = self.state.leader if self.state.leader in isr else isr[0]
        epoch = self.state.epoch + (leader != self.state.leader)
        if epoch != self.state.epoch:
            self.on_each(lambda replica: begin_epoch(replica.folder, epoch, end))
        epoch_start = end if epoch != self.state.epoch else self.state.epoch_start
        self.change(leader=leader, epoch=epoch, epoch_start=epoch_start, isr=isr)
        for number, reason in reasons.items():
            why = reason or "told to"
            logger.error("%s: %s left the in-sync replicas: %s", self.source, self.folder(number), why)

    def begin_epoch_by(self, end: int) -> None:
        """What was written since the epoch began was cut back to `end`: so it begins there."""
        if end < self.state.epoch_start:
            epoch = self.state.epoch
            self.on_each(lambda replica: begin_epoch(replica.folder, epoch, end))
            self.change(epoch_start=end)

    def admit(self, number: int) -> None:
        """Let a replica into the ISR, durably."""
        self.change(isr=tuple(sorted({*self.state.isr, number})))
        logger.warning("%s: %s is in sync", self.source, self.folder(number))

    def change(self, **changes: Any) -> None:
        """Write the state with these fields changed, as a new version. Raises OSError if the root cannot take it."""
        self._save(dataclasses.replace(self.state, version=self.state.version + 1, **changes))

    def close(self) -> None:
        """Give the files back."""
        for replica in self._open:
            replica.close()
        self._open = []

    def _save(self, state: PartitionState) -> None:
        save_state(self._home, self.source, state)
        self.state = state


def attempt(replica: Replica, action: Callable[P, object], *given: P.args, **named: P.kwargs) -> None:
    """Do it; an OSError of the disk marks the replica, one of this process' limits is raised."""
    try:
        action(*given, **named)
    except OSError as error:
        mark_failed(replica, error)


def mark_failed(replica: Replica, error: OSError) -> None:
    """Nothing more is to be written there. Raises the error if it is one of this process' limits, not of the disk."""
    if error.errno in NOT_THE_DISK:
        raise error
    replica.error = error
