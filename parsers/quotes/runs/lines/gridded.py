"""The rows under a header line that is typed out in text, as a grid (spec 5.1, 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from parsers.document import Cell, Grid, Line, Row
from parsers.quotes.runs.lines.aligned import NAMES, HeaderLine, cells
from parsers.values.times.tenors import tenor

_PAIR = re.compile(r"\d[\d.,½¼¾⅛⅜⅝⅞+]*\s?/\s?[\d½¼¾⅛⅜⅝⅞]|\d\s[-–]\s\d")
_NO_PAIR = re.compile(  # dates, and the fraction of a mixed number: `CAN 2 7/8 06/45`
    r"\d{1,2}/\d{1,2}/\d{2,4}|\b\d{1,2}/\d{2,4}\b(?=\s|$)|(?<=\d)\s\d{1,2}/(?:2|4|8|16|32)(?![\d/])"
)


def holds_pairs(lines: Sequence[Line]) -> bool:
    """Whether the rows under a header print both sides in one stretch."""
    rows = [line.text for line in lines if any(letter.isdigit() for letter in line.text)]
    paired = sum(1 for text in rows if _PAIR.search(_NO_PAIR.sub("", text)))
    return bool(rows) and paired * 2 >= len(rows)


def fits(header: HeaderLine, lines: Sequence[Line]) -> bool:
    """Whether the rows have as many cells as the header has headings, four of five at least (a legend has fewer)."""
    counts = [len(_row_cells(header, line.text)) for line in lines]
    width = len(header.columns)
    return len(counts) > 1 and max(counts) <= width and counts.count(width) * 5 >= len(counts) * 4


def _row_cells(header: HeaderLine, text: str) -> list[tuple[int, int, str]]:
    """The cells of a row; where they are too few, cut where a heading begins: `2000 WASHINGTON ST` has one space."""
    found = cells(text, framed=header.spans[0][0] > 0)
    if len(found) >= len(header.columns) or "\t" in text or "|" in text:
        return found
    parted = []
    for start, end, _ in found:
        cuts = [at for at, _ in header.spans if start < at < end and text[at - 1] == " "]
        bounds = [start, *cuts, end]
        parted += [(left, right, text[left:right].strip()) for left, right in pairwise(bounds)]
    return parted


def as_grid(header: HeaderLine, head: Line, rows: Sequence[Line]) -> Grid:
    """The header and its rows as a grid; each row has the number of its line."""
    width = len(header.columns)
    placed = [(line, _placed(header, line.text, width)) for line in rows]
    is_of_expiries = header.texts[0] == NAMES and all(tenor(row[0] or "-") for _, row in placed)
    first = "Expiry" if is_of_expiries else header.texts[0]
    texts = [(head, [first, *header.texts[1:]]), *placed]
    return Grid(
        tuple(
            Row(line.number, tuple(Cell(text=text, column=at + 1) for at, text in enumerate(row)), page=line.page)
            for line, row in texts
        )
    )


def _placed(header: HeaderLine, text: str, width: int) -> list[str]:
    """The cells of a row under the headings: one to one, else each under the heading that it overlaps or is nearest."""
    found = _row_cells(header, text)
    if len(found) == width or "\t" in text:
        return [cell for _, _, cell in found][:width] + [""] * (width - len(found))
    placed = [""] * width
    for start, end, cell in found:
        at = min(range(width), key=lambda index: (_distance(header.spans[index], start, end), index))
        placed[at] = f"{placed[at]} {cell}".strip()
    return placed


def _distance(span: tuple[int, int], start: int, end: int) -> int:
    """How far a cell is from a heading; negative where they overlap."""
    return max(span[0], start) - min(span[1], end)
