from __future__ import annotations

import pytest

from log import LogUnusable, TopicConfig, TopicPartition, UnknownTopic
from log.embedded import EmbeddedLog
from log.embedded.partition.partitions import Partitions
from log.embedded.topics import TopicCache

SOURCE = TopicPartition("mails", 0)


@pytest.fixture
def partitions(embedded: EmbeddedLog) -> Partitions:
    return Partitions(embedded.home, TopicCache(embedded.home), embedded.options)


def test_a_partition_is_opened_once(partitions: Partitions) -> None:
    assert partitions.one(SOURCE) is partitions.one(SOURCE)
    partitions.close()


def test_a_partition_that_the_topic_has_not_is_unknown(partitions: Partitions) -> None:
    with pytest.raises(UnknownTopic):
        partitions.one(TopicPartition("mails", 999))
    with pytest.raises(UnknownTopic):
        partitions.one(TopicPartition("nothing", 0))


def test_what_a_topic_is_set_to_now_holds_for_its_next_append(embedded: EmbeddedLog) -> None:
    before = embedded.partition(SOURCE).settings
    embedded.alter_topic("mails", config=TopicConfig(segment_bytes=2**21))
    assert embedded.partition(SOURCE).settings != before


def test_a_topic_forgotten_is_opened_anew(partitions: Partitions) -> None:
    first = partitions.one(SOURCE)
    assert partitions.forgotten("other") == []
    assert partitions.forgotten("mails") == [first]
    first.close()
    assert partitions.one(SOURCE) is not first
    partitions.close()


def test_what_is_closed_opens_nothing_again(partitions: Partitions) -> None:
    partitions.close()
    with pytest.raises(LogUnusable, match="was closed"):
        partitions.one(SOURCE)
