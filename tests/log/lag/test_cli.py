"""otclog group lag"""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import conf
from log import CommitLog, Record, TopicPartition
from log.lag.history import FILE

Run = Callable[..., Any]

OTCLOG = str(Path(sys.executable).with_name("otclog"))


def test_lag_has_the_keys_other_programs_read(run: Run) -> None:
    _, (row,), _ = run("group", "lag", "extract", "--json")
    where = {"at", "group", "topic", "partition", "committed", "end", "lag", "bytes", "oldest_unread", "age_s"}
    assert set(row) == where | {"damaged", "expired", "state", "why"}
    assert (row["committed"], row["end"], row["lag"]) == (3, 9, 6)
    assert row["oldest_unread"].endswith("Z")
    assert (row["state"], row["why"], row["age_s"] < 600, row["bytes"] > 0) == ("OK", "", True, True)


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


def test_lag_fails_where_retention_took_what_was_not_read(run: Run, log: CommitLog) -> None:
    log.delete_records(TopicPartition("mails", 0), 5)
    code, (row,), said = run("group", "lag", "extract", "--json", "--alert-after", "1h")
    assert (code, row["expired"], row["lag"]) == (1, 2, 4)
    assert "group extract, topic mails: retention took 2 records before it had read them" in said


def test_a_state_is_shown_and_what_is_late_by_its_groups_schedule_fails_the_check(
    run: Run, config: Path, log: CommitLog
) -> None:
    def settings(status: str) -> None:
        config.write_text(f"[log]\nlock_timeout_s = 0.2\n[status]\noldest_unread_after_s = 0.001\n{status}")

    settings("")
    time.sleep(0.01)
    code, (row,), said = run("group", "lag", "extract", "--alert-after", "schedule", "--json")
    assert (code, row["state"]) == (1, "STOPPED")
    late = (
        r"group extract is late: mails-0 has waited for \d+ s; STOPPED: it stands where it is since 20\S+, and nobody"
    )
    assert re.search(late, said)
    settings("every_s = { extract = 600 }\n")
    code, (row,), _ = run("group", "lag", "extract", "--alert-after", "schedule", "--json")
    assert (code, row["state"]) == (0, "OK")
    assert run("group", "lag", "extract", "--alert-after", "1ms")[0] == 1, "a time that is named is for every group"
    log.commit("extract", {TopicPartition("mails", 0): 9})
    assert run("group", "lag", "--alert-after", "schedule")[0] == 0


def test_a_rewind_that_was_meant_does_not_fail_the_check_and_one_that_was_not_does(run: Run, log: CommitLog) -> None:
    source = TopicPartition("mails", 0)
    run("group", "lag")
    run("group", "rewind", "extract", "mails", "--to-earliest", "--execute")
    code, (row,), _ = run("group", "lag", "--alert-after", "10m", "--json")
    assert (code, row["state"], row["why"].startswith("reads again what it had read: moved at ")) == (0, "REWIND", True)
    log.commit("extract", {source: 9})
    run("group", "lag")
    log.commit("extract", {source: 4})
    code, (row,), said = run("group", "lag", "--alert-after", "10m", "--json")
    assert (code, row["state"]) == (1, "REWIND")
    assert "group extract was set back: in mails-0 it stood at offset 9 at " in said


def test_what_was_seen_before_is_shown_since_a_time(run: Run, config: Path, log: CommitLog) -> None:
    run("group", "lag")
    log.commit("extract", {TopicPartition("mails", 0): 9})
    run("group", "rewind", "extract", "mails", "--to-earliest", "--execute")
    run("group", "lag")
    _, rows, _ = run("group", "lag", "--since", "1h", "--json")
    assert [(row["group"], row["committed"], row["lag"], row["state"]) for row in rows] == [
        ("extract", 3, 6, "OK"),
        ("extract", 0, 9, "REWIND"),
    ]
    run("group", "lag", "--alert-after", "1ms")
    assert run("group", "lag", "--since", "1h", "--json")[1] == rows, "by a time that is named nothing is noted"
    assert run("group", "lag", "audit", "--since", "1h", "--json")[1] == []
    assert "nothing to show" in run("group", "lag", "audit", "--since", "1h")[2]
    assert (conf.load(config, {}).log.root / FILE).exists()


