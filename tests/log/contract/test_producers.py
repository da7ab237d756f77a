"""A repeated append is stored once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from log import CommitLog, OutOfSequence, ProducerFenced, Record, TopicPartition
from log.producers import register
from log.types import Producer


def again(producer: Producer) -> Producer:
    """The same one, as it was before its last append."""
    return dataclasses.replace(producer, next=dict(producer.next))


def values(log: CommitLog, source: TopicPartition) -> list[bytes | None]:
    return [record.value for record in log.read(source, 0, 2**20)]


def test_a_repeated_append_returns_the_first_offsets(commit_log: CommitLog, mails: list[Record]) -> None:
    producer = register(commit_log, "importer")
    commit_log.append("mails", mails[:5], producer=producer)
    before = again(producer)
    positions = commit_log.append("mails", mails, producer=producer)
    commit_log.append("mails", mails[:3])
    assert commit_log.append("mails", mails, producer=before) == positions
    assert before.next == producer.next
    stored = sum(len(commit_log.span(TopicPartition("mails", number))) for number in range(4))
    assert stored == 5 + len(mails) + 3


def test_that_holds_over_a_restart(
    commit_log: CommitLog, open_log: Callable[[], CommitLog], single: TopicPartition
) -> None:
    producer = register(commit_log, "importer")
    commit_log.append("single", [Record(None, b"first")], producer=producer)
    before = again(producer)
    positions = commit_log.append("single", [Record(None, b"a"), Record(None, b"b")], producer=producer)
    commit_log.append("single", [Record(None, b"other")])
    commit_log.close()
    log = open_log()
    assert log.append("single", [Record(None, b"a"), Record(None, b"b")], producer=before) == positions
    assert log.append("single", [Record(None, b"c")], producer=before)[0].offset == 4
    assert values(log, single) == [b"first", b"a", b"b", b"other", b"c"]


def test_one_that_was_only_written_is_acknowledged_by_its_repetition(
    commit_log: CommitLog, single: TopicPartition
) -> None:
    producer = register(commit_log, "importer")
    before = again(producer)
    positions = commit_log.append("single", [Record(None, b"a")], wait="written", producer=producer)
    assert commit_log.append("single", [Record(None, b"a")], producer=before) == positions
    assert values(commit_log, single) == [b"a"]


def test_a_gap_in_the_numbers_is_refused(commit_log: CommitLog, single: TopicPartition) -> None:
    producer = register(commit_log, "importer")
    commit_log.append("single", [Record(None, b"a")], producer=producer)
    producer.next[single] += 1
    with pytest.raises(OutOfSequence, match="sent number 2 where 1 comes next"):
        commit_log.append("single", [Record(None, b"c")], producer=producer)
    assert values(commit_log, single) == [b"a"]


def test_who_registers_again_fences_the_former_one(commit_log: CommitLog, single: TopicPartition) -> None:
    former = register(commit_log, "importer")
    commit_log.append("single", [Record(None, b"a")], producer=former)
    later, other = register(commit_log, "importer"), register(commit_log, "another")
    assert (later.id, later.epoch) == (former.id, former.epoch + 1)
    assert other.id != later.id
    commit_log.append("single", [Record(None, b"b")], producer=later)
    commit_log.append("single", [Record(None, b"c")], producer=other)
    with pytest.raises(ProducerFenced):
        commit_log.append("single", [Record(None, b"late")], producer=former)
    assert values(commit_log, single) == [b"a", b"b", b"c"]


def test_a_repeated_append_of_records_without_keys_is_stored_once(commit_log: CommitLog) -> None:
    producer = register(commit_log, "importer")
    for number in range(10):
        before = again(producer)
        records = [Record(None, b"%d" % number), Record(b"key", b"%d" % number)]
        positions = commit_log.append("mails", records, producer=producer)
        assert commit_log.append("mails", records, producer=before) == positions
    assert sum(len(commit_log.span(TopicPartition("mails", number))) for number in range(4)) == 20
