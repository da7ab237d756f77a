"""What calamine does not tell of an XLSB: number formats, fonts, fills, hidden rows and columns ([MS-XLSB] 2.4)."""

from __future__ import annotations

import logging
import posixpath
import struct
import zipfile
from collections.abc import Iterator

from msgspec import Struct, field

from parsers.documents.package import parse_xml, read_member
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.looks import PLAIN, Font, Look, Rich, SheetLooks, rich
from parsers.documents.workbooks.numberformat import BUILT_IN

logger = logging.getLogger(__name__)

_FONT, _FORMAT, _FILL, _XF, _BEGIN_XFS, _END_XFS, _SHEET = 43, 44, 45, 47, 617, 618, 156
_ROW, _COLUMNS = 0, 60
_CELLS = frozenset({*range(1, 12), 62})  # each begins with its column and its style
_BLANK, _STRING_CELL, _STRING = 1, 7, 19
_RAISED_OR_LOWERED = (1, 2)
_BOLD_WEIGHT = 600
_INDEXED, _RGB, _THEME = 1, 2, 3  # kinds of colours
_CELL = struct.Struct("<LL")


class XlsbLooks(Struct):
    """Looks up the sheets of one package by name; a sheet is read when it is asked for."""

    package: zipfile.ZipFile
    paths: dict[str, str] = field(default_factory=dict)
    looks: list[Look] = field(default_factory=list)
    strings: dict[int, Rich] = field(default_factory=dict)

    def sheet(self, name: str) -> SheetLooks:
        """The looks of a sheet, as many as can be read; empty where nothing is known of it."""
        sheet = SheetLooks()
        try:
            path = self.paths.get(name)
            _read_sheet((read_member(self.package, path) if path else None) or b"", sheet, self)
        except (struct.error, IndexError):
            logger.debug("the looks of a sheet", exc_info=True)
        return sheet


def xlsb_looks(package: zipfile.ZipFile) -> XlsbLooks:
    """The looks of a workbook; of a damaged one as many as can be read, for its values may be whole."""
    found = XlsbLooks(package)
    try:
        found.paths = _paths(package)
        fonts: list[Font] = []
        _read_styles(read_member(package, "xl/styles.bin") or b"", found.looks, fonts)
        strings = read_member(package, "xl/sharedStrings.bin") or b""
        found.strings = dict(_rich_strings(strings, fonts)) if any(font.struck or font.raised for font in fonts) else {}
    except (struct.error, IndexError, Unreadable):
        logger.debug("the looks of a workbook", exc_info=True)
    return found


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The records of a part: kind and length in bytes of seven bits each, the lowest first."""
    at = 0
    while at < len(data):
        kind, at = _number(data, at, 2)
        size, at = _number(data, at, 4)
        yield kind, data[at : at + size]
        at += size


def _number(data: bytes, at: int, most: int) -> tuple[int, int]:
    number = 0
    for shift in range(0, 7 * most, 7):
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    return number, at


def _text(body: bytes, at: int) -> tuple[str, int]:
    """Characters after their count, and where they end; a count of all ones is no text."""
    count = struct.unpack_from("<L", body, at)[0]
    end = at + 4 + (0 if count == 0xFFFFFFFF else 2 * count)
    return body[at + 4 : end].decode("utf-16-le", "replace"), end


def _paths(package: zipfile.ZipFile) -> dict[str, str]:
    """Parts by the name of their sheet."""
    relations = read_member(package, "xl/_rels/workbook.bin.rels")
    targets = {str(item.get("Id")): str(item.get("Target")) for item in parse_xml(relations)} if relations else {}
    paths = {}
    for kind, body in _records(read_member(package, "xl/workbook.bin") or b""):
        if kind == _SHEET:
            relation, at = _text(body, 8)
            if target := targets.get(relation):
                paths[_text(body, at)[0]] = posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")
    return paths


def _read_styles(data: bytes, looks: list[Look], fonts: list[Font]) -> None:
    """Looks by the number that cells carry, and the fonts."""
    formats, fills = dict(BUILT_IN), []
    in_cells = False
    for kind, body in _records(data):
        if kind == _FORMAT:
            formats[struct.unpack_from("<H", body)[0]] = _text(body, 2)[0]
        elif kind == _FONT:
            _, marks, weight, script = struct.unpack_from("<HHHH", body)
            is_struck, is_raised = bool(marks & 0x08), script in _RAISED_OR_LOWERED
            fonts.append(Font(weight >= _BOLD_WEIGHT, is_struck, _is_white(body[12:20]), is_raised))
        elif kind == _FILL:
            fills.append(struct.unpack_from("<L", body)[0] != 0 and not _is_white(body[4:12]))
        elif kind in {_BEGIN_XFS, _END_XFS}:
            in_cells = kind == _BEGIN_XFS  # before them stand the formats that named styles are made of
        elif kind == _XF and in_cells:
            _, number_format, number, fill = struct.unpack_from("<HHHH", body)
            font = fonts[number] if number < len(fonts) else Font()
            filled = fill < len(fills) and fills[fill]
            look = Look(formats.get(number_format), font.bold, filled, font.struck, font.white and not filled)
            looks.append(PLAIN if look == PLAIN else look)


def _is_white(colour: bytes) -> bool:
    kind, index, tint = colour[0] >> 1, colour[1], colour[2:4]
    if kind == _RGB:
        return colour[4:7] == b"\xff\xff\xff"
    return (kind == _THEME and index == 0 and tint == b"\0\0") or (kind == _INDEXED and index in {1, 9})


def _rich_strings(data: bytes, fonts: list[Font]) -> Iterator[tuple[int, Rich]]:
    """By their number, the shared strings with parts that are struck or raised."""
    items = (body for kind, body in _records(data) if kind == _STRING)
    for number, body in enumerate(items):
        if body[0] & 1:
            text, at = _text(body, 1)
            count = min(struct.unpack_from("<L", body, at)[0], len(body) // 4)
            runs = [struct.unpack_from("<HH", body, at + 4 + 4 * run) for run in range(count)]
            starts = [*(start for start, _ in runs), len(text)]
            parts = [(text[: starts[0]], None)]
            for (start, font), end in zip(runs, starts[1:], strict=True):
                parts.append((text[start:end], fonts[font] if font < len(fonts) else None))
            if (made := rich(parts)) is not None:
                yield number, made


def _read_sheet(data: bytes, sheet: SheetLooks, book: XlsbLooks) -> None:
    looks, row = book.looks, 0
    for kind, body in _records(data):
        if kind in _CELLS:
            column, style = _CELL.unpack_from(body)
            number = style & 0xFFFFFF
            if number < len(looks) and (look := looks[number]) is not PLAIN:
                sheet.looks[row, column + 1] = look
            if kind == _STRING_CELL and (text := book.strings.get(struct.unpack_from("<L", body, 8)[0])) is not None:
                sheet.rich[row, column + 1] = text
            if kind != _BLANK:
                sheet.last_row, sheet.last_column = row, max(sheet.last_column, column + 1)
        elif kind == _ROW:
            row = struct.unpack_from("<L", body)[0] + 1
            if body[11] & 0x10:
                sheet.hidden_rows.add(row)
        elif kind == _COLUMNS:
            first, last, width, _, marks = struct.unpack_from("<LLLLH", body)
            if marks & 1 or width == 0:
                sheet.hide_columns(first + 1, last + 1)
