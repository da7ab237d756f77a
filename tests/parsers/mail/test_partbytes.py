from __future__ import annotations

import base64

import pytest

from parsers.mail.partbytes import part_bytes

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
INNER = b"From: c@d.example\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n98=2E5/99\n"
MAIL = (
    b"From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
    b"Content-Type: multipart/alternative; boundary=c\n\n--c\n\nplain\n--c\nContent-Type: text/html\n\n<p>rich</p>\n--c--\n"
    b"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n"
    + base64.encodebytes(PICTURE)
    + b"--b\nContent-Type: message/rfc822\n\n"
    + INNER
    + b"\n--b--\n"
)


@pytest.mark.parametrize(
    ("path", "data"),
    [("1.1", b"plain"), ("1.2", b"<p>rich</p>"), ("2", PICTURE), ("3", INNER), ("3/msg:1", b"98.5/99\n"), ("9", None)],
)
def test_a_part_gives_its_decoded_bytes_whatever_becomes_of_it(path: str, data: bytes | None) -> None:
    assert part_bytes(MAIL, path) == data


def test_a_multipart_gives_what_stands_between_its_boundaries() -> None:
    whole = part_bytes(MAIL, "1")
    assert whole is not None
    assert whole.startswith(b"--c\n\nplain")
