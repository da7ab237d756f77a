"""Mails that would steer a terminal: extracted for real, then shown by each command on one (a pseudo-terminal)."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import unicodedata
from email.message import EmailMessage
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import conf
from log import Record, open_log
from pipelines.jobs.extract import extract

pytestmark = pytest.mark.slow

OTCLOG = str(Path(sys.executable).with_name("otclog"))
STEERING = (
    "\x1b[2J\x1b[31m\x1b]0;owned\x07\x1bP1$r\x1b\\",  # ESC: of colours and the screen, of the window's title, of replies
    "\x9b2J\x9d0;owned\x9c\b\b\x7f",  # the same in one character of C1; back over what stands there
    "\u202egnp\u2066\u2069\u2028\u2029\x85\v\f\u200b\ufeff\u00ad\U000e0041",  # direction, lines, unseen
)


def hostile_mail(steering: str) -> bytes:
    """It says so in its subject, its sender's name, a file's name, in rows that are read, and in rows that are not."""
    mail = EmailMessage()
    mail["From"] = "desk@bank.example"
    mail["Message-ID"] = "<1@bank.example>"
    rows = f"BLDR{steering} 6.375 06/32 102.25/102.75\nCHTR 4.5 32 86.25/86.75 {steering}\nSILVRT{steering} 6 30 OFF\n"
    mail.set_content(f"{steering}USD HY run{steering}\n\n{rows}", charset="utf-8", cte="base64")
    sheet = (
        f"ISIN,Name,Bid,Ask\nXS2641318121,ACME{steering.strip()} 4.25 05/34,99.5,100.5\nXS2641318121,{steering},x,\n"
    )
    mail.add_attachment(sheet.encode(), "text", "csv", filename="FILENAME")
    mail.add_attachment(b"PK\x03\x04 broken", "application", "zip", filename="ZIPNAME")
    raw = mail.as_bytes().replace(b"From:", b"Subject: HY =?utf-8?q?" + quoted(steering) + b"?= run\nFrom:", 1)
    raw = raw.replace(b"From: desk", b"From: =?utf-8?q?Desk" + quoted(steering) + b"?= <desk", 1)
    raw = raw.replace(b"@bank.example\n", b"@bank.example>\n", 1)
    for name in (b"FILENAME", b"ZIPNAME"):
        raw = raw.replace(b'"' + name + b'"', b'"=?utf-8?q?' + quoted(steering) + name + b'?="', 1)
    return raw


def quoted(text: str) -> bytes:
    return b"".join(b"=%02X" % byte for byte in text.encode())


def on_a_terminal(*command: str, columns: int) -> str:
    """What the command sends to its terminal."""
    ours, theirs = pty.openpty()
    environ = os.environ | {"COLUMNS": str(columns), "TERM": "xterm-256color"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # EIO: nobody has the other end any more
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    assert process.returncode == 0, shown
    return shown.decode().replace("\r\n", "\n")


def steers(shown: str) -> list[str]:
    """The characters that a terminal would obey, or would not show."""
    return [c for c in shown if c != "\n" and unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]


@pytest.fixture(scope="module")
def config(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001 -- the session runs it
    """Settings of a home whose log has a hostile mail for each way of steering, all extracted."""
    folder = tmp_path_factory.mktemp("hostile")
    file = folder / "otclog.toml"
    file.write_text("[log]\n[[ingest.sources]]\npath = 'mail'\nkind = 'maildir'\n")
    settings = conf.load(file, {})
    log = open_log(settings.log)
    log.create_topic("mails", 1)
    log.append("mails", [Record(key=b"k", value=hostile_mail(steering)) for steering in STEERING])
    extract(settings, log, settings.extract.group, "mails", 1000)
    log.close()
    return file


def test_no_command_sends_a_terminal_what_a_mail_says_to_steer_it(config: Path) -> None:
    def run(*words: str) -> list[dict[str, object]]:
        command = [OTCLOG, *words, "--json", "--config", str(config)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert steers(done.stdout) == []
        return [json.loads(line) for line in done.stdout.splitlines()]

    quotes, rejects = run("prices"), run("rejects")
    said = json.dumps([quotes, rejects], ensure_ascii=True)
    assert "\\u001b" in said, "the tables hold what steers: else nothing is tried here"
    assert "\\u202e" in said
    assert len(quotes) >= len(STEERING)
    for words in (["prices"], ["rejects"], ["mail", "mails:0:0"]):
        shown = on_a_terminal(OTCLOG, *words, "--config", str(config), columns=80)
        assert steers(shown) == [], words
        assert "bank.example" in shown
    for offset in range(len(STEERING)):
        for quote in [row for row in quotes if row["log_offset"] == offset][:1]:
            shown = on_a_terminal(OTCLOG, "explain", str(quote["record_id"]), "--config", str(config), columns=80)
            assert steers(shown) == [], quote["record_id"]