def test_a_history_that_cannot_be_used_hinders_no_look(run: Run, config: Path) -> None:
    (conf.load(config, {}).log.root / FILE).write_bytes(b"no database" * 100)
    code, (row,), _ = run("group", "lag", "--json")
    assert (code, row["lag"], row["state"]) == (0, 6, "OK")
    code, _, said = run("group", "lag", "--since", "1h")
    assert (code, "how far groups were behind cannot be read: file is not a database" in said) == (1, True)


def test_what_does_not_go_together_is_refused(run: Run) -> None:
    for words in (("--watch", "--since", "1h"), ("--watch", "--alert-after", "1h"), ("--alert-after", "soon")):
        assert run("group", "lag", *words)[0] == 2
    for words in (("--alert-after", ""), ("--since", ""), ("--since", "", "--watch"), ("--watch", "--every", "")):
        assert run("group", "lag", *words)[0] == 2, "a duration of no length is none"
    for command in (("group", "lag"), ("status",)):
        code, _, said = run(*command, "--every", "1s")
        assert (code, "--every goes with --watch" in said) == (2, True)


def test_bytes_and_ages_are_shown_in_their_largest_unit(run: Run) -> None:
    shown = run("group", "lag")[2]
    header, line = shown.splitlines()
    assert header.split() == ["group", "topic", "partition", "committed", "end", "lag", "bytes", "age", "state"]
    assert re.search(r" mails +0 +3 +9 +6 +\d+ B +\d+ s +OK$", line)


def watching(config: Path, *words: str) -> list[str]:
    return [OTCLOG, "group", "lag", "--watch", "--every", "100ms", "--config", str(config), *words]


def test_it_watches_until_it_is_told_to_stop_and_sees_what_happens(
    config: Path, log: CommitLog, spawn: Callable[..., subprocess.Popen[str]]
) -> None:
    command = watching(config, "--json")
    watcher = spawn(command, stdout=subprocess.PIPE, text=True)
    assert watcher.stdout is not None
    assert json.loads(watcher.stdout.readline())["lag"] == 6
    log.append("mails", [Record(b"key", b"value")] * 4)
    deadline = time.monotonic() + 60
    while json.loads(watcher.stdout.readline())["lag"] != 10:
        assert time.monotonic() < deadline
    watcher.send_signal(signal.SIGTERM)
    assert watcher.wait(60) == 0


def test_it_ends_when_nobody_reads_it_any_more(config: Path, spawn: Callable[..., subprocess.Popen[str]]) -> None:
    command = watching(config)
    watcher = spawn(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert watcher.stdout is not None
    assert watcher.stderr is not None
    watcher.stdout.readline()
    watcher.stdout.close()
    assert watcher.wait(60) == 0
    assert watcher.stderr.read() == ""


def test_it_ends_when_nobody_reads_it_though_there_is_nothing_to_show(
    config: Path, log: CommitLog, spawn: Callable[..., subprocess.Popen[str]]
) -> None:
    log.delete_topic("mails")
    watcher = spawn([*watching(config), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert watcher.stdout is not None
    assert watcher.stderr is not None
    watcher.stdout.close()
    assert watcher.wait(60) == 0
    assert set(watcher.stderr.read().splitlines()) == {"nothing to show"}


def test_on_a_terminal_each_picture_takes_the_place_of_the_one_before(
    config: Path, spawn: Callable[..., subprocess.Popen[bytes]]
) -> None:
    ours, theirs = pty.openpty()
    command = watching(config)
    watcher = spawn(command, stdout=theirs, stdin=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while shown.count(b"\x1b[H\x1b[2J") < 3:
        shown += os.read(ours, 4096)
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(60) == 0
    os.close(ours)
    picture = shown.split(b"\x1b[H\x1b[2J")[1].decode().splitlines()
    assert picture[0].endswith(", again every 100ms; Ctrl-C ends it")
    assert picture[1].split()[0] == "group"


def test_a_new_partition_that_a_group_has_not_begun_is_late_and_no_topic_that_nobody_reads(
    run: Run, log: CommitLog
) -> None:
    log.commit("extract", {TopicPartition("mails", 0): 9})
    log.alter_topic("mails", 2)
    log.append("mails", [Record(b"key", b"value")], 1)
    time.sleep(0.002)
    code, rows, said = run("group", "lag", "extract", "--alert-after", "1ms", "--json")
    assert (code, [(row["committed"], row["lag"]) for row in rows]) == (1, [(9, 0), (None, 1)])
    assert "group extract is late: mails-1 has waited for" in said
    assert "no group has read any of topic" not in said
    assert [row["partition"] for row in run("group", "describe", "extract", "--json")[1]] == [0]
