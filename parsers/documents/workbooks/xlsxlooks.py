"""What calamine does not tell of an XLSX: styles, hidden rows and columns, formulas without a cached value.

Read from the package's XML in one pass: by `xlsxscan` where a sheet has the usual form, else streamed.
"""

from __future__ import annotations

import posixpath
import zipfile
from functools import lru_cache
from typing import TypeVar

from lxml.etree import _Element

from parsers.codes import Code
from parsers.documents.package import local, parse_xml, read_member, stream_xml
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.looks import PLAIN, Look, SheetLooks
from parsers.documents.workbooks.numberformat import BUILT_IN
from parsers.documents.workbooks.xlsxrich import rich_cells, rich_strings
from parsers.documents.workbooks.xlsxscan import column_number, is_zero, scanned_looks

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_MAX_KNOWN_BYTES = 2**16  # of one file's styles
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
_Item = TypeVar("_Item")


class XlsxLooks:
    """Looks up the sheets of one package by name."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        self._package = package
        self._sheets = _sheet_paths(package)
        styles = _xml(package, "xl/styles.xml")
        self._formats = _formats_of(styles) if styles else []
        self._strings = rich_strings(_xml(package, "xl/sharedStrings.xml"))

    def sheet(self, name: str) -> SheetLooks:
        """The looks of a sheet with cells.

        Raises:
            Unreadable: CORRUPT_PART, where there is none of that name: without its looks 0.9825 may be 98.25%.
        """
        path = self._sheets.get(name)
        data = _xml(self._package, path) if path else None
        if not data:
            raise Unreadable(Code.CORRUPT_PART, f"no XML of sheet {name[:80]!r}")
        looks = scanned_looks(data, self._formats) or streamed_looks(data, self._formats)
        looks.rich = rich_cells(data, self._strings)
        return looks


def _xml(package: zipfile.ZipFile, name: str) -> bytes | None:
    """A member's XML; UTF-16, which the format allows, is told: calamine reads such a sheet as an empty one."""
    data = read_member(package, name)
    if data is not None and data.startswith(_UTF_16):
        raise Unreadable(Code.CORRUPT_PART, f"{name[:80]!r} in UTF-16, which is not read")
    return data


def _sheet_paths(package: zipfile.ZipFile) -> dict[str, str]:
    book = _xml(package, "xl/workbook.xml")
    relations = _xml(package, "xl/_rels/workbook.xml.rels")
    if book is None or relations is None:
        return {}
    targets = {str(item.get("Id")): str(item.get("Target")) for item in parse_xml(relations)}
    paths = {}
    for sheet in parse_xml(book).iter("{*}sheet"):
        target = targets.get(str(sheet.get(_RELATION) or sheet.get(_STRICT_RELATION)))
        if target:
            paths[str(sheet.get("name"))] = posixpath.normpath(posixpath.join("/xl", target.replace("\\", "/"))).lstrip(
                "/"
            )
    return paths


def _formats_of(styles: bytes) -> list[Look]:
    return _known(styles) if len(styles) <= _MAX_KNOWN_BYTES else _formats(parse_xml(styles))


@lru_cache(maxsize=64)
def _known(styles: bytes) -> list[Look]:
    """Files come from few templates."""
    return _formats(parse_xml(styles))


def _formats(styles: _Element) -> list[Look]:
    """Look by the index that cells carry."""
    sections = {local(section): section for section in styles}
    codes = {int(item.get("numFmtId") or 0): str(item.get("formatCode")) for item in sections.get("numFmts", ())}
    codes = BUILT_IN | codes
    fonts = [_font(font) for font in sections.get("fonts", ())]
    fills = [_is_filled(fill) for fill in sections.get("fills", ())]
    looks = []
    for xf in sections.get("cellXfs", ()):
        bold, struck, white = _at(fonts, xf.get("fontId"), (False, False, False))
        filled = _at(fills, xf.get("fillId"), default=False)
        look = Look(codes.get(int(xf.get("numFmtId") or 0)), bold, filled, struck, white and not filled)
        looks.append(PLAIN if look == PLAIN else look)
    return looks


def _font(font: _Element) -> tuple[bool, bool, bool]:
    """Bold, struck, white."""
    marks = {local(mark): mark for mark in font}
    colour = marks.get("color")
    return _is_on(marks.get("b")), _is_on(marks.get("strike")), colour is not None and _is_white(colour)


def _is_on(mark: _Element | None) -> bool:
    return mark is not None and mark.get("val") not in {"0", "false"}


def _is_filled(fill: _Element) -> bool:
    pattern = next((item for item in fill if local(item) == "patternFill"), None)
    if pattern is None:
        return local(fill) == "fill" and len(fill) > 0  # a gradient
    if pattern.get("patternType") in {None, "none"}:
        return False
    colour = next((item for item in pattern if local(item) == "fgColor"), None)
    return colour is None or not _is_white(colour)


def _is_white(colour: _Element) -> bool:
    rgb = colour.get("rgb")
    if rgb is not None:
        return rgb.upper().endswith("FFFFFF")
    return (colour.get("theme") == "0" and not colour.get("tint")) or colour.get("indexed") in {"1", "9"}


def _at(items: list[_Item], index: str | None, default: _Item) -> _Item:
    number = int(index or 0)
    return items[number] if 0 <= number < len(items) else default


def streamed_looks(data: bytes, formats: list[Look]) -> SheetLooks:
    """The looks of any sheet, by an XML parser."""
    sheet = SheetLooks()
    row_number = 0
    for element in stream_xml(data, ("row", "col")):
        if local(element) == "col":
            if _is_true(element.get("hidden")) or is_zero(element.get("width")):
                sheet.hide_columns(int(element.get("min") or 1), int(element.get("max") or 1))
            continue
        row_number = int(element.get("r") or row_number + 1)
        if _is_true(element.get("hidden")) or is_zero(element.get("ht")):
            sheet.hidden_rows.add(row_number)
        _row_looks(sheet, element, row_number, formats)
    return sheet


def _row_looks(sheet: SheetLooks, row: _Element, number: int, formats: list[Look]) -> None:
    column = 0
    for cell in row:
        name = cell.get("r")
        column = column_number(name.rstrip("0123456789")) if name else column + 1
        style = cell.get("s")
        if style is not None and (look := _at(formats, style, PLAIN)) is not PLAIN:
            sheet.looks[number, column] = look
        if len(cell) == 0:
            continue
        if local(cell[0]) == "f" and cell.get("t") != "str" and not any(child.text for child in list(cell)[1:]):
            sheet.no_cache.add((number, column))
        sheet.last_row = number
        sheet.last_column = max(sheet.last_column, column)


def _is_true(value: str | None) -> bool:
    return value in {"1", "true"}
