"""otclog learn, on real homes with real logs and tables."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import conf
from log import Record, open_log
from otclog import app
from pipelines.jobs.extract import extract

pytestmark = pytest.mark.slow

Run = Callable[..., Result]
ISINS = ("XS2641318121", "XS2802234513")
TABLE = '# ours\n["other.example"] # theirs\nname = "Other"\n'


def mail(number: int, body: str) -> bytes:
    head = f"From: kurse@bank.example\nMessage-ID: <{number}@bank.example>\nSubject: High Yield\n"
    return f"{head}Date: Fri, 27 Nov 2026 09:0{number}:00 +0000\nContent-Type: text/plain; charset=utf-8\n\n{body}\n".encode()


def sheet(isin: str, bid: str, ask: str) -> str:
    return f"ISIN | Wir nehmen | Brief | Stücke\n{isin} | {bid} | {ask} | 5"


MAILS = [
    mail(0, sheet(ISINS[0], "98,25", "98,75")),
    mail(1, sheet(ISINS[1], "97,25", "97,75")),
    mail(2, "ABC 4.5 10/28 99.75/99.5"),
    mail(3, "Bis morgen!"),
    mail(4, "DEF 4.5 10/28 98.5/98.75"),
]
TRUTH = {"kind": "quote", "instrument_id": ISINS[0], "quote_type": "price_pct", "bid": "98.25", "ask": "98.75"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose log has the mails, extracted, and a dealer table of its own."""
    (tmp_path / "otclog.toml").write_text('[parsers]\ndealers = "dealers.toml"\n')
    (tmp_path / "dealers.toml").write_text(TABLE)
    (tmp_path / "truth.jsonl").write_text(json.dumps(TRUTH))
    monkeypatch.chdir(tmp_path)
    settings = conf.load(tmp_path / "otclog.toml", {})
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"k", each) for each in MAILS])
        extract(settings, log, "extract", "mails", 100)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), catch_exceptions=False)


def taught(home: Path, quotes: list[dict[str, Any]], *words: str) -> Result:
    (home / "truth.jsonl").write_text("\n".join(json.dumps({"kind": "quote"} | each) for each in quotes))
    return run("learn", *words, "--truth", "truth.jsonl")


def prices() -> list[tuple[Any, ...]]:
    rows = map(json.loads, run("prices", "--json").stdout.splitlines())
    return sorted((row["instrument_id"] or row["description"], row["bid"], row["ask"]) for row in rows)


def shadows() -> list[str]:
    return run("shadow", "list", "--json").stdout.splitlines()


OTHERS = [("ABC 4.5 10/28", "99.75", "99.5"), ("DEF 4.5 10/28", "98.5", "98.75")]


def test_an_invented_dealer_is_taught_from_nothing_by_learn_alone(home: Path) -> None:
    assert prices() == OTHERS
    shown = run("learn", "mails:0:0", "--truth", "truth.jsonl")
    assert shown.exit_code == 0
    assert 'columns = { "wir nehmen" = "bid" }' in shown.output
    assert "nothing is written: --write writes it to" in shown.output
    assert ((home / "dealers.toml").read_text(), shadows()) == (TABLE, [])

    done = run("learn", "<0@bank.example>", "--truth", "truth.jsonl", "--write", "--json")
    said = next(json.loads(line) for line in done.output.splitlines() if line.startswith("{"))
    assert (done.exit_code, said["entry"], said["wrong"], said["written"]) == (0, "bank.example", 1, True)
    entry = '["bank.example"]\nname = "bank.example"\ncolumns = { "wir nehmen" = "bid" }\n'
    assert (home / "dealers.toml").read_text() == f"{TABLE}\n{entry}"
    assert prices() == OTHERS
    assert run("reparse", "--execute", said["shadow"]).exit_code == 0
    assert prices() == [*OTHERS, (ISINS[0], "98.25", "98.75"), (ISINS[1], "97.25", "97.75")]
    again = run("learn", "mails:0:0", "--truth", "truth.jsonl")
    assert (again.exit_code, "the mail reads so already" in again.output) == (0, True)


