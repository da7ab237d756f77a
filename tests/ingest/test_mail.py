from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.folders.mailfile import MailFile
from ingest.mail import Mail, rfc3339
from log.claims import Claim

INLINE = 1000


def test_a_record_carries_what_the_log_must_tell_of_a_mail(
    tmp_path: Path, read_file: Callable[[Path], MailFile], a_mail: Callable[..., bytes]
) -> None:
    file = tmp_path / "m.eml"
    file.write_bytes(a_mail(7))
    os.utime(file, ns=(0, 1_795_000_000_123_456_789))
    mail = read_file(file).mail
    record = mail.record("default", INLINE)
    assert (record.key, record.value) == (b"desk@dealer.example", a_mail(7))
    assert dict(record.headers) == {
        "sha256": hashlib.sha256(a_mail(7)).hexdigest().encode(),
        "message-id": b"<7@dealer.example>",
        "source": b"drop:x",
        "file": b"m.eml",
        "route": b"default",
        "file-time": b"2026-11-18T11:06:40.123456Z",
        "schema": b"1",
    }


def test_a_large_mail_is_a_claim_in_its_record(a_mail: Callable[..., bytes]) -> None:
    raw = a_mail(1, size=INLINE)
    record = Mail.of(raw, "lmtp", "1", 0).record("default", INLINE)
    assert Claim.from_bytes(record.value or b"") == Claim(hashlib.sha256(raw).hexdigest(), len(raw))
    assert dict(record.headers)["claim"] == b"1"


def test_without_a_sender_the_key_is_the_digest() -> None:
    mail = Mail.of(b"", "drop:x", "empty", 0)
    record = mail.record("default", INLINE)
    assert record.key == mail.sha256.encode()
    assert record.value == b"", "an empty mail is a mail, not a tombstone"
    assert "message-id" not in dict(record.headers)


@given(st.binary(max_size=300))
def test_any_bytes_have_a_key(raw: bytes) -> None:
    assert Mail.of(raw, "drop:x", "x", 0).record("default", INLINE).key


@pytest.mark.parametrize(
    ("time_ns", "text"),
    [
        (0, b"1970-01-01T00:00:00.000000Z"),
        (-1_500, b"1969-12-31T23:59:59.999998Z"),
        (2**31 * 10**9, b"2038-01-19T03:14:08.000000Z"),
        (2**63 * 1000, b"9999-12-31T23:59:59.999999Z"),
        (-(2**63) * 1000, b"0001-01-01T00:00:00.000000Z"),
    ],
)
def test_any_time_that_a_file_system_has_can_be_written(time_ns: int, text: bytes) -> None:
    assert rfc3339(time_ns) == text
