"""Tables pasted into text: lines that tabs, bars or blanks part into the cells of a grid (spec 5.1)."""

from __future__ import annotations

import csv
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import compress, pairwise

from msgspec import Struct

from parsers.document import Cell, Grid, Line, Row
from parsers.quotes.headings.columns import column
from parsers.quotes.headings.roles import IDENTITY
from parsers.quotes.runs.lines import skip
from parsers.quotes.runs.lines.aligned import cells, header_line

_LEAST_CELLS = 3
_LEAST_LINES = 3  # a header and two rows
_LEVEL = re.compile(r"\d[.,/½¼¾⅛⅜⅝⅞-]")
"""In a row; a block of rows alone has no headings, and most runs are such."""
_FIRST = re.compile(r"(?<=[^|\s])\s*?(?:\t|  |[|;,])")
"""Behind the first cell of a line."""
_FIGURE = re.compile(r"\d")
_LEAST_MARKS = 2
"""Commas and semicolons, less one, of a row of theirs; sentences have some, too."""
_PARTING = re.compile(r"(?<!\d),|,(?!\d)")
"""A comma that is no decimal mark: blanks part `SHBASS 3,625 04/33   99,66   65   99,76   62`."""
_BETWEEN = 3
"""Lines from one row to the next: a title of a section and a rule or an empty line may stand between them."""
_LEAST_AGAIN = 2  # headings of a table beside another
_BLANKS = 2
"""Blanks that part two cells; one stands within a name."""


Headings = Mapping[int, tuple[int, str]]
"""Where a heading begins: where it ends, and its text."""


class Parted(Struct, frozen=True):
    """A stretch of lines that may be a table."""

    grid: Grid  # each row has the number of its line; none where no columns are told
    length: int  # lines of the text that it takes


def parted(lines: Sequence[Line], at: int, until: int) -> Parted | None:
    """The table that begins at an index and ends before another, without rows where they have no columns in common.

    None for other lines.
    """
    mark = mark_of(lines[at].text) or _mark_over(lines, at)
    if mark is None:
        return None
    end = _end(lines, at, mark, until)
    found = [line for line in lines[at:end] if line.text.strip() and not skip.is_art(line.text)]
    rows: list[list[str]] = []
    of_cells = [line.text for line in found if mark_of(line.text) == mark]
    if len(of_cells) >= _LEAST_LINES and _has_headings(of_cells):
        rows = _columns([line.text for line in found]) if mark == " " else _cut([line.text for line in found], mark)
    width = max(map(len, rows), default=0)
    if width < _LEAST_CELLS:
        return Parted(Grid(()), end - at)
    return Parted(Grid(tuple(_row(line, row, width) for line, row in zip(found, rows, strict=True))), end - at)


@lru_cache(maxsize=skip.REMEMBERED)
def mark_of(text: str) -> str | None:
    """What parts the line into cells, a tab, a bar, commas or blanks; None for one of fewer cells than a table has."""
    if "\t" in text:
        return "\t" if text.strip("\t ").count("\t") else None
    if text.count("|") > 1:
        return "|"
    if text.count(";") > _LEAST_MARKS:
        return ";"
    is_blank = text.count("  ") > 1 and len(cells(text)) >= _LEAST_CELLS
    if text.count(",") > _LEAST_MARKS and ", " not in text and not (is_blank and _PARTING.search(text) is None):
        return ","
    return " " if is_blank else None


def _mark_over(lines: Sequence[Line], at: int) -> str | None:
    """What parts the line below two titles side by side: `US HY (USD)      EUROPEAN HY (EUR)`."""
    text = lines[at].text
    if "  " not in text.strip() or at + 1 == len(lines) or any(map(str.isdigit, text)):
        return None
    return mark_of(lines[at + 1].text)


def _end(lines: Sequence[Line], at: int, mark: str, until: int) -> int:
    """The index behind the last line that is parted in the same way, and where blanks do, under the same headings."""
    last = at
    is_apart = False  # something but a rule stands between
    for index in range(at + 1, until):
        line = lines[index]
        text = line.text
        is_end = line.quoted or skip.is_closing(text) or skip.is_disclaimer(text) or skip.starts_signature(text)
        if is_end or index - last > _BETWEEN:
            break
        if mark_of(text) != mark:
            is_apart = is_apart or not text.strip() or not skip.is_art(text)
            continue
        if mark == " " and is_apart and _is_other(lines[last].text, text):
            break
        last, is_apart = index, False
    return last + 1


def _has_headings(texts: Sequence[str]) -> bool:
    """Whether one of the lines may be of headings, or each may begin with one."""
    return not all(map(_LEVEL.search, texts)) or not any(
        map(_FIGURE.search, (_FIRST.split(text, 1)[0] for text in texts))
    )


