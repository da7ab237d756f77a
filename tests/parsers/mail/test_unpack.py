from __future__ import annotations

import gzip
import io
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from py7zr import SevenZipFile

from parsers.codes import Code
from parsers.mail.found import Unpacked
from parsers.mail.mime import MAX_PARTS
from parsers.mail.place import MAX_NESTED
from parsers.mail.transfer import MAX_PART_BYTES
from parsers.mail.unpack import unpack
from tests.parsers.mail.signing import signed

Mail = Callable[..., EmailMessage]
Unpack = Callable[[bytes], Unpacked]
Ends = Callable[[Unpacked], dict[str, str]]
CSV = b"ISIN,Bid,Ask\nXS2681001009,99.45,99.58\n"


def zipped(contents: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, data in contents.items():
            package.writestr(name, data)
    return out.getvalue()


def attach(
    message: EmailMessage,
    data: bytes,
    name: str,
    kind: str = "application/octet-stream",
    disposition: str = "attachment",
) -> EmailMessage:
    main, sub = kind.split("/")
    message.add_attachment(data, main, sub, filename=name, disposition=disposition)
    return message


def test_a_lone_body_is_part_1(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    assert ends(unpacked(bytes(mail()))) == {"1": "text/plain"}


def test_alternatives_and_attachments_have_imaps_numbers(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    message = mail()
    message.add_alternative("<p>HY</p>", subtype="html")
    attach(message, CSV, "hy.csv", "text/csv")
    found = unpacked(bytes(message))
    assert ends(found) == {"1": "skipped", "1.1": "text/plain", "1.2": "text/html", "2": "text/csv"}
    assert [part.alternatives for part in found.parts] == [(), ((1, 0),), ((1, 1),), ()]
    assert [part.is_body for part in found.parts] == [False, True, True, False]


def test_archives_are_opened_and_their_members_named(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    inner = zipped({"student.tsv": b"ISIN\tBid\nXS1\t98\n", "__MACOSX/x": b"x"})
    message = attach(mail(), zipped({"EUR/run.csv": CSV, "inner.zip": inner, "a!b.txt": b"x"}), "runs.zip")
    attach(message, gzip.compress(CSV + b"\n"), "run.csv.gz")
    assert ends(unpacked(bytes(message))) == {
        "1": "text/plain",
        "2": "skipped",
        "2/zip:runs.zip!EUR/run.csv": "text/csv",
        "2/zip:runs.zip!inner.zip": "skipped",
        "2/zip:runs.zip!inner.zip!student.tsv": "text/csv",
        "2/zip:runs.zip!a%21b.txt": "text/plain",
        "3": "skipped",
        "3/gz:run.csv.gz!run.csv": "text/csv",
    }


@pytest.mark.parametrize("names", [("a.eml", "a.eml/msg:1", "a.eml", "a.eml#2"), ("a.eml/msg:1", "a.eml")])
def test_no_two_parts_have_one_path_whatever_members_are_called(
    names: tuple[str, ...], mail: Mail, unpacked: Unpack
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package, warnings.catch_warnings(action="ignore"):
        for name in names:
            package.writestr(name, b"From: a@b.example\nSubject: %s\n\n%d" % (name.encode(), package.start_dir))
    found = unpacked(bytes(attach(mail(), out.getvalue(), "runs.zip")))
    paths = [part.path for part in found.parts]
    assert len(set(paths)) == len(paths) == 2 + 2 * len(names)


def tarred(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def sevenzipped(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with SevenZipFile(out, "w") as archive:
        archive.writestr(data, name)
    return out.getvalue()


def test_tars_packed_by_gzip_7zs_and_mboxes_are_opened_too(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    message = attach(mail(), tarred("EUR/run.csv", CSV), "runs.tgz")
    attach(message, sevenzipped("run.csv", CSV + b"\n"), "runs.7z")
    attach(message, b"From a@b Mon Nov  3 08:00:00 2025\nSubject: old\n\nXS1 98\n", "old.mbox")
    assert ends(unpacked(bytes(message))) == {
        "1": "text/plain",
        "2": "skipped",
        "2/gz:runs.tgz!runs.tar": "skipped",
        "2/gz:runs.tgz!runs.tar!EUR/run.csv": "text/csv",
        "3": "skipped",
        "3/7z:runs.7z!run.csv": "text/csv",
        "4": "skipped",
        "4/mbox:old.mbox!1.eml": "skipped",
        "4/mbox:old.mbox!1.eml/msg:1": "text/plain",
    }


def test_archives_inside_archives_end_at_a_depth(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    data = CSV
    for number in range(5):
        data = zipped({f"{number}.zip" if number else "run.csv": data})
    found = ends(unpacked(bytes(attach(mail(), data, "a.zip"))))
    assert list(found.values()) == ["text/plain", "skipped", "skipped", "skipped", "ARCHIVE_LIMIT"]


def test_mails_in_mails_have_facts_of_their_own_and_count_from_one(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    inner = mail("T+85/80", subject="IG run")
    del inner["From"]
    inner["From"] = "dealer@bank.example"
    outer = mail(subject="for you")
    outer.add_attachment(inner)
    found = unpacked(bytes(outer))
    assert ends(found) == {"1": "text/plain", "2": "skipped", "2/msg:1": "text/plain"}
    assert [part.envelope.facts.sender for part in found.parts] == [
        "remy@desk.example",
        "remy@desk.example",
        "dealer@bank.example",
    ]


def test_mails_attached_as_files_are_mails_too(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    data = bytes(attach(mail(), CSV, "hy.csv", "text/csv"))
    message = attach(mail(), zipped({"mail.eml": data}), "mails.zip")
    assert list(ends(unpacked(bytes(message)))) == [
        "1",
        "2",
        "2/zip:mails.zip!mail.eml",
        "2/zip:mails.zip!mail.eml/msg:1",
        "2/zip:mails.zip!mail.eml/msg:2",
    ]


def test_mails_inside_mails_end_at_a_depth(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    message = mail("deepest")
    for _ in range(MAX_NESTED + 1):
        outer = mail("outer")
        outer.add_attachment(message)
        message = outer
    found = ends(unpacked(bytes(message)))
    assert list(found.values()).count("skipped") == MAX_NESTED
    assert list(found.values())[-1] == "NESTING_TOO_DEEP"


@pytest.mark.parametrize(
    ("data", "name", "kind", "end"),
    [
        (b"BEGIN:VCALENDAR\nEND:VCALENDAR\n", "invite.ics", "text/calendar", "CALENDAR_INVITE"),
        (b"BEGIN:VCARD\nEND:VCARD\n", "remy.vcf", "text/vcard", "skipped"),
        (b"\x30\x80", "smime.p7s", "application/pkcs7-signature", "skipped"),
        (b"x", "signature.asc", "application/pgp-signature", "skipped"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "logo.png", "image/png", "INLINE_IMAGE"),
        (b"\x89PNG\r\n\x1a\n" + bytes(30_000), "scan.png", "application/octet-stream", "IMAGE_ONLY"),
        (b"var x = 1", "viewer.js", "application/javascript", "UNSUPPORTED_TYPE"),
        (b"MZ" + bytes(100), "run.pdf", "application/pdf", "UNSUPPORTED_TYPE"),
        (bytes(range(256)), "x.bin", "application/octet-stream", "UNSUPPORTED_TYPE"),
        (b"\x78\x9f\x3e\x22\x01\x00cut", "winmail.dat", "application/ms-tnef", "TNEF_CORRUPT"),
        (b"PK\x03\x04cut", "runs.zip", "application/zip", "CORRUPT_PART"),
        (b"<table><tr><td>x</table>", "GoC.xls", "application/vnd.ms-excel", "text/html"),
        (b"", "empty.csv", "text/csv", "application/x-empty"),
    ],
)
def test_each_kind_of_part_has_its_end(
    data: bytes, name: str, kind: str, end: str, request: pytest.FixtureRequest
) -> None:
    mail, unpacked, ends = (request.getfixturevalue(fixture) for fixture in ("mail", "unpacked", "ends"))
    assert ends(unpacked(bytes(attach(mail(), data, name, kind)))) == {"1": "text/plain", "2": end}


def test_a_large_image_shown_inside_the_text_is_inline(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    message = attach(mail(), b"\x89PNG\r\n\x1a\n" + bytes(30_000), "chart.png", "image/png", disposition="inline")
    assert ends(unpacked(bytes(message)))["2"] == "INLINE_IMAGE"


def test_the_same_bytes_twice_are_one_part_and_a_copy(mail: Mail, unpacked: Unpack, ends: Ends) -> None:
    message = attach(attach(mail(), CSV, "hy.csv", "text/csv"), CSV, "hy (1).csv", "text/csv")
    found = unpacked(bytes(message))
    assert ends(found) == {"1": "text/plain", "2": "text/csv", "3": "DUPLICATE_PART"}
    assert found.parts[2].detail == "2"


SIGNED = b"Content-Type: multipart/signed; boundary=s\n\n--s\n\nrun\n--s\nContent-Type: application/pkcs7-signature\n\nx\n--s--\n"
PGP = b"Content-Type: multipart/encrypted; boundary=s\n\n--s\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--s\n\nx\n--s--\n"


@pytest.mark.parametrize(
    ("raw", "encrypted", "found"),
    [(SIGNED, False, {"1": "text/plain", "2": "skipped"}), (PGP, True, {"1": "skipped", "2": "skipped"})],
)
def test_signed_mails_are_read_and_encrypted_ones_not(
    raw: bytes, encrypted: bool, found: dict[str, str], unpacked: Unpack, ends: Ends
) -> None:
    parts = unpacked(raw)
    assert ends(parts) == found
    assert parts.encrypted is encrypted


def test_signatures_inside_signatures_end_at_a_depth(unpacked: Unpack, ends: Ends) -> None:
    entity = b"Content-Type: text/plain\r\n\r\nhello\r\n"
    for _ in range(30):
        entity = b"Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: binary\r\n\r\n" + signed(entity)
    assert [*ends(unpacked(entity)).values()] == ["skipped"] * 5 + ["NESTING_TOO_DEEP"]


def test_a_part_too_large_is_refused_without_decoding(unpacked: Unpack, ends: Ends) -> None:
    body = b"QUJD" * (MAX_PART_BYTES // 3 + 1)
    raw = b"Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n" + body
    assert ends(unpacked(raw)) == {"1": "PART_TOO_LARGE"}


def test_too_many_parts_say_so(mail: Mail, unpacked: Unpack) -> None:
    members = {f"{number}.txt": b"%d" % number for number in range(MAX_PARTS // 2 + 1)}
    message = attach(attach(mail(), zipped(members), "a.zip"), zipped(members | {"x": b"x"}), "b.zip")
    assert unpacked(bytes(message)).too_many or len(unpacked(bytes(message)).parts) < MAX_PARTS
    raw = b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\nx\n" * 100_000
    assert unpacked(raw).too_many


def test_barred_parts_are_not_touched_and_the_others_are(mail: Mail, ends: Ends) -> None:
    raw = attach(attach(mail(), CSV, "hy.csv", "text/csv"), CSV + b"\n", "ig.csv", "text/csv").as_bytes(policy=SMTP)
    started: list[str] = []
    found = unpack(raw, {"2": Code.PARSE_TIMEOUT}, started.append)
    assert ends(found) == {"1": "text/plain", "2": "PARSE_TIMEOUT", "3": "text/csv"}
    assert started == ["1", "2", "3"]
    assert set(ends(unpack(raw, {"*": Code.PARSER_ERROR}, started.append)).values()) == {"PARSER_ERROR"}
