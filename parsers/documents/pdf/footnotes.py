"""Raised footnotes of a PDF: small words right behind the number that they are a mark of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median

from msgspec.structs import replace

from parsers.documents.pdf.page import SMALL, Page, Word
from parsers.documents.raised import spelled

_CLOSE = 0.15  # of the font height: a mark stands no further from its number
_MOST = 20  # words of a square are looked at: no page has as many in so little room
_SQUARE = 8.0  # points: words are looked up by the squares that they end or begin in


def with_marks(page: Page) -> Page:
    """The page with such words joined to their numbers, as marks: else a price of its own might be made of them."""
    usual = median(word.height for word in page.words) if page.words else 0.0
    small = [word for word in page.words if word.height < SMALL * usual and word.text[0].isdigit()]
    joined, gone = _joined(page, small) if small else ({}, set())
    if not gone:
        return page
    return replace(page, words=tuple(joined.get(id(word), word) for word in page.words if id(word) not in gone))


def _joined(page: Page, small: Sequence[Word]) -> tuple[dict[int, Word], set[int]]:
    """The numbers with their marks, by the id of the word as it was, and the ids of the words that were joined."""
    ending = _by_square((word for word in page.words if word.text[-1].isdigit()), lambda word: word.x1)
    slashes = _by_square((word for word in page.words if word.text[0] in "/\u2044"), lambda word: word.x0)
    joined: dict[int, Word] = {}
    gone: set[int] = set()
    for word in small:
        before = next((each for each in _near(ending, word.x0, word.middle) if _is_raised(word, each)), None)
        if before is None:
            continue
        behind = next((each for each in _near(slashes, word.x1, word.middle) if abs(each.x0 - word.x1) < 1), None)
        mark = spelled(word.text, before.text, behind.text if behind is not None else "-")
        if mark.strip() != word.text and id(before) not in joined:  # a numerator stays
            joined[id(before)] = replace(before, text=before.text + mark, x1=word.x1)
            gone.add(id(word))
    return joined, gone


_Squares = dict[tuple[int, int], list[Word]]


def _by_square(words: Iterable[Word], edge: Callable[[Word], float]) -> _Squares:
    squares: _Squares = defaultdict(list)
    for word in words:
        squares[int(edge(word) / _SQUARE), int(word.middle / _SQUARE)].append(word)
    return squares


def _near(squares: _Squares, x: float, y: float) -> Iterator[Word]:
    """The words whose edge lies in the square of a place, or in one beside it."""
    column, row = int(x / _SQUARE), int(y / _SQUARE)
    for place in ((column + right, row + down) for right in (-1, 0, 1) for down in (-1, 0, 1)):
        yield from squares.get(place, ())[:_MOST]


def _is_raised(word: Word, before: Word) -> bool:
    """A small number behind a large one, higher, but not above it."""
    return (
        word.height < SMALL * before.height
        and abs(word.x0 - before.x1) < _CLOSE * before.height
        and before.top < word.bottom
        and word.middle < before.middle
        and word.hidden == before.hidden
    )
