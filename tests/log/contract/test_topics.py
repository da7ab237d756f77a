from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from log import CommitLog, LogUnusable, Record, TopicConfig, TopicExists, TopicPartition, UnknownTopic
from tests.partitions import partition_for


def test_topics_are_listed_by_name(commit_log: CommitLog) -> None:
    commit_log.create_topic("backfill", 2)
    assert commit_log.topics() == ["backfill", "mails", "single"]


def test_a_topic_is_made_once(commit_log: CommitLog) -> None:
    with pytest.raises(TopicExists, match="mails"):
        commit_log.create_topic("mails", 4)


def test_a_topic_is_there_after_a_restart(commit_log: CommitLog, open_log: Callable[[], CommitLog]) -> None:
    commit_log.close()
    assert open_log().topics() == ["mails", "single"]


def test_a_description_has_each_partition_in_order(commit_log: CommitLog) -> None:
    described = commit_log.describe("mails")
    assert [(each.topic, each.partition) for each in described] == [("mails", number) for number in range(4)]
    assert all(each.leader in each.isr for each in described)
    assert all(set(each.isr) <= set(each.replicas) for each in described)


def test_a_description_follows_the_appends(commit_log: CommitLog, mails: list[Record]) -> None:
    commit_log.append("single", mails)
    (described,) = commit_log.describe("single")
    assert (described.start, described.end, described.high_watermark) == (0, 20, 20)


@pytest.mark.parametrize("name", ["", ".", "..", "a b", "a/b", "ü", "x" * 250])
def test_a_name_that_kafka_would_not_take_is_refused(commit_log: CommitLog, name: str) -> None:
    with pytest.raises(LogUnusable, match="cannot name a topic"):
        commit_log.create_topic(name, 1)


@pytest.mark.parametrize("name", ["x" * 249, "a.b_c-D9"])
def test_a_name_that_kafka_takes_is_taken(commit_log: CommitLog, name: str) -> None:
    commit_log.create_topic(name, 1)
    assert name in commit_log.topics()


@pytest.mark.parametrize(
    ("partitions", "config"),
    [
        (0, None),
        (100_000_000, None),
        (1, TopicConfig(compression="brotli")),
        (1, TopicConfig(segment_bytes=0)),
        (1, TopicConfig(cleanup="x")),
    ],
)
def test_settings_that_cannot_be_are_refused(commit_log: CommitLog, partitions: int, config: TopicConfig) -> None:
    with pytest.raises(LogUnusable):
        commit_log.create_topic("new", partitions, config)
    assert "new" not in commit_log.topics()


def test_a_topic_keeps_its_id_whatever_is_altered(commit_log: CommitLog, open_log: Callable[[], CommitLog]) -> None:
    before = commit_log.topic_id("single")
    commit_log.append("single", [Record(None, b"mail")])
    commit_log.alter_topic("single", 2, TopicConfig(retention_bytes=10**9))
    commit_log.close()
    assert open_log().topic_id("single") == before


def test_no_two_topics_have_one_id_nor_does_one_that_is_given_the_name_of_a_deleted_one(
    commit_log: CommitLog, open_log: Callable[[], CommitLog]
) -> None:
    before = {commit_log.topic_id(topic) for topic in ("mails", "single")}
    other = open_log()
    other.delete_topic("single")
    with pytest.raises(UnknownTopic):
        commit_log.topic_id("single")
    other.create_topic("single", 1)
    assert commit_log.topic_id("single") == other.topic_id("single")
    assert len(before | {commit_log.topic_id("single")}) == 3


def test_what_is_not_there_is_an_unknown_topic(commit_log: CommitLog) -> None:
    with pytest.raises(UnknownTopic):
        commit_log.append("other", [])
    with pytest.raises(UnknownTopic):
        commit_log.describe("other")
    with pytest.raises(UnknownTopic):
        commit_log.topic_id("other")
    with pytest.raises(UnknownTopic):
        commit_log.span(TopicPartition("other", 0))
    with pytest.raises(UnknownTopic):
        commit_log.read(TopicPartition("mails", 4), 0, 1)
    with pytest.raises(UnknownTopic):
        partition_for(commit_log, "other", b"key")


def test_a_value_as_long_as_a_topic_takes_is_taken_beside_its_headers(commit_log: CommitLog) -> None:
    limit = min(commit_log.value_limit("single"), 2**20)
    assert limit >= 786_432
    headers = (("source", b"inbox" * 1000),)
    commit_log.append("single", [Record(b"k" * 1000, os.urandom(limit), headers)])
    assert commit_log.span(TopicPartition("single", 0)) == range(1)
    with pytest.raises(UnknownTopic):
        commit_log.value_limit("no-such")
