"""The MIME tree of a mail: offsets into its bytes, without copies, within limits.

Own code where the standard library has a parser, because that one reads headers of any size, recurses into any depth,
and copies every body several times before we may look (docs/decisions/mime-tree-by-offsets.md has the figures). Fields
are still the library's to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from parsers.mail.fields import Fields, split_header
from parsers.mail.transfer import undo_transfer

MAX_PARTS = 500  # spec 6.1
MAX_DEPTH = 20  # of multiparts inside each other
_LINE_END = (b"\r\n", b"\n", b"\r")
_GUESSED = re.compile(rb"(?<=[\r\n])--([^\s-][^\r\n]{0,69}?)[ \t]*\r?\n(?=content-)", re.IGNORECASE)


class TooManyParts(Exception):
    """More than MAX_PARTS (TOO_MANY_PARTS)."""


class Entity(Struct, frozen=True):
    """A node of the tree: raw[start:end] is its body."""

    section: str  # IMAP's number; '' for a multipart at the root
    fields: Fields
    content_type: str  # declared, or the default of its place
    raw: bytes
    start: int
    end: int
    children: tuple[Entity, ...] = ()
    too_deep: bool = False

    @property
    def is_multipart(self) -> bool:
        """Whether it only holds others; a multipart without parts is a leaf."""
        return bool(self.children)

    @property
    def encoding(self) -> str | None:
        """Content-Transfer-Encoding as declared."""
        return self.fields.get("content-transfer-encoding")

    def content(self) -> bytes:
        """The decoded bytes."""
        return undo_transfer(self.raw[self.start : self.end], self.encoding)


def mime_tree(raw: bytes) -> Entity:
    """The tree of a whole mail.

    Raises:
        TooManyParts: the mail has more than MAX_PARTS.
    """
    return _Builder().entity(raw, (0, len(raw)), "", "text/plain", 0)


class _Builder:
    def __init__(self) -> None:
        self._parts = 0

    def entity(self, raw: bytes, span: tuple[int, int], section: str, default: str, depth: int) -> Entity:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise TooManyParts
        fields, start = split_header(raw, *span)
        kind = fields.content_type or default
        end = span[1]
        if not kind.startswith("multipart/"):
            return Entity(section or "1", fields, kind, raw, start, end)
        if depth >= MAX_DEPTH:
            return Entity(section or "1", fields, kind, raw, start, end, too_deep=True)
        spans = list(self._spans(raw, start, end, fields.parameter("boundary")))
        if not spans:
            return Entity(section or "1", fields, "text/plain", raw, start, end)
        inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        prefix = f"{section}." if section else ""
        children = tuple(
            self.entity(raw, part, f"{prefix}{number}", inner, depth + 1) for number, part in enumerate(spans, 1)
        )
        return Entity(section, fields, kind, raw, start, end, children)

    def _spans(self, raw: bytes, start: int, end: int, boundary: str | None) -> Iterator[tuple[int, int]]:
        """Where the parts lie. A missing or wrong boundary is guessed from the first line that looks like one."""
        mark = boundary.rstrip().encode("utf-8", "replace") if boundary else b""
        if not mark or raw.find(b"--" + mark, start, end) < 0:
            guess = _GUESSED.search(raw, start, min(end, start + 65_536))
            if guess is None:
                return
            mark = guess[1]
        begins: int | None = None
        for line_start, line_end, closes in _delimiters(raw, start, end, b"--" + mark):
            if begins is not None:
                yield begins, _without_line_end(raw, begins, line_start)
                if self._parts > MAX_PARTS:
                    return
            begins = line_end
            if closes:
                return
        if begins is not None and begins < end:
            yield begins, end  # cut off before its closing delimiter


def _delimiters(raw: bytes, start: int, end: int, mark: bytes) -> Iterator[tuple[int, int, bool]]:
    """Delimiter lines: where the line starts, where the next one starts, and whether it closes the multipart."""
    at = raw.find(mark, start, end)
    while at >= 0:
        after = at + len(mark)
        closes = raw.startswith(b"--", after, end)
        stop = after + 2 * closes
        while stop < end and raw[stop] in b" \t":
            stop += 1
        ends_line = stop >= end or raw[stop] in b"\r\n"
        if ends_line and (at == start or raw[at - 1] in b"\r\n"):
            next_line = stop + next((len(mark) for mark in _LINE_END if raw.startswith(mark, stop, end)), 0)
            yield at, next_line, closes
        at = raw.find(mark, after, end)


def _without_line_end(raw: bytes, start: int, end: int) -> int:
    """The line end before a delimiter belongs to the delimiter (RFC 2046 5.1.1)."""
    for mark in _LINE_END:
        if raw.endswith(mark, start, end):
            return end - len(mark)
    return end
