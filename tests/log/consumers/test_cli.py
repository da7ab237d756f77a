from __future__ import annotations

import os
import time
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


def test_lag_has_the_keys_other_programs_read(run: Run) -> None:
    _, (row,), _ = run("group", "lag", "extract", "--json")
    assert set(row) == {"group", "topic", "partition", "committed", "end", "lag", "oldest_unread", "damaged"}
    assert (row["committed"], row["end"], row["lag"]) == (3, 9, 6)
    assert row["oldest_unread"].endswith("Z")


def test_before_the_first_extract_its_lag_is_all_that_waits(run: Run, log: CommitLog, mails: list[Record]) -> None:
    run("group", "delete", "extract", "--execute")
    for words in (("group", "lag"), ("group", "lag", "extract")):
        code, (row,), said = run(*words, "--json")
        assert (code, row["group"], row["committed"], row["end"], row["lag"]) == (0, "extract", None, 9, 9)
        assert "9 records wait for `otclog extract --topic mails`" in said
    log.create_topic("mails-backfill", 1)
    log.append("mails-backfill", mails[:2])
    log.commit("extract", {TopicPartition("mails", 0): 9})
    rows = run("group", "lag", "--json")[1]
    assert [(row["topic"], row["lag"]) for row in rows] == [("mails-backfill", 2), ("mails", 0)]
    assert run("group", "lag", "nobody")[0] == 1


def test_lag_fails_where_a_record_has_waited_longer_than_told(run: Run, log: CommitLog) -> None:
    time.sleep(0.002)
    code, _, said = run("group", "lag", "extract", "--alert-after", "1ms")
    assert (code, "group extract is late: mails-0 has waited for" in said) == (1, True)
    assert run("group", "lag", "extract", "--alert-after", "1h")[0] == 0
    log.commit("extract", {TopicPartition("mails", 0): 9})
    assert run("group", "lag", "extract", "--alert-after", "1ms")[0] == 0


def test_a_backfill_that_was_never_used_is_no_row_of_the_table(run: Run, log: CommitLog) -> None:
    log.create_topic("mails-backfill", 1)
    assert {row["topic"] for row in run("group", "lag", "--json")[1]} == {"mails", "mails-backfill"}
    _, _, shown = run("group", "lag")
    assert "mails " in shown
    assert "mails-backfill" not in shown


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