@pytest.mark.parametrize(
    ("where", "quotes", "code", "complaint"),
    [
        ("mails:0:3", [TRUTH], 1, "a mail without prices teaches nothing; nothing is written"),
        ("mails:0:0", [], 1, "a mail without prices teaches nothing; nothing is written"),
        ("mails:0:0", [TRUTH | {"ask": "98.8"}], 1, f"ask 98.8 of {ISINS[0]} is nowhere in it; nothing is written"),
        (
            *("mails:0:2", [{"description": "ABC 4.5 10/28", "quote_type": "vol_pct", "bid": "4.5", "ask": "99.5"}]),
            *(
                1,
                "no entry makes the mail read as its truth says: 1 quotes stay wrong (ABC 4.5 10/28: quote_type price_pct",
            ),
        ),
        (
            *(
                "mails:0:2",
                [{"description": "ABC 4.5 10/28", "quote_type": "price_pct", "bid": "99.5", "ask": "99.75"}],
            ),
            *(
                1,
                "1 accepted quotes of the dealer's other mails would be lost or others (changed: DEF 4.5 10/28 98.5/98.75)",
            ),
        ),
        ("mails:0:0", [{"bid": "98.25"}], 2, "truth.jsonl:1: a quote names its instrument"),
        ("mails:0:99", [TRUTH], 1, "mails-0: offset 99 is not in [0, 5]"),
    ],
)
def test_what_must_not_be_learnt_is_told_and_nothing_is_written(
    home: Path, where: str, quotes: list[dict[str, Any]], code: int, complaint: str
) -> None:
    result = taught(home, quotes, where, "--write")
    assert (result.exit_code, complaint in result.output) == (code, True), result.output
    assert ((home / "dealers.toml").read_text(), shadows()) == (TABLE, [])


def test_what_was_accepted_and_wrong_is_learnt_where_one_says_so(home: Path) -> None:
    turned = [{"description": "ABC 4.5 10/28", "quote_type": "price_pct", "bid": "99.5", "ask": "99.75"}]
    assert taught(home, turned, "mails:0:2", "--write", "--anyway").exit_code == 0
    assert 'sides = "ask/bid"' in (home / "dealers.toml").read_text()


def test_a_file_is_learnt_from_without_a_log_and_without_a_table_of_ones_own_there_is_nowhere_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "otclog.toml").write_text("")
    (tmp_path / "mail.eml").write_bytes(MAILS[0])
    refused = taught(tmp_path, [TRUTH], "mail.eml", "--write")
    assert (refused.exit_code, "there is no dealer table of yours to write to" in refused.output) == (1, True)
    (tmp_path / "otclog.toml").write_text('[parsers]\ndealers = "dealers.toml"\n')
    (tmp_path / "dealers.toml").write_text("")
    done = taught(tmp_path, [TRUTH], "mail.eml", "--write")
    assert (done.exit_code, "it is tried on no other" in done.output) == (0, True)
    assert (tmp_path / "dealers.toml").read_text().startswith('["bank.example"]\n')
    assert not (tmp_path / "log").exists()


def test_without_a_truth_it_is_asked_for_on_a_terminal_and_a_yes_writes(tmp_path: Path) -> None:
    (tmp_path / "otclog.toml").write_text('[parsers]\ndealers = "dealers.toml"\n')
    (tmp_path / "dealers.toml").write_text(TABLE)
    (tmp_path / "mail.eml").write_bytes(mail(0, "ABC 4.5 10/28 99.75/99.5\nDEF 4.5 10/28 98.75/98.5"))
    words = [sys.executable, "-c", "from otclog import main; main()", "learn", "mail.eml"]
    refused = subprocess.run(words, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (refused.returncode, "there is no terminal to ask on" in refused.stderr.replace("\n", " ")) == (2, True)
    ours, theirs = pty.openpty()
    os.write(ours, b"bidd=1\nbid=99.5 ask=99.75\nbid=98.5 ask=98.75\n\ny\n")
    done = subprocess.run(words, cwd=tmp_path, stdin=theirs, capture_output=True, text=True, check=False)
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert "bidd=1: no field=value" in done.stdout
    assert (tmp_path / "dealers.toml").read_text() == (
        f'{TABLE}\n["bank.example"]\nname = "bank.example"\nsides = "ask/bid"\n'
    )
