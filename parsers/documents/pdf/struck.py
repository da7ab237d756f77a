"""Words of a PDF page that a line is drawn through: withdrawn (spec 5.9). A PDF has no other mark of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from msgspec.structs import replace

from parsers.documents.pdf.page import Page, Ruling, Word

_HIGHEST, _LOWEST = 0.35, 0.7  # of a word's height, from its top: lines of tables and below words are outside
_SHARE = 0.8  # of a word's width that the line goes through


def with_struck_words(page: Page) -> Page:
    """The page with its struck words marked, and without the lines through them, which are no table's."""
    lines = sorted(page.across, key=lambda line: line.at)
    places = [line.at for line in lines]
    words: list[Word] = []
    through: set[Ruling] = set()
    for word in page.words:
        first = bisect_left(places, word.top + _HIGHEST * word.height)
        last = bisect_right(places, word.top + _LOWEST * word.height)
        found = [line for line in lines[first:last] if _goes_through(line, word)]
        words.append(replace(word, struck=True) if found else word)
        through.update(found)
    if not through:
        return page
    return replace(page, words=tuple(words), across=tuple(line for line in page.across if line not in through))


def _goes_through(line: Ruling, word: Word) -> bool:
    return min(line.end, word.x1) - max(line.start, word.x0) >= _SHARE * (word.x1 - word.x0)
