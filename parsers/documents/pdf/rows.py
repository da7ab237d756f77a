"""Words of a page into rows by baseline, and rows into chunks by gaps (spec 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf
from operator import attrgetter
from statistics import median

from msgspec import Struct

from parsers.documents.pdf.page import Word

SAME_ROW = 0.4  # of the font height: how far baselines of one row may lie apart (spec 5.1)
_CHUNK_GAP = 0.6  # of the font height: wider than any word space of a proportional font
_MONO_GAP = 1.5  # of a character's width: two spaces and more
_BY_BOTTOM, _BY_PLACE = attrgetter("bottom", "x0"), attrgetter("x0")
_WORD_SPACE = 0.5  # of the font height, about: to print a gap as so many spaces


class Chunk(Struct, frozen=True):
    """Words of a row that belong together: a cell, or a run of text."""

    words: tuple[Word, ...]

    @property
    def x0(self) -> float:
        """Left edge."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(word.x1 for word in self.words)

    @property
    def text(self) -> str:
        """The words with single spaces."""
        return " ".join(word.text for word in self.words)


class TextRow(Struct, frozen=True):
    """Words on one baseline, left to right."""

    words: tuple[Word, ...]
    top: float
    bottom: float

    @property
    def height(self) -> float:
        """About the font size of the row."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """Where the row stands on the page."""
        return (self.top + self.bottom) / 2

    def within(self, x0: float, x1: float) -> TextRow | None:
        """The part of the row between two places."""
        words = tuple(word for word in self.words if x0 <= (word.x0 + word.x1) / 2 < x1)
        return TextRow(words, self.top, self.bottom) if words else None


def text_rows(words: Iterable[Word]) -> list[TextRow]:
    """Rows from top to bottom."""
    rows: list[list[Word]] = []
    bottom, height = -inf, 0.0  # of the row's first word
    for word in sorted(words, key=_BY_BOTTOM):
        own = word.bottom - word.top
        if word.bottom - bottom <= SAME_ROW * min(own, height):
            rows[-1].append(word)
        else:
            rows.append([word])
            bottom, height = word.bottom, own
    return [_row(row) for row in rows]


def _row(words: list[Word]) -> TextRow:
    words.sort(key=_BY_PLACE)
    return TextRow(tuple(words), median([word.top for word in words]), median([word.bottom for word in words]))


class Spacing(Struct, frozen=True):
    """What is a gap on this page."""

    height: float  # of most words
    pitch: float | None  # width of every character, where the font has only one

    @property
    def chunk_gap(self) -> float:
        """Narrower gaps are word spaces."""
        return _MONO_GAP * self.pitch if self.pitch else _CHUNK_GAP * self.height


def spacing(words: Sequence[Word]) -> Spacing:
    """Measured on the words of a page."""
    height = median([word.bottom - word.top for word in words]) if words else 10.0
    widths = sorted(
        [(word.x1 - word.x0) / len(word.text) / (word.bottom - word.top) for word in words if len(word.text) > 2]
    )
    low, high = (widths[len(widths) // 10], widths[-(len(widths) // 10) - 1]) if widths else (0.0, 1.0)
    is_mono = len(widths) > 2 and high - low < 0.04 * high
    return Spacing(height, median(widths) * height if is_mono else None)


def chunks(row: TextRow, gap: float) -> list[Chunk]:
    """The row cut where two words stand further apart than `gap`."""
    groups = [[row.words[0]]]
    for word in row.words[1:]:
        if word.x0 - groups[-1][-1].x1 >= gap:
            groups.append([word])
        else:
            groups[-1].append(word)
    return [Chunk(tuple(group)) for group in groups]


def row_text(row: TextRow, measure: Spacing) -> str:
    """The row as a line of text, wide gaps as several spaces, so that aligned columns stay visible."""
    width, chunk_gap = measure.pitch or _WORD_SPACE * measure.height, measure.chunk_gap
    text = row.words[0].text
    for before, word in pairwise(row.words):
        gap = word.x0 - before.x1
        spaces = min(max(round(gap / width), 2), 40) if gap >= chunk_gap else 1
        text += " " * spaces + word.text
    return text
