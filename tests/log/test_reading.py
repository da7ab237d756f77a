from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from conf.settings import LogSettings
from log import CorruptRecord, OffsetOutOfRange, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.reading import FETCH_BYTES, holds_mails, readable_records, record_at, records_of, sources_of, topic_id_now
from tests.log.rot import flip_batch

MAILS = TopicPartition("mails", 0)
Numbered = Callable[..., list[Record]]


def test_all_records_are_read_from_an_offset_on(embedded: EmbeddedLog, numbered: Numbered) -> None:
    embedded.append("mails", numbered(5, size=FETCH_BYTES))
    assert [record.offset for record in records_of(embedded, MAILS)] == [0, 1, 2, 3, 4]
    assert [record.offset for record in records_of(embedded, MAILS, 3)] == [3, 4]


def test_what_is_deleted_before_it_is_read_is_passed(embedded: EmbeddedLog, numbered: Numbered) -> None:
    embedded.append("mails", numbered(5, size=FETCH_BYTES))
    reading = records_of(embedded, MAILS)
    assert next(reading).offset == 0
    embedded.delete_records(MAILS, 3)
    assert [record.offset for record in reading] == [3, 4]


def test_a_start_that_is_not_kept_is_said(embedded: EmbeddedLog, numbered: Numbered) -> None:
    embedded.append("mails", numbered(5))
    embedded.delete_records(MAILS, 3)
    with pytest.raises(OffsetOutOfRange):
        next(records_of(embedded, MAILS, 2))


def test_a_record_is_there_at_its_offset_or_none_is_or_it_was_deleted(
    embedded: EmbeddedLog, numbered: Numbered
) -> None:
    embedded.append("mails", numbered(5))
    embedded.delete_records(MAILS, 3)
    found = record_at(embedded, MAILS, 4)
    assert found
    assert found.offset == 4
    assert record_at(embedded, MAILS, 5) is None
    with pytest.raises(OffsetOutOfRange):
        record_at(embedded, MAILS, 2)


def test_a_topic_s_id_is_none_where_there_is_none(embedded: EmbeddedLog) -> None:
    assert topic_id_now(embedded, "mails") == embedded.topic_id("mails")
    assert topic_id_now(embedded, "axes") is None


def test_a_mails_record_is_told_by_its_digest(embedded: EmbeddedLog, numbered: Numbered) -> None:
    assert not holds_mails(embedded, MAILS)
    embedded.append("mails", [Record(b"key", b"value", (("sha256", b"0" * 64),))])
    assert holds_mails(embedded, MAILS)
    embedded.create_topic("status", 1)
    embedded.append("status", numbered(1))
    assert not holds_mails(embedded, TopicPartition("status", 0))


def test_a_topics_partitions_are_listed_in_order(embedded: EmbeddedLog) -> None:
    embedded.create_topic("status", 3)
    assert sources_of(embedded, "status") == [TopicPartition("status", number) for number in range(3)]


@pytest.mark.parametrize(
    (
        "at",
        "behind",
    ),  # without its length or last offset a batch hides the next one, too: its index entry is the only way
    [(0, 15), (9, 20), (18, 15), (25, 20), (70, 15)],
    ids=["offset", "length", "crc", "count", "records"],
)
def test_what_no_replica_has_whole_is_told_with_its_offsets_and_passed(
    embedded: EmbeddedLog, options: LogSettings, at: int, behind: int
) -> None:
    for _ in range(6):
        embedded.append("mails", [Record(b"key", random.randbytes(6000)) for _ in range(5)])
    for folder in options.replicas:
        flip_batch(folder / "mails-0", 2, at)
    told: list[CorruptRecord] = []
    found = [record.offset for record in readable_records(embedded, MAILS, told.append, 0)]
    assert found == [*range(10), *range(behind, 30)]
    assert [(error.offset, error.stop) for error in told] == [(10, behind)]
    assert f"offsets 10 to {behind - 1} are lost" in str(told[0])


def test_damage_at_the_end_is_told_and_ends_the_reading(
    embedded: EmbeddedLog, options: LogSettings, numbered: Numbered
) -> None:
    for first in (0, 5):
        embedded.append("mails", numbered(5, first))
    for folder in options.replicas:
        flip_batch(folder / "mails-0", 1)
    told: list[CorruptRecord] = []
    assert [record.offset for record in readable_records(embedded, MAILS, told.append)] == [0, 1, 2, 3, 4]
    assert [(error.offset, error.stop) for error in told] == [(5, 10)]
