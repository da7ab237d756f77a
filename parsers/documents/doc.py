"""DOC, of Word 97 to 2003, to lines (a paragraph each) and grids."""

from __future__ import annotations

import re
from collections.abc import Iterable

from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.docfile import Paragraph, paragraphs
from parsers.documents.fold import fold
from parsers.documents.spans import MAX_COLUMNS, spread

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
        self._rows: list[list[str]] = []
        self._row: list[str] = []
        self._cell: list[str] = []

    def take(self, paragraph: Paragraph) -> None:
        """The next paragraph."""
        if not paragraph.in_table:
            self.end_table()
            self._line(shown(paragraph.text))
            return
        if paragraph.ends_row:
            self._rows.append(self._row[:MAX_COLUMNS])
            self._row, self._cell = [], []
            return
        self._cell.append(shown(paragraph.text))
        if paragraph.ends_cell:
            self._row.append("\n".join(self._cell))
            self._cell = []

    def end_table(self) -> None:
        """The table that was begun, if any, is whole; one of single cells only arranges lines."""
        left = [*self._row, *self._cell]  # of a row without an end
        rows = [*self._rows, *([left] if left else [])]
        self._rows, self._row, self._cell = [], [], []
        if max(map(len, rows), default=0) >= 2:
            self._tables += 1
            self.blocks.append(Grid(tuple(_grid(rows)), table_idx=self._tables))
            return
        for row in rows:
            for text in row:
                self._line(text)

    def _line(self, text: str) -> None:
        for line in text.split("\n"):
            self._lines += 1
            self.blocks.append(Line(self._lines, line.strip(" "), self._offset))
            self._offset += len(line) + 1


def shown(text: str) -> str:
    """What of a paragraph's characters is seen: fields as their results, no places of pictures and notes."""
    before = None
    while before != text:  # fields inside fields
        before, text = text, _FIELD_CODE.sub(r"\1", text)
    return _DRAWN.sub("", text.translate(_SPELLED))


def _grid(rows: Iterable[list[str]]) -> Iterable[Row]:
    cells = [[Cell(text=fold(text)) for text in row] for row in rows]
    return (Row(number, row) for number, row in enumerate(spread(cells), 1))
