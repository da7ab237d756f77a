"""Containers inside containers, by way of the unpacker."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
from asn1crypto import cms

from parsers.codes import PartState
from parsers.mail.found import Unpacked
from parsers.mail.unpack import unpack
from tests.parsers.mail.signing import signed

Ends = Callable[[bytes], dict[str, str]]
RUN = b"From: desk@dealer.example\r\nSubject: run\r\n\r\nBACR 5.2 05/26 T+85/80 5x5\r\n"
SEALED = b"From: a@b.example\r\nContent-Type: %s\r\n\r\n%s"
PGP = b"--s\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--s\r\n\r\nhQEMA\r\n--s--\r\n"


@pytest.fixture
def ends() -> Ends:
    """What became of each part: its code, else its state, else its type."""

    def of(raw: bytes) -> dict[str, str]:
        found: Unpacked = unpack(raw, {}, lambda _: None)
        return {part.path: str(part.code or part.state or part.content_type) for part in found.parts}

    return of


def entity(data: bytes, content_type: str, name: str) -> bytes:
    message = EmailMessage(policy=SMTP)
    message["From"] = "desk@dealer.example"
    message.set_content(data, *content_type.split("/"), filename=name)
    return bytes(message)


ENVELOPED = cms.ContentInfo({"content_type": "enveloped_data"}).dump()


def odd(shared: Callable[[str], Path], pattern: str) -> bytes:
    return next(shared("odd").glob(pattern)).read_bytes()


def test_a_winmail_dat_that_was_signed_is_opened(ends: Ends, shared: Callable[[str], Path]) -> None:
    tnef = entity(odd(shared, "tnef/*two-files.tnef"), "application/ms-tnef", "winmail.dat")
    found = ends(entity(signed(tnef), "application/pkcs7-mime", "smime.p7m"))
    assert found == {
        "1": "skipped",
        "1/p7m:1": "skipped",
        "1/p7m:1/tnef:AUTHORS": "text/plain",
        "1/p7m:1/tnef:README": "text/plain",
    }


def test_a_message_saved_in_a_saved_message_is_opened_with_its_files(ends: Ends, shared: Callable[[str], Path]) -> None:
    found = ends(entity(odd(shared, "msg/*attachment_msg_pdf.msg"), "application/vnd.ms-outlook", "a.msg"))
    assert {path: end for path, end in found.items() if "/msg:2" in path} == {
        "1/msg:2": "skipped",
        "1/msg:2/msg:1": "application/rtf",
    }
    assert found["1/msg:3"] == "application/pdf"


@pytest.mark.parametrize(
    "sealed",
    [
        pytest.param(SEALED % (b"multipart/encrypted; boundary=s", PGP), id="PGP"),
        pytest.param(entity(ENVELOPED, "application/pkcs7-mime", "smime.p7m"), id="S/MIME"),
    ],
)
def test_a_sealed_mail_inside_another_says_so_and_the_other_is_read(sealed: bytes, ends: Ends) -> None:
    raw = (
        b"Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nBACR 5.2 05/26 T+85/80 5x5\r\n--b\r\n"
        b"Content-Type: message/rfc822\r\n\r\n" + sealed + b"\r\n--b--\r\n"
    )
    found = ends(raw)
    assert (found["1"], list(found.values()).count("PASSWORD_PROTECTED")) == ("text/plain", 1)
    assert not unpack(raw, {}, lambda _: None).encrypted


def test_parts_of_a_container_that_are_copies_or_kinds_of_their_own_end_there(ends: Ends) -> None:
    raw = (
        b"Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n"
        + RUN
        + b"--b\r\nContent-Type: message/rfc822\r\n\r\n"
        + RUN
        + b"--b\r\nContent-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n--b--\r\n"
    )
    assert ends(raw) == {
        "1": str(PartState.skipped),
        "1/msg:1": "text/plain",
        "2": "DUPLICATE_PART",
        "3": "CALENDAR_INVITE",
    }
