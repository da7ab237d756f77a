"""Rows as a table of text, in which no line is wider than the terminal."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from conf.wrapping import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_GAP = 2  # blanks between columns, and before what a row has no place for in its first line
_NO_LIMITS: Mapping[int, int] = MappingProxyType({})
_DEEPER = 4  # before what of a value a line has no room for: no value can pass for a row, or for another's name


def table_lines(
    rows: Sequence[Sequence[str]], right: Sequence[bool], width: int | None, most: Mapping[int, int] = _NO_LIMITS
) -> Iterator[str]:
    """The lines of `rows` in columns, the first row their names; `right` tells which are flush right.

    `width` is in cells; None: no edge. What a line has no room for goes below it, indented, each value behind the name
    of its column, and empty ones nowhere. None is cut off: one wider than the terminal stands below its name, in as
    many lines as it takes. But of the columns in `most`, the texts of somebody else, a value has so many cells beside
    the others, and one line below them, where there is an edge.
    """
    whole = rows
    if width is not None:
        rows = [[_cut(text, most.get(at)) for at, text in enumerate(row)] for row in whole]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    shown = _fitting(widths, width)
    names = rows[0]
    for number, row in enumerate(rows):
        cells = [_padded(row[column], widths[column], right=right[column]) for column in range(shown)]
        line = (" " * _GAP).join(cells).rstrip()
        yield from wrapped(line[_DEEPER:], width, line[:_DEEPER]) if shown == 1 else (line,)
        if number and width is not None:
            below = [
                (names[at], _cut(whole[number][at], width - _GAP - 1 - cell_len(names[at]) if at in most else None))
                for at in range(shown, len(row))
                if row[at]
            ]
            yield from _below(below, width)


def _fitting(widths: Sequence[int], width: int | None) -> int:
    """How many columns have room beside each other, at least one."""
    used = 0
    for column, wide in enumerate(widths):
        used += wide + _GAP
        if column and width is not None and used - _GAP > width:
            return column
    return len(widths)


def _below(values: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    indent = " " * _GAP
    line = ""
    for name, value in values:
        text = f"{name} {value}"
        is_wide = _GAP + cell_len(text) > width
        if line and (is_wide or cell_len(line) + _GAP + cell_len(text) > width):
            yield line
            line = ""
        if is_wide:
            yield from wrapped(name, width, indent)
            yield from wrapped(value, width, " " * _DEEPER)
        else:
            line += indent + text
    if line:
        yield line


def _padded(text: str, width: int, *, right: bool) -> str:
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks


def _cut(text: str, cells: int | None) -> str:
    """The text in at most so many cells, its end an ellipsis where it has more; None: as it is."""
    if cells is None or cell_len(text) <= cells:
        return text
    return f"{set_cell_size(text, max(cells - 1, 0)).rstrip()}…"
