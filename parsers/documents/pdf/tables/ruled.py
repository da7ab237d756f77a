"""Tables drawn with lines: columns and rows from the rulings, wrapped cells joined (spec 5.1)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise, takewhile
from statistics import median

from parsers.documents.pdf.page import Page, Word
from parsers.documents.pdf.rows import Spacing, TextRow, chunks, text_rows
from parsers.documents.pdf.tables.columns import Cells, Table
from parsers.documents.pdf.tables.lattice import NEAR, Bar, Lattice, lattices

_REACH = 2.2  # of the usual band: how far a header, perhaps of two lines, may stand outside the first line
_RULED = 4  # bands at least, to tell whether each row has its lines
_SAME_LINES = 0.6  # share of a band's cells with as many lines each: then the lines are rows, not wrapped text


def ruled_tables(page: Page, measure: Spacing) -> list[Table]:
    """Tables of the page's rulings."""
    tables = (_table(page, lattice, measure) for lattice in lattices(page))
    return [table for table in tables if table is not None]


def _table(page: Page, lattice: Lattice, measure: Spacing) -> Table | None:
    columns, rows = lattice.columns(), lattice.rows()
    if len(columns) < 3 or len(rows) < (2 if lattice.down else 3):
        return None
    inside = [word for word in page.words if columns[0] - NEAR <= word.x0 <= columns[-1]]
    if not lattice.down:
        rows = _with_ends(rows, columns, text_rows(inside), measure)
    inside.sort(key=lambda word: word.middle)
    middles = [word.middle for word in inside]
    bands = [
        text_rows(inside[bisect_left(middles, top) : bisect_left(middles, bottom)]) for top, bottom in pairwise(rows)
    ]
    is_each_ruled = _is_each_ruled(bands, columns)
    walls = [[line for line in lattice.down if abs(line.at - at) <= NEAR] for at in columns[:-1]]
    cells: list[Cells] = []
    merged: set[tuple[int, int]] = set()
    firsts = [0]  # row of each band, and behind the last one
    for (top, bottom), lines in zip(pairwise(rows), bands, strict=True):
        closed = _closed(walls, (top + bottom) / 2) if lattice.down else [True] * len(walls)
        closed = _closed_by_text(closed, lines, columns, measure)
        band = _band(lines, columns, closed, is_one=is_each_ruled)
        opened = [column for column, is_closed in enumerate(closed) if not is_closed]
        merged |= {(len(cells) + row, column) for row in range(len(band)) for column in opened}
        cells += band
        firsts.append(len(cells))
    texts = tuple(_text_row(row) for row in cells)
    below: set[tuple[int, int]] = set()
    for column, start, end in lattice.spanned(columns, rows):
        below |= _joined_down(cells, column, firsts[start : end + 2], merged)
    first, last = _within_titles(cells, merged, len(columns) - 1)
    if last - first < 2:
        return None
    return Table(texts, tuple(cells), tuple(columns), frozenset(merged), frozenset(below)).cut(first, last)


