"""Making, changing and deleting topics, under one lock for all of them.

A topic is deleted in this order; the next who makes or deletes a topic goes on with one that was not finished:
1. mark     topics/<topic>/deleting.json
2. forget   the root's topic.json: the topic is gone; then the partitions' state, so that nobody reads a part of it
3. delete   the replicas' copies of the settings, the partitions' folders there, and the mark last
All with the partitions' locks held: nobody is in the middle of an append, or brings a replica back.

A replica that cannot be reached then keeps its copies. They are harmless: a topic has an id, which no other topic of
that name gets, and what a copy says of another id counts for nothing (documents.py). When the name is given again, such
a copy is not in sync (creation.py), and before it may be, its records are set aside (rejoining.py), as they are not the
leader's. If the root is lost, it is no majority. Versions of a state begin at the time when it was made, so that what a
process remembers of a deleted topic by its version does not pass for the new one's.
"""

from __future__ import annotations

import contextlib
import shutil
import uuid
from typing import TYPE_CHECKING

from log.disk.documents import write_document
from log.disk.files import fsync_folder
from log.disk.lock import FileLock, restamp
from log.embedded.creation import check_unused, create_partition, partitions_in
from log.embedded.topics import (
    load_topic,
    lost_topics,
    restore_topics,
    save_topic,
    topic_names,
)
from log.errors import LogUnusable, NotEnoughReplicas, TopicExists
from log.topic_rules import check_config, check_count, check_name
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from log.embedded.home import Home
    from log.options import LogOptions
    from log.types import TopicConfig


@contextlib.contextmanager
def topics_locked(home: Home, options: LogOptions) -> Iterator[None]:
    """Nobody else makes, changes or deletes a topic meanwhile; what was begun before is finished.

    Raises PartitionBusy, and as `Home.begin_writing`.
    """
    lock = FileLock(home.topics_lock_file, f"topics of {home.root}", options.lock_timeout_s)
    with contextlib.closing(lock), lock:
        home.begin_writing()
        home.refresh()
        for mark in (home.root / "topics").glob("*/deleting.json"):
            with _unused(home, options, mark.parent.name):
                _delete(home, mark.parent.name)
        yield


def bring_topics_back(home: Home, options: LogOptions) -> list[str]:
    """Write again the topics' files that the root lost, from a majority of the replicas; the topics' names."""
    if not lost_topics(home):
        return []
    with topics_locked(home, options):
        return restore_topics(home)


def create_topic(
    home: Home,
    options: LogOptions,
    topic: str,
    partitions: int,
    config: TopicConfig,
    *,
    forget: Callable[[str], None],
) -> None:
    """See `CommitLog`. `forget` drops what groups committed of a topic of that name: who deleted it may have died.

    That holds as long as nobody can have committed of the new one, so with the lock held and before it exists.
    Raises LogUnusable, and forgets nothing, where records of a topic of that name lie, though its file is lost.
    """
    check_name(topic)
    check_config(config)
    check_count(topic, partitions)
    with topics_locked(home, options):
        if topic in topic_names(home):
            raise TopicExists(f"topic {topic} exists")
        _check_no_records(home, topic)
        forget(topic)
        topic_id = uuid.uuid4().hex
        for partition in range(partitions):
            create_partition(home, TopicPartition(topic, partition), options.min_insync, topic_id)
        save_topic(home, topic, topic_id, partitions, config)


def _check_no_records(home: Home, topic: str) -> None:
    for within in (home.root / "state", *map(home.replica_folder, home.replicas)):
        for source in partitions_in(within):
            if source.topic == topic:
                check_unused(home, source)


def alter_topic(
    home: Home, options: LogOptions, topic: str, partitions: int | None, config: TopicConfig | None
) -> None:
    """See `CommitLog`. New partitions come first: with the topic's file they are there."""
    with topics_locked(home, options):
        count, current, topic_id = load_topic(home, topic)
        wanted = count if partitions is None else partitions
        if wanted < count:
            raise LogUnusable(
                f"{topic} has {count} partitions; they cannot become {wanted}: `otclog topic copy` it into a new one"
            )
        if config is not None:
            check_config(config)
            if current.mail and not config.mail:
                raise LogUnusable(f"{topic} holds mail, and stays so: make another topic for something else")
        check_count(topic, wanted)
        for partition in range(count, wanted):
            create_partition(home, TopicPartition(topic, partition), options.min_insync, topic_id)
        save_topic(home, topic, topic_id, wanted, config or current)
        for partition in range(count):
            with contextlib.suppress(FileNotFoundError):  # nobody has appended to it
                restamp(home.lock_file(TopicPartition(topic, partition)))


def delete_topic(home: Home, options: LogOptions, topic: str, *, forget: Callable[[str], None]) -> None:
    """See `CommitLog`; `forget` as in `create_topic`.

    Raises NotEnoughReplicas where those that miss it would be a majority that still has it.
    """
    with topics_locked(home, options):
        load_topic(home, topic)
        away = _away(home)
        if 2 * len(away) > len(home.replicas):
            raise NotEnoughReplicas(
                f"{topic}: {', '.join(away)} cannot be reached, most of the {len(home.replicas)} replicas: they would "
                "bring the topic back: delete it when they are there, or take them out of the log first"
            )
        with _unused(home, options, topic):
            write_document(home.deletion_file(topic), {"topic": topic})
            _delete(home, topic)
        forget(topic)


def _away(home: Home) -> list[str]:
    away = []
    for number, folder in home.replicas.items():
        try:
            home.check_replica(number)
        except OSError:
            away.append(str(folder))
    return away


@contextlib.contextmanager
def _unused(home: Home, options: LogOptions, topic: str) -> Iterator[None]:
    """Nobody tends the topic's partitions meanwhile, or appends to them. Raises PartitionBusy."""
    with contextlib.ExitStack() as held:
        for name in ("tend.lock", "lock"):  # in this order, as who tends takes them
            for state in sorted(_partition_folders(home.root / "state", topic), key=_number):
                lock = FileLock(state / name, state.name, options.lock_timeout_s)
                held.enter_context(contextlib.closing(lock))
                held.enter_context(lock)
        yield


def _delete(home: Home, topic: str) -> None:
    folder = home.topic_file(topic).parent
    home.topic_file(topic).unlink(missing_ok=True)
    fsync_folder(folder)
    for path in _partition_folders(home.root / "state", topic):
        shutil.rmtree(path)
    fsync_folder(home.root / "state")
    for number, replica in home.replicas.items():
        with contextlib.suppress(OSError):
            home.check_replica(number)
            shutil.rmtree(home.topic_copy(topic, number).parent, ignore_errors=True)
            for path in _partition_folders(replica, topic):
                shutil.rmtree(path)
            fsync_folder(home.topic_copy(topic, number).parent.parent)  # or they are a majority again without the mark
            fsync_folder(replica)
    shutil.rmtree(folder)
    fsync_folder(folder.parent)


def _partition_folders(within: Path, topic: str) -> Iterator[Path]:
    for path in within.iterdir():
        name, _, number = path.name.rpartition("-")
        if name == topic and number.isdecimal():
            yield path


def _number(folder: Path) -> int:
    return int(folder.name.rpartition("-")[2])
