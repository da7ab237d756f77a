"""What those that put an open log in order need of it: `log.py` itself calls some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from log.interface import CommitLog

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from log.embedded.home import Home
    from log.embedded.partition.partition import Partition
    from log.options import LogOptions
    from log.types import TopicPartition


class OpenedLog(CommitLog, Protocol):
    """A log with its files and appenders. For this package."""

    @property
    def home(self) -> Home:
        """Where its files lie."""

    @property
    def options(self) -> LogOptions:
        """What it was opened with."""

    def exclusive(self, source: TopicPartition) -> AbstractContextManager[None]:
        """Hold the partition against other appenders, settled: within it nothing unacknowledged precedes an append.

        Re-entrant for this thread's own appends. Raises PartitionBusy.
        """

    def partition(self, source: TopicPartition) -> Partition:
        """The appender of a partition. Raises UnknownTopic, LogUnusable for a closed log."""
