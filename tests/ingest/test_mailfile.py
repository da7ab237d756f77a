from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.mailfile import FileIdentity, MailFile, NotTaken, read_mail, sender

MAX = 1000


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[int]:
    folder = os.open(tmp_path, os.O_RDONLY)
    yield folder
    os.close(folder)


@pytest.mark.parametrize(
    ("head", "address"),
    [
        (b"From: Ann Desk <Ann.Desk@Dealer.EXAMPLE>\n\n", b"ann.desk@dealer.example"),
        (b"From: ann@dealer.example\n\n", b"ann@dealer.example"),
        (b"FROM :ann@dealer.example (Ann)\n\n", b"ann@dealer.example"),
        (b'From: "ann@trap.example" <bob@dealer.example>\n\n', b"bob@dealer.example"),
        (b"Subject: a\r\nFrom: Ann\r\n <ann@dealer.example>\r\n\r\n", b"ann@dealer.example"),
        (b"From: =?utf-8?q?J=C3=B6rg?= <joerg@bank.example>\n\n", b"joerg@bank.example"),
        ("From: <jörg@bank.example>\n\n".encode(), "jörg@bank.example".encode()),
        (b"From ann@mbox.example Wed Nov 18\nFrom: bob@dealer.example\n\n", b"bob@dealer.example"),
        (b"To: x@y.example\n\nFrom: body@dealer.example\n", None),
        (b"From: undisclosed\n\n", None),
        (b"X-From: a@b.example\n\n", None),
        (b"", None),
        (b"\x00\xff\xfe", None),
    ],
)
def test_the_sender_is_the_address_of_the_from_header(head: bytes, address: bytes | None) -> None:
    assert sender(head) == address


@given(st.binary(max_size=300))
def test_any_bytes_have_a_key(raw: bytes) -> None:
    mail = MailFile("x", FileIdentity(0, 0, len(raw), 0), raw, "00" * 32)
    assert mail.record("drop:x").key


def test_a_header_without_end_costs_no_more_than_its_first_part() -> None:
    assert sender(b"From: " + b"a" * 5_000_000) is None
    assert sender(b"From: " + b"<" * 5_000_000) is None


def test_a_record_carries_what_the_log_must_tell_of_a_mail(
    tmp_path: Path, read_file: Callable[[Path], MailFile], a_mail: Callable[..., bytes]
) -> None:
    file = tmp_path / "m.eml"
    file.write_bytes(a_mail(7))
    os.utime(file, ns=(0, 1_795_000_000_123_456_789))
    mail = read_file(file)
    record = mail.record("maildir:/var/mail")
    assert (record.key, record.value) == (b"desk@dealer.example", a_mail(7))
    assert dict(record.headers) == {
        "sha256": mail.sha256.encode(),
        "message-id": b"<7@dealer.example>",
        "source": b"maildir:/var/mail",
        "file-time": b"2026-11-18T11:06:40.123456Z",
        "schema": b"1",
    }


def test_without_a_sender_the_key_is_the_digest(tmp_path: Path, read_file: Callable[[Path], MailFile]) -> None:
    (tmp_path / "empty").write_bytes(b"")
    mail = read_file(tmp_path / "empty")
    record = mail.record("drop:x")
    assert record.key == mail.sha256.encode()
    assert record.value == b"", "an empty mail is a mail, not a tombstone"
    assert "message-id" not in dict(record.headers)


def test_a_file_that_has_gone_is_no_mail(directory: int) -> None:
    assert read_mail(directory, "gone", MAX) is None


@pytest.mark.parametrize("kind", ["symlink", "fifo", "directory"])
def test_what_is_no_regular_file_is_never_read(tmp_path: Path, directory: int, kind: str) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    path = tmp_path / "m.eml"
    if kind == "symlink":
        path.symlink_to("secret")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(NotTaken) as refusal:
        read_mail(directory, "m.eml", MAX)
    assert refusal.value.for_good


def test_a_mail_above_the_limit_is_refused_unread_with_both_numbers(tmp_path: Path, directory: int) -> None:
    (tmp_path / "big").write_bytes(b"x" * (MAX + 1))
    with pytest.raises(NotTaken, match="1001 bytes are more than max_mail_bytes \\(1000\\)") as refusal:
        read_mail(directory, "big", MAX)
    assert refusal.value.for_good
    (tmp_path / "fits").write_bytes(b"x" * MAX)
    assert read_mail(directory, "fits", MAX)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_stays_for_later(tmp_path: Path, directory: int) -> None:
    (tmp_path / "locked").write_bytes(b"x")
    (tmp_path / "locked").chmod(0)
    with pytest.raises(NotTaken, match="Permission denied") as refusal:
        read_mail(directory, "locked", MAX)
    assert not refusal.value.for_good


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make another user's file")
def test_another_users_file_with_a_second_name_is_not_taken(tmp_path: Path, directory: int) -> None:
    (tmp_path / "theirs").write_bytes(b"x")
    os.chown(tmp_path / "theirs", 65534, 65534)
    os.link(tmp_path / "theirs", tmp_path / "bait.eml")
    with pytest.raises(NotTaken) as refusal:
        read_mail(directory, "bait.eml", MAX)
    assert not refusal.value.for_good
    (tmp_path / "theirs").unlink()
    assert read_mail(directory, "bait.eml", MAX), "a delivery agent's file with one name is fine"
