"""The commit log: partitioned, replicated, in Kafka's format. `import log` loads neither Kafka nor Spark."""

from __future__ import annotations

from log.errors import (
    ClaimMissing,
    ClaimUnavailable,
    CorruptRecord,
    DiskFull,
    GroupFenced,
    LogError,
    LogUnreachable,
    LogUnusable,
    NotEnoughReplicas,
    OffsetOutOfRange,
    OutOfResources,
    OutOfSequence,
    PartitionBusy,
    ProducerFenced,
    RecordTooLarge,
    ReplicaFailed,
    TopicExists,
    UnknownTopic,
)
from log.interface import CommitLog
from log.options import LogOptions
from log.types import Header, PartitionInfo, Position, Record, StoredRecord, Tended, TopicConfig, TopicPartition

__all__ = [
    "ClaimMissing",
    "ClaimUnavailable",
    "CommitLog",
    "CorruptRecord",
    "DiskFull",
    "GroupFenced",
    "Header",
    "LogError",
    "LogOptions",
    "LogUnreachable",
    "LogUnusable",
    "NotEnoughReplicas",
    "OffsetOutOfRange",
    "OutOfResources",
    "OutOfSequence",
    "PartitionBusy",
    "PartitionInfo",
    "Position",
    "ProducerFenced",
    "Record",
    "RecordTooLarge",
    "ReplicaFailed",
    "StoredRecord",
    "Tended",
    "TopicConfig",
    "TopicExists",
    "TopicPartition",
    "UnknownTopic",
    "find_log",
    "is_there",
    "no_log",
    "open_log",
]


def open_log(options: LogOptions) -> CommitLog:
    """The log that the settings name, made if there is none, and whole again where its root lost a part of its state.

    Raises LogUnusable, saying what to do; LogUnreachable.
    """
    return _opened(options, appends=True)


def find_log(options: LogOptions) -> CommitLog:
    """The log that the settings name, which is there: for whoever only looks. Raises as `open_log`."""
    if options.backend != "kafka" and not (options.root / "log.json").exists():
        raise no_log(options)
    return _opened(options, appends=False)


def is_there(options: LogOptions) -> bool:
    """Whether there is a log, or what is left of one, so that opening it makes no new one. A cluster counts as one."""
    if options.backend == "kafka":
        return True
    identities = [options.root / "log.json", *(folder / "replica.json" for folder in options.replicas)]
    return any(path.exists() for path in identities)


def no_log(options: LogOptions) -> LogUnusable:
    """For whoever needs one."""
    return LogUnusable(f"{options.root}: no log is here yet (`otclog watch` makes it), or its disk is not mounted")


def _opened(options: LogOptions, *, appends: bool) -> CommitLog:
    if options.backend == "kafka":
        from log.kafka import KafkaLog

        return KafkaLog(options)
    if options.backend != "embedded":
        raise LogUnusable(f'backend {options.backend!r} is not known: set [log] backend = "embedded" or "kafka"')
    from log.embedded import EmbeddedLog
    from log.embedded.recovery.restoring import find_lost_topics, find_lost_watermarks

    log = EmbeddedLog(options)
    if appends:
        find_lost_topics(log)
        find_lost_watermarks(log)
    return log
