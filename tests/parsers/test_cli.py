from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = b"From: a@b.example\nSubject: USD IG\n\nBACR 5.2 05/26 T+85/80 5x5\n"


def otclog(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    program = "import sys, typer, parsers.cli; app = typer.Typer(); app.command()(parsers.cli.parse); app()"
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=cwd,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_mail_of_files_and_folders_becomes_a_file_of_lines(tmp_path: Path) -> None:
    folder = tmp_path / "mails" / "new"
    folder.mkdir(parents=True)
    (folder / "a.eml").write_bytes(RUN)
    (folder / "1763.M1P2.host:2,S").write_bytes(RUN.replace(b"85/80", b"95/90"))
    (folder / "truth.jsonl").write_text("{}\n")
    (tmp_path / "a.eml").write_bytes(b"")
    done = otclog(tmp_path / "mails", tmp_path / "a.eml", "--out", tmp_path / "out", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(Path(row["file"]).name, row["state"], row["code"], row["quotes"]) for row in rows] == [
        ("1763.M1P2.host:2,S", "parsed", None, 1),
        ("a.eml", "parsed", None, 1),
        ("a.eml", "rejected", "EMPTY_MAIL", 0),
    ]
    out = tmp_path / "out"
    assert sorted(file.name for file in out.iterdir()) == ["1763.M1P2.host:2,S.jsonl", "a-2.jsonl", "a.jsonl"]
    assert json.loads((out / "a.jsonl").read_text())["bid"] == "85"
    assert {stat.S_IMODE(file.stat().st_mode) for file in out.iterdir()} == {0o600}
    assert stat.S_IMODE(out.stat().st_mode) == 0o700


@pytest.mark.parametrize("arguments", [["nowhere.eml"], []])
def test_a_file_that_cannot_be_read_is_a_usage_error(arguments: list[str], tmp_path: Path) -> None:
    done = otclog(*arguments, "--out", tmp_path / "out", cwd=tmp_path)
    assert done.returncode == 2
    assert not (tmp_path / "out").exists()
    assert "Traceback" not in done.stderr


def test_a_folder_without_mails_and_an_output_that_is_a_file_are_usage_errors(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "taken").write_text("x")
    (tmp_path / "a.eml").write_bytes(b"Subject: x\n\nhello\n")
    for arguments, says in (
        (["empty", "--out", "out"], "empty: no mail is in this folder"),
        (["a.eml", "--out", "taken"], "--out taken: not a folder"),
    ):
        done = otclog(*arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert says in done.stderr
