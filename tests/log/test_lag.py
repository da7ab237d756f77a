from __future__ import annotations

from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.lag import Lag, lag
from log.times import rfc3339

SOURCE = TopicPartition("mails", 0)


def test_lag_counts_what_was_not_read_and_says_since_when(embedded: EmbeddedLog) -> None:
    for number in range(10):
        embedded.append("mails", [Record(b"key", b"%d" % number)])
    embedded.commit("extract", {SOURCE: 4})
    waiting = rfc3339(embedded.read(SOURCE, 4, 1)[0].timestamp_ms)
    assert lag(embedded, "extract") == [Lag("extract", "mails", 0, 4, 10, 6, waiting)]


def test_a_group_at_the_end_has_no_lag(embedded: EmbeddedLog) -> None:
    embedded.append("mails", [Record(b"key", b"value")])
    embedded.commit("extract", {SOURCE: 1})
    assert lag(embedded, "extract") == [Lag("extract", "mails", 0, 1, 1, 0, None)]


def test_a_group_never_seen_has_no_rows(embedded: EmbeddedLog) -> None:
    assert lag(embedded, "extract") == []


def test_partitions_come_in_order(embedded: EmbeddedLog) -> None:
    embedded.create_topic("backfill", 3)
    embedded.commit("extract", {TopicPartition("backfill", number): 0 for number in (2, 0, 1)} | {SOURCE: 0})
    assert [(row.topic, row.partition) for row in lag(embedded, "extract")] == [
        ("backfill", 0),
        ("backfill", 1),
        ("backfill", 2),
        ("mails", 0),
    ]
