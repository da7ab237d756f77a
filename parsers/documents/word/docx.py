"""DOCX and DOCM to lines (a paragraph each) and grids, from the package's XML. Deleted and hidden text is not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Cell, Document, Grid, Line, Row
from parsers.documents.budget import Budget
from parsers.documents.fold import fold
from parsers.documents.package import open_package, read_member
from parsers.documents.raised import level
from parsers.documents.spans import MAX_CELLS, MAX_COLUMNS
from parsers.documents.unreadable import Unreadable
from parsers.documents.withdrawn import standing
from parsers.documents.word.docxblocks import Look, Paragraph, Part, Table, TableRow, parts_of
from parsers.documents.word.docxstream import tokens
from parsers.documents.word.docxstyles import read_styles

_PLAIN = Look()


def read_docx(data: bytes, budget: Budget | None = None) -> Document:
    """The body's blocks in reading order; text boxes follow the paragraph they hang on. `budget` is its mail's.

    Raises:
        Unreadable: CORRUPT_PART, PASSWORD_PROTECTED or ARCHIVE_LIMIT.
    """
    with open_package(data, budget) as package:
        xml = read_member(package, "word/document.xml")
        if xml is None:
            raise Unreadable(Code.CORRUPT_PART, "no word/document.xml")
        styles = read_styles(package, data)
    return Document(tuple(_blocks(parts_of(tokens(xml), styles))), parser="docx")


def _blocks(parts: Iterable[Part]) -> Iterator[Grid | Line]:
    lines = tables = offset = 0
    for part in parts:
        if isinstance(part, Table):
            tables += 1
            rows = _joined_down([_placed(row) for row in part.rows])
            yield Grid(tuple(Row(number, row) for number, row in enumerate(rows, 1)), table_idx=tables)
            continue
        shown, _, struck, hidden = _shown([part], filled=False)
        for text in shown.split("\n"):
            lines += 1
            yield Line(lines, text.strip(" "), offset, struck=struck, hidden=hidden)
            offset += len(text) + 1


def _shown(paragraphs: list[Paragraph], *, filled: bool) -> tuple[str, bool, bool, bool]:
    """What paragraphs say that is not withdrawn, and whether all of it is bold, struck through, white on white."""
    if len(paragraphs) == 1 and len(paragraphs[0]) == 1:  # most cells
        return _of_run(*paragraphs[0][0], filled=filled)
    looks = {look for paragraph in paragraphs for text, look in paragraph if not text.isspace()}
    runs = _in_line(paragraphs)
    if not filled and len({look.white for look in looks}) > 1:  # beside text that is seen, white is not
        runs = [(" " if look.white else text, look) for text, look in runs]
    if any(look.raised for look in looks):
        text, struck = standing(level((text, look.struck, look.raised) for text, look in runs))
    else:
        text, struck = standing([(text, look.struck) for text, look in runs])
    hidden = not filled and bool(looks) and all(look.unseen for look in looks)
    return text, bool(looks) and all(look.bold for look in looks), struck, hidden


def _of_run(text: str, look: Look, *, filled: bool) -> tuple[str, bool, bool, bool]:
    """The same of one run."""
    if text.isspace():
        return text, False, False, False
    return text, look.bold, look.struck, look.unseen and not filled


def _in_line(paragraphs: Sequence[Paragraph]) -> list[tuple[str, Look]]:
    """The runs of all paragraphs, a space between these."""
    runs: list[tuple[str, Look]] = []
    for paragraph in paragraphs:
        runs += [(" ", _PLAIN)] if runs else []
        runs += paragraph
    return runs


class _Placed(NamedTuple):
    """A row, spans across laid out."""

    cells: list[Cell]
    merges: dict[int, str]  # by the index of a cell: restart, continue or covered; most rows have none


def _placed(row: TableRow) -> _Placed:
    cells = [Cell(column=before) for before in range(1, row.left_free + 1)]
    merges: dict[int, str] = {}
    for cell in row.cells:
        column = len(cells) + 1
        text, bold, struck, hidden = _shown(
            cast("list[Paragraph]", cell.parts), filled=cell.filled
        )  # a table around others is none by now
        made = Cell(fold(text), None, None, column, bold, cell.filled, struck, hidden)
        if cell.merge is not None:
            merges[column - 1] = cell.merge
        if cell.span == 1:
            cells.append(made)
            continue
        span = max(1, min(cell.span, MAX_COLUMNS - column))
        cells.append(replace(made, col_span=span))
        cells += [Cell(column=column + right) for right in range(1, span)]
        merges |= dict.fromkeys(range(column, column + span - 1), "covered")
    return _Placed(cells, merges)


def _joined_down(rows: list[_Placed]) -> list[tuple[Cell, ...]]:
    """Rows equally wide; cells that a merge covers empty, and naming its origin.

    Raises:
        Unreadable: PART_TOO_LARGE.
    """
    width = max(len(row.cells) for row in rows)
    if width * len(rows) > MAX_CELLS:
        raise Unreadable(Code.PART_TOO_LARGE, f"a table of more than {MAX_CELLS} cells")
    grid = [row.cells + [Cell(column=c) for c in range(len(row.cells) + 1, width + 1)] for row in rows]
    for at, row in enumerate(rows):
        for index, merge in row.merges.items():
            cell = row.cells[index]
            if merge == "covered":
                left = grid[at][index - 1]
                grid[at][index] = replace(cell, origin=left.origin or (at + 1, left.column))
            elif merge == "continue" and at > 0:
                above = grid[at - 1][index]
                origin = above.origin or (at, above.column)
                grid[at][index] = replace(cell, text="", origin=origin)
                top = grid[origin[0] - 1][index]
                grid[origin[0] - 1][index] = replace(top, row_span=at + 2 - origin[0])
    return [tuple(row) for row in grid]
