"""Tables without lines: columns are the gaps that at least 80 % of the rows share (spec 5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from msgspec import Struct

from parsers.documents.pdf.page import Word
from parsers.documents.pdf.rows import Chunk, Spacing, TextRow, chunks, spacing
from parsers.documents.pdf.tables.prose import TextColumns, sides
from parsers.documents.pdf.tables.stretches import stretches

_SHARED = 0.8  # share of rows that leave a gap free (spec 5.1)
_GAP = 0.35  # of the font height: a word space has 0.25, and gaps shared by rows are narrower than their own
_MONO_GAP = 1.5  # of a character's width, where the font has only one
_TIGHT_GAP = 0.1  # of the font height: enough between two numbers, or after an identifier
_APART = 1.6  # of the usual distance of rows: a blank line
_FILLED = 0.6  # share of the columns that a header fills at least
_NUMBER = re.compile(r"[-+(]?[$€£]?[\d.,'/]*\d[\d.,'/]*[%)+*]?")
_IDENTIFIER = re.compile(r"(?=(?:[A-Z]*\d){2})(?:[A-Z]{2}[A-Z0-9]{9}\d|[A-Z0-9]{8}\d|LX\d{6})")


Cells = tuple[tuple[Word, ...], ...]  # the words of each cell of a row


class Table(Struct, frozen=True):
    """Rows of cells, and where the columns stand."""

    rows: tuple[TextRow, ...]
    cells: tuple[Cells, ...]  # a row each, equally long
    edges: tuple[float, ...]  # column borders, the outer ones included
    merged: frozenset[tuple[int, int]] = frozenset()  # (row, column), 0-based, covered by the cell at their left
    below: frozenset[tuple[int, int]] = frozenset()  # likewise, by the cell above

    @property
    def top(self) -> float:
        """Where it begins on the page."""
        return self.rows[0].top

    def span(self, row: int, column: int) -> tuple[int, int] | None:
        """How many rows and columns the cell takes; None for what another covers."""
        if (row, column) in self.merged or (row, column) in self.below:
            return None
        rows = columns = 1
        while (row + rows, column) in self.below:
            rows += 1
        while (row, column + columns) in self.merged:
            columns += 1
        return rows, columns

    def cut(self, first: int, last: int) -> Table:
        """The rows from one to another, the latter not among them."""
        merged, below = (
            frozenset((row - first, column) for row, column in covered if first <= row < last)
            for covered in (self.merged, self.below)
        )
        return Table(self.rows[first:last], self.cells[first:last], self.edges, merged, below)


def is_number(text: str) -> bool:
    """A price, size or other figure, and no identifier."""
    return _NUMBER.fullmatch(text) is not None


def tables(rows: Sequence[TextRow], measure: Spacing) -> tuple[list[Table], list[TextColumns]]:
    """The tables among rows of one page, top to bottom, and where columns of text stand beside each other."""
    found: list[Table] = []
    texts: list[TextColumns] = []
    for run in stretches(rows, measure):
        own = spacing([word for row in run for word in row.words])  # a table may have a font of its own
        columns = _separators(run, own)
        if not columns:
            continue
        beside = sides(run, columns)
        for side in beside:
            if _words(side.rows) < _words(run):
                found += tables(side.rows, measure)[0]
        if beside:
            text = TextColumns(run[0].top, run[-1].bottom, tuple(side.left for side in beside[1:]))
            both = texts[-1].goes_on(text) if texts else None
            texts = [*texts[:-1], both] if both else [*texts, text]
            continue
        parts = (_table(part, own) for part in _side_by_side(run, columns, own))
        found += [table for table in parts if table is not None]
    return found, texts


def _words(rows: Iterable[TextRow]) -> int:
    return sum(len(row.words) for row in rows)


def _core(rows: Sequence[TextRow], measure: Spacing) -> list[list[Chunk]]:
    """Chunks of the rows that show the columns: those with nearly as many as most."""
    split = [chunks(row, measure.chunk_gap) for row in rows]
    counts = sorted(len(parts) for parts in split if len(parts) > 1)
    usual = counts[len(counts) // 2] if counts else 2
    return [parts for parts in split if len(parts) > 1 and len(parts) >= usual - 2]


def _separators(rows: Sequence[TextRow], measure: Spacing) -> list[tuple[float, float]]:
    """Gaps (from, to) that the core rows share."""
    core = _core(rows, measure)
    if len(core) < 2:
        return []
    narrow = _MONO_GAP * measure.pitch if measure.pitch else _GAP * measure.height
    return _free([[(word.x0, word.x1) for part in parts for word in part.words] for parts in core], narrow)


def _free(spans: list[list[tuple[float, float]]], narrow: float) -> list[tuple[float, float]]:
    """Stretches at least `narrow` wide in which at most 20 % of the rows have ink, between the outermost ink."""
    events: list[tuple[float, int]] = []
    for row in spans:
        for x0, x1 in row:
            events += [(x0, 1), (x1, -1)]
    events.sort()
    allowed = int((1 - _SHARED) * len(spans) + 1e-9)
    free: list[tuple[float, float]] = []
    inked, free_from = 0, None
    for x, change in events:
        inked += change
        if inked > allowed and free_from is not None:
            if x - free_from >= narrow:
                free.append((free_from, x))
            free_from = None
        elif inked <= allowed and free_from is None:
            free_from = x
    first = min(x0 for row in spans for x0, _ in row)
    return [(start, end) for start, end in free if start > first]


def _side_by_side(
    rows: Sequence[TextRow], separators: list[tuple[float, float]], measure: Spacing
) -> list[Sequence[TextRow]]:
    """Tables beside each other show by a header that stands twice or more in one row."""
    for row in rows:
        parts = chunks(row, measure.chunk_gap)
        texts = [part.text.lower() for part in parts]
        unit = _repeated(texts)
        if unit is None or any(text[0].isdigit() for text in texts):
            continue
        if separators and parts[0].x0 > separators[0][0]:  # `Bid | Ask` twice, under `Spread` and `Price`
            continue
        ends = [(parts[at - 1], parts[at]) for at in range(unit, len(parts), unit)]
        if not all(any(one.x0 < gap[0] and gap[1] <= other.x0 + 1 for gap in separators) for one, other in ends):
            continue
        bounds = [float("-inf"), *((one.x1 + other.x0) / 2 for one, other in ends), float("inf")]
        return [[side for row in rows if (side := row.within(*places))] for places in pairwise(bounds)]
    return [rows]


def _repeated(texts: list[str]) -> int | None:
    """How many of the texts, two or more, come again and again; None where they do not."""
    return next((unit for unit in range(2, len(texts) // 2 + 1) if texts[:unit] * (len(texts) // unit) == texts), None)


def _table(rows: Sequence[TextRow], measure: Spacing) -> Table | None:
    separators = _separators(rows, measure)
    rows = _trimmed(rows, separators, measure)
    if not separators or len(rows) < 2:
        return None
    separators = sorted(separators + _tight(rows, separators, measure))
    x0, x1 = min(row.words[0].x0 for row in rows), max(word.x1 for row in rows for word in row.words)
    edges = (x0, *((start + end) / 2 for start, end in separators), x1)
    cells = tuple(_cells(row, separators, measure) for row in rows)
    return Table(tuple(rows), cells, edges)


def _trimmed(rows: Sequence[TextRow], separators: list[tuple[float, float]], measure: Spacing) -> Sequence[TextRow]:
    """Without lines of text above and below: those that run across columns."""
    kept = list(rows)
    apart = _APART * median(below.bottom - above.bottom for above, below in pairwise(kept))
    while len(kept) > 1 and _is_outside(kept[0], kept[1].bottom - kept[0].bottom > apart, separators, measure):
        kept.pop(0)
    while len(kept) > 1 and _is_outside(kept[-1], kept[-1].bottom - kept[-2].bottom > apart, separators, measure):
        kept.pop()
    return kept


def _is_outside(row: TextRow, is_apart: bool, separators: list[tuple[float, float]], measure: Spacing) -> bool:  # noqa: FBT001 -- computed
    """Text that covers a column border whole; or that stands apart and fills few of the columns."""
    parts = chunks(row, measure.chunk_gap)
    if is_apart and len(parts) < _FILLED * (len(separators) + 1):
        return True
    margin = measure.height
    pieces = [piece for part in parts for piece in _pieces(part, separators)]
    if len(pieces) >= _FILLED * (len(separators) + 1):  # cells so near each other that they look like one
        parts = pieces
    return any(part.x0 < start - margin and end + margin < part.x1 for part in parts for start, end in separators)


def _tight(
    rows: Sequence[TextRow], separators: list[tuple[float, float]], measure: Spacing
) -> list[tuple[float, float]]:
    """Narrow gaps that are borders all the same: between two numbers, and after an identifier."""
    bounds = [float("-inf"), *((start + end) / 2 for start, end in separators), float("inf")]
    found = []
    for left, right in pairwise(bounds):
        column = [side.words for row in rows if (side := row.within(left, right))]
        several = [words for words in column if len(words) > 1]
        if len(several) < 2 or len(several) < _SHARED * (len(column) - 1):
            continue
        gaps = _free([[(word.x0, word.x1) for word in words] for words in several], _TIGHT_GAP * measure.height)
        found += [gap for gap in gaps if _parts_cells(several, gap)]
    return found


def _parts_cells(column: list[tuple[Word, ...]], gap: tuple[float, float]) -> bool:
    middle = (gap[0] + gap[1]) / 2
    left = [" ".join(word.text for word in words if word.x1 <= middle + 1) for words in column]
    right = [" ".join(word.text for word in words if word.x0 >= middle - 1) for words in column]
    ids = sum(1 for text in left if _IDENTIFIER.fullmatch(text))
    numbers = sum(
        1
        for one, other in zip(left, right, strict=True)
        if _NUMBER.fullmatch(one) and _NUMBER.fullmatch(other) and "/" not in other
    )
    return max(ids, numbers) >= _SHARED * (len(column) - 1)


def _cells(row: TextRow, separators: list[tuple[float, float]], measure: Spacing) -> Cells:
    """The row's words by column: in order where there are as many chunks as columns, else by place.

    A row that ends in front of the last column has less: `ABC 5 33   98/99` on the left of a page.
    """
    parts = chunks(row, measure.chunk_gap)
    if len(parts) == len(separators) + 1 and parts[-1].x1 > separators[-1][0] and parts[0].x0 < separators[0][1]:
        return tuple(part.words for part in parts)
    columns: list[list[Word]] = [[] for _ in range(len(separators) + 1)]
    for part in parts:
        for piece in _pieces(part, separators):
            columns[_column(piece, separators)] += piece.words
    return tuple(tuple(words) for words in columns)


def _pieces(part: Chunk, separators: list[tuple[float, float]]) -> list[Chunk]:
    """Cut at borders that the chunk lies on both sides of, where it has a gap there: two cells in tight columns."""
    crossed = [(start, end) for start, end in separators if part.x0 < start and end < part.x1]
    pieces: list[list[Word]] = [[part.words[0]]]
    for before, word in pairwise(part.words):
        middle = (before.x1 + word.x0) / 2
        if any(start - 1 <= middle <= end + 1 for start, end in crossed):
            pieces.append([word])
        else:
            pieces[-1].append(word)
    return [Chunk(tuple(words)) for words in pieces]


def _column(piece: Chunk, separators: list[tuple[float, float]]) -> int:
    """The column it covers most of."""
    borders = [float("-inf"), *((start + end) / 2 for start, end in separators), float("inf")]
    overlaps = [min(piece.x1, right) - max(piece.x0, left) for left, right in pairwise(borders)]
    return overlaps.index(max(overlaps))