def _is_other(above: str, below: str) -> bool:
    """Whether a line behind a gap begins another table: with headings, or not in the columns of the row above."""
    if header_line(below) is not None:
        return True
    first, second = cells(above)[1:], cells(below)[1:]
    starts, ends = {start for start, _, _ in first}, {end for _, end, _ in first}
    return sum(start in starts or end in ends for start, end, _ in second) * 2 < min(len(first), len(second))


def _cut(texts: Sequence[str], mark: str) -> list[list[str]]:
    """The cells of lines that a mark parts; where a bar is not in front of all rows, it is behind an empty cell."""
    if mark in ",;":
        rows = (next(csv.reader([text.replace("\r", " ")], delimiter=mark)) for text in texts)
        return [[cell.strip() for cell in row] for row in rows]
    framed = all(text.lstrip().startswith("|") for text in texts if mark_of(text) == mark)
    return [[cell for _, _, cell in cells(text, framed=framed)] for text in texts]


def _columns(texts: Sequence[str]) -> list[list[str]]:
    """The cells of lines that stand under each other: parted where all rows with figures have blanks.

    Nothing where two headings stand over what is one column then: the rows are not aligned.
    """
    is_row = [len(cells(text)) > 1 and any(map(str.isdigit, text)) for text in texts]
    taken = [False] * max(map(len, texts))
    for text in compress(texts, is_row):
        for at, letter in enumerate(text):
            taken[at] = taken[at] or not letter.isspace()
    titles = (text for text, is_one in zip(texts, is_row, strict=True) if not is_one and len(cells(text)) > 1)
    headed = {start: (end, cell) for text in titles for start, end, cell in cells(text)}
    starts = _starts(taken, headed)
    ends = [_end_of(taken, first, behind) for first, behind in pairwise((*starts, len(taken)))]
    starts, ends = _with_gaps(starts, ends, headed)
    found = [
        _sliced(text, starts) if is_one else _placed(text, starts, ends)
        for text, is_one in zip(texts, is_row, strict=True)
    ]
    return found if starts and all(found) else []


def _with_gaps(starts: list[int], ends: list[int], headed: Headings) -> tuple[list[int], list[int]]:
    """The columns, an empty one where twice the blanks part a table from one beside it that has its headings again."""
    names = [headed[start][1] if start in headed else "" for start in starts]
    gaps = [
        ends[at - 1] + _BLANKS
        for at in range(1, len(starts))
        if starts[at] - ends[at - 1] >= 2 * _BLANKS and _is_again(names[:at], names[at:])
    ]
    return sorted([*starts, *gaps]), sorted([*ends, *gaps])


def _is_again(before: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether names begin there, and some of the headings before come again: `Bid  Ask    ISIN  Bid  Ask`."""
    roles = [column(0, (text,)).role for text in (before[-1], behind[0])]
    return roles[0] not in IDENTITY and roles[1] in IDENTITY and len({*before} & {*behind}) >= _LEAST_AGAIN


def _end_of(taken: Sequence[bool], first: int, behind: int) -> int:
    """Where the texts of a column end, which begins at `first`; the next begins at `behind`."""
    return next(at for at in range(behind, first, -1) if taken[at - 1])


def _starts(taken: Sequence[bool], headed: Headings) -> list[int]:
    """Where columns begin: behind two blanks, or behind one where one heading ends and another begins."""
    starts: list[int] = []
    for at, is_taken in enumerate(taken):
        if not is_taken or any(taken[max(at - 1, 0) : at]):
            continue
        if not any(taken[max(at - _BLANKS, 0) : at]) or (at in headed and _is_headed(starts[-1], at, headed)):
            starts.append(at)
    return starts


def _is_headed(start: int, end: int, headed: Headings) -> bool:
    """Whether a heading stands over a stretch alone: `99 3/4` under a `Bid` over its end is one price."""
    return any(first < end and behind > start for first, (behind, _) in headed.items() if behind < end)


def _sliced(text: str, starts: Sequence[int]) -> list[str]:
    return [text[start:end].strip() for start, end in pairwise((0, *starts[1:], len(text) + 1))]


def _placed(text: str, starts: Sequence[int], ends: Sequence[int]) -> list[str]:
    """The cells of a line of headings, each in the first column that it stands over; none where two share one."""
    placed = [""] * len(starts)
    for start, end, cell in cells(text):
        at = max(bisect_right(starts, start) - 1, 0)
        while at + 1 < len(starts) and start >= ends[at] and end > starts[at + 1]:
            at += 1
        if not starts or placed[at]:
            return []
        placed[at] = cell
    return placed


def _row(line: Line, texts: Sequence[str], width: int) -> Row:
    padded = (*texts, *[""] * (width - len(texts)))
    return Row(line.number, tuple(Cell(text=text, column=at + 1) for at, text in enumerate(padded)), page=line.page)
