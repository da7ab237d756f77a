"""The header fields that ingest needs, found in the first bytes of a mail without parsing it; bounded searches."""

from __future__ import annotations

import re
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header, make_header
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD_BYTES = 256 * 1024  # headers are looked for in the first of these: a mail may be one endless header
FIELD_BYTES = 998  # of a field's value; RFC 5322 allows no longer line
_ID_BYTES = 8 * 1024  # of a Message-ID as messages name it: what the parser reads
FIELDS = 100  # of one name: more of them are a joke
_SEARCHED = (2**9, 2**12, 2**15, HEAD_BYTES)  # for the end of headers, which most have soon
_LF = ord("\n")

_ADDRESS = rb"[\w.!#$%&'*+/=?^`{|}~\x80-\xff-]{1,64}@[\w.\x80-\xff-]{1,253}"
_BRACKETED = re.compile(rb"<\s*(" + _ADDRESS + rb")\s*>")
_BARE = re.compile(_ADDRESS)
_FOLD = re.compile(rb"\r?\n[ \t]*")
_SURROGATE = re.compile("[\ud800-\udfff]")  # what utf-7 and its like may decode to alone, which no search takes


def fields(head: bytes, name: str) -> list[bytes]:
    """The values of every field of that name, unfolded, each cut at FIELD_BYTES."""
    return [b" ".join(value.split()) for value in islice(_values(head, name, FIELD_BYTES), FIELDS)]


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
    value = _FOLD.sub(b" ", next(_values(head, "message-id", _ID_BYTES), b"")).strip()
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = value.decode("cp1252", "replace")
    text = text.replace("\0", "").strip()
    if "=?" in text and text.isascii():
        with suppress(MessageError, LookupError, ValueError):
            # As mail-parser decodes them: nothing between two words, and none beside what is not ASCII.
            text = "".join(_piece(*each) for each in decode_header(text)) or text
    return text.strip().strip("<>").strip() or None


def decoded(value: bytes) -> str:
    """As a reader sees it: encoded words (RFC 2047) decoded where they can be; text that UTF-8 can write."""
    text = value.decode("utf-8", "replace")
    try:
        return _SURROGATE.sub("\ufffd", str(make_header(decode_header(text))))
    except (MessageError, LookupError, ValueError):
        return text


def _values(head: bytes, name: str, most: int) -> Iterator[bytes]:
    """Of each field of that name what stands behind its colon, folded, as far as so many bytes and folds.

    A plain search finds where lines begin so: a pattern that is tried at each byte takes ten times as long.
    """
    end, value = _end_of_headers(head), _value(most)
    lines, begin = b"\n" + head[:end].lower(), b"\n" + name.lower().encode()
    at = lines.find(begin)
    while at >= 0:
        if found := value.match(head, at + len(begin) - 1, end):
            yield found[1]
        at = lines.find(begin, at + 1)


def _end_of_headers(head: bytes) -> int:
    """Where the first empty line begins, with the end of the line before it."""
    for within in _SEARCHED:
        at = end = min(within, len(head))
        for empty in (b"\n\n", b"\n\r\n", b"\r\r"):
            found = head.find(empty, 0, min(at + len(empty), end))
            at = found if found >= 0 else at
        if at < end:
            return at - (head[at] == _LF and head[at - 1 : at] == b"\r")
    return end


@lru_cache(maxsize=8)
def _value(most: int) -> re.Pattern[bytes]:
    return re.compile(rb"[ \t]*:((?:[^\r\n]|\r?\n[ \t]){0,%d})" % most)


def _piece(text: str | bytes, charset: str | None) -> str:
    if isinstance(text, str):
        return text
    try:
        return text.decode(charset or "utf-8")
    except (LookupError, ValueError):
        return text.decode("utf-8", "ignore")
