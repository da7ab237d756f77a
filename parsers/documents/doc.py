"""DOC, of Word 97 to 2003, to lines (a paragraph each) and grids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.docfile import Paragraph, paragraphs
from parsers.documents.fold import fold
from parsers.documents.spans import MAX_COLUMNS, spread
from parsers.documents.withdrawn import standing

_FIELD_CODE = re.compile(r"\x13[^\x13-\x15]*\x14?([^\x13-\x15]*)\x15")  # what a field shows stays
_SPELLED = str.maketrans({"\x0b": "\n", "\x1e": "-", "\x1f": None, "\x0e": "\n"})
_DRAWN = re.compile(r"[\x00-\x08\x0c-\x1a]")  # places of pictures, notes and what else is no text


def read_doc(data: bytes) -> Document:
    """The main text's blocks in reading order.

    Raises:
        Unreadable: PASSWORD_PROTECTED, UNSUPPORTED_TYPE for Word 95 and older, or CORRUPT_PART.
    """
    reader = _Reader()
    for paragraph in paragraphs(data):
        reader.take(paragraph)
    reader.end_table()
    return Document(tuple(reader.blocks), parser="doc")


class _Reader:
    def __init__(self) -> None:
        self.blocks: list[Grid | Line] = []
        self._lines = 0
        self._offset = 0
        self._tables = 0
        self._rows: list[list[Cell]] = []
        self._row: list[Cell] = []
        self._cell: list[Paragraph] = []

    def take(self, paragraph: Paragraph) -> None:
        """The next paragraph."""
        if not paragraph.in_table:
            self.end_table()
            self._line(shown(paragraph.text), struck=paragraph.struck)
            return
        if paragraph.ends_row:
            self._rows.append(self._row[:MAX_COLUMNS])
            self._row, self._cell = [], []
            return
        self._cell.append(paragraph)
        if paragraph.ends_cell:
            self._end_cell()

    def _end_cell(self) -> None:
        lines = [(shown(paragraph.text) + "\n", paragraph.struck) for paragraph in self._cell]
        text, struck = standing(lines)
        self._row.append(Cell(text.removesuffix("\n"), struck=struck))
        self._cell = []

    def end_table(self) -> None:
        """The table that was begun, if any, is whole; one of single cells only arranges lines."""
        if self._cell:
            self._end_cell()
        rows = [*self._rows, *([self._row] if self._row else [])]  # the last one has no end
        self._rows, self._row = [], []
        if max(map(len, rows), default=0) >= 2:
            self._tables += 1
            self.blocks.append(Grid(tuple(_grid(rows)), table_idx=self._tables))
            return
        for row in rows:
            for cell in row:
                self._line(cell.text, struck=cell.struck)

    def _line(self, text: str, *, struck: bool) -> None:
        for line in text.split("\n"):
            self._lines += 1
            self.blocks.append(Line(self._lines, line.strip(" "), self._offset, struck=struck))
            self._offset += len(line) + 1


def shown(text: str) -> str:
    """What of a paragraph's characters is seen: fields as their results, no places of pictures and notes."""
    before = None
    while before != text:  # fields inside fields
        before, text = text, _FIELD_CODE.sub(r"\1", text)
    return _DRAWN.sub("", text.translate(_SPELLED))


def _grid(rows: Iterable[list[Cell]]) -> Iterator[Row]:
    cells = [[replace(cell, text=fold(cell.text)) for cell in row] for row in rows]
    return (Row(number, row) for number, row in enumerate(spread(cells), 1))
