"""Where things lie: the root, the replica folders, and who they say they are.

<root>/log.json                                  log id, the replicas and their folders
       creating.json                             log id, while a log is being made
       lock                                      held by the process that makes or changes log.json
       topics/lock                               held by the process that makes a topic
              <topic>/topic.json                 partitions and settings of a topic
                      deleting.json              it is being deleted
       state/<topic>-<partition>/state.json      leader, epoch, ISR
                                 watermark       high watermark and tail
                                 lock            held by the process that appends
<replica>/replica.json                           log id and the replica's number in it
          topics/<topic>/topic.json              a copy
          <topic>-<partition>/state.json         a copy
                              <20 digits>.log    segments, each with .index and .timeindex
                              leader-epoch-checkpoint
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from log.disk.documents import Document, read_document, write_document
from log.disk.files import disk_errors_as_log_errors, make_folder, mount_point
from log.errors import LogUnusable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from log.types import TopicPartition

FORMAT = 1  # a log of a higher format is refused, never touched


class Misplaced(NamedTuple):
    """Another replica's folder, or another log's, in the place of one."""

    what: str
    todo: str
    is_ours: bool  # it is of this log

    def __str__(self) -> str:
        return f"{self.what}: {self.todo}"


@dataclass(slots=True)
class Home:
    """A log's folders."""

    root: Path
    log_id: str
    replicas: Mapping[int, Path]  # number in the log, from 1, to folder; another one at a change: threads go over it
    misplaced: Mapping[int, Misplaced] = field(default_factory=dict)  # by number, those whose place another's has

    def check_replica(self, number: int) -> None:
        """Raises OSError when the replica's folder is not there, or not this log's: an empty mount point, say."""
        self.check_place(number)
        identity = self.replicas[number] / "replica.json"
        if read_document(identity) is None:
            with contextlib.suppress(FileNotFoundError):
                identity.lstat()  # says of a folder that may not be entered that it is that
            raise FileNotFoundError(f"{self.replicas[number]}: not replica {number} of this log, or not mounted")

    def check_place(self, number: int) -> None:
        """Raises OSError when the folder of another replica, or another log, has the replica's place.

        From then on nothing is read there, nor written, until the replica's own folder is seen in it.
        """
        found = self._look_at(number)
        if found is not None:
            raise FileNotFoundError(str(found))

    def look_at_places(self) -> None:
        """Find out whose folders are in the replicas' places."""
        for number in self.replicas:
            self._look_at(number)

    def _look_at(self, number: int) -> Misplaced | None:
        found = read_document(self.replicas[number] / "replica.json")
        misplaced = None
        if found is not None and (found["log_id"], found["replica"]) != (self.log_id, number):
            misplaced = self._in_words(number, found["log_id"], found["replica"])
        if misplaced != self.misplaced.get(number):
            others = {each: known for each, known in self.misplaced.items() if each != number}
            self.misplaced = others if misplaced is None else {**others, number: misplaced}
        return misplaced

    def _in_words(self, number: int, log_id: str, found: int) -> Misplaced:
        is_ours = log_id == self.log_id
        log = "this log" if is_ours else f"log {log_id}"
        what = f"{self.replicas[number]} is replica {found} of {log}, in the place of replica {number}"
        todo = (
            f"it is neither read nor written; put replica {number} back there, or take an empty folder: "
            f"`otclog replica replace {number} FOLDER`"
        )
        return Misplaced(what, todo + f", or this one: `otclog replica resync {number}`" * is_ours, is_ours)

    def refresh(self) -> None:
        """Learn of replicas that another process added or removed, and of folders that were put in their places."""
        found = find_home(self.root)
        self.replicas, self.misplaced = found.replicas, found.misplaced

    def keep_up_with(self, replicas: Iterable[int], isr: Iterable[int]) -> None:
        """`refresh` where a partition has replicas that are not known here, or has one in sync that was misplaced."""
        if not self.replicas.keys() >= set(replicas) or not self.misplaced.keys().isdisjoint(isr):
            self.refresh()

    def replica_folder(self, number: int) -> Path:
        """Where a replica's files are; nothing is, or can be made, where the folder of another one has its place."""
        folder = self.replicas[number]
        return folder / "replica.json" if number in self.misplaced else folder

    def topic_file(self, topic: str) -> Path:
        """Settings of a topic; it exists from when this file does until it is deleted, even if the file gets lost."""
        return self.root / "topics" / topic / "topic.json"

    def deletion_file(self, topic: str) -> Path:
        """Where it is without a topic's settings, the topic is gone, whatever copies of these are left."""
        return self.root / "topics" / topic / "deleting.json"

    def topic_copy(self, topic: str, number: int) -> Path:
        """A replica's copy of a topic's settings."""
        return self.replica_folder(number) / "topics" / topic / "topic.json"

    def state_file(self, source: TopicPartition) -> Path:
        """The state of a partition."""
        return self.root / "state" / str(source) / "state.json"

    def state_copy(self, source: TopicPartition, number: int) -> Path:
        """A replica's copy of a partition's state."""
        return self.partition_folder(source, number) / "state.json"

    def watermark_file(self, source: TopicPartition) -> Path:
        """High watermark and tail of a partition."""
        return self.root / "state" / str(source) / "watermark"

    def lock_file(self, source: TopicPartition) -> Path:
        """What the appender of a partition locks."""
        return self.root / "state" / str(source) / "lock"

    def flush_lock_file(self, source: TopicPartition) -> Path:
        """What the flusher of a partition locks."""
        return self.root / "state" / str(source) / "flush.lock"

    def tend_lock_file(self, source: TopicPartition) -> Path:
        """What the tender of a partition locks: who changes closed segments, or brings a replica back."""
        return self.root / "state" / str(source) / "tend.lock"

    @property
    def clock_file(self) -> Path:
        """When the clock was looked at last."""
        return self.root / "clock.json"

    @property
    def clock_lock_file(self) -> Path:
        """What is locked meanwhile."""
        return self.root / "clock.lock"

    @property
    def topics_lock_file(self) -> Path:
        """What the maker of a topic locks."""
        return self.root / "topics" / "lock"

    def partition_folder(self, source: TopicPartition, number: int) -> Path:
        """A replica's copy of a partition."""
        return self.replica_folder(number) / str(source)