def _joined_down(
    cells: list[Cells], column: int, firsts: Sequence[int], merged: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """One cell of those of a column in bands that begin at these rows, if each is a row; what the first one covers."""
    rows = range(firsts[0], firsts[-1])
    is_merged = any((row, side) in merged for row in rows for side in (column, column + 1))
    if is_merged or len(rows) < 2 or any(end - start > 1 for start, end in pairwise(firsts)):
        return set()
    words = tuple(word for row in rows for word in cells[row][column])
    for row in rows:
        cells[row] = (*cells[row][:column], words if row == rows[0] else (), *cells[row][column + 1 :])
    return {(row, column) for row in rows[1:]}


def _within_titles(cells: Sequence[Cells], merged: set[tuple[int, int]], columns: int) -> tuple[int, int]:
    """The rows from and to which the table goes: without a title and a note in its frame, as wide as it."""
    first, last = 0, len(cells)
    wide = [all((row, column) in merged for column in range(1, columns)) for row in range(last)]
    while first < last and wide[first]:
        first += 1
    while first < last and wide[last - 1]:
        last -= 1
    return first, last


def _with_ends(rows: list[float], columns: list[float], lines: list[TextRow], measure: Spacing) -> list[float]:
    """Lines across alone may only part the rows: the first and the last row then stand outside them."""
    reach = _REACH * median(bottom - top for top, bottom in pairwise(rows))
    above = [line for line in lines if rows[0] - reach <= line.middle < rows[0]]
    below = [line for line in lines if rows[-1] < line.middle <= rows[-1] + reach]
    header = list(takewhile(lambda line: _fits(line, columns, measure), reversed(above)))
    footer = list(takewhile(lambda line: _fits(line, columns, measure), below))
    if sum(len(line.words) for line in header) > 1:
        rows = [header[-1].top - 1, *rows]
    if footer and len(chunks(footer[0], measure.chunk_gap)) > 1:
        rows = [*rows, footer[-1].bottom + 1]
    return rows


def _fits(line: TextRow, columns: list[float], measure: Spacing) -> bool:
    """No chunk of it stands in two columns."""
    return not any(
        part.x0 + 1 < border < part.x1 - 1 for part in chunks(line, measure.chunk_gap) for border in columns[1:-1]
    )


def _closed(walls: list[list[Bar]], middle: float) -> list[bool]:
    """Of each column: whether a line stands at its left at this height; without one it is merged with its neighbour."""
    return [index == 0 or any(line.start <= middle <= line.end for line in lines) for index, lines in enumerate(walls)]


def _closed_by_text(closed: list[bool], lines: Sequence[TextRow], columns: list[float], measure: Spacing) -> list[bool]:
    """And the borders that text stands at both sides of, in the cells that they would part, and none across."""
    if all(closed):
        return closed
    parts = [part for line in lines for part in chunks(line, measure.chunk_gap)]
    kept = list(closed)
    for index, is_closed in enumerate(closed):
        if is_closed:
            continue
        first = max(at for at in range(index) if closed[at])
        last = next((at for at in range(index + 1, len(closed)) if closed[at]), len(closed))
        own = [part for part in parts if columns[first] - NEAR <= (part.x0 + part.x1) / 2 <= columns[last] + NEAR]
        border = columns[index]
        is_left, is_right = any(part.x1 <= border + 1 for part in own), any(part.x0 >= border - 1 for part in own)
        kept[index] = is_left and is_right and not any(part.x0 + 1 < border < part.x1 - 1 for part in own)
    return kept


def _is_each_ruled(bands: Sequence[Sequence[TextRow]], columns: list[float]) -> bool:
    """Whether lines across stand between nearly all rows: then lines of text between two of them are wrapped."""
    filled = [lines for lines in bands if lines]
    return len(filled) >= _RULED and 2 * sum(_are_rows(lines, columns) for lines in filled) <= len(filled)


def _are_rows(lines: Sequence[TextRow], columns: list[float]) -> bool:
    """Whether lines between two lines across are a row each: most cells have as many of them."""
    if len(lines) < 2:
        return False
    closed = [True] * (len(columns) - 1)
    by_line = [_cells(line.words, columns, closed) for line in lines]
    counts = [sum(1 for row in by_line if row[column]) for column in range(len(columns) - 1)]
    filled = [count for count in counts if count]
    full = sum(1 for count in filled if count == len(by_line))
    return full >= 2 and full >= _SAME_LINES * len(filled)


def _band(lines: Sequence[TextRow], columns: list[float], closed: list[bool], *, is_one: bool) -> list[Cells]:
    """The rows between two lines across: one, unless most of its cells have as many lines each."""
    by_line = [_cells(line.words, columns, closed) for line in lines]
    if len(by_line) < 2 or (not is_one and _are_rows(lines, columns)):
        return by_line
    return [tuple(tuple(word for row in by_line for word in row[column]) for column in range(len(columns) - 1))]


def _cells(words: Sequence[Word], columns: list[float], closed: list[bool]) -> Cells:
    """Words by column; a column without a line at its left belongs to the one before it: merged cells."""
    cells: list[list[Word]] = [[] for _ in range(len(columns) - 1)]
    for word in words:
        middle = (word.x0 + word.x1) / 2
        column = max(bisect_right(columns, middle, 0, len(columns) - 1) - 1, 0)
        while not closed[column]:
            column -= 1
        cells[column].append(word)
    return tuple(tuple(cell) for cell in cells)


def _text_row(cells: Cells) -> TextRow:
    words = tuple(word for cell in cells for word in cell)
    return TextRow(words, min(word.top for word in words), max(word.bottom for word in words))
