"""Words that a PDF draws twice to make them look bold: each is one word, and its line one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import floor

from parsers.documents.pdfpage import Word

_MOST = 0.1  # of the height, between the two; no two words of one text stand as near
_LEAST = 0.1  # points
_BESIDE = (0, -1, 1)


def drawn_once(words: Iterable[Word]) -> Iterator[Word]:
    """The words without those that lie on another of the same text."""
    texts: set[str] = set()
    seen: set[tuple[str, int, int]] = set()
    for word in words:
        step = _MOST * max(round(word.height, 1), _LEAST)
        text, x, y = word.text, floor(word.x0 / step), floor(word.top / step)
        if text in texts and any((text, x + right, y + down) in seen for right in _BESIDE for down in _BESIDE):
            continue
        texts.add(text)
        seen.add((text, x, y))
        yield word
