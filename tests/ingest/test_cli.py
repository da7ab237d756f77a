from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from conf import Settings
from ingest import cli
from log.embedded import EmbeddedLog
from tests.partitions import partition_for

StartWatcher = Callable[..., "subprocess.Popen[str]"]


def app(command: Callable[..., None]) -> typer.Typer:
    made = typer.Typer(pretty_exceptions_enable=False)
    made.command()(command)
    return made


def test_watch_once_prints_one_json_line_a_batch(
    folder: Path, a_mail: Callable[..., bytes], start_watcher: StartWatcher
) -> None:
    for number in range(25):
        (folder / f"{number}").write_bytes(a_mail(number))
    (folder / "link").symlink_to("0")
    output, _ = (process := start_watcher("--once", "--json")).communicate(timeout=60)
    lines = [json.loads(line) for line in output.splitlines()]
    assert process.returncode == 0
    assert [(line["mails"], line["published"], line["failed"]) for line in lines] == [
        (0, 0, 1),
        (10, 10, 0),
        (10, 10, 0),
        (5, 5, 0),
    ]
    assert {line["source"] for line in lines} == {f"maildir:{folder.parent}"}
    assert sum(line["bytes"] for line in lines) == sum(len(a_mail(number)) for number in range(25))


def test_what_watch_makes_is_for_its_owner_alone(
    settings: Settings, folder: Path, tmp_path: Path, a_mail: Callable[..., bytes], start_watcher: StartWatcher
) -> None:
    (folder / "m").write_bytes(a_mail(1))
    assert start_watcher("--once").wait(60) == 0
    made = [*settings.log.root.rglob("*"), settings.ingest.ledger, *tmp_path.glob("mail/*/*")]
    assert {path.stat().st_mode & 0o077 for path in made} == {0}


@pytest.mark.slow
def test_watch_says_try_again_while_another_process_holds_the_log(
    settings: Settings,
    folder: Path,
    a_mail: Callable[..., bytes],
    start_watcher: StartWatcher,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTCLOG_LOG_LOCK_TIMEOUT_S", "0.2")
    (folder / "a").write_bytes(a_mail(1))
    assert start_watcher("--once").wait(60) == 0
    (folder / "b").write_bytes(a_mail(2))
    with closing(EmbeddedLog(settings.log)) as log, log.exclusive(partition_for(log, "mails", b"desk@dealer.example")):
        assert start_watcher("--once").wait(60) == 75
    assert (folder / "b").exists()


def test_generate_writes_the_mails_and_their_truth_and_counts_them(tmp_path: Path) -> None:
    arguments = ["--mails", "30", "--out", str(tmp_path / "out"), "--seed", "5", "--json"]
    result = CliRunner().invoke(app(cli.generate), arguments)
    told = json.loads(result.stdout)
    truth = [json.loads(line) for line in (tmp_path / "out" / "truth.jsonl").read_text().splitlines()]
    assert result.exit_code == 0
    assert (told["mails"], told["seed"], told["out"]) == (30, 5, str(tmp_path / "out"))
    assert told["quotes"] == sum(line["kind"] == "quote" for line in truth)
    assert len(list((tmp_path / "out").glob("*.eml"))) == 30


def test_generate_for_no_mails_is_a_usage_error(tmp_path: Path) -> None:
    assert CliRunner().invoke(app(cli.generate), ["--mails", "0", "--out", str(tmp_path)]).exit_code == 2
