from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import conf
from log import LogOptions, Record, TopicPartition, open_log
from log.claims import CLAIM_HEADER, Claim, open_claims
from log.cli import records, topic
from otclog import app
from tests.log.rot import flip_batch

MAILS = [
    Record(b"desk%d@bank.example" % (number % 3), mail, (("sha256", hashlib.sha256(mail).hexdigest().encode()),))
    for number, mail in enumerate(b"mail %d" % number for number in range(9))
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
    app.add_typer(topic, name="topic")
    app.add_typer(records, name="log")

    def invoke(*words: str) -> tuple[int, list[dict[str, Any]], str]:
        assert config.exists()
        result = CliRunner().invoke(app, [*words], catch_exceptions=False)
        rows = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
        return result.exit_code, rows, result.output

    return invoke


def test_topics_are_made_listed_and_described(run: Run) -> None:
    assert run("topic", "create", "backfill", "--partitions", "2", "--json")[:2] == (
        0,
        [{"topic": "backfill", "partitions": 2}],
    )
    _, rows, _ = run("topic", "list", "--json")
    assert [(row["topic"], row["partitions"], row["records"]) for row in rows] == [
        ("__otclog_groups", 1, 1),
        ("backfill", 2, 0),
        ("mails", 1, 9),
    ]
    _, (described,), _ = run("topic", "describe", "mails", "--json")
    keys = {"topic", "partition", "leader", "epoch", "isr", "replicas", "start", "end", "high_watermark", "bytes"}
    assert set(described) == keys
    assert (described["start"], described["end"], described["high_watermark"]) == (0, 9, 9)


def test_a_topic_that_is_hidden_as_its_settings_are_lost_is_named_beside_the_list(run: Run, config: Path) -> None:
    settings: LogOptions = conf.load(config, {}).log
    for place in (settings.root, *settings.replicas[:2]):
        (place / "topics" / "mails" / "topic.json").unlink()
    code, rows, said = run("topic", "list", "--json")
    assert (code, [row["topic"] for row in rows]) == (0, ["__otclog_groups"])
    assert "topic.json is lost. Put it back" in said


def test_a_described_topic_names_its_replicas_by_number_in_a_table_and_by_folder_in_json(
    run: Run, tmp_path: Path
) -> None:
    folders = [str(tmp_path / "log" / f"replica-{number}") for number in (1, 2, 3)]
    _, (described,), _ = run("topic", "describe", "mails", "--json")
    assert (described["leader"], described["isr"], described["replicas"]) == (folders[0], folders, folders)
    head, line = run("topic", "describe", "mails")[2].splitlines()
    assert head.split()[:4] == ["partition", "leader", "epoch", "isr"]
    assert line.split()[:6] == ["0", "1", "0", "1,", "2,", "3"]


def test_records_are_read_as_rows(run: Run) -> None:
    code, rows, _ = run("log", "read", "--topic", "mails", "--from", "2", "--max", "3", "--json")
    assert code == 0
    assert [row["offset"] for row in rows] == [2, 3, 4]
    assert set(rows[0]) == {"topic", "partition", "offset", "timestamp", "key", "headers", "size", "sha256"}
    assert rows[0]["key"] == "desk2@bank.example"
    assert rows[0]["sha256"] == hashlib.sha256(b"mail 2").hexdigest()


def test_a_table_has_the_first_of_many_records_and_says_so_and_json_has_them_all(run: Run, tmp_path: Path) -> None:
    log = open_log(conf.load(tmp_path / "otclog.toml", {}).log)
    log.append("mails", MAILS[:1] * 11)
    log.close()
    read = ("log", "read", "--topic", "mails")
    assert "there are more" not in run(*read)[2]  # 20 records
    log = open_log(conf.load(tmp_path / "otclog.toml", {}).log)
    log.append("mails", MAILS[:1])
    log.close()
    shown = run(*read)[2]
    assert "only 20 records a partition are shown, and there are more of mails-0" in shown
    assert len(shown.splitlines()) == 1 + 20 + 1
    assert len(run(*read, "--json")[1]) == 21
    assert len(run(*read, "--max", "2", "--json")[1]) == 2
    run(*read, "--raw", "raw")
    assert len(list((tmp_path / "raw").iterdir())) == 21


def test_the_values_of_a_topic_that_holds_no_mails_are_shown(run: Run, tmp_path: Path) -> None:
    log = open_log(conf.load(tmp_path / "otclog.toml", {}).log)
    log.create_topic("ingest-journal", 1)
    log.append("ingest-journal", [Record(b"3f", b'{"what": "again"}')])
    log.close()
    assert '{"what": "again"}' in run("log", "read", "--topic", "ingest-journal")[2]
    assert run("log", "read", "--topic", "ingest-journal", "--json")[1][0]["value"] == '{"what": "again"}'
    assert '"group":"extract"' in run("log", "read", "--topic", "__otclog_groups")[2]
    assert "mail 3" not in run("log", "read", "--topic", "mails")[2]


def test_mails_are_written_as_they_came(run: Run, tmp_path: Path) -> None:
    code, _, _ = run("log", "read", "--topic", "mails", "--partition", "0", "--raw", str(tmp_path / "raw"), "--json")
    assert code == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "raw").iterdir()} == {
        f"0-{number}.eml": b"mail %d" % number for number in range(9)
    }
    assert (tmp_path / "raw" / "0-0.eml").stat().st_mode & 0o777 == 0o600


