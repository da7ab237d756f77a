from __future__ import annotations

from collections.abc import Callable

import pytest

from log import OffsetOutOfRange, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.reading import FETCH_BYTES, holds_mails, records_of, sources_of

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
