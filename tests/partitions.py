"""Where the log puts a record, by its key."""

from __future__ import annotations

from log.interface import CommitLog
from log.murmur2 import partition_of
from log.types import TopicPartition


def partition_for(log: CommitLog, topic: str, key: bytes | None) -> TopicPartition:
    """The partition that a record with this key goes to. Raises UnknownTopic."""
    return TopicPartition(topic, partition_of(key or b"", log.partition_count(topic)))
