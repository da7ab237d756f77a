"""Which rows of a page can be one table: those that follow each other, each in several pieces (spec 5.1, 5.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from parsers.documents.pdf.rows import Chunk, Spacing, TextRow, chunks

_BREAK = 2.6  # of the usual distance of rows: more ends a table
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
    for before, row in zip([None, *rows], rows, strict=False):
        if is_rule(row):
            continue
        if before is not None and row.bottom - before.bottom > _BREAK * pitch:
            runs.append([])
            waiting = []
        if len(chunks(row, measure.chunk_gap)) > 1:
            if waiting and runs[-1] and (_heads_anew(row, runs[-1]) or _is_elsewhere(row, runs[-1], measure)):
                runs.append([])
            if runs[-1]:
                runs[-1] += waiting
            runs[-1].append(row)
            waiting = []
        else:
            waiting.append(row)
    return [run for run in runs if len(run) > 1]


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
