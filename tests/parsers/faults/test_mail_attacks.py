"""Faults 83 to 95: what a mail may do to its parser (docs/faults.md)."""

from __future__ import annotations

import base64
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from parsers.codes import Code, MailState
from parsers.outcome import MailOutcome

pytestmark = pytest.mark.slow

Parsed = Callable[[bytes], MailOutcome]
HEAD = b"From: desk@dealer.example\nSubject: USD IG\n"
LINE = b"BACR 5.2 05/26 T+85/80 5x5\n"


def codes(outcome: MailOutcome) -> set[Code | None]:
    return {part.code for part in outcome.parts} | {outcome.code}


@pytest.mark.parametrize("depth", [300, 1_000, 100_000])
def test_multiparts_inside_multiparts_are_cut_at_a_depth(depth: int, parsed: Parsed) -> None:
    opened = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
    closed = b"".join(b"\n--b%d--\n" % n for n in reversed(range(depth)))
    assert Code.NESTING_TOO_DEEP in codes(parsed(HEAD + opened + b"\n" + LINE + closed))


@pytest.mark.parametrize("part", [b"\n--b\n\n" + LINE, b"\n--b\nContent-Disposition: attachment; filename=x\n\n"])
def test_a_hundred_thousand_parts_are_too_many(part: bytes, parsed: Parsed) -> None:
    outcome = parsed(HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + part * 100_000 + b"\n--b--\n")
    assert (outcome.code, outcome.parts) == (Code.TOO_MANY_PARTS, ())


def test_a_mail_inside_itself_a_thousand_times_ends_at_a_depth(parsed: Parsed) -> None:
    raw = HEAD + b"Content-Type: message/rfc822\n\n"
    outcome = parsed(raw * 1_000 + HEAD + b"\n" + LINE)
    assert Code.NESTING_TOO_DEEP in codes(outcome)
    assert len(outcome.parts) < 10


@pytest.mark.parametrize(
    "field",
    [
        pytest.param(b"X-Large: " + b"x" * 5_000_000 + b"\n", id="5 MB in one field"),
        pytest.param(b"X-Many: 1\n" * 200_000, id="200,000 fields"),
        pytest.param(b"Comments: " + b"=?utf-8?q?=41?= " * 17_500 + b"\n", id="280 kB of encoded words"),
        pytest.param(b"To: " + b"a@b.example, " * 400_000 + b"\n", id="400,000 addresses"),
    ],
)
def test_a_header_without_end_costs_no_time_and_the_body_is_read(field: bytes, parsed: Parsed) -> None:
    assert len(parsed(HEAD + field + b"\n" + LINE).quotes) == 1


def test_a_subject_of_encoded_words_without_end_costs_no_time(parsed: Parsed) -> None:
    outcome = parsed(b"From: a@b.example\nSubject: " + b"=?utf-8?q?=41?= " * 17_500 + b"\n\n" + LINE)
    assert len(outcome.quotes) == 1
    assert len(outcome.subject or "") < 10_000


@pytest.mark.parametrize(
    ("declared", "mark"),
    [
        pytest.param(b"", b"--b", id="no boundary"),
        pytest.param(b"; boundary=other", b"--b", id="another boundary"),
        pytest.param(b"; boundary=" + b"x" * 200, b"--" + b"x" * 200, id="longer than allowed"),
        pytest.param(b'; boundary="(.*)+[a-"', b"--(.*)+[a-", id="characters of patterns"),
    ],
)
def test_a_wrong_boundary_leaves_what_can_be_read(declared: bytes, mark: bytes, parsed: Parsed) -> None:
    raw = b"Content-Type: multipart/mixed" + declared + b"\n\n" + mark + b"\nContent-Type: text/plain\n\n" + LINE
    assert len(parsed(HEAD + raw + b"\n" + mark + b"--\n").quotes) == 1


def test_one_boundary_of_parent_and_child_leaves_what_can_be_read(parsed: Parsed) -> None:
    inner = b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n" + LINE
    raw = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + inner + b"\n--b--\n\n--b--\n"
    assert len(parsed(raw).quotes) == 1


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        pytest.param(b"base64", base64.encodebytes(LINE).replace(b"Q", b"Q!\x00 "), id="junk between"),
        pytest.param(b"base64", base64.b64encode(LINE).rstrip(b"=") + b"====", id="wrong padding"),
        pytest.param(
            b"x-uuencode", b'begin 644 run.txt\n;0D%#4B`U+C(@,#4O,C8@5"LX-2\\X,"`U>#4*\n`\nend\n', id="uuencode"
        ),
        pytest.param(b"quoted-printable", b"=\n" * 500_000 + LINE, id="a million soft breaks"),
    ],
)
def test_a_damaged_transfer_encoding_is_undone_as_far_as_it_goes(encoding: bytes, body: bytes, parsed: Parsed) -> None:
    assert len(parsed(HEAD + b"Content-Transfer-Encoding: " + encoding + b"\n\n" + body).quotes) == 1


