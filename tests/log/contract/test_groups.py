from __future__ import annotations

from collections.abc import Callable

import pytest

from log import CommitLog, LogUnusable, Record, TopicPartition, UnknownTopic
from log.errors import GroupFenced
from log.groups import advance, take

ZERO, ONE = TopicPartition("mails", 0), TopicPartition("mails", 1)


def test_what_was_committed_last_is_remembered(commit_log: CommitLog) -> None:
    commit_log.commit("extract", {ZERO: 5, ONE: 7})
    commit_log.commit("extract", {ZERO: 9})
    assert commit_log.committed("extract") == {ZERO: 9, ONE: 7}


def test_a_smaller_offset_is_a_rewind(commit_log: CommitLog) -> None:
    commit_log.commit("extract", {ZERO: 9})
    commit_log.commit("extract", {ZERO: 2})
    assert commit_log.committed("extract") == {ZERO: 2}


def test_of_two_that_have_read_the_same_the_late_one_sets_nothing_back(commit_log: CommitLog) -> None:
    advance(commit_log, "extract", {ZERO: range(100), ONE: range(5)}, "first", 0)
    advance(commit_log, "extract", {ZERO: range(100, 200)}, "next", 0)
    with pytest.raises(GroupFenced):
        advance(commit_log, "extract", {ZERO: range(100)}, "late", 0)
    assert commit_log.committed("extract") == {ZERO: 200, ONE: 5}
    take(commit_log, "extract", {ZERO: 200})
    with pytest.raises(GroupFenced):
        advance(commit_log, "extract", {ZERO: range(200, 300)}, "before it was taken", 0)
    assert {source: each.metadata for source, each in commit_log.standing().latest("extract").items()} == {
        ZERO: "next",
        ONE: "first",
    }


def test_a_group_never_seen_has_committed_nothing(commit_log: CommitLog) -> None:
    assert commit_log.committed("extract") == {}
    assert commit_log.groups() == []


def test_groups_do_not_touch_each_other(commit_log: CommitLog) -> None:
    commit_log.commit("two", {ZERO: 2})
    commit_log.commit("one", {ZERO: 1})
    assert commit_log.groups() == ["one", "two"]
    assert commit_log.committed("one") == {ZERO: 1}


def test_groups_survive_a_restart(commit_log: CommitLog, open_log: Callable[[], CommitLog]) -> None:
    commit_log.commit("extract", {ZERO: 5})
    commit_log.close()
    assert open_log().committed("extract") == {ZERO: 5}


def test_another_opening_sees_a_commit_at_once(commit_log: CommitLog, open_log: Callable[[], CommitLog]) -> None:
    other = open_log()
    for offset in range(5):
        commit_log.commit("extract", {ZERO: offset})
        assert other.committed("extract") == {ZERO: offset}


def test_a_commit_changes_no_record(commit_log: CommitLog) -> None:
    commit_log.append("single", [Record(None, b"value")])
    commit_log.commit("extract", {TopicPartition("single", 0): 1})
    assert [record.value for record in commit_log.read(TopicPartition("single", 0), 0, 100)] == [b"value"]


def test_a_commit_that_cannot_be_is_refused_whole(commit_log: CommitLog) -> None:
    with pytest.raises(LogUnusable):
        commit_log.commit("extract", {ZERO: 1, ONE: -1})
    with pytest.raises(UnknownTopic):
        commit_log.commit("extract", {ZERO: 1, TopicPartition("other", 0): 1})
    with pytest.raises(LogUnusable):
        commit_log.commit("", {ZERO: 1})
    assert commit_log.committed("extract") == {}
