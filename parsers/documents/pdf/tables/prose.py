"""Running text where a table's columns could be: a page set in columns, a list with its marks, text beside a table.

Its lines fill their column and go on from one to the next; cells begin anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from statistics import median

from msgspec import Struct

from parsers.documents.pdf.rows import TextRow, text_rows

_LEAST_LINES = 3
_LEAST_WORDS = 4  # of a line of running text, at the median
_FULL = 0.75  # of its column's width: so long is a line that goes on below
_MOST_FULL = 0.55  # share of the lines that are full
_CONTINUED = 0.4  # share of the lines that begin in lower case: they go on from the one above
_MOST_FIGURES = 0.3  # share of the words of running text that are numbers
_FEW = 0.15  # share of the rows: what stands in so few is no column
_LABELLED = 0.8  # share of the lines that have figures at their right: labels of a table's rows
_SAME_GUTTER = 12.0  # points: how far a gutter may move from one stretch of a page to the next
_MARK = re.compile(r"[^\w\s$€£%+<>=]{1,2}|\(?(?:\d{1,2}|[ivxIVX]{1,4}|[a-zA-Z])[.):]\)?|o")
_FIGURE = re.compile(r"[-+(]?[$€£]?\d[\d.,'/]*[%)+*]*")


class TextColumns(Struct, frozen=True):
    """A stretch of a page that is read column by column."""

    top: float
    bottom: float
    gutters: tuple[float, ...]  # between the columns, left to right

    def has(self, height: float) -> bool:
        """Whether it goes over this height."""
        return self.top <= height <= self.bottom

    def column(self, x: float) -> int:
        """Which column a place lies in, from 0."""
        return sum(x >= gutter for gutter in self.gutters)

    def goes_on(self, below: TextColumns) -> TextColumns | None:
        """Both as one, where their gutters stand at the same places."""
        if len(self.gutters) != len(below.gutters) or any(
            abs(one - other) > _SAME_GUTTER for one, other in zip(self.gutters, below.gutters, strict=True)
        ):
            return None
        return TextColumns(self.top, below.bottom, self.gutters)


class Side(Struct, frozen=True):
    """What stands between two gutters, or outside them."""

    left: float
    rows: tuple[TextRow, ...]  # without marks in front of running text


class _Kind(Enum):
    TEXT = "running text"
    MARKS = "bullets, numbers, or little at all"
    CELLS = "a table's"


class _Column(Struct):
    left: float
    lines: list[TextRow | None]  # one for each row
    kind: _Kind = _Kind.CELLS

    def is_continued(self, rows: Sequence[int]) -> bool:
        """Whether enough of its lines in these rows begin in lower case."""
        lines = [line for at in rows if (line := self.lines[at])]
        return sum(line.words[0].text[0].islower() for line in lines) >= _CONTINUED * len(lines)

    def words(self) -> int:
        """How many it has."""
        return sum(len(line.words) for line in self.lines if line)


def sides(rows: Sequence[TextRow], separators: Sequence[tuple[float, float]]) -> list[Side]:
    """What stands beside running text, and the text, left to right; nothing where the rows are a table's alone."""
    bounds = [float("-inf"), *((start + end) / 2 for start, end in separators), float("inf")]
    columns = [_Column(left, [row.within(left, right) for row in rows]) for left, right in pairwise(bounds)]
    for column in columns:
        column.kind = _kind(column)
    for at, column in enumerate(columns):
        if column.kind is _Kind.TEXT and _is_of_table(column, columns[:at], columns[at + 1 :]):
            column.kind = _Kind.CELLS
    if sum(column.kind is not _Kind.MARKS for column in columns) == 1 and columns[-1].kind is _Kind.CELLS:
        columns[-1].kind = _Kind.TEXT  # a list of short items
    if not any(column.kind is _Kind.TEXT for column in columns):
        return []
    return [_side(group) for group in _groups(columns)]


def _kind(column: _Column) -> _Kind:
    lines = [line for line in column.lines if line]
    if len(lines) <= max(_FEW * len(column.lines), 1):
        return _Kind.MARKS
    if all(_MARK.fullmatch(" ".join(word.text for word in line.words)) for line in lines):
        return _Kind.MARKS
    return _Kind.TEXT if _is_running(lines) and column.is_continued(range(len(column.lines))) else _Kind.CELLS


def _is_running(lines: Sequence[TextRow]) -> bool:
    """Lines of many words, few of them numbers, that fill their width."""
    if len(lines) < _LEAST_LINES or median(len(line.words) for line in lines) < _LEAST_WORDS:
        return False
    words = [word for line in lines for word in line.words]
    width = max(word.x1 for word in words) - min(word.x0 for word in words)
    full = sum(line.words[-1].x1 - line.words[0].x0 >= _FULL * width for line in lines)
    figures = sum(_FIGURE.fullmatch(word.text) is not None for word in words)
    return full >= _MOST_FULL * len(lines) and figures <= _MOST_FIGURES * len(words)


def _is_of_table(column: _Column, before: Sequence[_Column], after: Sequence[_Column]) -> bool:
    """Sentences in cells begin anew beside the other cells of their row; labels have figures at their right."""
    rows = [at for at, line in enumerate(column.lines) if line]
    beside = [at for at in rows if any(other.lines[at] for other in (*before, *after) if other.kind is _Kind.CELLS)]
    labelled = [at for at in rows if any(_is_figure(other.lines[at]) for other in after)]
    return (len(beside) > 1 and not column.is_continued(beside)) or len(labelled) >= _LABELLED * len(rows)


def _is_figure(line: TextRow | None) -> bool:
    return line is not None and all(_FIGURE.fullmatch(word.text) for word in line.words)


def _groups(columns: Sequence[_Column]) -> list[list[_Column]]:
    """A column of running text with the marks before it; a table's columns together."""
    groups: list[list[_Column]] = []
    for column in columns:
        before = groups[-1][-1].kind if groups else _Kind.TEXT
        if before is _Kind.TEXT or (column.kind is _Kind.TEXT and before is _Kind.CELLS):
            groups.append([column])
        else:
            groups[-1].append(column)
    return groups


def _side(group: Sequence[_Column]) -> Side:
    own = group[-1:] if group[-1].kind is _Kind.TEXT else group
    words = [word for column in own for line in column.lines if line for word in line.words]
    return Side(group[0].left, tuple(text_rows(words)))
