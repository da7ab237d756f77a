"""Topics that nobody sees, as their file is lost in the root and in most replicas, though their records are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.disk.files import disk_errors_as_log_errors
from log.embedded.creation import check_unused, partitions_in
from log.embedded.topics import topic_names
from log.errors import LogUnusable

if TYPE_CHECKING:
    from log.embedded.home import Home


def hidden_topics(home: Home) -> list[str]:
    """For each of them what holds its records, and how it is had again."""
    told: dict[str, str] = {}
    with disk_errors_as_log_errors():
        names = set(topic_names(home))
        places = (home.root / "state", *map(home.replica_folder, home.replicas))
        for source in sorted({each for place in places for each in partitions_in(place)}):
            if source.topic in names or source.topic in told or home.deletion_file(source.topic).exists():
                continue
            try:
                check_unused(home, source)
            except LogUnusable as error:
                told[source.topic] = str(error)
    return list(told.values())
