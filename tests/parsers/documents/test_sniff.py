from __future__ import annotations

import io
import tracemalloc
import zipfile

import pytest

from parsers.documents import kinds
from parsers.documents.sniff import sniff


def zipped(*names: str, **contents: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name in names:
            package.writestr(zipfile.ZipInfo(name), contents.get(name, b"x"))  # of 1980: ids of tests have no time
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "declared", "name", "kind"),
    [
        (b"%PDF-1.7\n", "application/octet-stream", "x.bin", kinds.PDF),
        (b"\n\n junk %PDF-1.4\n", "application/pdf", None, kinds.PDF),
        (zipped("xl/workbook.xml"), "application/pdf", "x.pdf", kinds.XLSX),
        (zipped("xl/workbook.bin"), None, None, kinds.XLSB),
        (zipped("xl\\workbook.xml"), None, None, kinds.XLSX),
        (zipped("word/document.xml"), "application/msword", "x.doc", kinds.DOCX),
        (zipped("mimetype", mimetype=kinds.ODS.encode()), None, None, kinds.ODS),
        (zipped("run.csv"), "application/octet-stream", "runs", kinds.ZIP),
        (zipped("xl/workbook.xml")[:60], None, None, kinds.XLSX),
        (b"\x1f\x8b\x08", None, None, kinds.GZIP),
        (b"\x78\x9f\x3e\x22rest", "application/octet-stream", "winmail.dat", kinds.TNEF),
        (b"{\\rtf1 x}", "application/msword", "x.doc", kinds.RTF),
        (b"\x89PNG\r\n\x1a\n", "text/plain", None, "image/png"),
        (b"<html><table><tr><td>x</table>", kinds.XLS, "GoC.xls", kinds.HTML),
        (b"\xef\xbb\xbf  <!-- x --><TABLE>", kinds.XLS, "x.xls", kinds.HTML),
        (b"a;b\n1;2\n3;4\n", kinds.XLS, "x.csv", kinds.CSV),
        (b"a;b\n1;2\n3;4\n", "application/octet-stream", "x.tsv", kinds.CSV),
        ("a\tb\n1\t2\n".encode("utf-16"), "text/csv", "x.csv", kinds.CSV),
        (b"hello there\n", "text/csv", "x.csv", kinds.TEXT),
        (
            b"Run,HY\nBond,Bid,Ask\nF 6 32,98,99,\nGM 5 32,99,100\nVZ 5 35,99\n,101,102\n",
            "text/csv",
            "x.csv",
            kinds.CSV,
        ),  # ragged
        (b"a,b\n1,2\n", "text/plain", None, kinds.TEXT),
        (b"T 4 34 <5mm> 99-16\n", "text/html", None, kinds.TEXT),
        (b"98.5<br>99", "text/html", None, kinds.HTML),
        (b"BEGIN:VCALENDAR\n", "text/plain", "invite.ics", kinds.CALENDAR),
        (b"begin:vcard\n", "text/plain", None, kinds.VCARD),
        (b"-----BEGIN PGP MESSAGE-----\n", "application/octet-stream", "x.asc", kinds.PGP_MESSAGE),
        (b"From: a@b.c\nSubject: x\n\nbody", "application/octet-stream", "x.eml", kinds.EML),
        (b"From: a@b.c\nSubject: x\n\nbody", "text/plain", None, kinds.TEXT),
        (b"alert(1)", "application/javascript", "viewer.js", kinds.PROGRAM),
        (b"%PDF-1.7 and more", "application/pdf", "invoice.pdf.exe", kinds.PROGRAM),
        (b"%PDF-1.7 and more", "application/pdf", "Fw: runs from dealer.com", kinds.PDF),
        (bytes(range(256)) * 8, "application/octet-stream", "x", kinds.UNKNOWN),
        (b"", "text/plain", None, kinds.EMPTY),
    ],
)
def test_a_part_is_what_its_bytes_are(data: bytes, declared: str | None, name: str | None, kind: str) -> None:
    assert sniff(data, declared, name) == kind


def test_a_text_that_begins_like_a_program_is_a_text() -> None:
    assert sniff(b"MZBZ 5.75 2030 98.25/98.75\n", "text/plain", None) == kinds.TEXT
    assert sniff(b"MZ\x90\0\3\0\0\0\4\0" + bytes(118) + b"PE\0\0", "text/plain", None) == kinds.PROGRAM


def test_no_more_of_a_zip_is_unpacked_than_says_what_it_is() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mimetype", bytes(30_000_000))
    tracemalloc.start()
    assert sniff(out.getvalue()) == kinds.ZIP
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_an_encrypted_workbook_is_told_by_its_streams() -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + "EncryptedPackage".encode("utf-16-le")
    assert sniff(ole, kinds.XLSX, "cdx.xlsx") == kinds.ENCRYPTED_OFFICE
