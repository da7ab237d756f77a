"""A real log on real folders, and mails to drop."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest.folders.inbox import MAILDIR
from ingest.folders.mailfile import Limits, MailFile, read_mail
from log import CommitLog, StoredRecord, TopicPartition, open_log

if TYPE_CHECKING:
    from conf import Settings

ROOT = Path(__file__).parent.parent.parent
PROGRAM = "import typer; from ingest.cli import watch; typer.run(watch)"


@pytest.fixture
def commit_log(settings: Settings) -> Iterator[CommitLog]:
    """An empty log of three replicas that gives up on a busy partition soon."""
    log = open_log(replace(settings.log, lock_timeout_s=0.2))
    yield log
    log.close()


@pytest.fixture
def folder(settings: Settings) -> Path:
    """The `new/` of the Maildir that the settings name."""
    mail = settings.ingest.sources[0].path
    for name in MAILDIR:
        (mail / name).mkdir(parents=True)
    return mail / "new"


@pytest.fixture
def quick(settings: Settings) -> Settings:
    """The settings with short waits."""
    return replace(settings, ingest=replace(settings.ingest, rescan_s=0.1, settle_s=0.3, batch_mails=20))


@pytest.fixture
def a_mail() -> Callable[..., bytes]:
    """Mail n of a sender; all differ."""

    def make(number: int, sender: str = "desk@dealer.example", size: int = 0) -> bytes:
        head = f"From: {sender}\nMessage-ID: <{number}@dealer.example>\nSubject: run {number}\n\n"
        return head.encode() + b"T 4 1/4 05/15/34 99-16+/17\n" + b"." * size

    return make


@pytest.fixture
def read_file() -> Callable[[Path], MailFile]:
    """A mail file, read."""

    def read(path: Path) -> MailFile:
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            mail = read_mail(directory, path.name, "drop:x", Limits(10**8, 10**8))
        finally:
            os.close(directory)
        assert mail is not None
        return mail

    return read


@pytest.fixture
def stored() -> Callable[[CommitLog, str], list[StoredRecord]]:
    """Every record of a topic, partition by partition."""

    def read(log: CommitLog, topic: str) -> list[StoredRecord]:
        found: list[StoredRecord] = []
        for info in log.describe(topic):
            offset = info.start
            while records := log.read(TopicPartition(topic, info.partition), offset, 1 << 20):
                found += records
                offset = records[-1].offset + 1
        return found

    return read


@pytest.fixture
def start_watcher(
    settings: Settings, tmp_path: Path, spawn: Callable[..., subprocess.Popen[str]]
) -> Callable[..., subprocess.Popen[str]]:
    """A watcher in a process of its own, with the file of `settings`; killed at the end if it still runs."""
    assert settings.log.root.is_relative_to(tmp_path)

    def start(*options: str, under: Sequence[str] = ()) -> subprocess.Popen[str]:
        command = [*under, sys.executable, "-c", PROGRAM, "--config", str(tmp_path / "otclog.toml"), *options]
        environment = os.environ | {"OTCLOG_INGEST_RESCAN_S": "0.1", "OTCLOG_INGEST_BATCH_MAILS": "10"}
        return spawn(command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE)

    return start
