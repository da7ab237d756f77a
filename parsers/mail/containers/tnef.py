"""TNEF (winmail.dat): Outlook's body and files in one attachment."""

from __future__ import annotations

import struct

from msgspec import Struct

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.outlookbody import Body, best_body
from parsers.mail.containers.tnefcounts import check_counts

_HEADER = struct.Struct("<IH")
_ATTRIBUTE = struct.Struct("<BII")  # level, id, length; data and a checksum of two bytes follow
_MAX_ATTRIBUTES = 4_000  # 500 files have seven each; for each the library copies all that follows it


class Tnef(Struct, frozen=True):
    """What is inside: the best body there is, and the files by name."""

    body: Body | None
    files: tuple[tuple[str, bytes], ...]


def read_tnef(data: bytes) -> Tnef:
    """The contents of a TNEF stream.

    Raises:
        Unreadable: TNEF_CORRUPT.
    """
    import tnefparse

    _check_whole(data)
    try:
        found = tnefparse.TNEF(data + b"\0", do_checksum=False)  # it leaves out a last attribute of one byte
        files = tuple((_text(item.long_filename()) or "file", bytes(item.data)) for item in found.attachments)
        return Tnef(best_body(found.htmlbody, found.rtfbody, found.body), files)
    except Exception as error:  # the library trips over damage in whatever way its code does
        raise Unreadable(Code.TNEF_CORRUPT, f"{type(error).__name__}: {error}"[:200]) from error


def _check_whole(data: bytes) -> None:
    """The library takes a cut-off stream for a short one; its lengths say otherwise."""
    at, count = _HEADER.size, 0
    while at + _ATTRIBUTE.size <= len(data):
        count += 1
        if count > _MAX_ATTRIBUTES:
            raise Unreadable(Code.TNEF_CORRUPT, f"more than {_MAX_ATTRIBUTES} attributes")
        _, kind, length = _ATTRIBUTE.unpack_from(data, at)
        check_counts(kind & 0xFFFF, data[at + _ATTRIBUTE.size : at + _ATTRIBUTE.size + length])
        at += _ATTRIBUTE.size + length + 2
    if at == _HEADER.size or at > len(data) or data[at:].strip(b"\0\r\n "):
        raise Unreadable(Code.TNEF_CORRUPT, f"cut off at {len(data)} bytes")


def _text(name: object) -> str:
    text = name.decode("cp1252", "replace") if isinstance(name, bytes) else str(name)
    return text.rstrip("\0").strip()
