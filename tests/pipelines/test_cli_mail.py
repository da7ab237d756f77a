from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import conf
from log import Record, open_log
from otclog import app

Run = Callable[..., Result]
CSV = b"ISIN,Bid,Ask\nXS2641318121,98.25,98.75\nUS0378331005,99.5,99.75\nUSP2253TJQ33,97,97.5\n"


@cache  # it says when it was made
def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("EUR/run.csv", CSV)
        archive.writestr("notes.exe", b"MZ" + bytes(100))
    return out.getvalue()


def mail() -> bytes:
    import base64

    return (
        b"From: desk@dealer.example\nSubject: EUR IG\x1b[2J\nMIME-Version: 1.0\n"
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nrun attached\n--b\n"
        b'Content-Type: application/zip; name="runs.zip"\nContent-Transfer-Encoding: base64\n\n'
        + base64.encodebytes(zipped())
        + b"\n--b--\n"
    )


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Commands in a home whose log has the mail at mails:0:0; it also lies there as mail.eml."""
    (tmp_path / "otclog.toml").write_text("")
    (tmp_path / "mail.eml").write_bytes(mail())
    monkeypatch.chdir(tmp_path)
    with closing(open_log(conf.load(tmp_path / "otclog.toml", {}).log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"k", mail())])

    def invoke(*words: str) -> Result:
        return CliRunner().invoke(app, ["mail", *words], catch_exceptions=False)

    return invoke


@pytest.mark.slow
def test_the_tree_of_parts_is_shown_with_what_became_of_each(run: Run) -> None:
    for where in ("mails:0:0", "mails-0@0", "mail.eml"):
        result = run(where, "--json")
        assert result.exit_code == 0, result.output
        head, *parts = [json.loads(line) for line in result.stdout.splitlines()]
        assert (head["from"], head["state"], head["quotes"]) == ("desk@dealer.example", "parsed", 3)
        assert [(part["part"], part["depth"], part["state"], part["code"], part["quotes"]) for part in parts] == [
            ("1", 0, "rejected", "NO_QUOTE_CONTENT", 0),
            ("2", 0, "skipped", None, 0),
            ("2/zip:runs.zip!EUR/run.csv", 1, "parsed", None, 3),
            ("2/zip:runs.zip!notes.exe", 1, "rejected", "UNSUPPORTED_TYPE", 0),
        ]


@pytest.mark.slow
def test_a_table_indents_what_stands_inside_and_lets_no_mail_steer_the_terminal(run: Run) -> None:
    shown = run("mail.eml").stdout
    assert "\n  2/zip:runs.zip!EUR/run.csv" in shown
    assert "\x1b" not in shown


@pytest.mark.slow
def test_the_mails_and_its_parts_bytes_are_given_back(run: Run, tmp_path: Path) -> None:
    assert run("mails:0:0", "--raw").stdout_bytes == mail()
    assert run("mails:0:0", "--part", "2").stdout_bytes == zipped()
    assert run("mail.eml", "--part", "2/zip:runs.zip!EUR/run.csv", "-o", "run.csv").exit_code == 0
    assert (tmp_path / "run.csv").read_bytes() == CSV
    assert stat.S_IMODE((tmp_path / "run.csv").stat().st_mode) == 0o600


def test_a_file_that_is_there_is_not_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("mine")
    refused = run("mails:0:0", "--raw", "-o", "own.txt")
    assert (refused.exit_code, refused.stderr) == (1, "otclog: own.txt: File exists\n")
    assert (tmp_path / "own.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["nowhere.eml"], 2, "no such file, no position"),
        (["<nobody@nowhere.example>"], 1, "no tables are published"),
        (["mails:0:0", "--raw", "--part", "1"], 2, "--raw or --part"),
        (["mails:0:0", "-o", "x"], 2, "--raw or --part"),
        (["mails:0:0", "--part", "7"], 1, "no part 7"),
        (["mails:0:5"], 1, "mails"),
        (["other:0:5"], 1, "other"),
    ],
)
def test_what_is_not_there_is_said(run: Run, words: list[str], code: int, says: str) -> None:
    result = run(*words)
    assert result.exit_code == code, result.output
    assert says in result.output
