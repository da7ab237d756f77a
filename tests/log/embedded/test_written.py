"""What the embedded log alone has: appends that are written, and acknowledged later; a partition held."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from log import Record, TopicPartition
from log.embedded import EmbeddedLog


@pytest.fixture
def log(open_embedded: Callable[..., EmbeddedLog]) -> EmbeddedLog:
    """With the topic `single`, of one partition."""
    opened = open_embedded()
    opened.create_topic("single", 1)
    return opened


@pytest.fixture
def single() -> TopicPartition:
    """Its partition."""
    return TopicPartition("single", 0)


@pytest.fixture
def mails() -> list[Record]:
    """Twenty mails of seven senders."""
    return [Record(b"sender%d@bank.example" % (number % 7), b"mail %d" % number * 50) for number in range(20)]


def test_what_is_only_written_is_not_visible(
    log: EmbeddedLog, open_embedded: Callable[..., EmbeddedLog], mails: list[Record], single: TopicPartition
) -> None:
    positions = log.append("single", mails, wait="written")
    assert [at.offset for at in positions] == list(range(20))
    for each in (log, open_embedded()):
        assert each.span(single) == range(0)
        assert each.read(single, 0, 2**20) == []


def test_flush_acknowledges_what_was_written_before(
    log: EmbeddedLog, mails: list[Record], single: TopicPartition
) -> None:
    log.append("single", mails, wait="written")
    log.flush("single")
    assert log.span(single) == range(20)
    assert [record.value for record in log.read(single, 0, 2**20)] == [mail.value for mail in mails]


def test_a_durable_append_acknowledges_what_was_written_before(
    log: EmbeddedLog, mails: list[Record], single: TopicPartition
) -> None:
    log.append("single", mails[:5], wait="written")
    (position,) = log.append("single", mails[5:6])
    assert position.offset == 5
    assert log.span(single) == range(6)


def test_within_exclusive_nothing_unacknowledged_precedes_an_append(
    log: EmbeddedLog, mails: list[Record], single: TopicPartition
) -> None:
    log.append("single", mails[:3], wait="written")
    with log.exclusive(single):
        assert log.span(single) == range(3)
        assert log.append("single", mails[3:4])[0].offset == 3


def test_a_flush_acknowledges_and_writes_nothing(log: EmbeddedLog) -> None:
    log.append("single", [Record(None, b"value")], wait="written")
    (before,) = log.describe("single")
    log.flush("single")
    (after,) = log.describe("single")
    assert (after.end, after.high_watermark, after.bytes) == (1, 1, before.bytes)


def test_the_time_of_a_record_that_is_not_visible_is_not_found(log: EmbeddedLog, single: TopicPartition) -> None:
    log.append("single", [Record(None, b"value")], wait="written")
    assert log.offset_for_time(single, 0) is None