def test_fifty_megabytes_of_base64_in_one_line_are_undone_and_have_no_quote(parsed: Parsed) -> None:
    raw = HEAD + b"Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n" + b"QUJD" * 13_000_000
    outcome = parsed(raw)
    assert [part.size_bytes for part in outcome.parts] == [39_000_000]
    assert outcome.code is Code.NO_QUOTE_CONTENT


@pytest.mark.parametrize(
    ("charset", "body"),
    [
        pytest.param(b"x-unknown", LINE, id="unknown"),
        pytest.param(b"utf-8", "Société ".encode("latin-1") + LINE, id="lying"),
        pytest.param(b"utf-7", b"+AEE- " + LINE, id="utf-7"),
        pytest.param(b"utf-16", LINE.decode().encode("utf-16-le"), id="utf-16 without a mark"),
        pytest.param(b"us-ascii", b"\0" + LINE + b"\0", id="zeros"),
        pytest.param(b"utf-8", b"\xed\xa0\x80 " + LINE, id="half a surrogate pair"),
        pytest.param(b"unicode-escape", b"\\ud800 " + LINE, id="a codec that is no charset"),
    ],
)
def test_no_charset_leaves_text_that_cannot_be_stored(charset: bytes, body: bytes, parsed: Parsed) -> None:
    outcome = parsed(HEAD + b"Content-Type: text/plain; charset=" + charset + b"\n\n" + body)
    (quote,) = outcome.quotes
    assert quote.raw_text.encode("utf-8").endswith(LINE.strip())


@pytest.mark.parametrize(
    ("charset", "body"), [(b"utf-16", b"\xff\xfe" + b"\0\xd8" * 200), (b"utf-8", b"\xef\xbb\xbf" + b"\x81\xfe" * 200)]
)
def test_what_is_no_text_in_the_charset_its_mark_names_has_a_code(charset: bytes, body: bytes, parsed: Parsed) -> None:
    outcome = parsed(HEAD + b"Content-Type: text/plain; charset=" + charset + b"\n\n" + body)
    assert [part.code for part in outcome.parts] == [Code.CHARSET_UNDECODABLE]


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param((HEAD + b"\n" + LINE).replace(b"\n", b"\r"), id="CR alone"),
        pytest.param(HEAD.replace(b"\n", b"\r\n") + b"\n" + LINE, id="mixed"),
        pytest.param(HEAD + b"X: 1\rX-Smuggled: 2\n\n" + LINE, id="a bare CR in a field"),
        pytest.param(b"From desk@dealer.example Mon Nov 16\n" + HEAD + b"\n" + LINE, id="an envelope line"),
        pytest.param(
            HEAD + b"\nFrom the desk\n\n" + LINE + b"From: x@y.example\nSubject: no mail of its own\n",
            id="From in the text",
        ),
        pytest.param(HEAD.replace(b"USD", b"U\0SD") + b"\n" + LINE, id="NUL in a field"),
    ],
)
def test_one_mail_stays_one_mail_whatever_its_line_ends(raw: bytes, parsed: Parsed) -> None:
    outcome = parsed(raw)
    assert len(outcome.parts) == 1
    assert outcome.sender == "desk@dealer.example"


def test_a_value_that_would_be_a_field_or_a_command_elsewhere_stays_a_value(parsed: Parsed) -> None:
    raw = b"From: a@b.example\nSubject: =?utf-8?q?x=0D=0ABcc:_all@c.example=1B[2J?=\n\n" + LINE
    outcome = parsed(raw)
    assert outcome.sender == "a@b.example"
    assert outcome.state is MailState.parsed


