from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import conf
from log import CommitLog, LogOptions, Record, TopicConfig, TopicPartition, open_log
from log.consumers.cli import group
from log.consumers.consumer import Consumer
from log.groups import GROUPS_TOPIC, GroupOffset, offset_record

MAILS = [
    Record(b"desk%d@bank.example" % (number % 3), b"mail %d" % number, (("route", b"inbox"),)) for number in range(9)
]

Run = Callable[..., Any]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose log has nine mails, three of them read."""
    file = tmp_path / "otclog.toml"
    file.write_text("[log]\nlock_timeout_s = 0.2\n")
    monkeypatch.chdir(tmp_path)
    options: LogOptions = conf.load(file, {}).log
    log = open_log(options)
    log.create_topic("mails", 1)
    log.append("mails", MAILS)
    log.commit("extract", {TopicPartition("mails", 0): 3}, "run 1")
    log.close()
    return file


@pytest.fixture
def run(config: Path) -> Run:
    """Run a command on that home; its exit code, its rows, its other words."""
    app = typer.Typer()
    app.add_typer(group, name="group")

    def invoke(*words: str) -> tuple[int, list[dict[str, Any]], str]:
        assert config.exists()
        result = CliRunner().invoke(app, [*words], catch_exceptions=False)
        rows = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
        return result.exit_code, rows, result.output

    return invoke


@pytest.fixture
def log(config: Path) -> Iterator[CommitLog]:
    """The same log, opened by somebody else."""
    opened = open_log(conf.load(config, {}).log)
    yield opened
    opened.close()


def test_groups_are_listed_and_described(run: Run) -> None:
    _, (row,), _ = run("group", "list", "--json")
    assert row.pop("committed_at").endswith("Z")
    assert row == {"group": "extract", "state": "idle", "members": 0, "partitions": 1, "lag": 6, "generation": 0}
    _, (row,), _ = run("group", "describe", "extract", "--json")
    assert row.pop("committed_at").endswith("Z")
    keys = {"group": "extract", "topic": "mails", "partition": 0, "committed": 3, "end": 9, "lag": 6}
    assert row == {**keys, "member": None, "host": None, "metadata": "run 1", "generation": 0}


def test_a_running_group_is_described_with_its_members(run: Run, log: CommitLog) -> None:
    with Consumer(log, "extract", ["mails"]) as consumer:
        consumer.poll()
        (row,) = run("group", "list", "--json")[1]
        assert (row["state"], row["members"]) == ("running", 1)
        (row,) = run("group", "describe", "extract", "--json")[1]
        assert row["member"].startswith(f"{os.getpid()}-")
        code, _, words = run("group", "delete", "extract", "--execute")
        assert (code, "group extract is running" in words) == (1, True)
    assert run("group", "describe", "extract", "--json")[1][0]["member"] is None


def test_lag_has_the_keys_other_programs_read(run: Run) -> None:
    _, (row,), _ = run("group", "lag", "extract", "--json")
    assert set(row) == {"group", "topic", "partition", "committed", "end", "lag", "oldest_unread"}
    assert (row["committed"], row["end"], row["lag"]) == (3, 9, 6)
    assert row["oldest_unread"].endswith("Z")


def test_before_the_first_extract_its_lag_is_all_that_waits(run: Run, log: CommitLog) -> None:
    run("group", "delete", "extract", "--execute")
    for words in (("group", "lag"), ("group", "lag", "extract")):
        code, (row,), said = run(*words, "--json")
        assert (code, row["group"], row["committed"], row["end"], row["lag"]) == (0, "extract", None, 9, 9)
        assert "9 records wait for `otclog extract --topic mails`" in said
    log.create_topic("mails-backfill", 1)
    log.append("mails-backfill", MAILS[:2])
    log.commit("extract", {TopicPartition("mails", 0): 9})
    rows = run("group", "lag", "--json")[1]
    assert [(row["topic"], row["lag"]) for row in rows] == [("mails-backfill", 2), ("mails", 0)]
    assert run("group", "lag", "nobody")[0] == 1


def test_a_rewind_is_shown_before_it_is_done(run: Run) -> None:
    code, rows, words = run("group", "rewind", "extract", "mails", "--to-earliest", "--json")
    assert (code, rows) == (
        0,
        [{"group": "extract", "topic": "mails", "partition": 0, "committed": 3, "to": 0, "replays": 3, "skips": 0}],
    )
    assert "nothing was moved" in words
    assert run("group", "lag", "extract", "--json")[1][0]["committed"] == 3
    assert run("group", "rewind", "extract", "mails:0", "--to-earliest", "--execute", "--json")[0] == 0
    assert run("group", "lag", "extract", "--json")[1][0]["committed"] == 0


@pytest.mark.parametrize(
    ("words", "to"),
    [
        (("mails", "--to-earliest"), 0),
        (("mails", "--to-latest"), 9),
        (("mails", "--to-current"), 3),
        (("mails", "--to-offset", "5"), 5),
        (("mails", "--shift-by", "-2"), 1),
        (("mails", "--to-datetime", "2020-01-01T00:00:00", "--zone", "Europe/London"), 0),
        (("mails", "--to-datetime", "2120-01-01T00:00:00Z"), 9),
        (("mails", "--by-duration", "1d"), 0),
        (("mails:0", "--by-duration", "1ms"), 9),
        (("--all-topics", "--to-offset", "1"), 1),
    ],
)
def test_a_group_goes_where_it_is_told(run: Run, words: tuple[str, ...], to: int) -> None:
    code, (row,), said = run("group", "rewind", "extract", *words, "--execute", "--json")
    assert (code, row["to"]) == (0, to)
    assert f"{max(0, 3 - to)} records to be read again, {max(0, to - 3)} skipped" in said
    assert run("group", "lag", "extract", "--json")[1][0]["committed"] == to


def test_a_move_is_in_the_journal_and_can_be_undone(run: Run) -> None:
    run("group", "rewind", "extract", "mails", "--to-latest", "--reason", "skip the flood", "--execute")
    _, (row,), _ = run("group", "journal", "extract", "--json")
    assert (row["reason"], row["committed"], row["to"], row["undoes"]) == ("skip the flood", 3, 9, None)
    assert run("group", "rewind", "extract", "--undo", "--json")[1][0]["to"] == 3
    assert run("group", "lag", "extract", "--json")[1][0]["committed"] == 9
    run("group", "rewind", "extract", "--undo", "--execute")
    assert run("group", "lag", "extract", "--json")[1][0]["committed"] == 3
    assert run("group", "journal", "extract", "--json")[1][1]["undoes"] == 1
    assert run("group", "rewind", "extract", "--undo")[0] == 1


def test_offsets_are_exported_and_taken_back(run: Run, tmp_path: Path) -> None:
    code, _, output = run("group", "rewind", "extract", "--all-topics", "--to-current", "--export")
    line = "mails,0,3"
    assert (code, line in output.splitlines()) == (0, True)
    run("group", "rewind", "extract", "mails", "--to-latest", "--execute")
    file = tmp_path / "before.csv"
    for text in (line, f"other,mails,0,7\nextract,{line}"):
        file.write_text(text + "\n")
        assert run("group", "rewind", "extract", "--from-file", str(file), "--execute", "--json")[1][0]["to"] == 3


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("mails,0", 2, "line 1: not TOPIC,PARTITION,OFFSET"),
        ("\udcff\udcfe", 2, "line 1: not TOPIC,PARTITION,OFFSET"),
        ("mails,0,latest", 2, "line 1: not TOPIC,PARTITION,OFFSET"),
        ("mails,7,1", 2, "partitions 0 to 0"),
        ("mails,0,-1", 1, "is no offset"),
        ("other,0,1", 1, "no topic"),
    ],
)
def test_lines_that_cannot_be_are_refused(run: Run, tmp_path: Path, text: str, code: int, reason: str) -> None:
    file = tmp_path / "offsets.csv"
    file.write_text(text + "\n", "utf-8", "surrogateescape")
    exit_code, _, output = run("group", "rewind", "extract", "--from-file", str(file), "--execute")
    assert exit_code == code
    assert reason in " ".join(output.split())
    assert run("group", "lag", "extract", "--json")[1][0]["committed"] == 3


def test_lines_are_read_from_a_file_and_nothing_that_never_ends(run: Run) -> None:
    code, _, output = run("group", "rewind", "extract", "--from-file", "/dev/zero")
    assert code == 2
    assert "no regular file" in output


@pytest.mark.parametrize("sentinel", ["-1", "-2"])
def test_a_sentinel_of_kafka_is_never_written(run: Run, sentinel: str) -> None:
    code, _, output = run("group", "rewind", "extract", "mails", "--to-offset", sentinel, "--execute")
    assert (code, "--to-earliest" in output) == (1, True)
    assert run("group", "lag", "extract", "--json")[1][0]["committed"] == 3


def test_a_group_is_deleted_when_told_twice(run: Run) -> None:
    assert run("group", "delete", "extract", "--json")[1][0]["committed"] == 3
    assert len(run("group", "list", "--json")[1]) == 1
    assert run("group", "delete", "extract", "mails:0", "--execute")[0] == 0
    assert run("group", "list", "--json")[1] == []


@pytest.mark.parametrize(
    "words",
    [
        ("mails",),
        ("mails", "--to-earliest", "--to-latest"),
        ("mails", "--to-datetime", "2026-03-01T14:00:00"),
        ("mails:a", "--to-earliest"),
        ("mails:0,7", "--to-earliest"),
        ("--to-earliest",),
        ("mails", "--to-datetime", "2026-03-29T01:30:00", "--zone", "Europe/London"),
        ("mails", "--by-duration", "yesterday"),
        ("mails", "--to-earliest", "--undo"),
    ],
)
def test_a_rewind_that_says_nothing_clear_is_refused(run: Run, words: tuple[str, ...]) -> None:
    assert run("group", "rewind", "extract", *words)[0] == 2
    assert run("group", "lag", "extract", "--json")[1][0]["committed"] == 3


def test_what_can_be_tried_again_exits_75(run: Run, config: Path) -> None:
    log = open_log(conf.load(config, {}).log)
    with log.exclusive(TopicPartition("__otclog_groups", 0)):
        code, _, output = run("group", "rewind", "extract", "mails", "--to-latest", "--execute")
    log.close()
    assert (code, "locked by process" in output) == (75, True)


def test_a_protected_group_is_not_passed_until_it_is_no_longer(run: Run, log: CommitLog) -> None:
    assert run("group", "protect", "extract", "--json")[:2] == (0, [{"group": "extract"}])
    log.alter_topic("mails", config=TopicConfig(retention_bytes=1, segment_bytes=100))
    for _ in range(3):
        log.append("mails", MAILS)
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


@pytest.mark.parametrize("words", [("mails", "--to-earliest", "--execute"), ("mails", "--to-latest"), ("--undo",)])
def test_a_typo_in_a_group_s_name_moves_nothing_and_makes_no_group(run: Run, words: tuple[str, ...]) -> None:
    code, rows, said = run("group", "rewind", "extrakt", *words, "--json")
    assert (code, rows) == (1, [])
    assert "no group 'extrakt' has committed an offset; did you mean extract?" in said
    assert [row["group"] for row in run("group", "list", "--json")[1]] == ["extract"]


def test_a_group_that_has_not_begun_is_set_where_told_so(run: Run) -> None:
    assert run("group", "rewind", "audit", "mails", "--to-latest", "--new", "--execute", "--json")[0] == 0
    assert [row["committed"] for row in run("group", "lag", "audit", "--json")[1]] == [9]


def test_an_offset_beyond_the_end_is_said_to_become_the_end(run: Run) -> None:
    code, (row,), said = run("group", "rewind", "extract", "mails", "--to-offset", "999", "--execute", "--json")
    assert (code, row["to"]) == (0, 9)
    assert "mails-0: offset 999 is not in [0, 9]; 9 is taken instead" in said
    assert "instead" not in run("group", "rewind", "extract", "mails", "--to-offset", "9")[2]
