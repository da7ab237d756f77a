"""Rows as a table of text: every value whole, whatever the width of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP = 2  # blanks between columns, and before what a row has no place for in its first line


def table_lines(rows: Sequence[Sequence[str]], right: Sequence[bool], width: int | None) -> Iterator[str]:
    """The lines of `rows` in columns, `right` telling which are flush right; `width` in cells, None: no edge.

    No value is ever broken or cut: the columns that a line has no room for go below, indented, in every row alike. A
    value wider than the terminal has a line to itself, which the terminal breaks and a copy has whole.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = _columns_by_line(widths, width)
    for row in rows:
        for number, columns in enumerate(lines):
            cells = [_padded(row[column], widths[column], right=right[column]) for column in columns]
            line = (" " * _GAP).join(cells).rstrip()
            if line or not number:
                yield " " * (_GAP if number else 0) + line


def _columns_by_line(widths: Sequence[int], width: int | None) -> list[list[int]]:
    lines: list[list[int]] = [[]]
    used = 0
    for column, wide in enumerate(widths):
        if lines[-1] and width is not None and used + wide > width:
            lines.append([])
            used = _GAP
        lines[-1].append(column)
        used += wide + _GAP
    return lines


def _padded(text: str, width: int, *, right: bool) -> str:
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks
