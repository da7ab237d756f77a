"""Topics: their names, and the settings kept of each."""

from __future__ import annotations

import contextlib
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from log.disk import documents
from log.disk.files import NOT_THE_DISK, disk_errors_as_log_errors, make_folder
from log.errors import LogUnusable, UnknownTopic
from log.topic_rules import is_name
from log.types import TopicConfig, TopicPartition

if TYPE_CHECKING:
    from pathlib import Path

    from log.embedded.home import Home


class Topic(NamedTuple):
    """What is kept of a topic."""

    partitions: int
    config: TopicConfig
    id: str  # which no other topic has; "" of one that an older version made


def sources(home: Home, topic: str | None = None) -> list[TopicPartition]:
    """All partitions of a topic, or of the log, whatever state they are in. Raises UnknownTopic."""
    topics = topic_names(home) if topic is None else [topic]
    return [TopicPartition(each, number) for each in topics for number in range(load_topic(home, each).partitions)]


def topic_names(home: Home) -> list[str]:
    """All topics, sorted: those of the root's files, and those whose file it lost and a majority of the copies tells.

    Raises OutOfResources where this process cannot look: a topic that is not seen is taken for none.
    """
    with disk_errors_as_log_errors():
        in_root = {name for name in _listed(home.root) if home.topic_file(name).exists()}
        elsewhere = {name for folder in map(home.replica_folder, home.replicas) for name in _listed(folder)} - in_root
    return sorted({*in_root, *(name for name in elsewhere if _in_force(home, name) is not None)})


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder / "topics")  # noqa: PTH208  several times with each commit: Paths cost more
    except OSError as error:
        if error.errno in NOT_THE_DISK:
            raise
        return []


def load_topic(home: Home, topic: str) -> Topic:
    """The topic of that name. Raises UnknownTopic, LogUnusable for one of a later version."""
    found = _in_force(home, topic)
    if found is None:
        raise UnknownTopic(f"no topic {topic!r} in {home.root}; `otclog topic list` shows what there is")
    try:
        config = TopicConfig(**found["config"])
    except TypeError as error:
        file = home.topic_file(topic)
        raise LogUnusable(f"{file}: this version does not know all of it ({error}): use a newer otclog") from error
    return Topic(int(found["partitions"]), config, found.get("topic_id", ""))


def _in_force(home: Home, topic: str) -> documents.Document | None:
    found = _newest(home, topic) if is_name(topic) else None
    if found is None or found["log_id"] != home.log_id:
        return None
    is_deleted = home.deletion_file(topic).exists() and not home.topic_file(topic).exists()
    return None if is_deleted else found


def _newest(home: Home, topic: str) -> documents.Document | None:
    return documents.newest(home.topic_file(topic), [home.topic_copy(topic, number) for number in home.replicas])


class TopicCache:
    """What `load_topic` says, asked again only when the root's file is another one."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._files: dict[str, str] = {}
        self._known: dict[str, tuple[tuple[int, int], Topic]] = {}

    def still_has_one(self, topic: str, config: TopicConfig | None) -> bool:
        """Whether the topic has one partition, and nobody has altered or deleted it since it had those settings."""
        known = self._known.get(topic)
        if known is None or known[1].partitions != 1 or known[1].config is not config:
            return False
        try:
            file = os.stat(self._files[topic])  # noqa: PTH116  with each append: a Path costs more than the call
        except OSError:
            return False
        return known[0] == (file.st_ino, file.st_mtime_ns)

    def partitions(self, topic: str) -> int:
        """How many the topic has. Raises UnknownTopic."""
        return self._load(topic).partitions

    def config(self, topic: str) -> TopicConfig:
        """Its settings. Raises UnknownTopic."""
        return self._load(topic).config

    def id(self, topic: str) -> str:
        """See `CommitLog.topic_id`. One that an older version made has that of the log."""
        return self._load(topic).id or self._home.log_id

    def _load(self, topic: str) -> Topic:
        try:
            file = self._home.topic_file(topic).stat()
        except OSError:
            return load_topic(self._home, topic)
        known, version = self._known.get(topic), (file.st_ino, file.st_mtime_ns)
        if known is None or known[0] != version:
            known = self._known[topic] = (version, load_topic(self._home, topic))
            self._files[topic] = str(self._home.topic_file(topic))
        return known[1]


def save_topic(home: Home, topic: str, topic_id: str, partitions: int, config: TopicConfig) -> None:
    """With the root's file the topic exists; replicas that can be reached get a copy for the day the root is lost."""
    known = _newest(home, topic)
    document = {
        "log_id": home.log_id,
        "topic_id": topic_id,
        "version": 1 if known is None else int(known["version"]) + 1,
        "partitions": partitions,
        "config": asdict(config),
    }
    make_folder(home.topic_file(topic).parent)
    documents.write_document(home.topic_file(topic), document)
    for number in home.replicas:
        with contextlib.suppress(OSError):
            copy_topic(home, topic, number)


def copy_topic(home: Home, topic: str, number: int) -> None:
    """Give a replica its copy of the root's file. Raises OSError when the replica is not there."""
    home.check_replica(number)
    found, copy = documents.read_document(home.topic_file(topic)), home.topic_copy(topic, number)
    if found is not None and found != documents.read_document(copy):
        make_folder(copy.parent)
        documents.write_document(copy, found)


def copy_topics(home: Home, number: int) -> None:
    """Give a replica its copies of all. Raises OSError."""
    for topic in topic_names(home):
        copy_topic(home, topic, number)


def lost_topics(home: Home) -> list[str]:
    """Topics whose file the root lost, or has damaged, and a majority of the replicas still tells."""
    return list(_lost(home))


def restore_topics(home: Home) -> list[str]:
    """Write again what the root lost and a majority of the replicas has; the topics' names. Raises OSError."""
    lost = _lost(home)
    for topic, found in lost.items():
        make_folder(home.topic_file(topic).parent)
        documents.write_document(home.topic_file(topic), found)
    return list(lost)


def _lost(home: Home) -> dict[str, documents.Document]:
    lost = (topic for topic in topic_names(home) if documents.read_document(home.topic_file(topic)) is None)
    return {topic: found for topic in lost if (found := _in_force(home, topic)) is not None}
