"""What calamine does not tell of an XLS: number formats, fonts, fills, hidden rows and columns ([MS-XLS] 2.4).

Read from the records of the workbook's stream in one pass. Formulas have their cached values there always.
"""

from __future__ import annotations

import io
import logging
import struct
from collections.abc import Iterator

from msgspec import Struct, field

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.looks import PLAIN, Font, Look, Rich, SheetLooks
from parsers.documents.workbooks.numberformat import BUILT_IN
from parsers.documents.workbooks.xlsrich import font_at, rich_strings

logger = logging.getLogger(__name__)

_BOF, _EOF, _FILEPASS = 0x0809, 0x000A, 0x002F
_FORMAT, _FONT, _XF, _SHEET = 0x041E, 0x0031, 0x00E0, 0x0085
_STRINGS, _CONTINUED, _STRING_CELL = 0x00FC, 0x003C, 0x00FD
_ROW, _COLUMNS, _MULTI_RK, _MULTI_BLANK = 0x0208, 0x007D, 0x00BD, 0x00BE
_CELLS = frozenset({0x0203, 0x027E, 0x00FD, 0x0204, 0x0006, 0x0205, 0x0201, 0x00D6})  # row, column, format
_BIFF8 = 0x0600
_WHITE = frozenset({1, 9})  # of the colour table
_BOLD_WEIGHT = 600
_RAISED_OR_LOWERED = (1, 2)
_HEAD, _PLACE, _WORD = struct.Struct("<HH"), struct.Struct("<HHH"), struct.Struct("<H")


class XlsLooks(Struct):
    """Looks up the sheets of one workbook by name."""

    sheets: dict[str, SheetLooks] = field(default_factory=dict)

    def sheet(self, name: str) -> SheetLooks:
        """The looks of a sheet; empty where nothing is known of it."""
        return self.sheets.get(name, SheetLooks())


def xls_looks(data: bytes) -> XlsLooks:
    """The looks of a workbook; of a damaged one as many as can be read, for its values may be whole.

    Raises:
        Unreadable: PASSWORD_PROTECTED.
    """
    import olefile

    found = XlsLooks()
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as ole:
            name = next((name for name in ("Workbook", "Book") if ole.exists(name)), None)
            stream = ole.openstream(name).read() if name else b""
        _read(stream, found)
    except Unreadable:
        raise
    except Exception:  # olefile raises whatever its code trips over in a damaged file
        logger.debug("the looks of a workbook", exc_info=True)
    return found


def _read(stream: bytes, found: XlsLooks) -> None:
    formats, fonts, looks = dict(BUILT_IN), list[Font](), []
    places: list[tuple[str, int]] = []
    wide = True
    for kind, body in _records(stream, 0):
        if kind == _BOF:
            wide = _WORD.unpack_from(body)[0] == _BIFF8
        elif kind == _FILEPASS:
            raise Unreadable(Code.PASSWORD_PROTECTED, "an encrypted workbook")
        elif kind == _FORMAT:
            formats[_WORD.unpack_from(body)[0]] = _text(body, 2, 2 if wide else 1, wide=wide)
        elif kind == _FONT:
            _, marks, colour, weight, script = struct.unpack_from("<HHHHH", body)
            fonts.append(
                Font(weight >= _BOLD_WEIGHT, bool(marks & 0x08), colour in _WHITE, script in _RAISED_OR_LOWERED)
            )
        elif kind == _XF:
            looks.append(_look(body, formats, fonts, wide=wide))
        elif kind == _SHEET:
            places.append((_text(body, 6, 1, wide=wide), struct.unpack_from("<L", body)[0]))
    rich = rich_strings(_string_table(stream), fonts) if any(font.struck or font.raised for font in fonts) else {}
    for name, place in places:
        sheet = found.sheets.setdefault(name, SheetLooks())
        _read_sheet(stream, place, sheet, looks)
        if rich:
            sheet.rich = dict(_rich_cells(stream, place, rich))


def _string_table(stream: bytes) -> list[bytes]:
    """The record of the shared strings, and those that continue it."""
    records: list[bytes] = []
    for kind, body in _records(stream, 0):
        if kind == _STRINGS or (records and kind == _CONTINUED):
            records.append(body)
        elif records:
            break
    return records


def _records(stream: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """The records of a substream without those of the charts inside it, until it ends."""
    depth = 0
    while at + 4 <= len(stream):
        kind, size = _HEAD.unpack_from(stream, at)
        if kind == _BOF:
            depth += 1
        elif kind == _EOF:
            depth -= 1
            if depth <= 0:
                return
        if depth == 1:
            yield kind, stream[at + 4 : at + 4 + size]
        at += 4 + size


def _text(body: bytes, at: int, width: int, *, wide: bool) -> str:
    """Characters after their count of `width` bytes; in BIFF8 a byte says whether each takes one byte or two."""
    count = int.from_bytes(body[at : at + width], "little")
    at += width
    if not wide:
        return body[at : at + count].decode("cp1252", "replace")
    if body[at] & 1:
        return body[at + 1 : at + 1 + 2 * count].decode("utf-16-le", "replace")
    return body[at + 1 : at + 1 + count].decode("latin-1")


def _look(body: bytes, formats: dict[int, str], fonts: list[Font], *, wide: bool) -> Look:
    number, number_format = _HEAD.unpack_from(body)
    font = font_at(fonts, number) or Font()
    if wide:
        pattern, colours = struct.unpack_from("<L", body, 14)[0] >> 26, _WORD.unpack_from(body, 18)[0]
    else:
        colours, pattern = _WORD.unpack_from(body, 8)[0], body[10] & 0x3F
    filled = pattern != 0 and colours & 0x7F not in _WHITE
    look = Look(formats.get(number_format), font.bold, filled, font.struck, font.white and not filled)
    return PLAIN if look == PLAIN else look


def _read_sheet(stream: bytes, place: int, sheet: SheetLooks, looks: list[Look]) -> None:
    known = len(looks)

    def put(row: int, column: int, number: int) -> None:
        if number < known and (look := looks[number]) is not PLAIN:
            sheet.looks[row + 1, column + 1] = look

    for kind, body in _records(stream, place):
        if kind in _CELLS:
            put(*_PLACE.unpack_from(body))
        elif kind in {_MULTI_RK, _MULTI_BLANK}:
            row, first = _HEAD.unpack_from(body)
            step = 6 if kind == _MULTI_RK else 2
            for offset, at in enumerate(range(4, len(body) - step - 1, step)):
                put(row, first + offset, _WORD.unpack_from(body, at)[0])
        elif kind == _ROW and _WORD.unpack_from(body, 12)[0] & 0x20:
            sheet.hidden_rows.add(_WORD.unpack_from(body)[0] + 1)
        elif kind == _COLUMNS:
            first, last, width, _, marks = struct.unpack_from("<HHHHH", body)
            if marks & 1 or width == 0:
                sheet.hide_columns(first + 1, last + 1)


def _rich_cells(stream: bytes, place: int, rich: dict[int, Rich]) -> Iterator[tuple[tuple[int, int], Rich]]:
    """The cells of a sheet that show one of these strings, by row and column."""
    for kind, body in _records(stream, place):
        if kind == _STRING_CELL and (text := rich.get(struct.unpack_from("<L", body, 6)[0])) is not None:
            row, column = _HEAD.unpack_from(body)
            yield (row + 1, column + 1), text
