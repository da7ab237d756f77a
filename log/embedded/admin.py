"""Making, changing and deleting topics, under one lock for all of them.

A topic is deleted in this order; the next who makes or deletes a topic goes on with one that was not finished:
1. mark     topics/<topic>/deleting.json
2. forget   the root's topic.json: the topic is gone; then the partitions' state, so that nobody reads a part of it
3. delete   the replicas' copies of the settings, the partitions' folders there, and the mark last
"""

from __future__ import annotations

import contextlib
import shutil
from typing import TYPE_CHECKING

from log.embedded.creation import create_partition
from log.embedded.documents import write_document
from log.embedded.files import fsync_folder
from log.embedded.lock import FileLock
from log.embedded.topics import check_config, check_name, load_topic, save_topic, topic_names
from log.errors import LogUnusable, TopicExists
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.embedded.home import Home
    from log.options import LogOptions
    from log.types import TopicConfig


@contextlib.contextmanager
def topics_locked(home: Home, options: LogOptions) -> Iterator[None]:
    """Nobody else makes, changes or deletes a topic meanwhile; what was begun before is finished."""
    lock = FileLock(home.topics_lock_file, f"topics of {home.root}", options.lock_timeout_s)
    with contextlib.closing(lock), lock:
        home.refresh()
        for mark in (home.root / "topics").glob("*/deleting.json"):
            _delete(home, mark.parent.name)
        yield


def create_topic(home: Home, options: LogOptions, topic: str, partitions: int, config: TopicConfig) -> None:
    """See `CommitLog`."""
    check_name(topic)
    check_config(config)
    if partitions < 1:
        raise LogUnusable(f"{topic}: a topic has at least 1 partition, not {partitions}")
    with topics_locked(home, options):
        if topic in topic_names(home):
            raise TopicExists(f"topic {topic} exists")
        for partition in range(partitions):
            create_partition(home, TopicPartition(topic, partition), options.min_insync)
        save_topic(home, topic, partitions, config)


def alter_topic(
    home: Home, options: LogOptions, topic: str, partitions: int | None, config: TopicConfig | None
) -> None:
    """See `CommitLog`. New partitions come first: with the topic's file they are there."""
    with topics_locked(home, options):
        count, current = load_topic(home, topic)
        wanted = count if partitions is None else partitions
        if wanted < count:
            raise LogUnusable(
                f"{topic} has {count} partitions; they cannot become {wanted}: `otclog topic copy` it into a new one"
            )
        if config is not None:
            check_config(config)
            if current.mail and not config.mail:
                raise LogUnusable(f"{topic} holds mail, and stays so: make another topic for something else")
        for partition in range(count, wanted):
            create_partition(home, TopicPartition(topic, partition), options.min_insync)
        save_topic(home, topic, wanted, config or current)


def delete_topic(home: Home, options: LogOptions, topic: str) -> None:
    """See `CommitLog`."""
    with topics_locked(home, options):
        load_topic(home, topic)
        write_document(home.deletion_file(topic), {"topic": topic})
        _delete(home, topic)


def _delete(home: Home, topic: str) -> None:
    folder = home.topic_file(topic).parent
    home.topic_file(topic).unlink(missing_ok=True)
    fsync_folder(folder)
    for path in _partition_folders((home.root / "state").iterdir(), topic):
        shutil.rmtree(path)
    fsync_folder(home.root / "state")
    for number, replica in home.replicas.items():
        with contextlib.suppress(OSError):  # one that cannot be reached: what it keeps of the topic is no majority
            shutil.rmtree(home.topic_copy(topic, number).parent, ignore_errors=True)
            for path in _partition_folders(replica.iterdir(), topic):
                shutil.rmtree(path)
            fsync_folder(home.topic_copy(topic, number).parent.parent)  # or they are a majority again without the mark
            fsync_folder(replica)
    shutil.rmtree(folder)
    fsync_folder(folder.parent)


def _partition_folders(paths: Iterator[Path], topic: str) -> Iterator[Path]:
    for path in paths:
        name, _, number = path.name.rpartition("-")
        if name == topic and number.isdecimal():
            yield path
