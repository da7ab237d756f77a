from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import conf
from log import TopicPartition
from log.embedded import EmbeddedLog

Run = Callable[..., Any]


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
    code, _, output = run("group", "rewind", "extract", "--all-topics", "--to-current", "--export", "--json")
    assert (code, line in output.splitlines()) == (2, False)
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
    log = EmbeddedLog(conf.load(config, {}).log)
    with log.exclusive(TopicPartition("__otclog_groups", 0)):
        code, _, output = run("group", "rewind", "extract", "mails", "--to-latest", "--execute")
    log.close()
    assert (code, "locked by process" in output) == (75, True)


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