def test_a_large_mail_is_shown_and_written_as_it_came(run: Run, tmp_path: Path) -> None:
    settings, large = conf.load(tmp_path / "otclog.toml", {}).log, b"large mail" * 1000
    claim = Claim(hashlib.sha256(large).hexdigest(), len(large))
    open_claims(settings).put(claim, lambda: [large])
    with closing(open_log(settings)) as log:
        log.append("mails", [Record(b"k", claim.to_bytes(), ((CLAIM_HEADER, b"1"),))])
    read = ("log", "read", "--topic", "mails", "--from", "9", "--json", "--raw")
    code, rows, _ = run(*read, str(tmp_path / "raw"))
    assert (code, rows[0]["size"], rows[0]["sha256"]) == (0, claim.size, claim.sha256)
    assert (tmp_path / "raw" / "0-9.eml").read_bytes() == large
    for copy in (tmp_path / "log").glob(f"*/claims/*/{claim.sha256}"):
        copy.unlink()
    assert run(*read, str(tmp_path / "none"))[0] != 0
    assert list((tmp_path / "none").iterdir()) == []


def test_a_segment_is_dumped_without_settings(run: Run, tmp_path: Path) -> None:
    (path,) = (tmp_path / "log" / "replica-1" / "mails-0").glob("*.log")
    code, rows, _ = run("log", "dump", str(path))
    assert code == 0
    assert [row["kind"] for row in rows] == ["batch", *["record"] * 9]


def test_mails_are_decoded_where_asked(run: Run, tmp_path: Path) -> None:
    log = open_log(conf.load(tmp_path / "otclog.toml", {}).log)
    log.append("mails", [Record(b"desk", b"From: desk@bank.example\nSubject: CDS run\n\n98.5 / 99\n")])
    log.close()
    _, (row,), _ = run("log", "read", "--topic", "mails", "--from", "9", "--mail", "--json")
    assert (row["offset"], row["from"], row["subject"]) == (9, "desk@bank.example", "CDS run")
    assert row["parts"] == [{"type": "text/plain", "name": None, "size": 10}]
    assert "CDS run" in run("log", "read", "--topic", "mails", "--from", "9", "--mail")[2]
    (path,) = (tmp_path / "log" / "replica-1" / "mails-0").glob("*.log")
    dumped = run("log", "dump", "--mail", str(path))[1]
    assert [row["subject"] for row in dumped if row["kind"] == "record"] == [None] * 9 + ["CDS run"]


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("topic", "describe", "other"), 1, "no topic 'other'"),
        (("topic", "create", "mails"), 1, "topic mails exists"),
        (("log", "read", "--topic", "mails", "--from", "99"), 1, "offset 99 is not in [0, 9]"),
        (("log", "read", "--topic", "mails", "--partition", "5"), 2, "partitions 0 to 0"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(run: Run, words: tuple[str, ...], code: int, reason: str) -> None:
    exit_code, _, output = run(*words)
    assert exit_code == code
    assert reason in " ".join(output.split())


@pytest.mark.parametrize(
    "words",
    [
        ["topic", "list"],
        ["topic", "alter", "mails", "--retention", "90d"],
        ["log", "read", "--topic", "mails"],
        ["log", "verify"],
        ["log", "tend"],
        ["replica", "list"],
        ["group", "lag"],
        ["explain", "3f"],
        ["extract"],
    ],
)
def test_who_needs_a_log_makes_none(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "otclog.toml").write_text("[log]\n")
    result = CliRunner().invoke(app, [*words, "--config", str(tmp_path / "otclog.toml")])
    assert (result.exit_code, "no log is here yet" in result.stderr) == (1, True), result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["otclog.toml"]


def test_what_no_replica_has_whole_is_told_and_the_rest_is_read(run: Run, config: Path) -> None:
    with closing(open_log(conf.load(config, {}).log)) as log:
        log.append("mails", MAILS[:2])
    for number in (1, 2, 3):
        flip_batch(config.parent / "log" / f"replica-{number}" / "mails-0", 0)
    code, rows, output = run("log", "read", "--topic", "mails", "--json")
    assert (code, [row["offset"] for row in rows]) == (1, [9, 10])
    assert "mails-0: damaged at offset 0" in output
    assert "offsets 0 to 8 are lost" in output
