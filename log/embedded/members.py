"""The living members of a group, and which partitions are whose. Nobody is asked: all come to the same answer.

<root>/groups/<group>/members/<id>.json            host, process, topics, since when
                              <id>.lock            held as long as the member lives: the kernel gives it back
                      leases/<topic>-<partition>   held by the member that reads the partition
"""

from __future__ import annotations

import json
import os
import socket
import uuid
from collections import Counter
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Self

from log.disk.files import make_folder, replace_file
from log.disk.lock import FileLock
from log.errors import PartitionBusy
from log.groups import tell_of_member
from log.times import now_ms as clock_ms
from log.types import Member, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path
    from types import TracebackType

JOIN_TIMEOUT_S = 10.0  # others hold the lock for the moment it takes to see that it is free


class Membership:
    """Being a member, until `leave`. Of one thread, as its locks are. Raises OSError when the folder cannot be used."""

    def __init__(self, root: Path, group: str, topics: Iterable[str]) -> None:
        self._group, self._folder = group, group_folder(root, group)
        process, host = os.getpid(), socket.gethostname()
        name = f"{process}-{uuid.uuid4().hex[:12]}"
        self.member = Member(name, host, process, clock_ms(), tuple(sorted(topics)))
        for part in ("members", "leases"):
            make_folder(self._folder / part)
        self._lock = _lock(self._folder / "members" / f"{name}.lock", group, JOIN_TIMEOUT_S)
        self._lock.acquire()  # first: what no living process has locked is removed by whoever looks
        replace_file(self._folder / "members" / f"{name}.json", json.dumps(asdict(self.member)).encode())
        tell_of_member(group, self.member, "joined")
        living(self._folder, name)  # whoever died before is told of, and forgotten

    def living(self) -> list[Member]:
        """See `living`; this member is among them."""
        return sorted([self.member, *living(self._folder, self.member.id)], key=lambda member: member.id)

    def share(
        self,
        sources: Iterable[TopicPartition],
        revoked: Callable[[list[TopicPartition]], object],  # noqa: ARG002  who has a lease has it until it gives it up
    ) -> list[TopicPartition]:
        """See `log.interface.Membership`."""
        return [source for source, member in share(self.living(), sources).items() if member.id == self.member.id]

    def lease(self, source: TopicPartition) -> FileLock | None:
        """The right to read a partition; None as long as another member has it."""
        lock = _lock(self._folder / "leases" / str(source), self._group, 0)
        try:
            lock.acquire()
        except PartitionBusy:
            lock.close()
            return None
        return lock

    def leave(self) -> None:
        """Be no member any more."""
        _forget(self._folder, self.member.id)
        self._lock.release()
        self._lock.close()
        tell_of_member(self._group, self.member, "left")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.leave()


def group_folder(root: Path, group: str) -> Path:
    """Where a group's members meet."""
    return root / "groups" / group


def living(folder: Path, but: str = "") -> list[Member]:
    """The members whose process still holds their lock; what the dead left behind is removed. Raises OSError."""
    return [
        member
        for path in sorted((folder / "members").glob("*.lock"))
        if path.stem != but and (member := _living(folder, path)) is not None
    ]


def share(members: Sequence[Member], sources: Iterable[TopicPartition]) -> dict[TopicPartition, Member]:
    """Each partition's member among those who want its topic, as evenly as may be; the same for all who ask."""
    shares: dict[TopicPartition, Member] = {}
    load: Counter[str] = Counter()
    for source in sorted(sources):
        wanting = [member for member in members if source.topic in member.topics]
        if wanting:
            chosen = min(wanting, key=lambda member: (load[member.id], member.id))
            shares[source] = chosen
            load[chosen.id] += 1
    return shares


def reading(members: Sequence[Member], sources: Iterable[TopicPartition]) -> list[Member]:
    """The members, each with those of the partitions that it reads."""
    shares = share(members, sources)
    return [
        replace(each, reads=tuple(source for source, member in shares.items() if member.id == each.id))
        for each in members
    ]


def _living(folder: Path, lock_file: Path) -> Member | None:
    lock = _lock(lock_file, folder.name, 0)
    try:
        lock.acquire()
    except PartitionBusy:
        return _said_by(lock_file)  # None: it is just leaving, or joining
    else:
        if dead := _said_by(lock_file):
            tell_of_member(folder.name, dead, "died")
        # while it is held: who is just joining finds its lock file gone, and makes it anew
        _forget(folder, lock_file.stem)
        return None
    finally:
        lock.close()


def _said_by(lock_file: Path) -> Member | None:
    """Who has this lock, or had it when he died."""
    try:
        said = json.loads(lock_file.with_suffix(".json").read_bytes())
    except FileNotFoundError:
        return None
    return Member(**{**said, "topics": tuple(said["topics"]), "reads": ()})


def _forget(folder: Path, member: str) -> None:
    for suffix in (".json", ".lock"):
        (folder / "members" / f"{member}{suffix}").unlink(missing_ok=True)


def _lock(path: Path, group: str, timeout_s: float) -> FileLock:
    return FileLock(path, f"group {group}", timeout_s)
