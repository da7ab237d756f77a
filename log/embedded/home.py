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
          writer                                 which root's processes write here, held by each of them
          topics/<topic>/topic.json              a copy
          <topic>-<partition>/state.json         a copy
                              <20 digits>.log    segments, each with .index and .timeindex
                              leader-epoch-checkpoint
"""

from __future__ import annotations

import contextlib
import os
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from log.disk.documents import Document, read_document, write_document
from log.disk.files import NOT_THE_DISK, disk_errors_as_log_errors, make_folder, mount_point
from log.embedded.writers import NAME, Writers, another_writer
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
    is_written_to: bool = False  # by another root's processes

    def __str__(self) -> str:
        return f"{self.what}: {self.todo}"


@dataclass(slots=True)
class Home:
    """A log's folders."""

    root: Path
    log_id: str
    replicas: Mapping[int, Path]  # number in the log, from 1, to folder; another one at a change: threads go over it
    misplaced: Mapping[int, Misplaced] = field(default_factory=dict)  # by number, those whose place another's has
    _writers: Writers | None = field(default=None, compare=False)  # since this process may append
    _beginning: threading.Lock = field(default_factory=threading.Lock, compare=False)

    def begin_writing(self) -> None:
        """To be called before anything is written to a replica: no process of another root writes to one meanwhile.

        Raises LogUnusable where one does: a state that is written to some replicas would hold for the others, too.
        """
        with self._beginning:
            if self._writers is not None:
                return
            with disk_errors_as_log_errors():
                writers = self._writers = Writers(self.root)
                try:
                    self.look_at_places()
                    self._check_alone()
                except BaseException:
                    self._writers = None
                    writers.close()
                    self.look_at_places()  # reading goes on
                    raise

    def _check_alone(self) -> None:
        for each in self.misplaced.values():
            if each.is_written_to:
                raise LogUnusable(str(each))

    def end_writing(self) -> None:
        """Nothing is written any more."""
        with self._beginning:
            if self._writers is not None:
                self._writers.close()

    def troubles(self) -> dict[int, str]:
        """By number, what is wrong with replicas' folders, the processes of another root that write there among it."""
        self.look_at_places()
        found = ((number, folder, another_writer(folder, self.root)) for number, folder in self.replicas.items())
        written = {number: str(_written_by(folder, other)) for number, folder, other in found if other is not None}
        return written | {number: str(each) for number, each in self.misplaced.items()}

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
            try:
                self._look_at(number)
            except OSError as error:  # its disk takes no lock: who opens files there to write finds out as well
                if error.errno in NOT_THE_DISK:
                    raise

    def _look_at(self, number: int) -> Misplaced | None:
        found = read_document(self.replicas[number] / "replica.json")
        misplaced = None
        if found is not None and (found["log_id"], found["replica"]) != (self.log_id, number):
            misplaced = self._in_words(number, found["log_id"], found["replica"])
        elif self._writers is not None:
            misplaced = self._hold(number, self._writers)
        if misplaced != self.misplaced.get(number):
            others = {each: known for each, known in self.misplaced.items() if each != number}
            self.misplaced = others if misplaced is None else {**others, number: misplaced}
        return misplaced

    def _hold(self, number: int, writers: Writers) -> Misplaced | None:
        """Lock a replica that is there for this root; what is to be said where another one's processes have it."""
        folder = self.replicas[number]
        if not any((folder / name).exists() for name in ("replica.json", NAME)):
            writers.release(number)
            return None
        other = writers.hold(number, folder)
        return None if other is None else _written_by(folder, other)

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
        self.replicas = find_home(self.root).replicas
        self.misplaced = {number: known for number, known in self.misplaced.items() if number in self.replicas}
        self.look_at_places()

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


def _written_by(folder: Path, other: str) -> Misplaced:
    todo = (
        "two roots with one replica would write over each other's records, so nothing is written. Let one log go on: "
        "stop all that writes to the other one, or name folders of its own in its [log] replicas"
    )
    return Misplaced(f"{folder} is written to by {other}", todo, is_ours=False, is_written_to=True)


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
    made = {"replica.json", "replica.json.tmp", "topics", NAME}
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
