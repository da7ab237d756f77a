from __future__ import annotations

import pytest

from parsers.codes import Code
from parsers.documents import kinds
from parsers.mail.facts import Facts
from parsers.mail.fields import Fields
from parsers.mail.part import Envelope, Part
from parsers.mail.settled import settled

ENVELOPE = Envelope(fields=Fields(()), facts=Facts())


def end(kind: str, declared: str = "", name: str | None = None, size: int = 100, *, is_inline: bool = False) -> str:
    part = Part(path="2", envelope=ENVELOPE, content_type=kind, declared_type=declared, file_name=name, size=size)
    found = settled(part, is_inline=is_inline)
    return "to be read" if found is None else str(found.code or found.state)


@pytest.mark.parametrize("kind", [kinds.TEXT, kinds.HTML, kinds.CSV, kinds.PDF, kinds.ZIP, kinds.EML])
def test_documents_and_containers_are_looked_into(kind: str) -> None:
    assert end(kind) == "to be read"


@pytest.mark.parametrize(
    ("kind", "declared", "name"),
    [
        (kinds.UNKNOWN, "application/pkcs7-signature", None),
        (kinds.TEXT, "message/delivery-status", None),
        (kinds.TEXT, "", "signature.ASC"),
        (kinds.VCARD, "", None),
    ],
)
def test_signatures_cards_and_reports_are_skipped(kind: str, declared: str, name: str | None) -> None:
    assert end(kind, declared, name) == "skipped"


@pytest.mark.parametrize("name", ["runs.asc", "runs.p7s", "runs.vcf"])
def test_a_document_is_read_though_it_is_named_like_a_signature(name: str) -> None:
    assert end(kinds.XLSX, "", name) == "to be read"


def test_an_image_is_a_logo_when_small_or_shown_in_the_text() -> None:
    assert end("image/png", size=20 * 1024 - 1) == Code.INLINE_IMAGE
    assert end("image/png", size=20 * 1024) == Code.IMAGE_ONLY
    assert end("image/png", size=20 * 1024, is_inline=True) == Code.INLINE_IMAGE


def test_invitations_and_receipts_are_no_runs() -> None:
    assert end(kinds.CALENDAR) == end(kinds.TEXT, "message/disposition-notification") == Code.CALENDAR_INVITE


@pytest.mark.parametrize("kind", [kinds.PROGRAM, kinds.UNKNOWN, kinds.OLE])
def test_what_nobody_reads_is_unsupported(kind: str) -> None:
    assert end(kind) == Code.UNSUPPORTED_TYPE
