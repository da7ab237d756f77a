from __future__ import annotations

from collections.abc import Callable

import pytest

from log import LogUnusable, Record, StoredRecord, TopicPartition
from log.embedded import EmbeddedLog
from log.topics.copying import copy_topic


def all_records(log: EmbeddedLog, topic: str) -> list[StoredRecord]:
    sources = [TopicPartition(topic, each.partition) for each in log.describe(topic)]
    return [record for source in sources for record in log.read(source, 0, 2**30)]


@pytest.fixture
def filled(open_embedded: Callable[..., EmbeddedLog]) -> EmbeddedLog:
    log = open_embedded()
    log.create_topic("mails", 2)
    for number in range(50):
        log.append("mails", [Record(b"desk %d" % (number % 7), b"%d" % number, (("source", b"inbox"),))])
    log.create_topic("more", 5)
    return log


def test_a_copy_keeps_each_keys_order_and_says_where_it_is_from(filled: EmbeddedLog) -> None:
    assert sum(copy_topic(filled, "mails", "more")) == 50
    originals = {f"{each.source}@{each.offset}".encode(): each for each in all_records(filled, "mails")}
    copies = all_records(filled, "more")
    assert len(copies) == 50
    for copy in copies:
        original = originals[dict(copy.headers)["copied-from"]]
        assert (copy.key, copy.value, copy.headers[:1]) == (original.key, original.value, original.headers)
        assert copy.source == filled.partition_for("more", copy.key)
    for key in {each.key for each in copies}:
        numbers = [int(each.value or b"") for each in copies if each.key == key]
        assert numbers == sorted(numbers)
        assert len({each.source for each in copies if each.key == key}) == 1


def test_a_copy_goes_on_where_it_was_interrupted(filled: EmbeddedLog) -> None:
    next(copy_topic(filled, "mails", "more"))
    filled.append("mails", [Record(b"desk 1", b"later")])
    assert 0 < sum(copy_topic(filled, "mails", "more")) < 51
    assert sorted(each.value or b"" for each in all_records(filled, "more")) == sorted(
        each.value or b"" for each in all_records(filled, "mails")
    )
    assert sum(copy_topic(filled, "mails", "more")) == 0


def test_a_topic_is_not_copied_into_itself(filled: EmbeddedLog) -> None:
    with pytest.raises(LogUnusable):
        next(copy_topic(filled, "mails", "mails"))
