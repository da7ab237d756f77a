"""A Word 97 to 2003 file to its paragraphs, by the binary format's own tables.

[MS-DOC]: the FIB (2.5) says where things are; the piece table in the Clx (2.8.35) where the text is; the formatted disk
pages (2.9.175, 2.9.33) which paragraphs stand in a table, which end a row, and what of the text is struck through,
hidden or deleted.
"""

from __future__ import annotations

import bisect
import io
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import olefile
from msgspec import Struct

from parsers.codes import Code
from parsers.documents.raised import level
from parsers.documents.unreadable import Unreadable
from parsers.documents.withdrawn import standing
from parsers.documents.word.docstyles import PARAGRAPH_STYLE, Styles, is_on, sprms, u16

_WORD_97 = 0x00C1  # nFib
_ENCRYPTED, _TABLE_1 = 0x0100, 0x0200  # flags of the FIB
_FLAGS_AT, _LENGTH_AT, _STYLES_AT, _CHPX_AT, _PAPX_AT, _CLX_AT = 0x0A, 0x4C, 0xA2, 0xFA, 0x102, 0x1A2
_PAGE = 512
_IN_TABLE, _ROW_END = (0x2416,), (0x2417,)  # sprmPFInTable, sprmPFTtp
_STRUCK = (0x0837, 0x2A53)  # sprmCFStrike, sprmCFDStrike
_SCRIPT, _RAISED_OR_LOWERED = 0x2A48, {b"\1", b"\2"}  # sprmCIss
_UNSEEN = (0x083C, 0x0800)  # sprmCFVanish, sprmCFRMarkDel
_SEGMENT = re.compile(r"(?=[\s\S])([^\r\x07\x0c]*)([\r\x07\x0c]?)")  # text, and the mark that ends its paragraph


class Paragraph(Struct, frozen=True):
    """Text up to a paragraph's or a cell's end, without what is hidden or deleted. Field codes are still in it."""

    text: str
    struck: bool = False  # all that there is
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
        layout = _Looks(document, _part(document, table, _PAPX_AT), _paragraph_sprms)
        fonts = _Looks(document, _part(document, table, _CHPX_AT), _font_sprms)
        styles = Styles(_part(document, table, _STYLES_AT))
    except (struct.error, IndexError, ValueError, OSError, UnicodeDecodeError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"no whole Word file: {type(error).__name__}: {error}"[:200]) from error
    begun: list[tuple[str, bool, bool]] = []  # text, whether it is struck, and whether it is raised
    for piece in pieces:
        for start, text, properties in _runs(piece, fonts):
            for segment in _SEGMENT.finditer(text):
                looks = layout.of(start + (segment.end() - 1) * piece.width)
                is_struck, is_unseen = (
                    is_on(properties, kinds, by_style=styles.is_on(kinds, looks, properties))
                    for kinds in (_STRUCK, _UNSEEN)
                )
                is_raised = styles.value(_SCRIPT, properties, looks) in _RAISED_OR_LOWERED
                shown, mark = segment.groups()
                begun.append(("" if is_unseen else shown, is_struck, is_raised))
                if mark:
                    ends_cell = mark == "\x07"
                    in_table, ends_row = ends_cell or is_on(looks, _IN_TABLE), ends_cell and is_on(looks, _ROW_END)
                    yield Paragraph(*standing(level(begun)), in_table, ends_cell, ends_row)
                    begun = []
    if any(text for text, _, _ in begun):
        yield Paragraph(*standing(level(begun)))


def _streams(data: bytes) -> tuple[bytes, bytes]:
    """The text's stream and the one of its tables."""
    with olefile.OleFileIO(io.BytesIO(data)) as ole:
        document = ole.openstream("WordDocument").read()
        version, flags = u16(document, 2), u16(document, _FLAGS_AT)
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
        at += 3 + u16(clx, at + 1)
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


def _runs(piece: _Piece, fonts: _Looks) -> Iterator[tuple[int, str, Mapping[int, bytes]]]:
    """Stretches of a piece that look alike: their first byte in the stream, text, and properties."""
    at = 0
    while at < len(piece.text):
        start = piece.start + at * piece.width
        end = min((fonts.next_after(start) - piece.start + piece.width - 1) // piece.width, len(piece.text))
        end = max(end, at + 1)
        yield start, piece.text[at:end], fonts.of(start)
        at = end


_NOTHING: Mapping[int, bytes] = MappingProxyType({})
_EVER = 2**32


class _Looks:
    """How stretches of the text's bytes look, by the formatted disk pages that a table of the FIB lists."""

    def __init__(self, document: bytes, plc: bytes, sprms_of: Callable[[bytes, int, int], bytes]) -> None:
        count = max((len(plc) - 4) // 8, 0)
        found: dict[int, Mapping[int, bytes]] = {}
        for number in range(count):
            at = (_u32(plc, 4 * (count + 1) + 4 * number) & 0x3FFFFF) * _PAGE
            page = document[at : at + _PAGE]
            if len(page) == _PAGE:
                runs = page[-1]
                for run, start in enumerate(struct.unpack_from(f"<{runs}I", page)):
                    found[start] = dict(sprms(sprms_of(page, runs, run)))
        self._starts = sorted(found)
        self._found = found

    def of(self, position: int) -> Mapping[int, bytes]:
        """The properties of what is stored there, by sprm."""
        at = bisect.bisect_right(self._starts, position) - 1
        return self._found[self._starts[at]] if at >= 0 else _NOTHING

    def next_after(self, position: int) -> int:
        """Where the next stretch begins."""
        at = bisect.bisect_right(self._starts, position)
        return self._starts[at] if at < len(self._starts) else _EVER


def _paragraph_sprms(page: bytes, runs: int, run: int) -> bytes:
    """Of a paragraph, its style first."""
    at = 2 * page[4 * (runs + 1) + 13 * run]
    if at == 0:
        return b""
    words = page[at]
    told = page[at + 1 : at + 2 * words] if words else page[at + 2 : at + 2 + 2 * page[at + 1]]
    return struct.pack("<H", PARAGRAPH_STYLE) + told


def _font_sprms(page: bytes, runs: int, run: int) -> bytes:
    """Of a stretch of characters, as it differs from its paragraph."""
    at = 2 * page[4 * (runs + 1) + run]
    return page[at + 1 : at + 1 + page[at]] if at else b""


def _part(document: bytes, table: bytes, at: int) -> bytes:
    """What the FIB's entry at `at` points to."""
    start, size = struct.unpack_from("<II", document, at)
    return table[start : start + size]


def _u32(data: bytes, at: int) -> int:
    return int(struct.unpack_from("<I", data, at)[0])