def find_home(root: Path) -> Home:
    """The log under `root`, for readers. Raises LogUnusable if there is none, OutOfResources."""
    with disk_errors_as_log_errors():
        document = checked(read_document(root / "log.json"), root / "log.json")
    if document is None:
        raise LogUnusable(f"{root}: no log.json that can be read: not the root of an embedded log")
    folders = {int(number): root / folder for number, folder in document["replicas"].items()}
    home = Home(root, document["log_id"], folders)
    with disk_errors_as_log_errors():
        home.look_at_places()
    return home


def checked(document: Document | None, where: Path) -> Document | None:
    """The document that was read, None if there is none. Raises LogUnusable for one of a later format."""
    if document is not None and document["format"] > FORMAT:
        raise LogUnusable(f"{where}: format {document['format']}, this version knows {FORMAT}: use a newer otclog")
    return document


def write_identity(home: Home, number: int, folder: Path) -> None:
    """Make `folder` the log's replica of that number, durably. Raises OSError."""
    make_folder(folder / "topics")
    write_document(folder / "replica.json", {"format": FORMAT, "log_id": home.log_id, "replica": number})


def has_lost_identity(home: Home, number: int) -> bool:
    """Whether a replica's replica.json is lost or damaged, but its partitions say that they are this log's.

    So it is no empty mount point, nor another log's. Raises OSError.
    """
    folder = home.replicas[number]
    if read_document(folder / "replica.json") is not None:
        return False
    states = (read_document(path) for path in folder.glob("*/state.json"))
    return any(state and state["log_id"] == home.log_id and number in state["replicas"] for state in states)


def holds_no_records(folder: Path) -> bool:
    """Whether nothing is in it, or nothing but what `write_identity` leaves, done or cut off by a crash."""
    made = {"replica.json", "replica.json.tmp", "topics"}
    return not folder.is_dir() or {path.name for path in folder.iterdir()} <= made


def write_log_file(home: Home) -> None:
    """Write down which replicas the log has, durably."""
    mounts = {str(number): str(mount_point(folder)) for number, folder in home.replicas.items()}
    last = max((read_document(home.root / "log.json") or {}).get("last_number", 0), *home.replicas)
    document = {"format": FORMAT, "log_id": home.log_id, "replicas": folders_of(home), "mounts": mounts}
    document["last_number"] = last  # no number is given twice
    write_document(home.root / "log.json", document)


def folders_of(home: Home) -> dict[str, str]:
    """Folders inside the root are kept relative to it, so that a home can be moved."""
    return {
        str(number): os.path.relpath(folder, home.root) if folder.is_relative_to(home.root) else str(folder)
        for number, folder in home.replicas.items()
    }
