from __future__ import annotations

import pytest

from ingest.headers import FIELD_BYTES, FIELDS, decoded, field, fields, sender


@pytest.mark.parametrize(
    ("head", "address"),
    [
        (b"From: Ann Desk <Ann.Desk@Dealer.EXAMPLE>\n\n", b"ann.desk@dealer.example"),
        (b"From: ann@dealer.example\n\n", b"ann@dealer.example"),
        (b"FROM :ann@dealer.example (Ann)\n\n", b"ann@dealer.example"),
        (b'From: "ann@trap.example" <bob@dealer.example>\n\n', b"bob@dealer.example"),
        (b"Subject: a\r\nFrom: Ann\r\n <ann@dealer.example>\r\n\r\n", b"ann@dealer.example"),
        (b"From: =?utf-8?q?J=C3=B6rg?= <joerg@bank.example>\n\n", b"joerg@bank.example"),
        ("From: <jörg@bank.example>\n\n".encode(), "jörg@bank.example".encode()),
        (b"From ann@mbox.example Wed Nov 18\nFrom: bob@dealer.example\n\n", b"bob@dealer.example"),
        (b"To: x@y.example\n\nFrom: body@dealer.example\n", None),
        (b"From: undisclosed\n\n", None),
        (b"X-From: a@b.example\n\n", None),
        (b"", None),
        (b"\x00\xff\xfe", None),
    ],
)
def test_the_sender_is_the_address_of_the_from_header(head: bytes, address: bytes | None) -> None:
    assert sender(head) == address


def test_a_header_without_end_costs_no_more_than_its_first_part() -> None:
    assert sender(b"From: " + b"a" * 5_000_000) is None
    assert sender(b"From: " + b"<" * 5_000_000) is None


def test_a_value_is_unfolded_and_cut() -> None:
    assert field(b"Subject: one\r\n\t two\n three\n\n", "Subject") == b"one two three"
    assert len(field(b"Subject:" + b"x" * 5000 + b"\n\n", "subject") or b"") == FIELD_BYTES


def test_every_field_of_a_name_is_found_but_no_flood_of_them() -> None:
    assert fields(b"To: a\nX: b\nTo: c\n\nTo: d\n", "to") == [b"a", b"c"]
    assert len(fields(b"To: a\n" * 10_000, "to")) == FIELDS


def test_an_empty_field_is_none() -> None:
    assert field(b"Message-ID: \n\n", "message-id") is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b"=?utf-8?q?Gr=C3=BCne?= Axes", "Grüne Axes"),
        (b"=?utf-8?b?4oKs?= =?utf-8?b?4oKs?=", "€€"),
        ("Grüne".encode(), "Grüne"),
        (b"=?nonsense?q?a?=", "=?nonsense?q?a?="),
        (b"=?utf-8?b?a?=", "=?utf-8?b?a?="),
        (b"\xff", "\ufffd"),
    ],
)
def test_encoded_words_are_decoded_where_they_can_be(value: bytes, text: str) -> None:
    assert decoded(value) == text


@pytest.mark.parametrize(
    "value",
    [b"=?utf-7?q?+2AA-?=", b"=?unicode_escape?q?=5Cud800?=", b"=?utf-16-le?q?=00=d8?=", b"=?utf-8?q?=ED=A0=80?="],
)
def test_what_is_decoded_can_be_written_in_utf_8(value: bytes) -> None:
    assert "\ufffd" in decoded(b"run " + value) or "=?" in decoded(b"run " + value)
    decoded(b"run " + value).encode()


@pytest.mark.parametrize("charset", ["idna", "undefined", "punycode", "a\0b", "\xe9", "rot13", ""])
def test_a_charset_that_is_none_leaves_the_word_as_it_is_written(charset: str) -> None:
    word = f"=?{charset}?q?=FF=FE-zzzz?="
    assert decoded(word.encode()) == word
