"""Laying out spanning cells: merges of HTML, DOCX and PDF tables become a plain grid."""

from __future__ import annotations

from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Cell
from parsers.documents.unreadable import Unreadable

MAX_COLUMNS = 1000  # the HTML standard's own limit of a colspan
MAX_CELLS = 2_000_000  # of one table, spans expanded


def spread(rows: list[list[Cell]]) -> list[tuple[Cell, ...]]:
    """Lay out rows of spanning cells: every row equally wide, covered places naming their span's origin.

    Raises:
        Unreadable: PART_TOO_LARGE, for more than MAX_CELLS.
    """
    if not any(cell.row_span > 1 or cell.col_span > 1 for row in rows for cell in row):  # most tables
        return _side_by_side(rows)
    placed: list[dict[int, Cell]] = [{} for _ in rows]
    count = 0
    for at, row in enumerate(rows):
        column = 1
        for cell in row:
            while column in placed[at]:
                column += 1
            height = min(cell.row_span, len(rows) - at)
            width = min(cell.col_span, MAX_COLUMNS - column + 1)
            if width < 1:
                break
            count += height * width
            if count > MAX_CELLS:
                raise Unreadable(Code.PART_TOO_LARGE, f"a table of more than {MAX_CELLS} cells")
            _place(placed, at, column, cell, (height, width))
            column += width
    width = max((max(row) for row in placed if row), default=0)
    if width * len(rows) > MAX_CELLS:
        raise Unreadable(Code.PART_TOO_LARGE, f"a table of more than {MAX_CELLS} cells")
    return [tuple(row.get(column) or Cell(column=column) for column in range(1, width + 1)) for row in placed]


def _side_by_side(rows: list[list[Cell]]) -> list[tuple[Cell, ...]]:
    """The rows of cells that span one place each."""
    width = min(max(map(len, rows), default=0), MAX_COLUMNS)
    if width * len(rows) > MAX_CELLS:
        raise Unreadable(Code.PART_TOO_LARGE, f"a table of more than {MAX_CELLS} cells")
    blanks = tuple(Cell(column=column) for column in range(1, width + 1))
    return [
        (*(replace(cell, column=column) for column, cell in enumerate(row[:width], 1)), *blanks[len(row) :])
        for row in rows
    ]


def _place(placed: list[dict[int, Cell]], at: int, column: int, cell: Cell, size: tuple[int, int]) -> None:
    height, width = size
    for down in range(height):
        for right in range(width):
            covered = Cell(column=column + right, origin=(at + 1, column), filled=cell.filled)
            placed[at + down].setdefault(column + right, covered)
    placed[at][column] = replace(cell, column=column, row_span=height, col_span=width)
