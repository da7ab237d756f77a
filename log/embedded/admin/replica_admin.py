"""What an operator does with the replicas of a log, while others use it: `otclog replica`."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from log.disk.files import disk_errors_as_log_errors
from log.disk.lock import FileLock
from log.embedded.admin.membership import add_replica, remove_replica
from log.embedded.home import write_identity
from log.embedded.partition.changing import expel
from log.embedded.recovery.election import Candidate, candidate, elect
from log.embedded.recovery.mending import repairs
from log.embedded.replicas.archiving import set_aside_bytes
from log.embedded.replicas.state import PartitionState, load_state
from log.embedded.replicas.watermark import read_watermark
from log.embedded.segment.comparing import common_part
from log.embedded.segment.names import copy_bases
from log.embedded.topic_admin import topics_locked
from log.embedded.topics import sources
from log.embedded.upkeep.tending import Tender, tending, untended
from log.errors import LogError, LogUnusable, NotEnoughReplicas
from log.types import ReplicaInfo, Tended, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from log.embedded.open_log import OpenedLog


@dataclass(frozen=True, slots=True)
class Verified:
    """How a replica's copy of a partition compares with the leader's, all of it read."""

    topic: str
    partition: int
    replica: int
    folder: str
    in_sync: bool
    ok: bool
    same_to: int | None  # offset
    end: int  # the high watermark: what it should be
    set_aside: int  # bytes of this partition in its archive/
    detail: str


class Replicas:
    """The replicas of an open log."""

    def __init__(self, log: OpenedLog) -> None:
        self._log = log
        self._home = log.home

    def all(self) -> list[ReplicaInfo]:
        """One entry a replica."""
        self._home.refresh()
        states = [load_state(self._home, source) for source in sources(self._home)]
        mended, troubles = repairs(self._home.root), self._home.troubles()
        reachable = {number: self._reachable(number) for number in self._home.replicas}
        return [
            ReplicaInfo(
                replica=number,
                folder=str(folder),
                reachable=reachable[number],
                device=_device(folder),
                partitions=sum(number in state.replicas for state in states),
                in_sync=sum(number in state.isr for state in states),
                leads=sum(number == state.leader for state in states),
                bytes=sum(path.stat().st_size for path in folder.glob("*/*.log")) if reachable[number] else 0,
                set_aside=set_aside_bytes(folder) if reachable[number] else 0,
                mended=mended.get(number, 0),
                detail=troubles.get(number, ""),
            )
            for number, folder in sorted(self._home.replicas.items())
        ]

    def number(self, named: str) -> int:
        """A replica by its number or folder. Raises LogUnusable."""
        replicas = self._home.replicas
        for number, folder in replicas.items():
            if named == str(number) or Path(named).absolute() == folder:
                return number
        for number, folder in replicas.items():
            with contextlib.suppress(OSError):  # one of both is not there
                if folder.samefile(named):
                    return number
        raise LogUnusable(f"{named} is no replica of this log; `otclog replica list` shows them")

    def add(self, folder: Path) -> list[Tended]:
        """Give the log another replica, and bring it in sync. Raises LogUnusable."""
        with disk_errors_as_log_errors(), topics_locked(self._home, self._log.options):
            number = add_replica(self._home, map(self._log.partition, sources(self._home)), folder)
        return [each for each in self._tend() if each.action == "rejoin" or each.alarms] if number else []

    def remove(self, number: int) -> None:
        """Take a replica out of the log; its files stay. Raises NotEnoughReplicas."""
        for source in sources(self._home):
            self._look_for_holes(source)
        with disk_errors_as_log_errors(), topics_locked(self._home, self._log.options):
            remove_replica(self._home, map(self._log.partition, sources(self._home)), number)

    def replace(self, number: int, folder: Path) -> list[Tended]:
        """Add the new one, and when it is in sync remove the old one. Raises as both do."""
        known = {each.resolve(): one for one, each in self._home.replicas.items()}.get(folder.resolve())
        if known is not None and (known <= number or known < max(self._home.replicas)):  # none that a replacement added
            raise LogUnusable(f"{folder} is replica {known} of this log already: name a new, empty folder")
        done = self.add(folder)
        added = self.number(str(folder))
        if all(added in load_state(self._home, source).isr for source in sources(self._home)):
            self.remove(number)
        return done

    def resync(self, number: int) -> list[Tended]:
        """Trust nothing of a replica that is not in the others: out of sync, compare, copy, in sync again.

        The folder of another replica of this log, in its place, becomes its own. Raises LogUnusable for another log's.
        """
        misplaced = self._home.misplaced.get(number)
        if misplaced is not None and not misplaced.is_ours:
            raise LogUnusable(str(misplaced))
        for source in sources(self._home):
            self._look_for_holes(source)
            with disk_errors_as_log_errors():
                partition = self._log.partition(source)
                with tending(self._log, partition), partition.hold():
                    isr = partition.replicas.state.isr
                    if number in isr and len(isr) <= partition.settings.min_insync:
                        raise NotEnoughReplicas(
                            f"{source}: {len(isr)} replicas are in sync, all are needed: bring another back first"
                        )
                    if number in isr:
                        expel(partition, {number: None})
        if misplaced is not None:
            with disk_errors_as_log_errors(), topics_locked(self._home, self._log.options):
                write_identity(self._home, number, self._home.replicas[number])
        return self._tend()

    def verify(self) -> Iterator[Verified]:
        """Read every replica, and compare it with the leader of each partition."""
        for source in sources(self._home):
            with disk_errors_as_log_errors(), untended(self._log, source):
                yield from self._verify(source)

    def candidates(self, source: TopicPartition) -> list[Candidate]:
        """What each replica would keep and lose as the leader of a partition."""
        found = []
        for number in self._home.replicas:
            with contextlib.suppress(OSError):
                found.append(candidate(self._home, source, number))
        return found

    def elect(self, source: TopicPartition, number: int) -> Candidate:
        """Make a replica the leader, whatever it lacks."""
        lock = FileLock(self._home.lock_file(source), source, self._log.options.lock_timeout_s)
        with disk_errors_as_log_errors():
            self._home.begin_writing()
            with contextlib.closing(lock), lock:
                elected = elect(self._home, source, number)
            with self._log.partition(source).hold():
                return elected  # settled: its watermark is found again

    def _verify(self, source: TopicPartition) -> Iterator[Verified]:
        state, mark = load_state(self._home, source), read_watermark(self._home.watermark_file(source))
        end = mark.high_watermark if mark else 0
        leader = self._whole_copy(source, state, end)
        for number in state.replicas:
            folder = self._home.replicas[number] / str(source)
            in_sync, same_to, aside, detail = number in state.isr, None, 0, ""
            try:
                self._home.check_replica(number)
                aside = set_aside_bytes(self._home.replicas[number], str(source))
                same_to = common_part(folder, leader, end).offset
                if same_to < end:
                    detail = (
                        f"whole and the same as {leader} up to offset {same_to} only: `otclog replica resync {number}`"
                    )
            except OSError as error:
                detail = str(error)
            yield Verified(*source, number, str(folder), in_sync, same_to == end, same_to, end, aside, detail)

    def _whole_copy(self, source: TopicPartition, state: PartitionState, end: int) -> Path:
        """The leader's, or where that is damaged another one in sync that is not: what others are compared with.

        No CRC covers a batch's epoch, so a copy that has one which cannot be would be the same as itself; so would one
        that lost its first segments.
        """
        folders = [self._home.partition_folder(source, number) for number in (state.leader, *state.isr)]
        for folder in folders:
            with contextlib.suppress(OSError):
                begins = copy_bases(folder)[0] <= state.start
                if begins and common_part(folder, folder, end, state.fence).offset == end:
                    return folder
        return folders[0]

    def _look_for_holes(self, source: TopicPartition) -> None:
        """Bring those that lack segments in sync anew, before others are given up that may have these."""
        with disk_errors_as_log_errors():
            partition = self._log.partition(source)
            with tending(self._log, partition):
                tender = Tender(self._home, partition, self._log.topic_config(source.topic))
                tender.expel()
                if tender.done:
                    tender.rejoin()

    def _tend(self) -> list[Tended]:
        done: list[Tended] = []
        for source in sources(self._home):
            partition = self._log.partition(source)
            try:
                with tending(self._log, partition):
                    tender = Tender(self._home, partition, self._log.topic_config(source.topic))
                    tender.expel()
                    tender.rejoin()
                    done += tender.done
            except LogError as error:
                done.append(Tended(*source, "tend", ok=False, detail=str(error)))
        return done

    def _reachable(self, number: int) -> bool:
        try:
            self._home.check_replica(number)
        except OSError:
            return False
        return True


def _device(folder: Path) -> str | None:
    try:
        device = folder.stat().st_dev
    except OSError:
        return None
    return f"{device >> 8 & 0xFFF}:{device & 0xFF}"
