"""What may be a topic, a partition and an offset of it, on either backend, and what may name a group."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from log.errors import LogUnusable, OffsetOutOfRange, UnknownTopic

if TYPE_CHECKING:
    from log.types import TopicConfig, TopicPartition

COMPRESSIONS = ("none", "gzip", "snappy", "lz4", "zstd")
MAX_PARTITIONS = 10_000  # each is a folder a replica and a lock: a slip of the finger must not make a hundred million
OPS_TOPIC = "ops"  # what programs say (opslog.py)
NAME = re.compile(r"[a-zA-Z0-9._-]{1,249}")  # as Kafka's Topic.validate
RECORD_OVERHEAD_BYTES = 2**16  # bytes of a record beside its value: key, headers, and what the batch adds
MAX_SEGMENT_BYTES = 2**31 - 1  # positions in an index are 31 bits


def is_name(name: str) -> bool:
    """Whether Kafka would take it for a topic."""
    return bool(NAME.fullmatch(name)) and name not in {".", ".."}


def is_internal(topic: str) -> bool:
    """Whether it is the log's own: groups, claims, messages; or of the brokers. None of them holds mails."""
    return topic == OPS_TOPIC or topic.startswith("__")


def check_name(topic: str) -> None:
    """Raises LogUnusable for a name that Kafka would not take."""
    if not is_name(topic):
        raise LogUnusable(f"{topic!r} cannot name a topic: 1 to 249 of a-z A-Z 0-9 . _ - and neither '.' nor '..'")


def check_partition(source: TopicPartition, partitions: int) -> None:
    """Raises UnknownTopic for a partition that the topic does not have."""
    if not 0 <= source.partition < partitions:
        raise UnknownTopic(f"{source}: topic {source.topic} has partitions 0 to {partitions - 1}")


def check_offset(source: TopicPartition, offset: int, span: range) -> None:
    """Raises OffsetOutOfRange for one that is neither in the span nor the next behind it."""
    if not span.start <= offset <= span.stop:
        raise OffsetOutOfRange(source, offset, span)


def check_config(config: TopicConfig) -> None:
    """Raises LogUnusable for a setting that no segment could be written by."""
    if config.compression is not None and config.compression not in COMPRESSIONS:
        raise LogUnusable(f"compression {config.compression!r} is none of {', '.join(COMPRESSIONS)}")
    if config.segment_bytes is not None and not 0 < config.segment_bytes <= MAX_SEGMENT_BYTES:
        raise LogUnusable(f"segment_bytes {config.segment_bytes} is not between 1 and {MAX_SEGMENT_BYTES}")
    if config.cleanup == "compact" and config.mail:
        raise LogUnusable("a topic of mails cannot be compacted: of a sender only the last mail would be left")
    for name in ("retention_s", "retention_bytes"):
        value = getattr(config, name)
        if value is not None and value <= 0:
            raise LogUnusable(f"{name} {value} is not above 0; leave it out to keep everything")
    if config.cleanup not in {"delete", "compact"}:
        raise LogUnusable(f"cleanup {config.cleanup!r} is neither delete nor compact")


def check_count(topic: str, partitions: int) -> None:
    """Raises LogUnusable for a number of partitions that no topic has."""
    if not 1 <= partitions <= MAX_PARTITIONS:
        raise LogUnusable(f"{topic}: a topic has 1 to {MAX_PARTITIONS} partitions, not {partitions}")


def too_small(topic: str, limit: int, inline_max_bytes: int) -> str | None:
    """Why a topic that takes values of so many bytes cannot take our mails; None if it can."""
    if limit >= inline_max_bytes:
        return None
    lower = f"lower inline_max_bytes in [log], which is {inline_max_bytes}, to that, or " if limit else ""
    return (
        f"topic {topic} takes mails of {limit} bytes at most: {lower}raise its limit (max.message.bytes, by "
        "kafka-configs); larger mails are claims"
    )
