"""The ledger's tables, in a real file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.ledger import queries
from ingest.ledger.file import LedgerFile
from ingest.ledger.queries import MailRow, PartitionKey

FIRST, OTHER = PartitionKey("first", 0), PartitionKey("other", 0)
A, B, C = (bytes([number]) * 32 for number in range(3))


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    file = LedgerFile(tmp_path / "ledger.sqlite")
    with file.open() as connection:
        for key in (FIRST, OTHER):
            queries.begin(connection, key, 10)
        yield connection
    file.close()


def note(db: sqlite3.Connection, key: PartitionKey, *mails: MailRow) -> None:
    """Mails one after the other, none missing."""
    queries.note(db, key, range(mails[0].offset, mails[-1].offset + 1), mails)


def test_mails_are_noted_where_the_partition_was_left(db: sqlite3.Connection) -> None:
    note(db, FIRST, MailRow(A, 10, 7), MailRow(B, 11, 0))
    assert list(queries.find(db, "first", A)) == [(0, 10, 7)]
    assert queries.progress(db, FIRST) == (12, B)


def test_mails_that_do_not_follow_on_what_is_noted_are_left_out_and_those_of_another_partition_are_not(
    db: sqlite3.Connection,
) -> None:
    note(db, FIRST, MailRow(A, 11, 0))
    note(db, OTHER, MailRow(A, 10, 0))
    assert list(queries.find(db, "first", A)) == []
    assert queries.progress(db, FIRST) == (10, b"")
    assert list(queries.find(db, "other", A)) == [(0, 10, 0)]


@pytest.mark.parametrize(
    ("offsets", "left"), [((14, 19), B), ((10, 18), b""), ((), b"")], ids=["before", "behind", "without a mail"]
)
def test_offsets_without_a_mail_are_noted_with_those_that_have_one(
    db: sqlite3.Connection, offsets: tuple[int, ...], left: bytes
) -> None:
    mails = [MailRow(digest, offset, 0) for digest, offset in zip((A, B), offsets, strict=False)]
    queries.note(db, FIRST, range(10, 20), mails)
    assert queries.progress(db, FIRST) == (20, left)
    assert [offset for digest in (A, B) for _, offset, _ in queries.find(db, "first", digest)] == list(offsets)


def test_to_begin_further_on_never_goes_back(db: sqlite3.Connection) -> None:
    for offset in (15, 12):
        queries.begin(db, FIRST, offset)
    assert queries.progress(db, FIRST) == (15, b"")


def test_of_a_mail_taken_twice_the_record_that_is_forgotten_is_not_found(db: sqlite3.Connection) -> None:
    note(db, FIRST, MailRow(A, 10, 0), MailRow(A, 11, 0))
    queries.forget(db, FIRST, [10])
    assert list(queries.find(db, "first", A)) == [(0, 11, 0)]


def test_what_the_log_no_longer_keeps_is_let_go_in_that_partition_alone(db: sqlite3.Connection) -> None:
    for key in (FIRST, OTHER):
        note(db, key, MailRow(A, 10, 0), MailRow(B, 11, 0))
    queries.let_go_before(db, FIRST, 11)
    assert list(queries.find(db, "first", A)) == []
    assert list(queries.find(db, "first", B)) == [(0, 11, 0)]
    assert list(queries.find(db, "other", A)) == [(0, 10, 0)]


def test_a_partition_that_is_dropped_is_as_if_never_read_and_its_files_stay_kept(db: sqlite3.Connection) -> None:
    note(db, FIRST, MailRow(A, 10, 0))
    queries.keep(db, b"desk", [(1, 99, A)])
    queries.drop_partition(db, FIRST)
    assert (list(queries.find(db, "first", A)), queries.progress(db, FIRST)) == ([], None)
    assert queries.kept(db, b"desk") == {1: 99}


def test_files_kept_because_of_a_topic_that_is_no_more_are_to_be_taken(db: sqlite3.Connection) -> None:
    note(db, FIRST, MailRow(A, 10, 0))
    note(db, OTHER, MailRow(B, 10, 0))
    queries.keep(db, b"desk", [(1, 99, A), (2, 98, B)])
    queries.drop_topic(db, "first")
    assert queries.kept(db, b"desk") == {2: 98}
    assert queries.progress(db, FIRST) is None


def test_a_file_is_kept_until_it_or_the_mail_of_its_record_is_released(db: sqlite3.Connection) -> None:
    note(db, FIRST, MailRow(A, 10, 0), MailRow(B, 11, 0))
    queries.keep(db, b"desk", [(1, 99, A), (2, 98, B), (3, 97, C)])
    queries.release(db, b"desk", [3])
    queries.release_mail(db, FIRST, 10)
    assert queries.kept(db, b"desk") == {2: 98}
    assert queries.kept(db, b"other desk") == {}


def test_a_topic_has_the_name_it_was_given_last_in_that_log(db: sqlite3.Connection) -> None:
    assert queries.topic_id(db, b"/log", "mails") is None
    for named in ("first", "other"):
        queries.name_topic(db, b"/log", "mails", named)
    assert queries.topic_id(db, b"/log", "mails") == "other"
    assert queries.topic_id(db, b"/another", "mails") is None
