"""The lines of a part that are about a grid (spec 5.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from parsers.document import Grid, Line
from parsers.quotes.classes import class_by_words
from parsers.quotes.headings.surroundings import MAX_LINE
from parsers.quotes.headings.told import told

_FIGURES = re.compile(r"\d.*\d")
_LEAST_LEVELS = 2  # lines with figures that make a run


def lines_above(before: Sequence[Line | Grid]) -> Iterator[str]:
    """The part's first lines, and those that head the grid: of its section, and right above it.

    Of those above the first grid, a heading that names its class, and what follows it, is not about a grid whose own
    names another; nor is a run above the grid's heading.
    """
    grids = [at for at, block in enumerate(before) if isinstance(block, Grid)]
    opening = _without_run(list(_texts(before[: grids[0]] if grids else before)))
    own: list[str] = []
    for grid, end in pairwise((*grids, len(before))):
        own = _headed(own, _without_run(list(_texts(before[grid + 1 : end]))))
    named = {found for text in own if (found := class_by_words(text)) is not None}
    yield from takewhile(lambda text: not named or class_by_words(text) in {None, *named}, opening)
    yield from own


def _without_run(texts: list[str]) -> list[str]:
    """The lines, but for those from the heading of another class to the last heading, where levels stand between."""
    heads = (at for at in range(len(texts) - 1, -1, -1) if told(texts[at]).is_title and class_by_words(texts[at]))
    last = next(heads, 0)
    if sum(map(bool, map(_FIGURES.search, texts[:last]))) < _LEAST_LEVELS:
        return texts
    name = class_by_words(texts[last])
    first = next(
        (at for at in range(last) if told(texts[at]).is_title and class_by_words(texts[at]) not in {None, name}), last
    )
    is_run = sum(map(bool, map(_FIGURES.search, texts[first + 1 : last]))) >= _LEAST_LEVELS
    return texts[:first] + texts[last:] if is_run else texts


def _headed(above: list[str], texts: list[str]) -> list[str]:
    """The headings of a grid, of those of the grid above and the lines between: `Offers` takes the place of `Bids`."""
    is_section = len(texts) >= len(above) or any(map(class_by_words, texts))
    return texts if is_section else above[: len(above) - len(texts)] + texts


def _texts(blocks: Sequence[Line | Grid]) -> Iterator[str]:
    """Of the lines that are no history, nor longer than any heading; the empty ones of a text part nothing."""
    for block in blocks:
        if isinstance(block, Line) and not block.quoted and 0 < len(block.text) <= 4 * MAX_LINE:
            yield block.text
