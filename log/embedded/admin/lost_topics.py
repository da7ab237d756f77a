"""Topics that nobody sees, as their file is lost in the root and in most replicas, though their records are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.disk.files import NOT_THE_DISK, disk_errors_as_log_errors
from log.embedded.creation import check_unused
from log.embedded.log import EmbeddedLog
from log.embedded.topics import topic_names
from log.errors import LogUnusable
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.interface import CommitLog


def hidden_topics(log: CommitLog) -> list[str]:
    """For each of them what holds its records, and how it is had again; none of a log that is not embedded."""
    if not isinstance(log, EmbeddedLog):
        return []
    home = log.home
    told: dict[str, str] = {}
    with disk_errors_as_log_errors():
        names = set(topic_names(home))
        places = (home.root / "state", *map(home.replica_folder, home.replicas))
        for source in sorted({each for place in places for each in _partitions_in(place)}):
            if source.topic in names or source.topic in told or home.deletion_file(source.topic).exists():
                continue
            try:
                check_unused(home, source)
            except LogUnusable as error:
                told[source.topic] = str(error)
    return list(told.values())


def _partitions_in(place: Path) -> Iterator[TopicPartition]:
    """Those that have a folder there; none where the disk is away, or says nothing but errors."""
    try:
        folders = list(place.iterdir())
    except OSError as error:
        if error.errno in NOT_THE_DISK:
            raise
        return
    for folder in folders:
        topic, _, number = folder.name.rpartition("-")
        if topic and number.isdecimal():
            yield TopicPartition(topic, int(number))
