"""What is attached to a mail, as far as routing asks: found by MIME boundaries, in one pass and bounded memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from email.message import Message
from itertools import chain
from typing import NamedTuple

from ingest.headers import HEAD_BYTES, decoded

BLOCK_BYTES = HEAD_BYTES  # of a part's header; what is longer is not read to its end
FIELD_BYTES = 4096
PARTS = 1000  # of one mail; what comes after them is not looked at
BOUNDARY_BYTES = 200  # RFC 2046 allows 70
LINE_BYTES = 300  # of a delimiter at most

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
        kind, name = part.get_content_type(), decoded((part.get_filename() or "").encode("utf-8", "replace"))
        disposition = part.get_content_disposition()
        if part.get_content_maintype() == "multipart" or kind in _SIGNATURES:
            continue
        is_document = part.get_content_maintype() not in {"text", "image"}
        if disposition == "attachment" or (name and disposition != "inline") or is_document:
            yield Attachment(kind, name)


def _parts(chunks: Iterable[bytes]) -> Iterator[Message]:
    """The content fields of the mail itself and of each of its parts."""
    boundaries: list[bytes] = []
    delimiter = re.compile(rb"(?!)")
    buffer, at, count, is_header = b"", 0, 0, True
    for chunk in chain(chunks, [b""]):  # the empty one says that no more will come
        buffer, at = buffer[at:] + chunk, 0
        stop = len(buffer) - BLOCK_BYTES if chunk else len(buffer) + 1  # before it, a header is here as a whole
        while at < stop:
            if not is_header:
                found = delimiter.search(buffer, at)
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
            if (boundary := _boundary(part)) and boundary not in boundaries:
                boundaries.append(boundary)
                delimiter = re.compile(rb"\n--(?:%s)[ \t]{0,80}\r?(?=\n)" % b"|".join(map(re.escape, boundaries)))


def _header(buffer: bytes, at: int) -> tuple[Message, int]:
    """The content fields of the header at `at`, and where to read on: at the line end before its body."""
    end = _END.search(buffer, at, at + BLOCK_BYTES)
    stop = end.end() - 1 if end else min(at + BLOCK_BYTES, len(buffer))
    part = Message()
    for name, value in _FIELD.findall(buffer, at, stop):
        if name.decode() not in part:
            part[name.decode()] = b" ".join(value.split()).decode("utf-8", "replace")
    return part, stop


def _boundary(part: Message) -> bytes | None:
    boundary = part.get_boundary()
    return boundary.encode("utf-8", "replace")[:BOUNDARY_BYTES] if boundary else None
