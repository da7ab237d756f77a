"""Topics that their first user makes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from log.errors import TopicExists
from log.reading import has_topic

if TYPE_CHECKING:
    from log.interface import CommitLog
    from log.types import TopicConfig


def make_topic(log: CommitLog, topic: str, partitions: int, config: TopicConfig | None = None) -> None:
    """Make the topic unless it is there. Raises as `create_topic`, but for one that another process has just made."""
    if not has_topic(log, topic):
        with contextlib.suppress(TopicExists):  # another process was first
            log.create_topic(topic, partitions, config)
