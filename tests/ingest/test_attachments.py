from __future__ import annotations

import time
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.attachments import PARTS, Attachment, attachments

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def mail(*files: tuple[str, str, str]) -> EmailMessage:
    """A mail with a text, an HTML alternative, and files: disposition, type, name."""
    message = EmailMessage()
    message.set_content("run")
    message.add_alternative("<p>run</p>", "html")
    for disposition, kind, name in files:
        main, sub = kind.split("/")
        message.add_attachment(b"x" * 100, main, sub, filename=name or None, disposition=disposition)
    return message


def found(raw: bytes) -> list[Attachment]:
    return list(attachments([raw]))


def test_a_text_with_its_alternative_has_no_attachment() -> None:
    assert found(bytes(mail())) == []


def test_each_attached_file_is_found_with_its_type_and_its_decoded_name() -> None:
    message = mail(("attachment", XLSX, "Läufe 18.11.xlsx"), ("attachment", "text/csv", "px.csv"))
    assert found(bytes(message)) == [Attachment(XLSX, "Läufe 18.11.xlsx"), Attachment("text/csv", "px.csv")]


@pytest.mark.parametrize(
    ("disposition", "kind", "name", "counts"),
    [
        ("inline", "image/png", "logo.png", False),
        ("attachment", "image/png", "scan.png", True),
        ("inline", "application/pdf", "run.pdf", True),
        ("inline", "text/plain", "", False),
        ("attachment", "application/pkcs7-signature", "smime.p7s", False),
        ("attachment", "application/ms-tnef", "winmail.dat", True),
    ],
)
def test_logos_and_signatures_are_no_attachments_and_documents_are(
    disposition: str, kind: str, name: str, counts: bool
) -> None:
    assert bool(found(bytes(mail((disposition, kind, name))))) is counts


def test_a_mail_that_is_nothing_but_a_document_has_one() -> None:
    assert found(b"Content-Type: application/pdf; name=run.pdf\r\n\r\n%PDF") == [
        Attachment("application/pdf", "run.pdf")
    ]


def test_a_forwarded_mail_is_an_attachment_and_so_is_what_it_carries() -> None:
    outer = mail()
    outer.add_attachment(mail(("attachment", "application/pdf", "inner.pdf")))
    assert found(bytes(outer)) == [Attachment("message/rfc822", ""), Attachment("application/pdf", "inner.pdf")]


def test_a_line_of_text_that_looks_like_a_part_is_text() -> None:
    message = mail()
    raw = bytes(message).replace(
        b"run", b"--\nContent-Type: application/pdf; name=a.pdf\n\n--x\nContent-Type: image/x\n\n"
    )
    assert found(raw) == []


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_chunks_of_any_size_give_the_same(size: int) -> None:
    raw = bytes(mail(("attachment", XLSX, "a.xlsx"), ("attachment", "application/pdf", "b.pdf")))
    assert list(attachments(raw[at : at + size] for at in range(0, len(raw), size))) == found(raw)
    assert len(found(raw)) == 2


def test_a_part_beyond_a_large_one_is_found_chunk_by_chunk() -> None:
    head = b"Content-Type: multipart/mixed; boundary=xy\n\n--xy\nContent-Type: text/plain\n\n"
    chunks = [head, *[b"z" * 2**20] * 5, b"\n--x", b"y\nContent-Type: application/pdf\n\n", b"z" * 10]
    assert list(attachments(chunks)) == [Attachment("application/pdf", "")]


def test_every_sample_with_a_document_has_an_attachment() -> None:
    samples = Path(__file__).parents[2] / "samples"
    assert found((samples / "ig_eur_sheet_xlsx.eml").read_bytes())[0].name.endswith(".xlsx")
    assert found((samples / "ust_run_text.eml").read_bytes()) == []


def test_a_flood_of_parts_is_not_followed_to_its_end() -> None:
    raw = b"Content-Type: multipart/mixed; boundary=a\n\n" + b"\n--a\nContent-Type: image/x; name=a\n\n" * 100_000
    assert len(found(raw)) == PARTS - 1


HOSTILE: list[Callable[[], bytes]] = [
    lambda: b"Content-Type: multipart/mixed; boundary=a\n\n" + b"\n--" * 1_000_000,
    lambda: b"Content-Type: multipart/mixed; boundary=a\n\n" + (b"\n--a" + b" " * 1000) * 2000,
    lambda: b"Content-Type: multipart/mixed; boundary=" + b"a" * 1_000_000,
    lambda: b"Content-Type: x; " + b'a="' * 1_000_000,
    lambda: b"\n" * 3_000_000,
    lambda: b"Content-Type: multipart/mixed;\n boundary=a\n\n" + b"\n--a\nContent-Type:" * 200_000,
    lambda: b"Content-Type: multipart/mixed; boundary=a\n\n" + b"\n--b\n" * 500_000,
    lambda: (
        b"Content-Type: multipart/mixed; boundary=a\n\n"
        + (b'\n--a\nContent-Disposition: x; filename="' + b";" * 4000 + b"\n\n") * PARTS
    ),
]


@pytest.mark.parametrize("make", HOSTILE)
def test_hostile_structure_costs_no_more_than_reading_it(make: Callable[[], bytes]) -> None:
    raw = make()
    before = time.process_time()
    found(raw)
    assert time.process_time() - before < 10


def test_a_thousand_boundaries_cost_no_more_than_one() -> None:
    part = b'Content-Type: multipart/mixed; boundary="%s%d"\r\n\r\n\r\n--%s%d\r\n'
    raw = b"".join(part % (b"b" * 60, number, b"b" * 60, number) for number in range(PARTS))
    before = time.process_time()
    found(raw)
    assert time.process_time() - before < 2  # it took 47 s when each boundary cost a pattern


def test_a_delimiter_may_be_followed_by_blanks_and_must_be_the_whole_line() -> None:
    head = b'Content-Type: multipart/mixed; boundary="a b"\n\n'
    part = b"Content-Type: application/pdf\n\n"
    assert len(found(head + b"\n--a b \t\r\n" + part)) == 1
    assert found(head + b"\n--a bc\n" + part + b"\n--a\n" + part) == []


CONTRADICTIONS = [
    b"filename*=a; filename*0=b",
    b"filename*=a\0b''c",
    *(b"filename*=%s''%%FF%%FEx" % charset for charset in (b"idna", b"undefined", b"punycode", b"rot13", b"no")),
]


@pytest.mark.parametrize("parameter", CONTRADICTIONS)
def test_a_name_that_cannot_be_told_is_none_and_the_attachment_stays_one(parameter: bytes) -> None:
    (part,) = found(b"Content-Type: application/pdf\nContent-Disposition: attachment; " + parameter + b"\n\n")
    assert part.content_type == "application/pdf"


@pytest.mark.parametrize("parameter", CONTRADICTIONS)
def test_a_boundary_that_cannot_be_told_is_none(parameter: bytes) -> None:
    boundary = parameter.replace(b"filename", b"boundary")
    assert found(b"Content-Type: multipart/mixed; " + boundary + b"\n\n\n--b\nContent-Type: image/x\n\n") == []


@given(st.binary(max_size=500))
def test_no_bytes_raise(raw: bytes) -> None:
    list(attachments([b"Content-Type: multipart/mixed; boundary=a\n\n--a\n" + raw, raw]))
    list(attachments([b"Content-Disposition: attachment; filename*=" + raw + b"\n\n"]))
    list(attachments([b"Content-Type: text/plain; name*0*=" + raw + b"\n\n"]))
