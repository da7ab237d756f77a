from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from conf import Settings
from ingest.ledger import Ledger
from ingest.mailfile import MailFile
from ingest.publish import make_topic, publish
from log import CommitLog, StoredRecord, open_log

ReadFile = Callable[[Path], MailFile]
Stored = Callable[[CommitLog, str], list[StoredRecord]]


@pytest.fixture
def mails(commit_log: CommitLog) -> CommitLog:
    make_topic(commit_log, "mails", 4)
    return commit_log


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "ledger.sqlite")) as opened:
        yield opened


@pytest.fixture
def written(tmp_path: Path, read_file: ReadFile, a_mail: Callable[..., bytes]) -> Callable[..., list[MailFile]]:
    """Mail files of several senders."""

    def write(numbers: range, senders: int = 7) -> list[MailFile]:
        files = []
        for number in numbers:
            file = tmp_path / f"{number}.eml"
            file.write_bytes(a_mail(number, f"desk{number % senders}@dealer.example"))
            files.append(read_file(file))
        return files

    return write


def test_the_topic_is_made_once(commit_log: CommitLog) -> None:
    for _ in range(2):
        make_topic(commit_log, "mails", 3)
    assert len(commit_log.describe("mails")) == 3


def test_each_mail_becomes_one_record_and_the_receipt_says_where(
    mails: CommitLog, ledger: Ledger, stored: Stored, written: Callable[..., list[MailFile]]
) -> None:
    files = written(range(40))
    receipts, busy = publish(mails, ledger, "mails", "drop:x", files)
    assert busy is None
    by_place = {(record.source.partition, record.offset): record.value for record in stored(mails, "mails")}
    assert len(by_place) == 40
    assert all(by_place[receipt.position[1:]] == receipt.mail.raw and receipt.is_new for receipt in receipts)
    assert {receipt.mail.name for receipt in receipts} == {file.name for file in files}


def test_mails_of_one_sender_keep_their_order(
    mails: CommitLog, ledger: Ledger, written: Callable[..., list[MailFile]]
) -> None:
    receipts, _ = publish(mails, ledger, "mails", "drop:x", written(range(30), senders=1))
    assert [receipt.position.offset for receipt in receipts] == list(range(30))
    assert [receipt.mail.name for receipt in receipts] == [f"{number}.eml" for number in range(30)]


def test_a_mail_that_the_log_has_is_not_appended_again(
    mails: CommitLog, ledger: Ledger, stored: Stored, written: Callable[..., list[MailFile]]
) -> None:
    first, _ = publish(mails, ledger, "mails", "drop:x", written(range(10)))
    again, _ = publish(mails, ledger, "mails", "drop:y", written(range(12)))
    assert len(stored(mails, "mails")) == 12
    assert sum(receipt.is_new for receipt in again) == 2
    assert {r.position for r in first} < {r.position for r in again}


def test_the_same_mail_twice_in_one_batch_is_one_record(
    mails: CommitLog, ledger: Ledger, stored: Stored, written: Callable[..., list[MailFile]]
) -> None:
    (file,) = written(range(1))
    receipts, _ = publish(mails, ledger, "mails", "drop:x", [file, replace(file, name="copy.eml")])
    assert [receipt.is_new for receipt in receipts] == [True, False]
    assert len({receipt.position for receipt in receipts}) == len(stored(mails, "mails")) == 1


def test_the_same_message_id_with_other_bytes_is_another_mail(  # noqa: PLR0917 -- fixtures
    mails: CommitLog, ledger: Ledger, stored: Stored, tmp_path: Path, read_file: ReadFile, a_mail: Callable[..., bytes]
) -> None:
    for name, size in (("a", 0), ("b", 1)):
        (tmp_path / name).write_bytes(a_mail(1, size=size))
    publish(mails, ledger, "mails", "drop:x", [read_file(tmp_path / "a"), read_file(tmp_path / "b")])
    assert len(stored(mails, "mails")) == 2


def test_a_partition_that_another_process_holds_keeps_nobody_else_waiting(
    mails: CommitLog, ledger: Ledger, settings: Settings, stored: Stored, written: Callable[..., list[MailFile]]
) -> None:
    files = written(range(40))
    held = mails.partition_for("mails", b"desk0@dealer.example")
    holding, release = threading.Event(), threading.Event()

    def hold() -> None:
        with closing(open_log(settings.log)) as other, other.exclusive(held):
            holding.set()
            release.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert holding.wait(30)
        receipts, busy = publish(mails, ledger, "mails", "drop:x", files)
        assert busy is not None
        assert busy.retriable
        assert receipts
        assert held.partition not in {receipt.position.partition for receipt in receipts}
    finally:
        release.set()
        holder.join()
    receipts, busy = publish(mails, ledger, "mails", "drop:x", files)
    assert (len(receipts), busy) == (40, None)
    assert len(stored(mails, "mails")) == 40