@pytest.mark.parametrize(
    ("author", "sender"),
    [
        (b"a@b.example, c@d.example", "a@b.example"),
        (b'"c@d.example" <a@b.example>', "a@b.example"),
        (b"(c@d.example) a@b.example", "a@b.example"),
        (b"a@b.example (c@d.example)", "a@b.example"),
        (b"=?utf-8?q?c=40d=2Eexample?= <a@b.example>", "a@b.example"),
    ],
)
def test_a_trick_in_the_author_names_no_other_dealer(author: bytes, sender: str, parsed: Parsed) -> None:
    assert parsed(b"From: " + author + b"\nSubject: USD IG\n\n" + LINE).sender == sender


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        (b"application/ms-tnef; name=winmail.dat", b"\x78\x9f\x3e\x22" + b"\xff" * 400, Code.TNEF_CORRUPT),
        (
            b"application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
            b"\x30\x80" + b"\1" * 99,
            Code.CORRUPT_PART,
        ),
        (
            b'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
            b"--b\n\nVersion: 1\n--b\n\nx\n--b--\n",
            Code.ENCRYPTED_MAIL,
        ),
        (b"text/plain", b"-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n", Code.ENCRYPTED_MAIL),
        (
            b"multipart/mixed; boundary=b",
            b"--b\n\nrun attached\n--b\nContent-Type: application/octet-stream; name=run.asc\n\n-----BEGIN PGP MESSAGE-----\n\nx\n--b--\n",
            Code.PASSWORD_PROTECTED,
        ),
    ],
)
def test_what_is_sealed_or_broken_says_so(kind: bytes, body: bytes, code: Code, parsed: Parsed) -> None:
    assert code in codes(parsed(HEAD + b"Content-Type: " + kind + b"\n\n" + body))


@pytest.mark.parametrize(
    "name",
    [
        b"../../../../tmp/otclog-was-here.csv",
        b"C:\\\\otclog-was-here.csv",
        b"=?utf-8?q?=00otclog-was-here=2Ecsv?=",
        b"x" * 4_000 + b".csv",
        "\u202evsc.otclog-was-here".encode(),
        b"/etc/otclog-was-here",
    ],
)
def test_a_name_is_a_label_and_no_file_is_made_of_it(name: bytes, parsed: Parsed) -> None:
    table = b"ISIN,Bid,Ask\nXS2641318121,98.25,98.75\nUS0378331005,99.5,99.75\nUSP2253TJQ33,97,97.5\n"
    raw = HEAD + b'Content-Type: text/csv; name="' + name + b'"\nContent-ID: <../../x>\n\n' + table
    outcome = parsed(raw)
    assert len(outcome.quotes) == 3
    assert {part.part_path for part in outcome.parts} == {"1"}
    assert not any(Path(folder, "otclog-was-here.csv").exists() for folder in ("/", "/tmp", "/etc", "."))


def test_a_members_name_is_a_label_and_no_file_is_made_of_it(attached: Callable[..., Code | None]) -> None:
    names = [
        "../../../../tmp/otclog-was-here.csv",
        "C:\\otclog-was-here.csv",
        "/etc/otclog-was-here",
        "\u202evsc.otclog-was-here",
    ]
    out, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(out, "w") as package, tarfile.open(fileobj=tarred, mode="w") as archive:
        for number, name in enumerate(names):
            table = f"ISIN,Bid,Ask\nXS2641318121,98.{number}5,98.75\n".encode()
            package.writestr(name, table)
            info = tarfile.TarInfo(name)
            info.size = len(table)
            archive.addfile(info, io.BytesIO(table))
    for data, name in ((out.getvalue(), "run.zip"), (tarred.getvalue(), "run.tar")):
        assert attached(data, name) is None
    assert not any(Path(folder, "otclog-was-here.csv").exists() for folder in ("/", "/tmp", "/etc", "."))
    assert not any(Path(folder, "otclog-was-here").exists() for folder in ("/", "/tmp", "/etc", "."))


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", Code.EMPTY_MAIL),
        (bytes(range(256)) * 40, Code.MALFORMED_MIME),
        (b"\x7fELF" + bytes(500), Code.MALFORMED_MIME),
    ],
)
def test_a_file_that_is_no_mail_says_so(raw: bytes, code: Code, parsed: Parsed) -> None:
    assert code in codes(parsed(raw))


def test_a_file_is_what_its_bytes_are_and_not_its_name(attached: Callable[..., Code | None]) -> None:
    page = b"<html><table><tr><th>ISIN</th><th>Bid</th></tr><tr><td>XS2641318121</td><td>98.25</td></tr></table>"
    assert attached(page, "run.xls") is not Code.CORRUPT_PART
    assert attached(b"MZ" + bytes(500), "run.pdf") is Code.UNSUPPORTED_TYPE
    assert attached(b"", "run.xlsx") is not Code.CORRUPT_PART
