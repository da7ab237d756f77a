"""The partitions that a log has open: each once, with the settings that its topic has now."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from log.embedded.partition.partition import AppendSettings, Partition
from log.embedded.topics import TopicCache
from log.errors import LogUnusable
from log.topic_rules import check_partition

if TYPE_CHECKING:
    from log.embedded.home import Home
    from log.options import LogOptions
    from log.types import TopicPartition


class Partitions:
    """Safe for threads."""

    def __init__(self, home: Home, topics: TopicCache, options: LogOptions) -> None:
        """None is open yet."""
        self._home, self._topics, self._options = home, topics, options
        self._open: dict[TopicPartition, Partition] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    def one(self, source: TopicPartition) -> Partition:
        """The partition, opened if it is not.

        Raises UnknownTopic; LogUnusable when closed, and as `Home.begin_writing`.
        """
        config = self._topics.config(source.topic)
        with self._lock:
            if self._is_closed:
                raise LogUnusable(f"{self._home.root}: this log was closed: open it again")
            found = self._open.get(source)
            if found is None:
                self._home.begin_writing()
                check_partition(source, self._topics.partitions(source.topic))
                settings = AppendSettings.of(self._options, config)
                found = self._open[source] = Partition(self._home, source, settings)
                found.config = config
            elif found.config is not config:
                found.settings, found.config = AppendSettings.of(self._options, config), config
            return found

    def forgotten(self, topic: str) -> list[Partition]:
        """The partitions of a topic that were open, no longer known here; the caller closes them."""
        with self._lock:
            return [self._open.pop(source) for source in list(self._open) if source.topic == topic]

    def close(self) -> None:
        """Close all; none is opened again."""
        with self._lock:
            self._is_closed = True
            partitions, self._open = self._open, {}
        for partition in partitions.values():
            partition.close()
