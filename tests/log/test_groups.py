from __future__ import annotations

import time

import pytest

from log import LogUnusable, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.groups import GROUPS_PARTITION, GroupOffsets, take
from log.types import GroupOffset

SOURCE, OTHER = TopicPartition("mails", 0), TopicPartition("backfill", 0)


def test_a_commit_is_a_record_that_people_can_read(embedded: EmbeddedLog) -> None:
    before = time.time_ns() // 10**6
    embedded.commit("extract", {SOURCE: 5}, "run 7")
    (record,) = embedded.read(GROUPS_PARTITION, 0, 100)
    assert record.key == b'{"group":"extract","partition":0,"topic":"mails"}'
    committed = GroupOffsets(embedded).latest("extract")[SOURCE]
    assert (committed.offset, committed.metadata, committed.generation) == (5, "run 7", 0)
    assert before <= committed.committed_at_ms <= time.time_ns() // 10**6
    assert record.value == (
        b'{"committed_at_ms":%d,"generation":0,"metadata":"run 7","offset":5,"topic_id":"%s"}'
        % (committed.committed_at_ms, embedded.topic_id("mails").encode())
    )


def test_a_group_moved_back_is_of_a_new_generation(embedded: EmbeddedLog) -> None:
    embedded.create_topic("backfill", 1)
    generations = []
    for offsets in ({SOURCE: 5, OTHER: 5}, {SOURCE: 9}, {SOURCE: 9}, {SOURCE: 2, OTHER: 7}, {OTHER: 8}, {OTHER: 0}):
        embedded.commit("extract", offsets)
        generations.append(max(one.generation for one in GroupOffsets(embedded).latest("extract").values()))
    assert generations == [0, 0, 0, 1, 1, 2]


def test_the_topic_is_read_on_from_where_it_was_left(embedded: EmbeddedLog) -> None:
    offsets = GroupOffsets(embedded)
    assert offsets.latest("extract") == {}
    for offset in (1, 2):
        embedded.commit("extract", {SOURCE: offset})
        latest = offsets.latest("extract")
        assert latest == {
            SOURCE: GroupOffset(offset, latest[SOURCE].committed_at_ms, "", 0, embedded.topic_id("mails"))
        }
    assert offsets.names() == ["extract"]


def test_to_take_over_changes_the_generation_alone(embedded: EmbeddedLog) -> None:
    embedded.create_topic("backfill", 1)
    embedded.commit("extract", {SOURCE: 5}, "run 7")
    offsets = GroupOffsets(embedded)
    before = offsets.latest("extract")[SOURCE]
    taken = take(embedded, "extract", {SOURCE: 0, OTHER: 3})
    assert taken == offsets.latest("extract")
    assert taken[SOURCE] == GroupOffset(5, before.committed_at_ms, "run 7", 1, before.topic_id)
    assert (taken[OTHER].offset, taken[OTHER].generation) == (3, 1)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "ü", "x" * 250])
def test_a_name_that_could_not_name_a_folder_is_refused(embedded: EmbeddedLog, name: str) -> None:
    with pytest.raises(LogUnusable, match="cannot name a group"):
        embedded.commit(name, {SOURCE: 1})


def test_groups_of_whose_topic_the_oldest_records_are_gone_stand_where_the_others_say(embedded: EmbeddedLog) -> None:
    embedded.append("mails", [Record(b"key", b"value")] * 2)
    for offset in (1, 2):
        embedded.commit("extract", {TopicPartition("mails", 0): offset})
    embedded.delete_records(GROUPS_PARTITION, embedded.span(GROUPS_PARTITION).stop - 1)
    assert GroupOffsets(embedded).latest("extract")[TopicPartition("mails", 0)].offset == 2
