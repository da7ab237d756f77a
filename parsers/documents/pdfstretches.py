"""Which rows of a page can be one table: those that follow each other, each in several pieces (spec 5.1, 5.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from parsers.documents.pdfrows import Spacing, TextRow, chunks

_BREAK = 2.6  # of the usual distance of rows: more ends a table
_RULE = re.compile(r"[-=_.*~+|\u2500-\u257f\s]{3,}")
_FIGURE = re.compile(r"\d")
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
            if waiting and runs[-1] and _heads_anew(row, runs[-1]):
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


def _has_figures(row: TextRow) -> bool:
    return any(_FIGURE.search(word.text) for word in row.words)
