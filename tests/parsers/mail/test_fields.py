from __future__ import annotations

import time

import pytest

from parsers.mail.fields import MAX_FIELD_BYTES, MAX_HEADER_BYTES, Fields, decoded, split_header


def header(raw: bytes) -> tuple[Fields, bytes]:
    fields, start = split_header(raw, 0, len(raw))
    return fields, raw[start:]


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
def test_fields_are_unfolded_and_the_body_begins_after_the_blank_line(end: bytes) -> None:
    raw = end.join([b"From: a@b.c", b"Subject: one", b"\ttwo", b"", b"body", b""])
    fields, body = header(raw)
    assert fields.items == (("from", "a@b.c"), ("subject", "one two"))
    assert body == b"body" + end


def test_a_line_that_is_no_field_ends_the_header() -> None:
    fields, body = header(b"Subject: x\nHello there\nFrom: no\n")
    assert fields.items == (("subject", "x"),)
    assert body == b"Hello there\nFrom: no\n"


@pytest.mark.parametrize("raw", [b"", b"just text\n", b"\nbody", b"\x00\xff binary"])
def test_without_a_header_all_is_body(raw: bytes) -> None:
    fields, body = header(raw)
    assert fields.items == ()
    assert body == raw.removeprefix(b"\n")


def test_an_envelope_line_is_no_field() -> None:
    assert header(b"From a@b.c Wed Nov 18 08:33:00 2026\nSubject: x\n\n")[0].get("subject") == "x"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b'Content-Disposition: attachment; filename="run.xlsx"', "run.xlsx"),
        (b"Content-Type: text/csv; name=run.csv", "run.csv"),
        (
            b"Content-Disposition: attachment; filename*=utf-8''Strips_run%20%E2%80%93%2018%20Nov.csv",
            "Strips_run – 18 Nov.csv",
        ),
        (b'Content-Disposition: attachment; filename="=?utf-8?q?K=C3=BCrzel=2Ecsv?="', "Kürzel.csv"),
        (b"Content-Disposition: attachment; filename*0=a; filename*1=b.csv", "ab.csv"),
        (b"Content-Disposition: attachment; filename*=no-such-charset''a%FFb", "aÿb"),
        ("Content-Disposition: attachment; filename=Kürzel.csv".encode(), "Kürzel.csv"),
        (b"Content-Disposition: attachment", None),
    ],
)
def test_names_are_decoded_in_every_way_they_come(line: bytes, name: str | None) -> None:
    assert header(line + b"\n\n")[0].file_name == name


@pytest.mark.parametrize(
    "parameters", ["filename*=a; filename*0=b", "filename*=idna''%ff%fe", "filename*=punycode''%ff"]
)
def test_a_parameter_that_cannot_be_read_is_none_and_raises_nothing(parameters: str) -> None:
    fields, _ = header(f"Content-Disposition: attachment; {parameters}\n\n".encode())
    assert fields.disposition == "attachment"
    assert fields.file_name in {None, "a"}


def test_the_declared_type_is_lower_case_or_absent() -> None:
    assert header(b"Content-Type: TEXT/Html; Charset=UTF-8\n\n")[0].content_type == "text/html"
    assert header(b"Content-Type: nonsense\n\n")[0].content_type is None
    assert header(b"Subject: x\n\n")[0].content_type is None
    assert header(b"Content-Type: text/plain; charset=UTF-8\n\n")[0].parameter("charset") == "UTF-8"


def test_headers_are_cut_to_size_and_the_body_is_found_all_the_same() -> None:
    huge = b"Subject: " + b"x" * 5_000_000 + b"\n"
    many = b"".join(b"X-%d: y\n" % number for number in range(200_000))
    fields, body = header(huge + many + b"From: late\n\nbody")
    assert body == b"body"
    assert 0 < len(fields.get("subject") or "") <= MAX_FIELD_BYTES
    assert sum(len(value) for _, value in fields.items) <= MAX_HEADER_BYTES + MAX_FIELD_BYTES
    assert fields.get("from") is None


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: text/plain" + b";" * 5_000_000 + b"\n\n",
        b"Content-Type: multipart/mixed; boundary" + b'="a";b' * 500_000 + b"\n\n",
        b"Subject: " + b"=?utf-8?q?a?= " * 400_000 + b"\n\n",
    ],
)
def test_no_field_makes_reading_slow(raw: bytes) -> None:
    before = time.process_time()
    fields, _ = header(raw)
    read = (fields.content_type, fields.parameter("boundary"), decoded(fields.get("subject") or ""))
    assert any(read)
    assert time.process_time() - before < 5  # a quadratic reader takes minutes


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("=?utf-8?q?Courbe_OAT_=E2=80=93_niveaux?=", "Courbe OAT – niveaux"),
        ("=?iso-8859-1?B?VO10dWxvcw==?=", "Títulos"),
        ("=?utf-8?b?broken", "=?utf-8?b?broken"),
        ("=?no-such?q?x?=", "=?no-such?q?x?="),
        ("plain", "plain"),
    ],
)
def test_encoded_words_are_decoded_or_left(text: str, plain: str) -> None:
    assert decoded(text) == plain
