from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tests.parsers.program import RUN, otclog

pytestmark = pytest.mark.slow


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


def test_no_output_takes_the_name_of_another(tmp_path: Path) -> None:
    mails = [tmp_path / name for name in ("1/a.eml", "2/a.eml", "3/a-2.eml")]
    for mail in mails:
        mail.parent.mkdir()
        mail.write_bytes(RUN)
    assert otclog(*mails, "--out", tmp_path / "out", cwd=tmp_path).returncode == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["a-2-2.jsonl", "a-2.jsonl", "a.jsonl"]


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
