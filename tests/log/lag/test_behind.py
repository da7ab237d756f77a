from __future__ import annotations

from dataclasses import replace

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.groups import GROUPS_TOPIC, offset_record
from log.interface import CommitLog
from log.lag import Lag, not_begun
from log.lag import lag as with_bytes
from log.times import rfc3339
from log.types import GroupOffset
from tests.log.rot import flip_batch

SOURCE = TopicPartition("mails", 0)


def lag(log: CommitLog, group: str) -> list[Lag]:
    """But for the bytes, which are the codec's to say."""
    return [replace(row, bytes=None) for row in with_bytes(log, group)]


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


def test_a_topic_that_is_made_again_is_read_from_its_start(embedded: EmbeddedLog) -> None:
    embedded.create_topic("other", 1)
    other = TopicPartition("other", 0)
    embedded.append("other", [Record(None, b"value")] * 3)
    embedded.commit("extract", {SOURCE: 0, other: 3})
    embedded.delete_topic("other")
    assert lag(embedded, "extract") == [Lag("extract", "mails", 0, 0, 0, 0, None)]
    embedded.create_topic("other", 1)
    assert embedded.committed("extract") == {SOURCE: 0}


def test_a_partition_that_is_gone_has_no_end(embedded: EmbeddedLog) -> None:
    gone = TopicPartition("gone", 0)
    embedded.commit("extract", {SOURCE: 0})
    embedded.append(GROUPS_TOPIC, [offset_record("extract", gone, GroupOffset(7, 0, "", 0))])  # its deleter died
    assert lag(embedded, "extract")[0] == Lag("extract", "gone", 0, 7, None, 0, None)
    embedded.create_topic("gone", 1)
    assert embedded.committed("extract") == {SOURCE: 0}


def test_a_topic_that_nobody_has_read_waits_whole(embedded: EmbeddedLog) -> None:
    embedded.create_topic("backfill", 2)
    embedded.append("mails", [Record(b"key", b"%d" % number) for number in range(3)])
    since = rfc3339(embedded.read(SOURCE, 0, 1)[0].timestamp_ms)
    topics = ["mails", "backfill", "absent"]
    whole = Lag("extract", "mails", 0, None, 3, 3, since)
    whole = replace(whole, bytes=embedded.bytes_from(SOURCE, 0))
    empty = [Lag("extract", "backfill", number, None, 0, 0, None, bytes=0) for number in (0, 1)]
    assert not_begun(embedded, "extract", topics) == [*empty, whole]
    embedded.commit("another", {TopicPartition("backfill", 0): 0})
    assert not_begun(embedded, "extract", topics) == [whole]
    embedded.commit("extract", {SOURCE: 1})
    assert not_begun(embedded, "extract", topics) == []


def test_lag_is_told_though_no_replica_has_the_first_unread_record_whole(
    embedded: EmbeddedLog, options: LogSettings
) -> None:
    for number in range(4):
        embedded.append("mails", [Record(b"key", b"%d" % number)])
    embedded.commit("extract", {SOURCE: 1})
    waiting = rfc3339(embedded.read(SOURCE, 2, 1)[0].timestamp_ms)
    for folder in options.replicas:
        flip_batch(folder / "mails-0", 1)
    assert lag(embedded, "extract") == [Lag("extract", "mails", 0, 1, 4, 3, waiting, damaged=1)]


def test_what_retention_took_unread_is_counted(embedded: EmbeddedLog) -> None:
    embedded.append("mails", [Record(b"key", b"%d" % number) for number in range(5)])
    embedded.commit("extract", {SOURCE: 1})
    embedded.delete_records(SOURCE, 4)
    (found,) = lag(embedded, "extract")
    assert (found.lag, found.expired) == (1, 3)


def test_the_bytes_that_wait_are_those_of_the_batches_not_read_yet(embedded: EmbeddedLog, options: LogSettings) -> None:
    for number in range(4):
        embedded.append("mails", [Record(b"key", b"%d" % number * 1000)])
    (segment,) = (options.replicas[0] / "mails-0").glob("*.log")
    whole = segment.stat().st_size
    embedded.commit("extract", {SOURCE: 0})
    assert [row.bytes for row in with_bytes(embedded, "extract")] == [whole]
    embedded.commit("extract", {SOURCE: 3})
    (last,) = (row.bytes for row in with_bytes(embedded, "extract"))
    assert last is not None
    assert 0 < last < whole / 3
    embedded.commit("extract", {SOURCE: 4})
    assert [row.bytes for row in with_bytes(embedded, "extract")] == [0]


def test_a_partition_that_a_group_has_still_to_begin_of_a_topic_that_it_reads_is_a_row(embedded: EmbeddedLog) -> None:
    embedded.commit("extract", {SOURCE: 0})
    embedded.alter_topic("mails", 2)
    embedded.append("mails", [Record(b"key", b"value")] * 2, 1)
    assert [(row.partition, row.committed, row.lag) for row in lag(embedded, "extract")] == [(0, 0, 0), (1, None, 2)]


def test_where_one_copy_does_not_show_where_the_unread_batches_begin_another_is_asked(
    embedded: EmbeddedLog, options: LogSettings
) -> None:
    for number in range(4):
        embedded.append("mails", [Record(b"key", b"%d" % number)])
    embedded.commit("extract", {SOURCE: 1})
    (intact,) = (row.bytes for row in with_bytes(embedded, "extract"))
    (whole,) = {path.stat().st_size for path in (options.replicas[0] / "mails-0").glob("*.log")}
    for damaged, folder in enumerate(options.replicas, start=1):
        flip_batch(folder / "mails-0", 1, at=7)
        (told,) = (row.bytes for row in with_bytes(embedded, "extract"))
        assert told == (intact if damaged < len(options.replicas) else whole), "at most that, where none shows it"
