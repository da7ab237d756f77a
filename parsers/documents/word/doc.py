"""DOC, of Word 97 to 2003, to lines (a paragraph each) and grids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.fold import fold
from parsers.documents.spans import MAX_COLUMNS, spread
from parsers.documents.withdrawn import standing
from parsers.documents.word.docfile import Paragraph, paragraphs

_FIELD_MARK = re.compile(r"[\x13-\x15]")  # a field begins, its code ends and its result begins, it ends
_SPELLED = str.maketrans({"\x0b": "\n", "\x1e": "-", "\x1f": None, "\x0e": "\n"})
_DRAWN = re.compile(r"[\x00-\x08\x0c-\x1a]")  # places of pictures, notes and what else is no text


def read_doc(data: bytes) -> Document:
    """The main text's blocks in reading order.

    Raises:
        Unreadable: PASSWORD_PROTECTED, UNSUPPORTED_TYPE for Word 95 and older, or CORRUPT_PART.
    """
    return Document(tuple(blocks_of(paragraphs(data))), parser="doc")


def blocks_of(found: Iterable[Paragraph]) -> list[Grid | Line]:
    """Paragraphs as lines, those of a table as a grid."""
    reader = _Reader()
    for paragraph in found:
        reader.take(paragraph)
    reader.end_table()
    return reader.blocks


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
    if "\x13" in text:
        text = "".join(_less_codes(text))
    return _DRAWN.sub("", text.translate(_SPELLED))


def _less_codes(text: str) -> Iterator[str]:
    """The text less the codes of fields, fields inside fields too; a field without its end is text."""
    marks = list(_FIELD_MARK.finditer(text))
    ends = _ends(marks)
    hidden_to = -1  # the number of the mark up to which all is code
    last = 0
    for number, mark in enumerate(marks):
        if number > hidden_to:
            yield text[last : mark.start()]
            if mark[0] == "\x13" and number in ends:
                hidden_to = ends[number]
        last = mark.end()
    yield text[last:]


def _ends(marks: list[re.Match[str]]) -> dict[int, int]:
    """By the numbers of marks: of a field's beginning, that of the mark its result begins behind, or of its end."""
    ends: dict[int, int] = {}
    begun: list[list[int]] = []  # the number of a beginning, and of the mark between code and result
    for number, mark in enumerate(marks):
        if mark[0] == "\x13":
            begun.append([number])
        elif begun and mark[0] == "\x14":
            begun[-1].append(number)
        elif begun:
            first, *between = begun.pop()
            ends[first] = between[0] if between else number
    return ends


def _grid(rows: Iterable[list[Cell]]) -> Iterator[Row]:
    cells = [[replace(cell, text=fold(cell.text)) for cell in row] for row in rows]
    return (Row(number, row) for number, row in enumerate(spread(cells), 1))
