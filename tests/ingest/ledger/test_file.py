from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from ingest.ledger.file import LedgerUnavailable
from ingest.ledger.ledger import Ledger
from log import CommitLog, Record, TopicPartition

SOURCE = TopicPartition("mails", 0)
DIGEST = hashlib.sha256(b"a").hexdigest()


@pytest.fixture
def mails(commit_log: CommitLog) -> CommitLog:
    """The log with one mail."""
    commit_log.create_topic("mails", 1)
    commit_log.append("mails", [Record(b"k", b"a")])
    return commit_log


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as opened:
        yield opened


def is_known(ledger: Ledger, log: CommitLog) -> bool:
    ledger.catch_up(log, SOURCE)
    return DIGEST in ledger.find(log, ["mails"], [DIGEST])


def test_a_ledger_of_another_version_is_made_again_from_the_log(mails: CommitLog, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as other:
        other.executescript("CREATE TABLE mails (topic TEXT); PRAGMA user_version = 1;")
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as ledger:
        with pytest.raises(LedgerUnavailable, match="another version"):
            is_known(ledger, mails)
        assert is_known(ledger, mails)


def test_a_ledger_that_is_damaged_is_made_again_from_the_log(mails: CommitLog, tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"SQLite format 3\x00" + b"\xff" * 4000)
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as ledger:
        with pytest.raises(LedgerUnavailable) as error:
            is_known(ledger, mails)
        assert error.value.retriable
        assert is_known(ledger, mails)


def _somebodys_text(file: Path) -> None:
    file.write_text("[log]\n")


def _somebodys_database(file: Path) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.executescript("CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 1;")


@pytest.mark.parametrize("make", [_somebodys_text, _somebodys_database, Path.mkdir])
def test_what_never_was_a_ledger_is_named_and_left_as_it_is(
    mails: CommitLog, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    file = tmp_path / "ledger.sqlite"
    make(file)
    before = file.read_bytes() if file.is_file() else None
    with (
        closing(Ledger(file, tmp_path / "log")) as ledger,
        pytest.raises(LedgerUnavailable, match=rf"ledger = {file}: is "),
    ):
        is_known(ledger, mails)
    assert (file.read_bytes() if file.is_file() else None) == before


def test_an_empty_file_becomes_a_ledger(mails: CommitLog, tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").touch()
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as ledger:
        assert is_known(ledger, mails)


def test_those_who_make_it_at_the_same_time_each_find_a_ledger(mails: CommitLog, tmp_path: Path) -> None:
    def is_found(root: Path) -> bool:
        with closing(Ledger(root / "ledger.sqlite", tmp_path / "log")) as ledger:
            return is_known(ledger, mails)

    watchers = 4
    with ThreadPoolExecutor(watchers) as threads:
        for number in range(30):
            assert all(threads.map(is_found, [tmp_path / str(number)] * watchers))


def test_a_busy_ledger_asks_to_be_tried_again(
    mails: CommitLog, ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.ledger.file.BUSY_S", 0.1)
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerUnavailable, match="locked"):
            is_known(ledger, mails)
    assert is_known(ledger, mails)


def test_its_files_are_for_the_owner_alone(mails: CommitLog, ledger: Ledger, tmp_path: Path) -> None:
    is_known(ledger, mails)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("ledger.sqlite*")} == {0o600}
