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
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from log.embedded.documents import Document, read_document, write_document
from log.embedded.files import make_folder, mount_point, network_file_system
from log.embedded.lock import FileLock
from log.embedded.topics import copy_topics, restore_topics
from log.errors import LogUnusable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from log.options import LogOptions
    from log.types import TopicPartition

FORMAT = 1  # a log of a higher format is refused, never touched


@dataclass(frozen=True, slots=True)
class Home:
    """A log's folders."""

    root: Path
    log_id: str
    replicas: dict[int, Path]  # number in the log, from 1, to folder

    def check_replica(self, number: int) -> None:
        """Raises OSError when the replica's folder is not there, or not this log's: an empty mount point, say."""
        found = read_document(self.replicas[number] / "replica.json")
        if found is None or (found["log_id"], found["replica"]) != (self.log_id, number):
            raise FileNotFoundError(f"{self.replicas[number]}: not replica {number} of this log, or not mounted")

    def adopt(self, number: int) -> None:
        """Give a replica's folder that is empty, or gone, its identity again: its disk was exchanged, or wiped.

        Raises OSError when something else is in it, or the file system that it was on is not mounted.
        """
        folder = self.replicas[number]
        if (folder / "replica.json").exists():
            self.check_replica(number)
            return
        expected = (read_document(self.root / "log.json") or {}).get("mounts", {}).get(str(number))
        if expected is not None and expected != str(mount_point(folder)):
            raise FileNotFoundError(f"{folder}: {expected} is not mounted")
        if folder.is_dir() and any(folder.iterdir()):
            raise FileExistsError(f"{folder}: no replica.json, but other files: empty it, or bring the replica back")
        write_identity(self, number, folder)
        copy_topics(self, number)

    def refresh(self) -> None:
        """Learn of replicas that another process added or removed."""
        found = find_home(self.root).replicas
        self.replicas.update(found)
        for number in self.replicas.keys() - found.keys():
            del self.replicas[number]

    def topic_file(self, topic: str) -> Path:
        """Settings of a topic; the topic exists when this file does."""
        return self.root / "topics" / topic / "topic.json"

    def deletion_file(self, topic: str) -> Path:
        """Where it is without a topic's settings, the topic is gone, whatever copies of these are left."""
        return self.root / "topics" / topic / "deleting.json"

    def topic_copy(self, topic: str, number: int) -> Path:
        """The same, in a replica."""
        return self.replicas[number] / "topics" / topic / "topic.json"

    def state_file(self, source: TopicPartition) -> Path:
        """The state of a partition."""
        return self.root / "state" / str(source) / "state.json"

    def state_copy(self, source: TopicPartition, number: int) -> Path:
        """The same, in a replica."""
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
    def topics_lock_file(self) -> Path:
        """What the maker of a topic locks."""
        return self.root / "topics" / "lock"

    def partition_folder(self, source: TopicPartition, number: int) -> Path:
        """A replica's copy of a partition."""
        return self.replicas[number] / str(source)


def find_home(root: Path) -> Home:
    """The log under `root`, for readers. Raises LogUnusable if there is none."""
    document = _checked(read_document(root / "log.json"), root / "log.json")
    if document is None:
        raise LogUnusable(f"{root}: no log.json that can be read: not the root of an embedded log")
    folders = {int(number): root / folder for number, folder in document["replicas"].items()}
    return Home(root, document["log_id"], folders)


def open_home(options: LogOptions) -> Home:
    """The log that the settings name, made if there is none. Raises LogUnusable when it cannot serve."""
    root, folders = options.root.absolute(), [folder.absolute() for folder in options.replicas]
    for folder in (root, *folders):
        kind = network_file_system(folder)
        if kind:
            raise LogUnusable(
                f"{folder} is on {kind}: the embedded log needs a local file system. "
                'Put it on a local disk, or use backend = "kafka"'
            )
    make_folder(root)
    lock = FileLock(root / "lock", f"log {root}", options.lock_timeout_s)
    with contextlib.closing(lock), lock:  # of two processes that find no log, one makes it
        return _opened(root, folders)


