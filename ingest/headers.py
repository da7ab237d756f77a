"""The header fields that ingest needs, found in the first bytes of a mail without parsing it; bounded searches."""

from __future__ import annotations

import re
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header, make_header
from functools import lru_cache

HEAD_BYTES = 256 * 1024  # headers are looked for in the first of these: a mail may be one endless header
FIELD_BYTES = 998  # of a field's value; RFC 5322 allows no longer line
_ID_BYTES = 8 * 1024  # of a Message-ID as messages name it: what the parser reads
FIELDS = 100  # of one name: more of them are a joke

_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n|\r\r")
_ADDRESS = rb"[\w.!#$%&'*+/=?^`{|}~\x80-\xff-]{1,64}@[\w.\x80-\xff-]{1,253}"
_BRACKETED = re.compile(rb"<\s*(" + _ADDRESS + rb")\s*>")
_BARE = re.compile(_ADDRESS)
_FOLD = re.compile(rb"\r?\n[ \t]*")
_SURROGATE = re.compile("[\ud800-\udfff]")  # what utf-7 and its like may decode to alone, which no search takes


def fields(head: bytes, name: str) -> list[bytes]:
    """The values of every field of that name, unfolded, each cut at FIELD_BYTES."""
    end = _END_OF_HEADERS.search(head, 0, HEAD_BYTES)
    found = _pattern(name).finditer(head, 0, end.start() if end else HEAD_BYTES)
    return [b" ".join(match[1].split()) for match, _ in zip(found, range(FIELDS), strict=False)]


def field(head: bytes, name: str) -> bytes | None:
    """The value of the first field of that name; None when there is none, or it is empty."""
    return next(iter(fields(head, name)), None) or None


def sender(head: bytes) -> bytes | None:
    """The address in From, lower case: the one in angle brackets, else the first that looks like one."""
    value = field(head, "from")
    if not value:
        return None
    if bracketed := _BRACKETED.findall(value):
        return bytes(bracketed[-1]).lower()
    bare = _BARE.search(value)
    return bare[0].lower() if bare else None


def message_id(head: bytes) -> str | None:
    """As the parser reads it into `Facts`, so that one search finds what both tell of a mail; None: it has none."""
    end = _END_OF_HEADERS.search(head, 0, HEAD_BYTES)
    found = _pattern("message-id", _ID_BYTES).search(head, 0, end.start() if end else HEAD_BYTES)
    value = _FOLD.sub(b" ", found[1]).strip() if found else b""
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = value.decode("cp1252", "replace")
    text = text.replace("\0", "").strip()
    with suppress(MessageError, LookupError, ValueError):
        # As mail-parser decodes them: nothing between two words, and none beside what is not ASCII.
        pieces = decode_header(text) if text.isascii() else []
        text = "".join(_piece(*each) for each in pieces) or text
    return text.strip().strip("<>").strip() or None


def decoded(value: bytes) -> str:
    """As a reader sees it: encoded words (RFC 2047) decoded where they can be; text that UTF-8 can write."""
    text = value.decode("utf-8", "replace")
    try:
        return _SURROGATE.sub("\ufffd", str(make_header(decode_header(text))))
    except (MessageError, LookupError, ValueError):
        return text


@lru_cache(maxsize=64)
def _pattern(name: str, most: int = FIELD_BYTES) -> re.Pattern[bytes]:
    return re.compile(rb"(?im)^%s[ \t]*:((?:[^\r\n]|\r?\n[ \t]){0,%d})" % (re.escape(name.encode()), most))


def _piece(text: str | bytes, charset: str | None) -> str:
    if isinstance(text, str):
        return text
    try:
        return text.decode(charset or "utf-8")
    except (LookupError, ValueError):
        return text.decode("utf-8", "ignore")
