from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from log import CommitLog, Record, TopicConfig, TopicPartition
from log.groups import GROUPS_TOPIC, offset_record
from log.types import GroupOffset

Run = Callable[..., Any]


def test_groups_are_listed_and_described(run: Run) -> None:
    _, (row,), _ = run("group", "list", "--json")
    assert row.pop("committed_at").endswith("Z")
    assert row == {"group": "extract", "state": "idle", "members": 0, "partitions": 1, "lag": 6, "generation": 0}
    _, (row,), _ = run("group", "describe", "extract", "--json")
    assert row.pop("committed_at").endswith("Z")
    keys = {"group": "extract", "topic": "mails", "partition": 0, "committed": 3, "end": 9, "lag": 6}
    assert row == {**keys, "member": None, "host": None, "metadata": "run 1", "generation": 0}


def test_a_running_group_is_described_with_its_members(run: Run, log: CommitLog) -> None:
    with log.join("extract", ["mails"]):  # as a consumer is one, and a run of `otclog extract`
        (row,) = run("group", "list", "--json")[1]
        assert (row["state"], row["members"]) == ("running", 1)
        (row,) = run("group", "describe", "extract", "--json")[1]
        assert row["member"].startswith(f"{os.getpid()}-")
        code, _, words = run("group", "delete", "extract", "--execute")
        assert (code, "group extract is running" in words) == (1, True)
    assert run("group", "describe", "extract", "--json")[1][0]["member"] is None


def test_a_group_is_deleted_when_told_twice(run: Run) -> None:
    assert run("group", "delete", "extract", "--json")[1][0]["committed"] == 3
    assert len(run("group", "list", "--json")[1]) == 1
    code, _, said = run("group", "delete", "extract", "mails:0", "--execute")
    assert (code, "these offsets are forgotten; `otclog group recover`" in said) == (0, True)
    assert run("group", "list", "--json")[1] == []


def test_a_group_that_committed_nothing_cannot_be_deleted(run: Run) -> None:
    for words in (("nosuch",), ("nosuch", "--execute"), ("nosuch", "mails", "--execute")):
        code, _, told = run("group", "delete", *words)
        assert (code, "no group 'nosuch' has committed an offset" in told) == (1, True)


def test_a_protected_group_is_not_passed_until_it_is_no_longer(run: Run, log: CommitLog, mails: list[Record]) -> None:
    assert run("group", "protect", "extract", "--json")[:2] == (0, [{"group": "extract"}])
    log.alter_topic("mails", config=TopicConfig(retention_bytes=1, segment_bytes=100))
    for _ in range(3):
        log.append("mails", mails)
    assert [done.action for done in log.tend()] == ["hold", "delete"]
    assert log.span(TopicPartition("mails", 0)).start == 3
    assert run("group", "unprotect", "extract", "--json")[:2] == (0, [])
    log.tend()
    assert log.span(TopicPartition("mails", 0)).start > 9


def test_what_a_group_committed_of_a_topic_that_is_gone_can_be_forgotten(run: Run, log: CommitLog) -> None:
    gone = TopicPartition("gone", 0)
    log.append(GROUPS_TOPIC, [offset_record("extract", gone, GroupOffset(7, 0, "", 0))])
    code, found, _ = run("group", "lag", "--json")
    assert (code, [(row["topic"], row["end"]) for row in found]) == (0, [("gone", None), ("mails", 9)])
    assert [row["topic"] for row in run("group", "delete", "extract", "gone", "--execute", "--json")[1]] == ["gone"]
    assert set(log.committed("extract")) == {TopicPartition("mails", 0)}


def test_a_group_that_nobody_knows_is_said_to_be_unknown(run: Run) -> None:
    for verb in ("lag", "describe"):
        code, rows, said = run("group", verb, "nobody", "--json")
        assert (code, rows) == (1, [])
        assert "no group 'nobody' has committed an offset; those that have: extract" in said


def test_a_group_of_a_later_version_hides_no_other_one(run: Run, log: CommitLog) -> None:
    key, value = b'{"group":"later","partition":0,"topic":"mails"}', b'{"offset":7,"leader_epoch":3}'
    log.append(GROUPS_TOPIC, [Record(key, value)], 0)
    for words in (("group", "list"), ("group", "lag")):
        code, rows, said = run(*words, "--json")
        assert (code, {row["group"] for row in rows}) == (1, {"extract"})
        assert "group later: __otclog_groups-0, offset" in said
    assert run("group", "lag", "extract")[0] == 0
    assert "use that one for this group" in run("group", "describe", "later")[2]
