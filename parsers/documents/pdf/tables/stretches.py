"""Which rows of a page can be one table: those that follow each other, each in several pieces (spec 5.1, 5.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from parsers.documents.pdf.rows import Chunk, Spacing, TextRow, chunks

_BREAK = 2.6  # of the usual distance of rows: more ends a table
_WIDE = 1.5  # of the font height: no line of text is spread as far
_NEXT = 1.6  # of the usual distance of rows
_WORDY = 6  # words of a line of text, at least
_ACROSS = 0.7  # of the width of the rows above: so far goes a line of text
_LOOKED_AT = 5  # rows above a title
_ALIGNED = 0.15  # of the font height
_RULE = re.compile(r"[-=_.*~+|\u2500-\u257f\s]{3,}")
_FIGURE = re.compile(r"\d")
_LEVEL = re.compile(r"[-+($€£]*\d[-\d.,/'+%)*]*")
_NULL = re.compile(r"[-–—.]+|n/?a|nb|no|nr|tbd", re.IGNORECASE)
"""In the cells of a row without a level: no header has one."""


def is_rule(row: TextRow) -> bool:
    """A line typed out of dashes."""
    return all(_RULE.fullmatch(word.text) for word in row.words)


def stretches(rows: Sequence[TextRow], measure: Spacing) -> list[list[TextRow]]:
    """Stretches of rows with several chunks, single ones between them included."""
    pitch = median(b.bottom - a.bottom for a, b in pairwise(rows)) if len(rows) > 1 else 0.0
    runs: list[list[TextRow]] = [[]]
    waiting: list[TextRow] = []  # single chunks that may yet turn out to stand inside
    for at, (before, row) in enumerate(zip([None, *rows], rows, strict=False)):
        if is_rule(row):
            continue
        if before is not None and row.bottom - before.bottom > _BREAK * pitch:
            runs.append([])
            waiting = []
        if _has_columns(rows, at, pitch, measure):
            if waiting and runs[-1] and _is_another(row, runs[-1], waiting, measure):
                runs.append([])
            if runs[-1]:
                runs[-1] += waiting
            runs[-1].append(row)
            waiting = []
        else:
            waiting.append(row)
    return [run for run in runs if len(run) > 1]


def _has_columns(rows: Sequence[TextRow], at: int, pitch: float, measure: Spacing) -> bool:
    """Whether the row has gaps that can part columns: wide ones, or such as a row next to it leaves free, too."""
    row = rows[at]
    gaps = [(one.x1, other.x0) for one, other in pairwise(chunks(row, measure.chunk_gap))]
    if not gaps or any(end - start >= _WIDE * measure.height for start, end in gaps):
        return bool(gaps)
    near = [
        other
        for other in (*rows[max(at - 1, 0) : at], *rows[at + 1 : at + 2])
        if abs(other.bottom - row.bottom) <= _NEXT * pitch
    ]
    return not near or any(_leaves(other, *gap) for other in near for gap in gaps)


def _leaves(row: TextRow, start: float, end: float) -> bool:
    """Whether the row has words at both sides of a gap and none in it."""
    is_free = not any(word.x0 < end and start < word.x1 for word in row.words)
    return is_free and row.words[0].x0 < start and end < row.words[-1].x1


def _is_another(row: TextRow, above: Sequence[TextRow], between: Sequence[TextRow], measure: Spacing) -> bool:
    """Whether a row under lines of text begins another table."""
    return _heads_anew(row, above) or _is_elsewhere(row, above, measure) or _are_text(between, above)


def _are_text(lines: Sequence[TextRow], above: Sequence[TextRow]) -> bool:
    """Whether two of them in a row go over most of the width of the rows above: text, and no titles."""
    left, right = min(row.words[0].x0 for row in above), max(row.words[-1].x1 for row in above)
    long = [
        len(line.words) >= _WORDY and line.words[-1].x1 - line.words[0].x0 >= _ACROSS * (right - left) for line in lines
    ]
    return any(one and other for one, other in pairwise(long))


def _heads_anew(row: TextRow, above: Sequence[TextRow]) -> bool:
    """Whether a row under a title is a header: that of the rows above again, or words alone below rows with figures."""
    if [word.text for word in above[0].words] == [word.text for word in row.words]:
        return True
    is_worded = not _has_figures(row) and not any(_NULL.fullmatch(word.text) for word in row.words)
    return is_worded and any(map(_has_figures, above))


def _is_elsewhere(row: TextRow, above: Sequence[TextRow], measure: Spacing) -> bool:
    """Whether a row under a title has headings alone, most of them over no column of the rows above that title."""
    own = chunks(row, measure.chunk_gap)[1:]
    if not own or any(_LEVEL.fullmatch(piece.text) or _NULL.fullmatch(piece.text) for piece in own):
        return False
    for other in above[-_LOOKED_AT:]:
        pieces = chunks(other, measure.chunk_gap)[1:]
        aligned = sum(any(_are_aligned(one, piece, measure.height) for piece in pieces) for one in own)
        if pieces and aligned * 2 >= min(len(own), len(pieces)):
            return False
    return True


def _are_aligned(one: Chunk, other: Chunk, height: float) -> bool:
    """Whether two pieces begin, end or have their middle at the same place."""
    nearest = min(abs(one.x0 - other.x0), abs(one.x1 - other.x1), abs(one.x0 + one.x1 - other.x0 - other.x1) / 2)
    return nearest <= _ALIGNED * height


def _has_figures(row: TextRow) -> bool:
    return any(_FIGURE.search(word.text) for word in row.words)
