"""A text as a terminal shows it: cut at blanks where it ends, words only where they are wider, the rest indented."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(r"\S+")
_LEAST = 2  # cells: a character may need two


def wrapped(text: str, width: int | None, head: str = "", carets: str = "") -> Iterator[str]:
    """The lines of `text` behind `head`, those after the first as far to the right; at least one.

    `width` is in cells, `head` among them; None: no edge. `carets` has a mark or a blank for each character of `text`;
    a line whose characters are marked is followed by one of their marks. A narrow terminal has room for two cells
    behind the head.
    """
    indent = " " * cell_len(head)
    for start, end in _cuts(text, None if width is None else max(width - len(indent), _LEAST)):
        yield (indent if start else head) + text[start:end]
        marks = zip(text[start:end], carets[start:end], strict=False)
        if below := "".join(mark * cell_len(character) for character, mark in marks).rstrip():
            yield indent + below


def _cuts(text: str, room: int | None) -> Iterator[tuple[int, int]]:
    """Where each line begins and ends, without the blanks between two lines."""
    if room is None or cell_len(text) <= room:
        yield 0, len(text)
        return
    start = end = 0
    for word in _WORD.finditer(text):
        if cell_len(text[start : word.end()]) > room:
            if end:
                yield start, end
            start = word.start()
            *whole, _ = chop_cells(word.group(), room)
            for piece in whole:
                yield start, start + len(piece)
                start += len(piece)
        end = word.end()
    yield start, end
