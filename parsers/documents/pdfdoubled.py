"""Words that a PDF draws twice to make them look bold: each is one word, and its line one line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from math import floor

from parsers.documents.pdfpage import Word

_MOST = 0.1  # of the height, between the two; no two words of one text stand as near
_LEAST = 0.1  # points


def drawn_once(words: Iterable[Word]) -> Iterator[Word]:
    """The words without those that lie on another of the same text."""
    texts: set[str] = set()
    places: dict[tuple[str, int], set[int]] = defaultdict(set)  # by text and height: few are the same in both
    for word in words:
        step = _MOST * max(round(word.height, 1), _LEAST)
        text, x, y = word.text, floor(word.x0 / step), floor(word.top / step)
        if text in texts and any(not places[text, at].isdisjoint((x - 1, x, x + 1)) for at in _near(places, text, y)):
            continue
        texts.add(text)
        places[text, y].add(x)
        yield word


def _near(places: Container[tuple[str, int]], text: str, y: int) -> list[int]:
    return [at for at in (y - 1, y, y + 1) if (text, at) in places]
