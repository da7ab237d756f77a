"""A topic's settings in the log's words and in Kafka's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.types import TopicConfig

if TYPE_CHECKING:
    from collections.abc import Mapping

NEVER = "-1"  # of retention; Kafka's default is a week, and then the mails of a desk that was on holiday are gone
MARK = {"message.timestamp.type": "LogAppendTime"}  # set of each topic of ours itself, whatever brokers' default is
OWN = "__otclog_"  # how the names begin of topics that otclog keeps for itself


def to_kafka(config: TopicConfig) -> dict[str, str]:
    """Kafka's settings; what is None is left to the brokers, retention excepted: nothing is deleted unasked."""
    told = {
        "segment.bytes": config.segment_bytes,
        "segment.ms": _ms(config.segment_age_s),
        "compression.type": "uncompressed" if config.compression == "none" else config.compression,
        "cleanup.policy": config.cleanup,
        "retention.ms": NEVER if config.retention_s is None else _ms(config.retention_s),
        "retention.bytes": NEVER if config.retention_bytes is None else config.retention_bytes,
        "min.compaction.lag.ms": _ms(config.compaction_lag_s),
        "delete.retention.ms": _ms(config.tombstone_s),
    }
    return MARK | {name: str(value) for name, value in told.items() if value is not None}


def from_kafka(told: Mapping[str, str]) -> TopicConfig:
    """The log's words for what was set of a topic itself.

    Kafka has no room for the mark that a topic holds mails: each of ours that is not compacted counts as one of mails.
    """
    compression = told.get("compression.type")
    tombstone_s = _seconds(told.get("delete.retention.ms"))
    cleanup = "compact" if "compact" in told.get("cleanup.policy", "delete") else "delete"
    return TopicConfig(
        segment_bytes=_number(told.get("segment.bytes")),
        segment_age_s=_seconds(told.get("segment.ms")),
        compression="none" if compression == "uncompressed" else compression,
        mail=cleanup == "delete" and is_marked(told),
        cleanup=cleanup,
        retention_s=_seconds(told.get("retention.ms")),
        retention_bytes=_number(told.get("retention.bytes")),
        compaction_lag_s=_seconds(told.get("min.compaction.lag.ms")) or 0.0,
        tombstone_s=86400.0 if tombstone_s is None else tombstone_s,
    )


def is_marked(told: Mapping[str, str]) -> bool:
    """Whether a topic is otclog's, by what was set of it itself: a cluster has topics of other programs, too."""
    return told.items() >= MARK.items()


def unmarked(topic: str) -> str:
    """What is to be done for one that is not, and that is to be written to."""
    mark = ",".join("=".join(each) for each in MARK.items())
    return (
        f"topic {topic} may be another program's: if otclog is to write there, mark it as one of its own, whose "
        f"records have the brokers' times: kafka-configs --alter --entity-type topics --entity-name {topic} "
        f"--add-config {mark}"
    )


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def _seconds(told: str | None) -> float | None:
    return None if told in {None, NEVER} else int(told or 0) / 1000


def _number(told: str | None) -> int | None:
    return None if told in {None, NEVER} else int(told or 0)
