"""ingest.headers and parsers.mail.facts: the Message-ID by which one search follows a mail through both."""

from __future__ import annotations

import hashlib

import pytest

from ingest.mail import Mail
from parsers.codes import Code
from parsers.parse import header_alone
from parsers.taught import Taught

TAUGHT = Taught.load(None)
SAID = [
    b"<a@b>",
    b" < a@b > (x)",
    b"<>",
    b"",
    b"a@b",
    b"<<a@b>>",
    b"<a@b",
    b"<a  b@c>",
    b"\r\n\t<a@b>\r\n ",
    b"<a@\r\n b>",
    b"<\xe4@b>",
    b"<\xc3\xa4@b>",
    b"\xc2\xa0<a@b>",
    b"<\xe4=?utf-8?q?x?=@b>",
    b"=?utf-8?q?<x=40y>?=",
    b"<=?iso-8859-1?q?=E4?=@b>",
    b"<=?utf-8?b?!?=@b>",
    b"<=?none?q?x?=@b>",
    b"<" + b"a" * 1200 + b"@b>",
    b"<" + b"a" * 9000 + b"@b>",
    b"<token=abc@x>",
    b"<a\0b@c>",
]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_ingest_and_the_parser_name_a_mail_by_the_same_id(said: bytes, end: bytes) -> None:
    lines = [b"From: a@b.example", b"Message-ID:" + said.replace(b"\r\n", end), b"Subject: x", b"", b"b"]
    raw = end.join(lines)
    outcome = header_alone(raw, hashlib.sha256(raw).hexdigest(), len(raw), Code.MAIL_TOO_LARGE, TAUGHT)
    assert Mail.of(raw, "drop:x", "n", 0).about()["message_id"] == outcome.message_id


def test_so_they_do_where_there_is_none() -> None:
    raw = b"From: a@b.example\n\nMessage-ID: <a@b>\n"
    outcome = header_alone(raw, hashlib.sha256(raw).hexdigest(), len(raw), Code.MAIL_TOO_LARGE, TAUGHT)
    assert Mail.of(raw, "drop:x", "n", 0).about()["message_id"] == outcome.message_id
