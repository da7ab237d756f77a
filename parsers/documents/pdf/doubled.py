"""Words that a PDF draws twice to make them look bold: each is one word, and its line one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import floor

from parsers.documents.pdf.page import Word

_MOST = 0.1  # of the height, between the two; no two words of one text stand as near
_LEAST = 0.1  # points
_BESIDE = (0, -1, 1)


def drawn_once(words: Iterable[Word]) -> Iterator[Word]:
    """The words without those that lie on another of the same text."""
    seen: dict[str, set[tuple[int, int]]] = {}  # places by text
    for word in words:
        step = _MOST * max(round(word.bottom - word.top, 1), _LEAST)
        x, y = floor(word.x0 / step), floor(word.top / step)
        places = seen.get(word.text)
        if places is None:
            seen[word.text] = {(x, y)}
        elif not places.isdisjoint([(x + right, y + down) for right in _BESIDE for down in _BESIDE]):
            continue
        else:
            places.add((x, y))
        yield word
