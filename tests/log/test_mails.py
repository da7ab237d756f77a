"""The decoder of mails: for people who look into the log, and for `log verify`."""

from __future__ import annotations

import hashlib
from email.message import EmailMessage

import pytest

from log import Header, StoredRecord, TopicPartition
from log.claims import CLAIM_HEADER, Claim
from log.mails import MOST_PARTS, mail_row, wrong_with


def record(value: bytes | None, *headers: Header) -> StoredRecord:
    return StoredRecord(TopicPartition("mails", 0), 7, 0, b"key", value, headers)


def named(raw: bytes) -> Header:
    return ("sha256", hashlib.sha256(raw).hexdigest().encode())


def nothing_lacks(_: Claim) -> str | None:
    return None


def test_a_mail_is_shown_with_sender_subject_and_its_parts() -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"], mail["Date"] = (
        "Désk <d@bank.example>",
        "Prices “now”",
        "Mon, 02 Mar 2026 08:00:00 +0000",
    )
    mail.set_content("bid 98.5\n")
    mail.add_attachment(b"PK12", maintype="application", subtype="zip", filename="runs é.zip")
    row = mail_row(record(bytes(mail)))
    assert (row["from"], row["subject"]) == ("Désk <d@bank.example>", "Prices “now”")
    assert row["date"] == "Mon, 02 Mar 2026 08:00:00 +0000"
    assert row["parts"] == [
        {"type": "text/plain", "name": None, "size": 9},
        {"type": "application/zip", "name": "runs é.zip", "size": 4},
    ]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff\xfe",
        b"Subject: =?utf-8?b?" + b"A" * 300_000 + b"?=\n\nbody",
        b"Subject: =?no-such-charset?q?a?=\n\n",
        b"Content-Type: text/plain; name*=no-such'x'%ff\nContent-Transfer-Encoding: base64\n\n=A=",
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3000)),
        b"Content-Type: message/rfc822\n\n" * 3000,
    ],
    ids=["empty", "binary", "endless subject", "unknown charset", "broken name", "nested parts", "nested mails"],
)
def test_no_mail_stops_the_next_from_being_shown(raw: bytes) -> None:
    row = mail_row(record(raw))
    assert {"from", "subject", "date", "parts"} <= set(row)
    assert len(str(row)) < 20_000


def test_only_some_of_very_many_parts_are_shown() -> None:
    raw = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 5000 + b"--b--\n"
    assert len(mail_row(record(raw))["parts"]) == MOST_PARTS + 1


def test_a_claim_is_shown_as_one() -> None:
    claim = Claim("a" * 64, 5)
    assert mail_row(record(claim.to_bytes(), (CLAIM_HEADER, b"1"))) == {"claim": {"sha256": "a" * 64, "size": 5}}


def test_a_mail_is_the_one_that_its_header_names() -> None:
    assert wrong_with(record(b"raw", named(b"raw")), nothing_lacks) is None
    assert "header says" in str(wrong_with(record(b"raw", named(b"other")), nothing_lacks))
    assert wrong_with(record(b"raw"), nothing_lacks) == "no header sha256"
    assert wrong_with(record(None, named(b"raw")), nothing_lacks) == "a tombstone among mails"


def test_a_claim_names_the_mail_of_its_header_and_resolves() -> None:
    claim = Claim(hashlib.sha256(b"raw").hexdigest(), 3)
    value, mark = claim.to_bytes(), (CLAIM_HEADER, b"1")
    assert wrong_with(record(value, named(b"raw"), mark), nothing_lacks) is None
    assert wrong_with(record(value, named(b"raw"), mark), lambda _: "nowhere") == "nowhere"
    assert "header says" in str(wrong_with(record(value, named(b"other"), mark), nothing_lacks))
    assert "not a claim" in str(wrong_with(record(b"{}", named(b"raw"), mark), nothing_lacks))
