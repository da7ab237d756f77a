from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ingest.folders.kept import KeptFiles
from ingest.folders.mailfile import MailFile, identity
from ingest.ledger.ledger import Ledger
from log import CommitLog, Record, TopicPartition

ReadFile = Callable[[Path], MailFile]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "m").write_bytes(b"mail")
    return tmp_path / "mail" / "m"


def test_a_file_that_was_taken_is_known_and_after_a_restart_too(
    ledger: Ledger, tmp_path: Path, file: Path, read_file: ReadFile
) -> None:
    kept = KeptFiles(ledger, file.parent)
    kept.refresh()
    assert identity(file.stat()) not in kept
    kept.add([read_file(file)])
    assert identity(file.stat()) in kept
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as reopened:
        again = KeptFiles(reopened, file.parent)
        again.refresh()
        assert identity(file.stat()) in again


@pytest.mark.parametrize("back", [False, True], ids=["rewritten", "rewritten, its time set back"])
def test_a_file_that_has_changed_is_not(ledger: Ledger, file: Path, read_file: ReadFile, back: bool) -> None:
    kept = KeptFiles(ledger, file.parent)
    kept.add([read_file(file)])
    before = file.stat()
    file.write_bytes(b"liam")
    if back:
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert identity(file.stat()) not in kept


def test_what_another_watcher_took_is_known_at_the_next_look(
    ledger: Ledger, tmp_path: Path, file: Path, read_file: ReadFile
) -> None:
    kept = KeptFiles(ledger, file.parent)
    kept.refresh()
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as theirs:
        KeptFiles(theirs, file.parent).add([read_file(file)])
    kept.refresh()
    assert identity(file.stat()) in kept


def test_a_mail_that_is_forgotten_is_forgotten_here_too(
    ledger: Ledger, tmp_path: Path, file: Path, read_file: ReadFile, commit_log: CommitLog
) -> None:
    kept = KeptFiles(ledger, file.parent)
    kept.add([read_file(file)])
    kept.refresh()
    commit_log.create_topic("mails", 1)
    (at,) = commit_log.append("mails", [Record(b"k", file.read_bytes())])
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as theirs:
        theirs.catch_up(commit_log, TopicPartition("mails", 0))
        theirs.forget(commit_log, at)
    kept.refresh()
    assert identity(file.stat()) not in kept


def test_files_that_have_gone_are_not_remembered(ledger: Ledger, file: Path, read_file: ReadFile) -> None:
    kept = KeptFiles(ledger, file.parent)
    kept.add([read_file(file)])
    kept.keep_only(set())
    assert ledger.kept(os.fsencode(file.parent)) == {}


def test_an_inode_may_have_any_number(ledger: Ledger, file: Path, read_file: ReadFile) -> None:
    from dataclasses import replace

    taken = read_file(file)
    large = replace(taken, identity=taken.identity._replace(inode=2**64 - 5))
    kept = KeptFiles(ledger, file.parent)
    kept.add([large])
    assert large.identity in kept
    kept.keep_only({2**64 - 5})
    assert large.identity in kept
