"""A Word 97 to 2003 file to its paragraphs, by the binary format's own tables.

[MS-DOC]: the FIB (2.5) says where things are; the piece table in the Clx (2.8.35) where the text is; the formatted disk
pages (2.9.175) which paragraphs stand in a table, and which end a row.
"""

from __future__ import annotations

import bisect
import io
import struct
from collections.abc import Iterator

import olefile
from msgspec import Struct

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable

_WORD_97 = 0x00C1  # nFib
_ENCRYPTED, _TABLE_1 = 0x0100, 0x0200  # flags of the FIB
_FLAGS_AT, _LENGTH_AT, _PAPX_AT, _CLX_AT = 0x0A, 0x4C, 0x102, 0x1A2
_PAGE = 512
_IN_TABLE, _ROW_END = 0x2416, 0x2417  # sprmPFInTable, sprmPFTtp
_TABLE_DEFINITION, _TABS = 0xD608, 0xC615  # sprms whose length is written in a way of their own
_OPERAND = (1, 1, 2, 4, 2, 2, None, 3)  # bytes of a sprm's operand, by its spra; None: its first byte says
_MARKS = "\r\x07\x0c"


class Paragraph(Struct, frozen=True):
    """Text up to a paragraph's or a cell's end. Field codes and marks are still in it."""

    text: str
    in_table: bool = False
    ends_cell: bool = False
    ends_row: bool = False


class _Piece(Struct, frozen=True):
    start: int  # of its bytes in the stream
    text: str
    width: int  # bytes of a character


def paragraphs(data: bytes) -> Iterator[Paragraph]:
    """The main text's paragraphs in their order; footnotes, headers and comments are not part of it.

    Raises:
        Unreadable: PASSWORD_PROTECTED, UNSUPPORTED_TYPE for Word 95 and older, or CORRUPT_PART.
    """
    try:
        document, table = _streams(data)
        pieces = list(_pieces(document, table))
        looks = _Looks(document, table)
    except (struct.error, IndexError, ValueError, OSError, UnicodeDecodeError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"no whole Word file: {type(error).__name__}: {error}"[:200]) from error
    begun: list[str] = []
    for piece in pieces:
        at = 0
        for place, character in enumerate(piece.text):
            if character not in _MARKS:
                continue
            begun.append(piece.text[at:place])
            at = place + 1
            in_table, ends_row = looks.of(piece.start + place * piece.width)
            ends_cell = character == "\x07"
            yield Paragraph("".join(begun), in_table or ends_cell, ends_cell, ends_cell and ends_row)
            begun = []
        begun.append(piece.text[at:])
    if any(begun):
        yield Paragraph("".join(begun))


def _streams(data: bytes) -> tuple[bytes, bytes]:
    """The text's stream and the one of its tables."""
    with olefile.OleFileIO(io.BytesIO(data)) as ole:
        document = ole.openstream("WordDocument").read()
        version, flags = _u16(document, 2), _u16(document, _FLAGS_AT)
        if version < _WORD_97:
            raise Unreadable(Code.UNSUPPORTED_TYPE, "a file of Word 95 or older")
        if flags & _ENCRYPTED:
            raise Unreadable(Code.PASSWORD_PROTECTED, "an encrypted Word file")
        return document, ole.openstream("1Table" if flags & _TABLE_1 else "0Table").read()


def _pieces(document: bytes, table: bytes) -> Iterator[_Piece]:
    """The main text, in the pieces that it is stored in."""
    clx = _part(document, table, _CLX_AT)
    at = 0
    while clx[at] == 1:  # properties of pieces
        at += 3 + _u16(clx, at + 1)
    if clx[at] != 2:
        raise ValueError("no piece table")
    plc = clx[at + 5 : at + 5 + _u32(clx, at + 1)]
    count = (len(plc) - 4) // 12
    length = _u32(document, _LENGTH_AT)
    ends = struct.unpack_from(f"<{count + 1}I", plc)
    for number in range(count):
        first, last = ends[number], min(ends[number + 1], length)
        where = _u32(plc, 4 * (count + 1) + 8 * number + 2)
        if last <= first:
            continue
        is_narrow = bool(where & 0x40000000)
        start = (where & 0x3FFFFFFF) // 2 if is_narrow else where & 0x3FFFFFFF
        width = 1 if is_narrow else 2
        stored = document[start : start + (last - first) * width]
        text = stored.decode("cp1252", "replace") if is_narrow else stored.decode("utf-16-le", "surrogatepass")
        yield _Piece(start, text, width)


class _Looks:
    """Which stretches of the text's bytes stand in a table, and which end a row."""

    def __init__(self, document: bytes, table: bytes) -> None:
        plc = _part(document, table, _PAPX_AT)
        count = max((len(plc) - 4) // 8, 0)
        found: list[tuple[int, bool, bool]] = []
        for number in range(count):
            at = (_u32(plc, 4 * (count + 1) + 4 * number) & 0x3FFFFF) * _PAGE
            found += _page(document[at : at + _PAGE])
        found.sort()
        self._starts = [start for start, _, _ in found]
        self._found = found

    def of(self, position: int) -> tuple[bool, bool]:
        """Of the paragraph whose end mark is stored there: whether it is in a table, and ends a row."""
        at = bisect.bisect_right(self._starts, position) - 1
        return self._found[at][1:] if at >= 0 else (False, False)


def _page(page: bytes) -> Iterator[tuple[int, bool, bool]]:
    """The stretches that a formatted disk page describes: their first byte, and what it says of them."""
    if len(page) < _PAGE:
        return
    count = page[_PAGE - 1]
    for number, start in enumerate(struct.unpack_from(f"<{count}I", page)):
        at = 2 * page[4 * (count + 1) + 13 * number]
        if at == 0:
            yield start, False, False
            continue
        words = page[at]
        properties = page[at + 1 : at + 2 * words] if words else page[at + 2 : at + 2 + 2 * page[at + 1]]
        said = dict(_sprms(properties[2:]))  # behind the style
        yield start, said.get(_IN_TABLE) == b"\1", said.get(_ROW_END) == b"\1"


def _sprms(properties: bytes) -> Iterator[tuple[int, bytes]]:
    """Single properties: what each is of, and its operand."""
    at = 0
    while at + 2 < len(properties):
        kind = _u16(properties, at)
        at += 2
        size = _OPERAND[kind >> 13]
        if kind == _TABLE_DEFINITION and at + 2 <= len(properties):
            size = _u16(properties, at) + 1
        elif size is None:
            size = 1 + properties[at]
            if kind == _TABS and size == 256:
                return  # a length of its own, and never before what we look for
        yield kind, properties[at : at + size]
        at += size


def _part(document: bytes, table: bytes, at: int) -> bytes:
    """What the FIB's entry at `at` points to."""
    start, size = struct.unpack_from("<II", document, at)
    return table[start : start + size]


def _u16(data: bytes, at: int) -> int:
    return int(struct.unpack_from("<H", data, at)[0])


def _u32(data: bytes, at: int) -> int:
    return int(struct.unpack_from("<I", data, at)[0])
