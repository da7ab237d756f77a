"""What is attached to a mail, as far as routing asks: found by MIME boundaries, in one pass and bounded memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from email.message import Message
from itertools import chain
from typing import NamedTuple

from ingest.headers import HEAD_BYTES, decoded

BLOCK_BYTES = HEAD_BYTES  # of a part's header; what is longer is not read to its end
FIELD_BYTES = 4096
PARAMETERS = 100  # of a field: `email` takes time by the square of their number
PARTS = 1000  # of one mail; what comes after them is not looked at
BOUNDARY_BYTES = 200  # RFC 2046 allows 70
PADDING_BYTES = 80  # blanks after a boundary
LINE_BYTES = 300  # of a delimiter at most

_DELIMITER = re.compile(rb"\n--([^\r\n]{1,%d})\r?(?=\n)" % (BOUNDARY_BYTES + PADDING_BYTES))
_END = re.compile(rb"\r?\n\r?\n")
_FIELD = re.compile(rb"(?im)^(content-(?:type|disposition))[ \t]*:((?:[^\r\n]|\r?\n[ \t]){0,%d})" % FIELD_BYTES)
_SIGNATURES = {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"}


class Attachment(NamedTuple):
    """One attached part."""

    content_type: str  # as declared, lower case: `application/pdf`
    name: str  # file name, decoded; empty where none is given


def attachments(chunks: Iterable[bytes]) -> Iterator[Attachment]:
    """Parts that are declared to be attachments, or have a file name and are not inline, or are no text and no image.

    Signatures do not count. Works on what the mail declares; nothing is decoded.
    """
    for part in _parts(chunks):
        kind, name = part.get_content_type(), decoded(_told(part.get_filename))
        disposition = part.get_content_disposition()
        if part.get_content_maintype() == "multipart" or kind in _SIGNATURES:
            continue
        is_document = part.get_content_maintype() not in {"text", "image"}
        if disposition == "attachment" or (name and disposition != "inline") or is_document:
            yield Attachment(kind, name)


def _parts(chunks: Iterable[bytes]) -> Iterator[Message]:
    """The content fields of the mail itself and of each of its parts."""
    boundaries: set[bytes] = set()
    buffer, at, count, is_header = b"", 0, 0, True
    for chunk in chain(chunks, [b""]):  # the empty one says that no more will come
        buffer, at = buffer[at:] + chunk, 0
        stop = len(buffer) - BLOCK_BYTES if chunk else len(buffer) + 1  # before it, a header is here as a whole
        while at < stop:
            if not is_header:
                found = next((line for line in _DELIMITER.finditer(buffer, at) if _name(line) in boundaries), None)
                if found is None or found.end() >= stop:
                    at = found.start() if found else max(at, len(buffer) - LINE_BYTES)
                    break
                at = found.end()
            part, at = _header(buffer, at)
            yield part
            count += 1
            if count == PARTS:
                return
            is_header = part.get_content_type() == "message/rfc822"  # whose own header comes next
            at += is_header  # behind the empty line
            boundaries |= {_told(part.get_boundary)[:BOUNDARY_BYTES]} - {b""}


def _header(buffer: bytes, at: int) -> tuple[Message, int]:
    """The content fields of the header at `at`, and where to read on: at the line end before its body."""
    end = _END.search(buffer, at, at + BLOCK_BYTES)
    stop = end.end() - 1 if end else min(at + BLOCK_BYTES, len(buffer))
    part = Message()
    for name, value in _FIELD.findall(buffer, at, stop):
        if name.decode() not in part:
            told = b";".join(value.split(b";", PARAMETERS)[:PARAMETERS])
            part[name.decode()] = b" ".join(told.split()).decode("utf-8", "replace")
    return part, stop


def _name(line: re.Match[bytes]) -> bytes:
    """The boundary of a line that may be a delimiter."""
    return line[1].rstrip(b" \t")


def _told(ask: Callable[[], str | None]) -> bytes:
    """What the mail says there; nothing where it says it so that `email` cannot tell.

    A file name of two forms that contradict each other (RFC 2231) is a TypeError there, a charset that decodes to no
    text a ValueError or LookupError.
    """
    try:
        return (ask() or "").encode("utf-8", "replace")
    except (TypeError, ValueError, LookupError):
        return b""
