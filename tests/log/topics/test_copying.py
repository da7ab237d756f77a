from __future__ import annotations

from collections.abc import Callable

import pytest

from log import LogUnusable, NotEnoughReplicas, Record, StoredRecord, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.partition import acknowledging
from log.embedded.partition.acknowledging import cut_unacknowledged
from log.embedded.partition.acknowledging import end_flush as acknowledging_end_flush
from log.embedded.partition.flushing import FlushRound
from log.embedded.partition.partition import Partition
from log.topics.copying import copy_topic
from tests.partitions import partition_for


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
        assert copy.source == partition_for(filled, "more", copy.key)
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


def test_a_topic_that_was_made_anew_is_copied_from_its_beginning(filled: EmbeddedLog) -> None:
    sum(copy_topic(filled, "mails", "more"))
    filled.delete_topic("mails")
    filled.create_topic("mails", 2)
    filled.append("mails", [Record(b"%d" % number, b"new %d" % number) for number in range(30)])
    assert sum(copy_topic(filled, "mails", "more")) == 30
    assert sum(copy_topic(filled, "mails", "more")) == 0
    assert len(values(filled, "more")) == 50 + 30


def test_a_copy_that_an_older_version_made_without_the_topics_id_goes_on(filled: EmbeddedLog) -> None:
    first = filled.read(TopicPartition("mails", 0), 0, 1)[0]
    filled.append("more", [Record(first.key, first.value, (("copied-from", b"mails-0@0"), ("copied-with", b"0")))])
    assert sum(copy_topic(filled, "mails", "more")) == 49


def test_a_topic_is_not_copied_into_itself(filled: EmbeddedLog) -> None:
    with pytest.raises(LogUnusable):
        next(copy_topic(filled, "mails", "mails"))


def values(log: EmbeddedLog, topic: str) -> list[bytes]:
    return sorted(each.value or b"" for each in all_records(log, topic))


@pytest.mark.parametrize("keyed", [True, False])
def test_a_copy_that_failed_in_some_partitions_of_the_target_loses_and_doubles_nothing(
    open_embedded: Callable[..., EmbeddedLog], monkeypatch: pytest.MonkeyPatch, keyed: bool
) -> None:
    log = open_embedded()
    log.create_topic("mails", 2)
    log.create_topic("more", 3)
    for number in range(40):
        log.append("mails", [Record(b"%d" % number if keyed or number % 2 else None, b"%d" % number)])
    failing = {TopicPartition("more", 1), TopicPartition("more", 2)}

    def end_flush(partition: Partition, done: FlushRound) -> None:
        if partition.source in failing:
            cut_unacknowledged(partition)
            raise NotEnoughReplicas("the disk of this partition is gone for a while")
        acknowledging_end_flush(partition, done)

    monkeypatch.setattr(acknowledging, "end_flush", end_flush)
    with pytest.raises(NotEnoughReplicas):
        sum(copy_topic(log, "mails", "more"))
    failing.remove(TopicPartition("more", 1))
    with pytest.raises(NotEnoughReplicas):
        sum(copy_topic(log, "mails", "more"))
    assert 0 < len(values(log, "more")) < 40
    failing.clear()
    log.alter_topic("more", partitions=7)
    log.append("mails", [Record(b"later", b"later")])
    assert sum(copy_topic(log, "mails", "more")) > 0
    assert values(log, "more") == values(log, "mails")
    assert sum(copy_topic(log, "mails", "more")) == 0


def test_two_that_copy_into_a_topic_at_once_leave_each_record_there_once(filled: EmbeddedLog) -> None:
    one, two = copy_topic(filled, "mails", "more"), copy_topic(filled, "mails", "more")
    counts = [next(one), next(two), *one, *two]
    assert sum(counts) == 50
    assert values(filled, "more") == values(filled, "mails")


def test_an_append_that_succeeds_later_is_repeated_and_stored_once(
    filled: EmbeddedLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[TopicPartition] = []

    def end_flush(partition: Partition, done: FlushRound) -> None:
        if partition.source.topic == "more" and partition.source.partition > 2 and not failed:
            failed.append(partition.source)
            cut_unacknowledged(partition)
            raise NotEnoughReplicas("the disk of this partition is gone for a moment")
        acknowledging_end_flush(partition, done)

    monkeypatch.setattr(acknowledging, "end_flush", end_flush)
    assert sum(copy_topic(filled, "mails", "more")) == 50
    assert failed
    assert values(filled, "more") == values(filled, "mails")
