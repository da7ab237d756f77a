from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage

import pytest

from ingest.generate.mime import Attachment, Envelope, write

ENVELOPE = Envelope(
    ("Jürgen Ä.", "j@bank.example"), "x@y.example", "Kurse für heute", "Mon, 16 Nov 2026 07:00:00 +0100", "1@b"
)


def parsed(raw: bytes) -> EmailMessage:
    return email.message_from_bytes(raw, EmailMessage, policy=email.policy.default)


@pytest.mark.parametrize("body", ["plain\n", "Grüße, 98½ = 3\n", "long " * 400 + "\n", "-- \nname\n"])
def test_body_and_headers_read_back_as_written(body: str) -> None:
    message = parsed(write(ENVELOPE, body, "plain", None))
    assert message.defects == []
    assert (message["Subject"], message["Message-ID"]) == ("Kurse für heute", "<1@b>")
    assert message["From"].addresses[0].display_name == "Jürgen Ä."
    assert message.get_content() == body


def test_an_attachment_reads_back_byte_for_byte_beside_the_text() -> None:
    content = bytes(range(256)) * 40
    message = parsed(write(ENVELOPE, "anbei\n", "plain", Attachment.of("a.pdf", "application/pdf", content)))
    text, attached = message.iter_parts()
    assert message.get_content_type() == "multipart/mixed"
    assert text.get_content().strip() == "anbei"
    assert (attached.get_filename(), attached.get_content_type()) == ("a.pdf", "application/pdf")
    assert attached.get_payload(decode=True) == content
