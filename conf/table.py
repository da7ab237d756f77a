"""Rows as a table of text: every value whole, whatever the width of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP = 2  # blanks between columns, and before what a row has no place for in its first line


def table_lines(rows: Sequence[Sequence[str]], right: Sequence[bool], width: int | None) -> Iterator[str]:
    """The lines of `rows` in columns, the first row their names; `right` tells which are flush right.

    `width` is in cells; None: no edge. No value is ever broken or cut: what a line has no room for goes below it,
    indented, each value behind the name of its column, and empty ones nowhere. A value wider than the terminal has a
    line to itself, below its name, which the terminal breaks and a copy has whole.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    shown = _fitting(widths, width)
    names = rows[0]
    for number, row in enumerate(rows):
        cells = [_padded(row[column], widths[column], right=right[column]) for column in range(shown)]
        yield (" " * _GAP).join(cells).rstrip()
        if number and width is not None:
            yield from _below([(names[at], row[at]) for at in range(shown, len(row)) if row[at]], width)


def _fitting(widths: Sequence[int], width: int | None) -> int:
    """How many columns have room beside each other, at least one."""
    used = 0
    for column, wide in enumerate(widths):
        used += wide + _GAP
        if column and width is not None and used - _GAP > width:
            return column
    return len(widths)


def _below(values: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    line = ""
    for named in values:
        whole = " ".join(named)
        for text in (whole,) if _GAP + cell_len(whole) <= width else named:
            if line and cell_len(line) + _GAP + cell_len(text) > width:
                yield line
                line = ""
            line += " " * _GAP + text
    if line:
        yield line


def _padded(text: str, width: int, *, right: bool) -> str:
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks
