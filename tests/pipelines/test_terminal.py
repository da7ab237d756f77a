"""What the commands print on a terminal of 80 columns, of mails whose texts are longer."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
import termios
import zipfile
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.cells import cell_len

import conf
from log import Record, open_log
from pipelines.jobs.extract import extract
from pipelines.readers.prices import prices
from pipelines.tables.store.store import store_of

pytestmark = pytest.mark.slow

COLUMNS = 80
LONG = {
    "words": "more words of a line that does not end " * 8,
    "a word": "Z" * 300,
    "two cells": "日本国債 " * 50,
    "escapes": "\u202e\u2066" * 60,
}
RUN_ALL = """
import json, sys
from otclog import app
for words in json.loads(sys.argv[1]):
    print("$", *words, flush=True)
    app([*words, "--config", sys.argv[2]], standalone_mode=False)
"""


def mail(text: str) -> bytes:
    """With this text wherever a sender writes what he likes."""
    made = EmailMessage()
    made["From"] = f"<{'x' * 60}@{'y' * 50}.example>"
    made["Message-ID"] = f"<{'1' * 100}@dealer.example>"
    made["Date"] = "Fri, 20 Nov 2026 10:00:00 +0000"
    made["Subject"] = f"EUR IG RUN {text}"
    lines = (f"ACME 5 03/15/34 98.25/98.75 5x5 {text}", f"US0378331005 98.5/99 {text}", f"XS2641318121 off {text}")
    made.set_content("\n".join(lines))
    made.add_attachment(b"ISIN,Bid,Ask\nXS2641318121,98.25,98.75\n", "text", "csv", filename=f"{text[:150]}.csv")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{text[:80]}/notes.exe", b"MZ" + bytes(100))
    made.add_attachment(packed.getvalue(), "application", "zip", filename=f"{text[:100]}.zip")
    return bytes(made)


def on_terminal(commands: list[list[str]], config: Path) -> str:
    """What these commands show on a terminal, one behind the other."""
    master, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, COLUMNS))
    environ = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    words = [sys.executable, "-c", RUN_ALL, json.dumps(commands), str(config)]
    with subprocess.Popen(words, stdout=terminal, stderr=terminal, env=environ, cwd=config.parent) as child:
        os.close(terminal)
        shown = b""
        try:
            while data := os.read(master, 1 << 16):
                shown += data
        except OSError:  # all that had it open has ended
            pass
    os.close(master)
    text = shown.decode().replace("\r\n", "\n")
    assert child.returncode == 0, text
    return text


@pytest.fixture
def config(spark: SparkSession, tmp_path: Path) -> Path:  # noqa: ARG001 -- the session runs it
    """A home whose tables hold the prices of such mails."""
    file = tmp_path / "otclog.toml"
    file.write_text("[log]\nreplicas = ['one', 'two', 'three']\n[[ingest.sources]]\npath = 'mail'\nkind = 'maildir'\n")
    settings = conf.load(file, {})
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"k", mail(text)) for text in LONG.values()])
        extract(settings, log, settings.extract.group, "mails", 10)
    return file


def test_no_line_is_wider_than_the_terminal_and_nothing_of_a_text_is_lost(config: Path) -> None:
    records = {row["parser"]: row["record_id"] for row in prices(store_of(conf.load(config, {}).tables), {})}
    assert len(records) == 2  # of a line, and of a sheet
    commands = [["prices"], ["rejects"], *(["explain", record] for record in records.values())]
    commands += [["mail", f"mails:0:{offset}"] for offset in range(len(LONG))]
    commands += [["status"], ["group", "list"], ["group", "lag"], ["group", "describe", "extract"]]
    commands += [["topic", "list"], ["topic", "describe", "mails"], ["replica", "list"]]
    shown = on_terminal(commands, config)
    for told in shown.split("\n$ "):
        command, *lines = told.split("\n")
        assert [line for line in lines if cell_len(line) > COLUMNS] == [], command
    assert "\nok    replica  1 one: in sync in all " in shown  # a path as it is from here
    told_of_a_word = shown.partition("$ mail mails:0:1\n")[2].partition("\n$ ")[0]
    assert LONG["a word"] in re.sub(r"\n +", "", told_of_a_word)
