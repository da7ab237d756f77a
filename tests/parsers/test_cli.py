from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = b"From: a@b.example\nSubject: USD IG\n\nBACR 5.2 05/26 T+85/80 5x5\n"


def otclog(*arguments: str | Path, cwd: Path, command: str = "parse") -> subprocess.CompletedProcess[str]:
    program = f"import sys, typer, parsers.cli; app = typer.Typer(); app.command()(parsers.cli.{command}); app()"
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


def test_a_folder_of_mails_with_their_truth_is_scored_and_told_on_a_page(tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    gold.mkdir()
    (gold / "a.eml").write_bytes(RUN)
    meta = {"kind": "meta", "formats": ["text"], "asset_classes": ["corp_ig"], "language": "en"}
    truth = {
        "kind": "quote",
        "description": "BACR 5.2 05/26",
        "quote_type": "spread_bench_bp",
        "bid": "85",
        "ask": "80",
    }
    (gold / "a.jsonl").write_text(f"{json.dumps(meta)}\n{json.dumps(truth)}\n")
    done = otclog(gold, "--page", "accuracy.md", "--json", cwd=tmp_path, command="score")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["group"], row["name"], row["price_exact"]) for row in rows[:2]] == [
        ("all", "all", 1.0),
        ("asset_class", "corp_ig", 1.0),
    ]
    assert "| corp_ig | 1 | 100.00 % | 100.00 % |" in (tmp_path / "accuracy.md").read_text("utf-8")
    assert "<svg" in (tmp_path / "accuracy.svg").read_text("utf-8")


def test_the_new_dealer_of_the_documentation_scores_0_before_his_words_are_known(tmp_path: Path) -> None:
    shell = (ROOT / "docs" / "new-dealer.md").read_text("utf-8")
    (tmp_path / "gold").mkdir()
    for name, text in re.findall(r"^cat > (\S+) <<'END'\n(.*?)^END\n", shell, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(text, "utf-8")
    done = otclog("gold", "--json", cwd=tmp_path, command="score")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["price_exact"] == 0.0


def test_a_folder_without_truth_cannot_be_scored(tmp_path: Path) -> None:
    assert otclog(tmp_path, cwd=tmp_path, command="score").returncode == 2
