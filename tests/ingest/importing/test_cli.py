from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conf import Settings

ROOT = Path(__file__).parent.parent.parent.parent
PROGRAM = "import typer; from ingest.importing.cli import import_mails; typer.run(import_mails)"


@pytest.fixture
def run(settings: Settings, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    assert settings.log.root.parent == tmp_path

    def call(*arguments: object, stderr: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", PROGRAM, *map(str, arguments), "--config", str(tmp_path / "otclog.toml")]
        return subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=stderr, text=True, check=False, timeout=120
        )

    return call


Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_it_counts_what_it_took(run: Run, tmp_path: Path, a_mail: Callable[..., bytes]) -> None:
    (tmp_path / "m").mkdir()
    for number in range(3):
        (tmp_path / "m" / f"{number}").write_bytes(a_mail(number % 2))
    done = run(tmp_path / "m")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "2 mails into the log, 1 known already, 0 not taken"
    lines = [json.loads(line) for line in run(tmp_path / "m", "--json").stdout.splitlines()]
    assert [(line["source"], line["mails"], line["published"], line["known"]) for line in lines] == [
        ("import", 3, 0, 3)
    ]


def test_it_ends_by_saying_how_the_prices_are_had(run: Run, tmp_path: Path, a_mail: Callable[..., bytes]) -> None:
    (tmp_path / "mail").write_bytes(a_mail(1))
    last = run(tmp_path / "mail").stdout.splitlines()[-1]
    assert last == "Next, for their prices: otclog extract --backfill"
    assert all(line.startswith("{") for line in run(tmp_path / "mail", "--json").stdout.splitlines())


def test_a_file_that_could_not_be_read_fails_the_command_and_not_the_others(
    run: Run, tmp_path: Path, a_mail: Callable[..., bytes]
) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "mail").write_bytes(a_mail(1))
    done = run(tmp_path / "fifo", tmp_path / "mail")
    assert done.returncode == 1
    assert done.stderr == f"otclog: {tmp_path}/fifo: not imported: not a regular file\n"
    assert "1 mail into the log" in done.stdout


def test_on_a_terminal_a_bar_shows_how_far_it_is(run: Run, tmp_path: Path, a_mail: Callable[..., bytes]) -> None:
    (tmp_path / "mail").write_bytes(a_mail(1))
    ours, theirs = pty.openpty()
    assert run(tmp_path / "mail", stderr=theirs).returncode == 0
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    size = (tmp_path / "mail").stat().st_size
    assert f"{size}/{size} bytes" in shown


def test_a_missing_file_is_a_wrong_word_and_none_of_the_others_is_taken(
    run: Run, tmp_path: Path, a_mail: Callable[..., bytes]
) -> None:
    (tmp_path / "a.eml").write_bytes(a_mail(1))
    done = run(tmp_path / "a.eml", tmp_path / "none.mbox")
    said = " ".join(done.stderr.replace("│", " ").split())  # in a box, whose lines break where the path lets them
    assert (done.returncode, "does not exist" in said) == (2, True)
