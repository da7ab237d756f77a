"""A PDF page before anybody asked for tables: words with boxes, and lines drawn. Points, y downwards from the top."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

SMALL = 0.8  # of the size before it: a digit as small is raised, a mark of the number before it


class Word(Struct, frozen=True):
    """Characters without white space between them."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    bold: bool = False
    filled: bool = False  # stands on a shaded rectangle
    hidden: bool = False  # drawn in white on the paper, or not drawn at all
    struck: bool = False  # a line is drawn through it

    @property
    def height(self) -> float:
        """About the font size."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """The height at which the word stands."""
        return (self.top + self.bottom) / 2


def unless_most_hidden(words: Iterable[Word]) -> tuple[Word, ...]:
    """Words of a page, none hidden where most would be: on dark paper, and in the text under a scanned page."""
    kept = tuple(words)
    if 2 * sum(word.hidden for word in kept) <= len(kept):
        return kept
    return tuple(replace(word, hidden=False) for word in kept)


class Ruling(Struct, frozen=True):
    """A drawn line along one axis: at `at` on the other axis, from `start` to `end`."""

    at: float
    start: float
    end: float


class Page(Struct, frozen=True):
    """One page; `number` counts from 1."""

    number: int
    words: tuple[Word, ...]  # in the order in which the file draws them
    across: tuple[Ruling, ...] = ()  # horizontal lines
    down: tuple[Ruling, ...] = ()  # vertical lines
