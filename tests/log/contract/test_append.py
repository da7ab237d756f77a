from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from log import CommitLog, Position, Record, TopicPartition


def test_positions_come_in_the_order_of_the_records(commit_log: CommitLog, mails: list[Record]) -> None:
    positions = commit_log.append("mails", mails)
    read = {
        Position(record.source.topic, record.source.partition, record.offset): record.value
        for number in range(4)
        for record in commit_log.read(TopicPartition("mails", number), 0, 2**20)
    }
    assert [read[position] for position in positions] == [mail.value for mail in mails]


def test_a_record_goes_to_the_partition_of_its_key(commit_log: CommitLog, mails: list[Record]) -> None:
    positions = commit_log.append("mails", mails)
    assert [TopicPartition(at.topic, at.partition) for at in positions] == [
        commit_log.partition_for("mails", mail.key) for mail in mails
    ]
    assert len({at.partition for at in positions}) > 1


def test_a_senders_mails_stay_in_order(commit_log: CommitLog) -> None:
    positions = [commit_log.append("mails", [Record(b"one@bank.example", b"%d" % number)])[0] for number in range(10)]
    assert len({at.partition for at in positions}) == 1
    assert [at.offset for at in positions] == list(range(10))


def test_records_without_a_key_are_spread(commit_log: CommitLog) -> None:
    used = {commit_log.append("mails", [Record(None, b"value")])[0].partition for _ in range(100)}
    assert used == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(Record(b"", b""), id="empty key and value"),
        pytest.param(Record(b"key", None), id="tombstone"),
        pytest.param(Record(b"\x00\xff", bytes(range(256))), id="any bytes"),
        pytest.param(Record(None, b"v", (("a", b"1"), ("a", b""), ("ü", b"\xff"))), id="headers, repeated and empty"),
        pytest.param(Record(b"key", b"x" * 3_000_000), id="larger than a batch and a segment"),
    ],
)
def test_a_record_is_read_as_it_was_appended(commit_log: CommitLog, single: TopicPartition, record: Record) -> None:
    commit_log.append("single", [record])
    (stored,) = commit_log.read(single, 0, 1)
    assert (stored.key, stored.value, stored.headers) == (record.key, record.value, record.headers)


def test_no_records_are_no_append(commit_log: CommitLog, single: TopicPartition) -> None:
    assert commit_log.append("single", []) == []
    assert commit_log.span(single) == range(0)


def test_what_is_durable_is_there_after_a_restart(
    commit_log: CommitLog, open_log: Callable[[], CommitLog], mails: list[Record], single: TopicPartition
) -> None:
    commit_log.append("single", mails)
    commit_log.close()
    assert [record.value for record in open_log().read(single, 0, 2**20)] == [mail.value for mail in mails]


def test_what_is_only_written_is_not_visible(
    commit_log: CommitLog, open_log: Callable[[], CommitLog], mails: list[Record], single: TopicPartition
) -> None:
    positions = commit_log.append("single", mails, wait="written")
    assert [at.offset for at in positions] == list(range(20))
    for log in (commit_log, open_log()):
        assert log.span(single) == range(0)
        assert log.read(single, 0, 2**20) == []


def test_flush_acknowledges_what_was_written_before(
    commit_log: CommitLog, mails: list[Record], single: TopicPartition
) -> None:
    commit_log.append("single", mails, wait="written")
    commit_log.flush("single")
    assert commit_log.span(single) == range(20)
    assert [record.value for record in commit_log.read(single, 0, 2**20)] == [mail.value for mail in mails]


def test_a_durable_append_acknowledges_what_was_written_before(
    commit_log: CommitLog, mails: list[Record], single: TopicPartition
) -> None:
    commit_log.append("single", mails[:5], wait="written")
    (position,) = commit_log.append("single", mails[5:6])
    assert position.offset == 5
    assert commit_log.span(single) == range(6)


def test_two_openings_append_in_turn(
    commit_log: CommitLog, open_log: Callable[[], CommitLog], single: TopicPartition
) -> None:
    other = open_log()
    for number in range(10):
        (position,) = (commit_log, other)[number % 2].append("single", [Record(b"key", b"%d" % number)])
        assert position.offset == number
    assert [record.value for record in commit_log.read(single, 0, 2**20)] == [b"%d" % number for number in range(10)]


def test_threads_append_each_in_its_order(commit_log: CommitLog, single: TopicPartition) -> None:
    def append(name: int) -> None:
        for number in range(20):
            commit_log.append("single", [Record(b"%d" % name, b"%d" % number)])

    threads = [threading.Thread(target=append, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = commit_log.read(single, 0, 2**20)
    assert [record.offset for record in stored] == list(range(80))
    for name in range(4):
        assert [record.value for record in stored if record.key == b"%d" % name] == [b"%d" % n for n in range(20)]


def test_within_exclusive_nothing_unacknowledged_precedes_an_append(
    commit_log: CommitLog, mails: list[Record], single: TopicPartition
) -> None:
    commit_log.append("single", mails[:3], wait="written")
    with commit_log.exclusive(single):
        assert commit_log.span(single) == range(3)
        assert commit_log.append("single", mails[3:4])[0].offset == 3


def test_headers_are_kept_in_order(commit_log: CommitLog, single: TopicPartition) -> None:
    headers = tuple((f"name{number}", b"%d" % number) for number in reversed(range(20)))
    commit_log.append("single", [Record(b"key", b"value", headers)])
    assert commit_log.read(single, 0, 1)[0].headers == headers


def test_a_flush_acknowledges_and_writes_nothing(commit_log: CommitLog) -> None:
    commit_log.append("single", [Record(None, b"value")], wait="written")
    (before,) = commit_log.describe("single")
    commit_log.flush("single")
    (after,) = commit_log.describe("single")
    assert (after.end, after.high_watermark, after.bytes) == (1, 1, before.bytes)
