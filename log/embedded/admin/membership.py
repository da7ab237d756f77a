"""Giving a log another replica, and taking one away, while others append.

add      1. identity in the new folder  2. log.json names it  3. every partition's state names it, out of sync.
         Then it is brought in sync as any other that is (rejoining.py)
remove   1. every partition's state without it, another leader where it led  2. log.json without it. Its files stay

A crash in between leaves a replica that some partitions know: the same command again does the rest. A number is never
given twice, so that a folder of a former replica does not pass for one.
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from log.disk.documents import read_document
from log.disk.files import FOLDER_MODE, network_file_system
from log.embedded.home import holds_no_records, write_identity, write_log_file
from log.embedded.partition.changing import change_state, dismiss
from log.embedded.topics import copy_topics
from log.errors import LogUnusable, NotEnoughReplicas

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.partition.partition import Partition


def add_replica(home: Home, partitions: Iterable[Partition], folder: Path) -> int:
    """Make `folder` a replica, still out of sync; its number. To be called with the topics locked.

    Raises LogUnusable for a folder that cannot be one.
    """
    folder = folder.resolve()
    kind = network_file_system(folder)
    if kind:
        raise LogUnusable(f"{folder} is on {kind}: a replica needs a local file system")
    number = next((each for each, known in home.replicas.items() if known.resolve() == folder), None)
    if number is None:
        begun = read_document(folder / "replica.json")
        foreign = begun is not None and begun["log_id"] != home.log_id
        if foreign or not holds_no_records(folder):
            raise LogUnusable(f"{folder} is not empty: a new replica begins with an empty folder")
        _check_closed(folder)
        number = 1 + max((read_document(home.root / "log.json") or {}).get("last_number", 0), *home.replicas)
        write_identity(home, number, folder)
        home.replicas = {**home.replicas, number: folder}
        write_log_file(home)
    copy_topics(home, number)
    for partition in partitions:
        with partition.hold():
            replicas = partition.replicas.state.replicas
            if number not in replicas:
                change_state(partition, replicas=(*replicas, number))
    return number


def _check_closed(folder: Path) -> None:
    """Once it is a replica, no command would write any more."""
    mode = stat.S_IMODE(folder.stat().st_mode) if folder.exists() else FOLDER_MODE
    if mode & ~FOLDER_MODE & 0o777:
        raise LogUnusable(f"{folder} is open to others (mode {mode:o}): chmod {FOLDER_MODE:o} {folder}")


def remove_replica(home: Home, partitions: Iterable[Partition], number: int) -> None:
    """Take a replica out of the log; its files stay. To be called with the topics locked.

    Raises NotEnoughReplicas, before anything is changed, when too few would be in sync without it.
    """
    found = list(partitions)
    for partition in found:
        with partition.hold():
            left = set(partition.replicas.state.isr) - {number}
            if len(left) < partition.settings.min_insync:
                raise NotEnoughReplicas(
                    f"{partition.source}: without {home.replicas[number]} only {len(left)} replicas are in sync, "
                    f"{partition.settings.min_insync} are needed: bring others back, or add one first"
                )
    for partition in found:
        with partition.hold():
            dismiss(partition, number)
    home.replicas = {each: folder for each, folder in home.replicas.items() if each != number}
    write_log_file(home)
