from __future__ import annotations

from log import Record, TopicPartition
from log.consumers.consumer import Consumer
from log.consumers.show import group_row, offset_rows
from log.embedded import EmbeddedLog

SOURCE = TopicPartition("mails", 0)


def test_each_partition_is_shown_with_the_member_that_reads_it(embedded: EmbeddedLog) -> None:
    embedded.append("mails", [Record(b"key", b"value")] * 5)
    with Consumer(embedded, "extract", ["mails"]) as consumer:
        consumer.poll()
        consumer.commit({SOURCE: 2}, "run 7")
        (row,) = offset_rows(embedded, "extract")
        assert (row["committed"], row["end"], row["lag"], row["metadata"], row["generation"]) == (2, 5, 3, "run 7", 1)
        assert row["member"] is not None
        assert group_row(embedded, "extract")["state"] == "running"
    assert offset_rows(embedded, "extract")[0]["member"] is None
    assert group_row(embedded, "extract")["state"] == "idle"


def test_a_group_never_seen_is_idle_and_has_no_rows(embedded: EmbeddedLog) -> None:
    assert offset_rows(embedded, "extract") == []
    assert group_row(embedded, "extract")["committed_at"] is None
