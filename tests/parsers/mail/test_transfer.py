from __future__ import annotations

import base64
import binascii

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.mail.transfer import decoded_size, undo_transfer


@given(st.binary(max_size=2000))
def test_base64_gives_back_every_byte(data: bytes) -> None:
    assert undo_transfer(base64.encodebytes(data), "Base64") == data


@given(st.binary(max_size=500))
def test_quoted_printable_gives_back_every_byte(data: bytes) -> None:
    assert undo_transfer(binascii.b2a_qp(data, istext=False), " quoted-printable ") == data


@pytest.mark.parametrize(
    ("body", "data"),
    [
        (b"SGVsbG8", b"Hello"),
        (b"SGVs\r\n!! bG8=\r\n-- junk --", b"Hello"),
        (b"SGVsbG8=\r\n\r\nSome mailer's footer", b"Hello"),
        (b"SGVsbG8gd", b"Hello "),
        (b"", b""),
        (b"====", b""),
    ],
)
def test_damaged_base64_gives_what_can_be_read(body: bytes, data: bytes) -> None:
    assert undo_transfer(body, "base64") == data


def test_uuencode_is_undone() -> None:
    body = b"begin 644 run.csv\n" + binascii.b2a_uu(b"a,b\n1,2\n") + b"`\nend\n"
    assert undo_transfer(body, "x-uuencode") == b"a,b\n1,2\n"


@pytest.mark.parametrize("encoding", [None, "7bit", "8bit", "binary", "no-such"])
def test_other_encodings_are_none(encoding: str | None) -> None:
    assert undo_transfer(b"=41\xff", encoding) == b"=41\xff"


def test_the_size_is_known_before_decoding() -> None:
    assert decoded_size(b"QUJD" * 1000, "base64") == 3000
    assert decoded_size(b"QUJD" * 1000, "8bit") == 4000


@pytest.mark.parametrize("encoding", ["base64", '"BASE64"', "quoted-printable", "x-uuencode"])
def test_line_ends_and_marks_of_an_encoding_do_not_make_a_part_larger(encoding: str) -> None:
    data = bytes(range(256)) * 400
    body = {
        "quoted-printable": binascii.b2a_qp(data),
        "x-uuencode": b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45)),
    }.get(encoding, base64.encodebytes(data).replace(b"\n", b"\r\n"))
    assert undo_transfer(body, encoding) == data
    assert len(data) <= decoded_size(body, encoding) < 1.05 * len(data)
