from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from log import CommitLog, Position, Record, RecordTooLarge, TopicPartition, UnknownTopic
from log.reading import records_of
from tests.partitions import partition_for


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
        partition_for(commit_log, "mails", mail.key) for mail in mails
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
        pytest.param(Record(b"key", b"x" * 900_000), id="larger than a batch"),
    ],
)
def test_a_record_is_read_as_it_was_appended(commit_log: CommitLog, single: TopicPartition, record: Record) -> None:
    commit_log.append("single", [record])
    (stored,) = commit_log.read(single, 0, 1)
    assert (stored.key, stored.value, stored.headers) == (record.key, record.value, record.headers)


def test_of_an_append_with_a_record_that_is_too_large_nothing_is_appended(
    commit_log: CommitLog, single: TopicPartition
) -> None:
    small = Record(b"key", b"small")
    large = Record(b"key", bytes(commit_log.value_limit("single") + 2**16 + 1))
    with pytest.raises(RecordTooLarge):
        commit_log.append("single", [small, large, small])
    assert commit_log.span(single) == range(0)
    assert commit_log.append("single", [small]) == [Position("single", 0, 0)]


def test_a_record_goes_to_the_partition_that_is_named(commit_log: CommitLog, mails: list[Record]) -> None:
    for number in (3, 1):
        positions = commit_log.append("mails", [*mails, Record(None, b"value")], number)
        assert positions == [Position("mails", number, offset) for offset in range(21)]
    with pytest.raises(UnknownTopic):
        commit_log.append("mails", mails, 4)


def test_what_a_look_finds_missing_is_appended_and_the_next_look_sees_it(
    commit_log: CommitLog, open_log: Callable[[], CommitLog], single: TopicPartition
) -> None:
    wanted = {b"%d" % number: Record(b"key", b"%d" % number) for number in range(6)}

    def choose(log: CommitLog, some: list[bytes]) -> dict[str, list[Record]]:
        there = {each.value for each in records_of(log, single)}
        return {"single": [wanted[each] for each in some if each not in there]}

    positions: list[Position] = []
    other = open_log()
    for log, some in ((commit_log, [b"0", b"1"]), (other, [b"1", b"2", b"3"]), (commit_log, [*wanted])):
        appended = log.append_new([single], lambda _, log=log, some=some: choose(log, some))  # type: ignore[misc]
        positions += (appended or {})["single"]
    assert positions == [Position("single", 0, offset) for offset in range(6)]
    assert [each.value for each in records_of(commit_log, single)] == [*wanted]


def test_a_look_that_gives_up_appends_nothing(commit_log: CommitLog, single: TopicPartition) -> None:
    waits: list[int] = []
    assert commit_log.append_new([single], lambda _: None, lambda: waits.append(1)) is None
    assert commit_log.append_new([single], lambda _: {}) == {}
    assert commit_log.span(single) == range(0)


def test_no_records_are_no_append(commit_log: CommitLog, single: TopicPartition) -> None:
    assert commit_log.append("single", []) == []
    assert commit_log.span(single) == range(0)


def test_what_is_durable_is_there_after_a_restart(
    commit_log: CommitLog, open_log: Callable[[], CommitLog], mails: list[Record], single: TopicPartition
) -> None:
    commit_log.append("single", mails)
    commit_log.close()
    assert [record.value for record in open_log().read(single, 0, 2**20)] == [mail.value for mail in mails]


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


def test_headers_are_kept_in_order(commit_log: CommitLog, single: TopicPartition) -> None:
    headers = tuple((f"name{number}", b"%d" % number) for number in reversed(range(20)))
    commit_log.append("single", [Record(b"key", b"value", headers)])
    assert commit_log.read(single, 0, 1)[0].headers == headers
