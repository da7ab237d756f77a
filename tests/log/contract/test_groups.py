from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from log import CommitLog, LogUnusable, Record, TopicPartition, UnknownTopic
from log.errors import GroupFenced, GroupUnreadable
from log.groups import GROUPS_PARTITION, GROUPS_TOPIC, advance, take
from log.journal import journal, move
from log.protection import begin_protected, protect, protected, readers
from log.rewind import to_offset

if TYPE_CHECKING:
    from log.interface import Decide

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
    advance(commit_log, "extract", {ZERO: range(100), ONE: range(5)}, "first", 0, topics={})
    advance(commit_log, "extract", {ZERO: range(100, 200)}, "next", 0, topics={})
    with pytest.raises(GroupFenced):
        advance(commit_log, "extract", {ZERO: range(100)}, "late", 0, topics={})
    assert commit_log.committed("extract") == {ZERO: 200, ONE: 5}
    take(commit_log, "extract", {ZERO: 200})
    with pytest.raises(GroupFenced):
        advance(commit_log, "extract", {ZERO: range(200, 300)}, "before it was taken", 0, topics={})
    assert {source: each.metadata for source, each in commit_log.standing().latest("extract").items()} == {
        ZERO: "next",
        ONE: "first",
    }


def test_what_was_read_of_a_topic_that_is_another_one_by_now_is_not_committed(
    commit_log: CommitLog, single: TopicPartition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made anew as late as can be: when the group is about to be changed."""
    before, change = {"single": commit_log.topic_id("single")}, commit_log.change_group

    def late(group: str, decide: Decide) -> None:
        commit_log.delete_topic("single")
        commit_log.create_topic("single", 1)
        change(group, decide)

    monkeypatch.setattr(commit_log, "change_group", late)
    with pytest.raises(GroupFenced, match="group extract, single-0: its topic was deleted, or made anew"):
        advance(commit_log, "extract", {single: range(200)}, "run", 0, topics=before)
    with pytest.raises(GroupFenced):
        commit_log.commit("extract", {single: 200}, generations={single: 0}, topics=before)
    with pytest.raises(GroupFenced):
        take(commit_log, "extract", {single: 200}, before)
    with pytest.raises(GroupFenced):
        begin_protected(commit_log, "extract", {single: 200}, before)
    assert commit_log.committed("extract") == {}
    assert protected(commit_log) == []


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


FOREIGN = [
    Record(b"garbage", b"garbage"),
    Record(b"\xff" * 8, None),
    Record(b"[" * 100_000, b"{}"),
    Record(b'["extract"]', b"{}"),
    Record(b'{"order":17}', b'{"protected":true}'),
    Record(b'{"group":17,"protected":true}', b"{}"),
    Record(b'{"group":"extract","partition":0,"topic":"mails"}', b"garbage"),
]


def test_what_another_program_writes_among_the_groups_is_passed_by_and_told_once(
    commit_log: CommitLog, open_log: Callable[[], CommitLog], caplog: pytest.LogCaptureFixture
) -> None:
    commit_log.commit("extract", {ZERO: 5})
    protect(commit_log, "extract")
    at = commit_log.append(GROUPS_TOPIC, FOREIGN, GROUPS_PARTITION.partition)
    with caplog.at_level(logging.WARNING):
        for log in (commit_log, open_log()):
            caplog.clear()
            assert (log.committed("extract"), log.groups(), protected(log)) == ({ZERO: 5}, ["extract"], ["extract"])
            assert journal(log, "extract") == []
            told = [each.getMessage() for each in caplog.records]
            assert [each.split(":")[0] for each in told] == [f"{GROUPS_PARTITION}, offset {each.offset}" for each in at]
            assert "keep other programs out of topic __otclog_groups" in told[0]
    commit_log.commit("extract", {ZERO: 6})
    assert open_log().committed("extract") == {ZERO: 6}


def test_what_a_later_version_wrote_of_a_group_ends_the_commands_of_that_one_alone(commit_log: CommitLog) -> None:
    for group in ("one", "two", "three"):
        commit_log.commit(group, {ZERO: 5})
    value = {"committed_at_ms": 1, "generation": 0, "metadata": "", "offset": 7, "leader_epoch": 3}
    key = {"group": "two", "partition": 1, "topic": "mails"}
    (at,) = commit_log.append(GROUPS_TOPIC, [Record(json.dumps(key).encode(), json.dumps(value).encode())], 0)
    said = f"group two: {GROUPS_PARTITION}, offset {at.offset}, was written by a later otclog: use that one"
    for command in (
        lambda: commit_log.committed("two"),
        lambda: commit_log.commit("two", {ZERO: 6}),
        lambda: move(commit_log, "two", [ZERO], to_offset(0)),
        lambda: readers(commit_log, ZERO, ["one", "two"]),
    ):
        with pytest.raises(GroupUnreadable, match=said):
            command()
    commit_log.commit("one", {ZERO: 6})
    assert move(commit_log, "three", [ZERO], to_offset(0)) != []
    assert commit_log.committed("one") == {ZERO: 6}
    assert commit_log.groups() == ["one", "three", "two"]
    assert readers(commit_log, TopicPartition("single", 0), ["one", "two"]) == []


def test_who_runs_while_the_groups_are_deleted_is_told_what_to_do(
    commit_log: CommitLog, open_log: Callable[[], CommitLog]
) -> None:
    commit_log.commit("extract", {ZERO: 5})
    other = open_log()
    other.delete_topic(GROUPS_TOPIC)
    for _ in range(2):
        with pytest.raises(LogUnusable, match=r"topic __otclog_groups was deleted.*start it again; `otclog group rec"):
            commit_log.committed("extract")
        other = open_log()
        assert other.committed("extract") == {}
        other.commit("other", {ZERO: 3, ONE: 4})
