"""The log on Apache Kafka, by confluent-kafka. `KafkaLog` is loaded when it is asked for: the client is large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from log.kafka.log import KafkaLog

__all__ = ["KafkaLog"]


def __getattr__(name: str) -> Any:
    if name != "KafkaLog":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from log.kafka.log import KafkaLog

    return KafkaLog
