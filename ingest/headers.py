"""The header fields that ingest needs, found in the first bytes of a mail without parsing it; bounded searches."""

from __future__ import annotations

import re
from email.errors import MessageError
from email.header import decode_header, make_header
from functools import lru_cache

HEAD_BYTES = 256 * 1024  # headers are looked for in the first of these: a mail may be one endless header
FIELD_BYTES = 998  # of a field's value; RFC 5322 allows no longer line
FIELDS = 100  # of one name: more of them are a joke

_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n|\r\r")
_ADDRESS = rb"[\w.!#$%&'*+/=?^`{|}~\x80-\xff-]{1,64}@[\w.\x80-\xff-]{1,253}"
_BRACKETED = re.compile(rb"<\s*(" + _ADDRESS + rb")\s*>")
_BARE = re.compile(_ADDRESS)
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


def decoded(value: bytes) -> str:
    """As a reader sees it: encoded words (RFC 2047) decoded where they can be; text that UTF-8 can write."""
    text = value.decode("utf-8", "replace")
    try:
        return _SURROGATE.sub("\ufffd", str(make_header(decode_header(text))))
    except (MessageError, LookupError, ValueError):
        return text


@lru_cache(maxsize=64)
def _pattern(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"(?im)^%s[ \t]*:((?:[^\r\n]|\r?\n[ \t]){0,%d})" % (re.escape(name.encode()), FIELD_BYTES))
