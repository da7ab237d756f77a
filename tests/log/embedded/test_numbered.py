"""A repeated append is stored once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from log import OutOfSequence, ProducerFenced, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.producers import register
from log.types import Producer


@pytest.fixture
def log(open_embedded: Callable[..., EmbeddedLog]) -> EmbeddedLog:
    """With the topic `mails` of four partitions, and `single` of one."""
    opened = open_embedded()
    opened.create_topic("mails", 4)
    opened.create_topic("single", 1)
    return opened


@pytest.fixture
def single() -> TopicPartition:
    """The one partition of the topic `single`."""
    return TopicPartition("single", 0)


@pytest.fixture
def mails() -> list[Record]:
    """Twenty mails of seven senders."""
    return [Record(b"sender%d@bank.example" % (number % 7), b"mail %d" % number * 50) for number in range(20)]


def again(producer: Producer) -> Producer:
    """The same one, as it was before its last append."""
    return dataclasses.replace(producer, next=dict(producer.next))


def values(log: EmbeddedLog, source: TopicPartition) -> list[bytes | None]:
    return [record.value for record in log.read(source, 0, 2**20)]


def test_a_repeated_append_returns_the_first_offsets(log: EmbeddedLog, mails: list[Record]) -> None:
    producer = register(log, "importer")
    log.append("mails", mails[:5], producer=producer)
    before = again(producer)
    positions = log.append("mails", mails, producer=producer)
    log.append("mails", mails[:3])
    assert log.append("mails", mails, producer=before) == positions
    assert before.next == producer.next
    stored = sum(len(log.span(TopicPartition("mails", number))) for number in range(4))
    assert stored == 5 + len(mails) + 3


def test_that_holds_over_a_restart(
    log: EmbeddedLog, open_embedded: Callable[..., EmbeddedLog], single: TopicPartition
) -> None:
    producer = register(log, "importer")
    log.append("single", [Record(None, b"first")], producer=producer)
    before = again(producer)
    positions = log.append("single", [Record(None, b"a"), Record(None, b"b")], producer=producer)
    log.append("single", [Record(None, b"other")])
    log.close()
    log = open_embedded()
    assert log.append("single", [Record(None, b"a"), Record(None, b"b")], producer=before) == positions
    assert log.append("single", [Record(None, b"c")], producer=before)[0].offset == 4
    assert values(log, single) == [b"first", b"a", b"b", b"other", b"c"]


def test_one_that_was_only_written_is_acknowledged_by_its_repetition(log: EmbeddedLog, single: TopicPartition) -> None:
    producer = register(log, "importer")
    before = again(producer)
    positions = log.append("single", [Record(None, b"a")], wait="written", producer=producer)
    assert log.append("single", [Record(None, b"a")], producer=before) == positions
    assert values(log, single) == [b"a"]


def test_a_gap_in_the_numbers_is_refused(log: EmbeddedLog, single: TopicPartition) -> None:
    producer = register(log, "importer")
    log.append("single", [Record(None, b"a")], producer=producer)
    producer.next[single] += 1
    with pytest.raises(OutOfSequence, match="sent number 2 where 1 comes next"):
        log.append("single", [Record(None, b"c")], producer=producer)
    assert values(log, single) == [b"a"]


def test_who_registers_again_fences_the_former_one(log: EmbeddedLog, single: TopicPartition) -> None:
    former = register(log, "importer")
    log.append("single", [Record(None, b"a")], producer=former)
    later, other = register(log, "importer"), register(log, "another")
    assert (later.id, later.epoch) == (former.id, former.epoch + 1)
    assert other.id != later.id
    log.append("single", [Record(None, b"b")], producer=later)
    log.append("single", [Record(None, b"c")], producer=other)
    with pytest.raises(ProducerFenced):
        log.append("single", [Record(None, b"late")], producer=former)
    assert values(log, single) == [b"a", b"b", b"c"]


def test_a_repeated_append_of_records_without_keys_is_stored_once(log: EmbeddedLog) -> None:
    producer = register(log, "importer")
    for number in range(10):
        before = again(producer)
        records = [Record(None, b"%d" % number), Record(b"key", b"%d" % number)]
        positions = log.append("mails", records, producer=producer)
        assert log.append("mails", records, producer=before) == positions
    assert sum(len(log.span(TopicPartition("mails", number))) for number in range(4)) == 20
