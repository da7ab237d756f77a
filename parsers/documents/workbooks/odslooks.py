"""What calamine does not tell of an ODS: styles, hidden rows and columns, and how numbers are shown (ODF 1.3).

A number's format is told from the text that the file itself has for the number: a share in percent, a fraction.
"""

from __future__ import annotations

import re
import zipfile

from lxml.etree import _Element
from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import Code
from parsers.documents.limits import MAX_CELLS, MAX_SHEET_COLUMNS
from parsers.documents.package import local, read_member, stream_xml
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.looks import PLAIN, Font, Look, SheetLooks
from parsers.documents.workbooks.odsrich import font_of, rich_cell

_MAX_DIGITS = 9  # of how often something is repeated: no sheet has as many rows
_MAX_REPEATED = 1_000  # rows with values that are said once
_CELLS = frozenset({"table-cell", "covered-table-cell"})
_UNSEEN = frozenset({"collapse", "filter"})
_NO_FILL = frozenset({None, "transparent", "#ffffff"})
_BOLD = frozenset({"bold", "600", "700", "800", "900"})
_PERCENT = re.compile(r"-?[\d\s.,'’]*?\d(?:[.,](\d+))?\s?%")
_FRACTION = re.compile(r"-?\d* ?\d+/(\d+)")


class OdsLooks(Struct):
    """Looks up the sheets of one file by name."""

    sheets: dict[str, SheetLooks] = field(default_factory=dict)

    def sheet(self, name: str) -> SheetLooks:
        """The looks of a sheet; empty where nothing is known of it."""
        return self.sheets.get(name, SheetLooks())


def ods_looks(package: zipfile.ZipFile) -> OdsLooks:
    """The looks of a file.

    Raises:
        Unreadable: CORRUPT_PART where its XML is broken, PART_TOO_LARGE for a sheet of too many cells.
    """
    reader = _Reader()
    for name in ("styles.xml", "content.xml"):
        if data := read_member(package, name):
            for element in stream_xml(data, ("style", "table-column", "table-row", "table")):
                reader.take(element)
    return OdsLooks(reader.sheets)


class _Reader:
    """Takes the elements as they end: a table's columns and rows before the table that has its name."""

    def __init__(self) -> None:
        self.sheets: dict[str, SheetLooks] = {}
        self._styles: dict[str | None, Look] = {}  # of cells
        self._fonts: dict[str | None, Font] = {}  # of text
        self._begin()

    def _begin(self) -> None:
        self._sheet = SheetLooks()
        self._defaults: list[str | None] = []  # styles of the columns
        self._row = 0

    def take(self, element: _Element) -> None:
        kind = local(element)
        if kind == "style":
            self._style(element)
        elif kind == "table-column":
            self._column(element)
        elif kind == "table-row":
            self._cells(element)
        else:
            self.sheets[_get(element, "name") or ""] = self._sheet
            self._begin()

    def _style(self, element: _Element) -> None:
        name, above = _get(element, "name"), _get(element, "parent-style-name")
        if _get(element, "family") == "table-cell":
            self._styles[name] = _look(element, self._styles.get(above, PLAIN))
        elif _get(element, "family") == "text":
            font = self._fonts.get(above, Font())
            for marks in element:
                font = font_of(marks, font) if local(marks) == "text-properties" else font
            self._fonts[name] = font

    def _column(self, element: _Element) -> None:
        count = min(_count(element, "number-columns-repeated"), MAX_SHEET_COLUMNS - len(self._defaults))
        if _get(element, "visibility") in _UNSEEN:
            first = len(self._defaults) + 1
            self._sheet.hide_columns(first, first + count - 1)
        self._defaults += [_get(element, "default-cell-style-name")] * count

    def _cells(self, row: _Element) -> None:
        count, column = _count(row, "number-rows-repeated"), 0
        numbers = range(self._row + 1, self._row + 1 + min(count, _MAX_REPEATED))
        self._row += count
        if _get(row, "visibility") in _UNSEEN:
            self._sheet.hidden_rows.update(numbers)
        for cell in row:
            if local(cell) not in _CELLS:
                continue
            repeated = _count(cell, "number-columns-repeated")
            first, column = column + 1, column + repeated
            if len(cell) == 0 and _get(cell, "value-type") is None and _get(cell, "formula") is None:
                continue
            text = rich_cell(cell, self._fonts) if self._fonts else None
            is_unknown = _get(cell, "formula") is not None and _get(cell, "value-type") is None
            self._sheet.last_row, self._sheet.last_column = self._row, max(self._sheet.last_column, column)
            if self._sheet.last_row * self._sheet.last_column > MAX_CELLS:  # before each of them gets its look
                raise Unreadable(Code.PART_TOO_LARGE, f"a sheet of more than {MAX_CELLS} cells")
            for at in range(first, min(column, MAX_SHEET_COLUMNS) + 1):
                default = self._defaults[at - 1] if at <= len(self._defaults) else None
                look = _shown(cell, self._styles.get(_get(cell, "style-name") or default, PLAIN))
                if look != PLAIN:
                    self._sheet.looks.update(dict.fromkeys(((number, at) for number in numbers), look))
                if text is not None:
                    self._sheet.rich.update(dict.fromkeys(((number, at) for number in numbers), text))
                if is_unknown:
                    self._sheet.no_cache.update((number, at) for number in numbers)


def _get(element: _Element, name: str) -> str | None:
    """An attribute, whatever its namespace."""
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), None)


def _count(element: _Element, name: str) -> int:
    text = _get(element, name)
    if not text or not (text.isascii() and text.isdigit()):
        return 1
    return max(int(text[:_MAX_DIGITS]), 1)


def _look(style: _Element, above: Look) -> Look:
    """A style's look: what it does not say is as in the style above it."""
    bold, struck, white, filled = above.bold, above.struck, above.white, above.filled
    for marks in style:
        if local(marks) == "text-properties":
            weight, colour = _get(marks, "font-weight"), _get(marks, "color")
            bold = bold if weight is None else weight in _BOLD
            struck = font_of(marks, Font(struck=struck)).struck
            white = white if colour is None else colour.lower() == "#ffffff"
        elif local(marks) == "table-cell-properties" and (colour := _get(marks, "background-color")) is not None:
            filled = colour.lower() not in _NO_FILL
    return Look(None, bold, filled, struck, white)


def _shown(cell: _Element, look: Look) -> Look:
    """With the format that shows the cell's number as its text does."""
    kind = _get(cell, "value-type")
    number_format = None
    if kind in {"percentage", "float", "currency"}:
        text = next(("".join(map(str, part.itertext())) for part in cell if local(part) == "p"), "").strip()
        if percent := _PERCENT.fullmatch(text):
            number_format = f"0.{'0' * len(percent[1])}%" if percent[1] else "0%"
        elif fraction := _FRACTION.fullmatch(text):
            number_format = f"# ?/{fraction[1]}"
    return replace(look, number_format=number_format, white=look.white and not look.filled)
