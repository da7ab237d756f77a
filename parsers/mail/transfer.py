"""Content-Transfer-Encoding undone, leniently: what can be read of a damaged part is read."""

from __future__ import annotations

import binascii
import re

MAX_PART_BYTES = 50 * 2**20  # decoded (spec 6.1)
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=]+")
_UU_NAMES = frozenset({"x-uuencode", "uuencode", "uue", "x-uue"})


def undo_transfer(body: bytes, encoding: str | None) -> bytes:
    """The part's bytes. An unknown encoding is taken for none."""
    name = _name(encoding)
    if name == "base64":
        return _base64(body)
    if name == "quoted-printable":
        return binascii.a2b_qp(body)
    if name in _UU_NAMES:
        return _uu(body)
    return body


def decoded_size(body: bytes, encoding: str | None) -> int:
    """How many bytes a body gives at most, without decoding it."""
    name = _name(encoding)
    if name == "base64":
        return (len(body) - body.count(b"\n") - body.count(b"\r")) * 3 // 4
    if name == "quoted-printable":
        return len(body) - 2 * body.count(b"=")
    return len(body) * 3 // 4 if name in _UU_NAMES else len(body)


def _name(encoding: str | None) -> str:
    return (encoding or "").strip().strip("\"'").lower()


def _base64(body: bytes) -> bytes:
    try:
        return binascii.a2b_base64(body)
    except binascii.Error:
        pass
    digits, _, _ = _NOT_BASE64.sub(b"", body).partition(b"=")  # what follows the padding is no part of it
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))


def _uu(body: bytes) -> bytes:
    lines = body.splitlines()
    begins = [number for number, line in enumerate(lines) if line.startswith(b"begin ")]
    out = bytearray()
    for line in lines[begins[0] + 1 :] if begins else lines:
        if line.strip() in {b"end", b"`", b""}:
            break
        try:
            out += binascii.a2b_uu(line)
        except binascii.Error:
            size = (((line[0] - 32) & 63) * 4 + 5) // 3  # some encoders pad their lines
            try:
                out += binascii.a2b_uu(line[:size])
            except binascii.Error:
                break
    return bytes(out)