def _opened(root: Path, folders: list[Path]) -> Home:
    document = _checked(read_document(root / "log.json"), root / "log.json")
    named = {number: _checked(read_document(folder / "replica.json"), folder) for number, folder in _numbered(folders)}
    if document is None:
        home = _begun(root, folders) or _recovered(root, folders, named)
        _check_identities(home, {"replicas": _folders(home)}, named)
        _make(home, named)
        return home
    numbers = sorted(map(int, document["replicas"]))
    if len(numbers) == len(folders):
        named = dict(zip(numbers, named.values(), strict=True))
    home = Home(root, document["log_id"], dict(zip(numbers, folders, strict=False)))
    _check_identities(home, document, named, len(folders))
    if _folders(home) != document["replicas"]:
        write_log_file(home)
    return home


def _numbered(folders: list[Path]) -> list[tuple[int, Path]]:
    return list(enumerate(folders, start=1))


def _checked(document: Document | None, where: Path) -> Document | None:
    if document is not None and document["format"] > FORMAT:
        raise LogUnusable(f"{where}: format {document['format']}, this version knows {FORMAT}: use a newer otclog")
    return document


def _check_identities(
    home: Home, document: Document, named: Mapping[int, Document | None], settings_name: int | None = None
) -> None:
    """A folder of another log, or of another number in this one, must not pass for a copy."""
    if settings_name is not None and len(document["replicas"]) != settings_name:
        folders = ", ".join(f'"{folder}"' for _, folder in sorted(document["replicas"].items(), key=_by_number))
        raise LogUnusable(
            f"{home.root}: the log has {len(document['replicas'])} replicas, the settings name {settings_name}: "
            f"set [log] replicas = [{folders}], or see `otclog replica`"
        )
    for number, found in named.items():
        if found is not None and (found["log_id"], found["replica"]) != (home.log_id, number):
            raise LogUnusable(
                f"{home.replicas[number]} is replica {found['replica']} of log {found['log_id']}, but the settings "
                f"name it as replica {number} of log {home.log_id}: put the replicas back in their order"
            )


def _begun(root: Path, folders: list[Path]) -> Home | None:
    """A log whose making was begun, maybe by a process that died; None where there was more of it once."""
    begun = read_document(root / "creating.json")
    if begun is not None:
        return Home(root, begun["log_id"], dict(_numbered(folders)))
    if any((folder / "replica.json").exists() for folder in folders):
        return None
    home = Home(root, uuid.uuid4().hex, dict(_numbered(folders)))
    write_document(root / "creating.json", {"format": FORMAT, "log_id": home.log_id})
    return home


def _recovered(root: Path, folders: list[Path], named: Mapping[int, Document | None]) -> Home:
    """The root lost its log.json: a majority of the replicas says which log this is."""
    ids = [found["log_id"] for found in named.values() if found is not None]
    if len(set(ids)) != 1 or 2 * len(ids) <= len(folders):
        raise LogUnusable(
            f"{root}: no log.json, and {len(ids)} of {len(folders)} replicas can be read, of {len(set(ids))} logs: "
            "bring back the root or a majority of the replicas, or name empty folders for a new log"
        )
    return Home(root, ids[0], dict(_numbered(folders)))


def _make(home: Home, named: Mapping[int, Document | None]) -> None:
    """Folders and identities of a new log, or the root of one that lost it; log.json last: then the log exists."""
    for name in ("topics", "state"):
        make_folder(home.root / name)
    begun = home.root / "creating.json"
    if begun.exists():
        for number, folder in home.replicas.items():
            if named[number] is None:
                write_identity(home, number, folder)
    restore_topics(home)
    write_log_file(home)
    begun.unlink(missing_ok=True)


def write_identity(home: Home, number: int, folder: Path) -> None:
    """Make `folder` the log's replica of that number, durably. Raises OSError."""
    make_folder(folder / "topics")
    write_document(folder / "replica.json", {"format": FORMAT, "log_id": home.log_id, "replica": number})


def write_log_file(home: Home) -> None:
    """Write down which replicas the log has, durably."""
    mounts = {str(number): str(mount_point(folder)) for number, folder in home.replicas.items()}
    last = max((read_document(home.root / "log.json") or {}).get("last_number", 0), *home.replicas)
    document = {"format": FORMAT, "log_id": home.log_id, "replicas": _folders(home), "mounts": mounts}
    document["last_number"] = last  # no number is given twice
    write_document(home.root / "log.json", document)


def _by_number(item: tuple[str, str]) -> int:
    return int(item[0])


def _folders(home: Home) -> dict[str, str]:
    """Folders inside the root are kept relative to it, so that a home can be moved."""
    return {
        str(number): os.path.relpath(folder, home.root) if folder.is_relative_to(home.root) else str(folder)
        for number, folder in home.replicas.items()
    }
