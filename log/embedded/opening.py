"""Opening a log: it is found, made, or its root is made again from what the replicas say."""

from __future__ import annotations

import contextlib
import dataclasses
import shutil
import uuid
from collections import Counter
from typing import TYPE_CHECKING

from log.disk.documents import Document, read_document, write_document
from log.disk.files import fsync_folder, make_folder, mount_point, network_file_system
from log.disk.lock import FileLock, held_unless_read_only
from log.embedded.home import FORMAT, Home, checked, folders_of, holds_no_records, write_identity, write_log_file
from log.embedded.topics import copy_topics, restore_topics
from log.errors import LogUnusable
from log.topic_rules import check_config
from log.types import TopicConfig

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from log.options import LogOptions


def open_home(options: LogOptions) -> Home:
    """The log that the settings name, made if there is none. Raises LogUnusable when it cannot serve."""
    check_options(options)
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
    with contextlib.closing(lock), held_unless_read_only(lock) as held:  # of two that find no log, one makes it
        return _opened(root, folders, writes=held)


def check_options(options: LogOptions) -> None:
    """Raises LogUnusable for settings that contradict themselves. Makes nothing."""
    if not 1 <= options.min_insync <= len(options.replicas):
        raise LogUnusable(f"min_insync {options.min_insync} is not between 1 and the {len(options.replicas)} replicas")
    if len({folder.resolve() for folder in options.replicas}) < len(options.replicas):
        raise LogUnusable("two replicas are the same folder: one copy would be lost with the other")
    check_config(TopicConfig(segment_bytes=options.segment_bytes, compression=options.compression))


def _opened(root: Path, folders: list[Path], *, writes: bool) -> Home:
    document = checked(read_document(root / "log.json"), root / "log.json")
    named = {number: checked(read_document(folder / "replica.json"), folder) for number, folder in _numbered(folders)}
    if document is None:
        home = _begun(root, folders)
        if home is None:
            home = _recovered(root, folders, named)
        else:
            _check_identities(home, named, home.replicas, "put the replicas back in their order")
        home.look_at_places()
        _make(home, named)
        return home
    numbers = sorted(map(int, document["replicas"]))
    if len(numbers) == len(folders):
        named = dict(zip(numbers, named.values(), strict=True))
    home = Home(root, document["log_id"], dict(zip(numbers, folders, strict=False)))
    _check_count(home, document, len(folders))
    folders_now, folders_then = folders_of(home), document["replicas"]
    others = [each for each in named if folders_now[str(each)] != folders_then[str(each)]]
    _check_identities(home, named, others, f"set {_to_set(home, document)}")
    home.look_at_places()
    if home.replicas.keys() <= home.misplaced.keys():
        raise LogUnusable("; ".join(map(str, home.misplaced.values())))
    if not writes:
        return home
    if not (root / "topics").is_dir():
        _bring_topics_back(home, named)
    if folders_now != folders_then:
        write_log_file(home)
    return home


def _numbered(folders: list[Path]) -> list[tuple[int, Path]]:
    return list(enumerate(folders, start=1))


def _check_count(home: Home, document: Document, settings_name: int) -> None:
    if len(document["replicas"]) != settings_name:
        raise LogUnusable(
            f"{home.root}: the log has {len(document['replicas'])} replicas, the settings name {settings_name}: "
            f"set {_to_set(home, document)}, or see `otclog replica`"
        )


def _to_set(home: Home, document: Document) -> str:
    """The replicas that the log has, as the settings are to name them, which have another base."""
    known = sorted(document["replicas"].items(), key=_by_number)
    folders = ", ".join(f'"{(home.root / folder).resolve()}"' for _, folder in known)
    return f"[log] replicas = [{folders}]"


def _check_identities(home: Home, named: Mapping[int, Document | None], chosen: Iterable[int], todo: str) -> None:
    """Raises LogUnusable where the settings name a folder for a replica that is another one, or of another log.

    That is a slip of theirs. Where it is the folder that the log knows, somebody put another in its place, on a disk.
    """
    for number in chosen:
        found = named[number]
        if found is not None and (found["log_id"], found["replica"]) != (home.log_id, number):
            raise LogUnusable(
                f"{home.replicas[number]} is replica {found['replica']} of log {found['log_id']}, but the settings "
                f"name it as replica {number} of log {home.log_id}: {todo}"
            )


def _begun(root: Path, folders: list[Path]) -> Home | None:
    """A log whose making was begun, maybe by a process that died; None where there was more of it once."""
    begun = read_document(root / "creating.json")
    if begun is not None:
        return Home(root, begun["log_id"], dict(_numbered(folders)))
    if _any_replica(folders):
        return None
    home = Home(root, uuid.uuid4().hex, dict(_numbered(folders)))
    write_document(root / "creating.json", {"format": FORMAT, "log_id": home.log_id})
    return home


def _any_replica(folders: list[Path]) -> bool:
    """Whether one of them is a replica of some log. Raises OSError where none is seen, and one may not be entered."""
    shut: list[OSError] = []
    for folder in folders:
        try:
            if (folder / "replica.json").exists():
                return True
        except OSError as error:
            shut.append(error)
    if shut:
        raise shut[0]
    return False


def _recovered(root: Path, folders: list[Path], named: Mapping[int, Document | None]) -> Home:
    """The root lost its log.json: a majority of the replicas says which log this is."""
    return Home(root, _majority(root, "log.json", named), dict(_numbered(folders)))


def _majority(root: Path, lost: str, named: Mapping[int, Document | None]) -> str:
    """The id of the log that a majority of the replicas is of. Raises LogUnusable."""
    found = {number: each for number, each in named.items() if each is not None}
    in_place = Counter(str(each["log_id"]) for number, each in found.items() if each["replica"] == number)
    log_id, count = in_place.most_common(1)[0] if in_place else ("", 0)
    if 2 * count <= len(named):
        raise LogUnusable(
            f"{root}: no {lost}, and {len(found)} of {len(named)} replicas can be read, {count} of one log and in "
            "their places: bring back the root or a majority of the replicas, or name empty folders for a new log"
        )
    return log_id


def _bring_topics_back(home: Home, named: Mapping[int, Document | None]) -> None:
    """The root lost its topics, and whoever makes one of the same name would begin it anew: the replicas tell them.

    They are put together beside it, and there at once: a crash in between loses none.
    """
    _majority(home.root, "topics", named)
    beside = dataclasses.replace(home, root=home.root / "topics.tmp")
    shutil.rmtree(beside.root, ignore_errors=True)
    make_folder(beside.root / "topics")
    restore_topics(beside)
    (beside.root / "topics").rename(home.root / "topics")
    fsync_folder(home.root)
    beside.root.rmdir()


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


def adopt(home: Home, number: int) -> None:
    """Give a replica's folder that is empty, or gone, its identity again: its disk was exchanged, or wiped.

    Raises OSError when something else is in it, or the file system that it was on is not mounted.
    """
    folder = home.replicas[number]
    if (folder / "replica.json").exists():
        home.check_replica(number)
        return
    expected = (read_document(home.root / "log.json") or {}).get("mounts", {}).get(str(number))
    if expected is not None and expected != str(mount_point(folder)):
        raise FileNotFoundError(f"{folder}: {expected} is not mounted")
    if not holds_no_records(folder):
        raise FileExistsError(f"{folder}: no replica.json, but other files: empty it, or bring the replica back")
    write_identity(home, number, folder)
    copy_topics(home, number)


def _by_number(item: tuple[str, str]) -> int:
    return int(item[0])
