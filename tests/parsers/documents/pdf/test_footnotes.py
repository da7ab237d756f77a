from __future__ import annotations

import pytest

from parsers.documents.pdf.footnotes import with_marks
from parsers.documents.pdf.page import Page, Word

PRICE = Word("98.25", 40, 65, 100, 110)


LINE = tuple(Word("XYZ", 40 + 30 * at, 60 + 30 * at, 200, 210) for at in range(5))


def joined(*words: Word) -> list[str]:
    return [word.text for word in with_marks(Page(1, (*reversed(words), *LINE))).words[: -len(LINE)]]


@pytest.mark.parametrize(
    ("mark", "found"),
    [
        (Word("1", 65, 68, 99, 105), ["98.25¹"]),
        (Word("1,2", 65.5, 71, 99, 105), ["98.25¹²"]),
        (Word("1", 70, 73, 99, 105), ["98.25", "1"]),
        (Word("1", 65, 70, 100, 110), ["98.25", "1"]),
        (Word("1", 65, 68, 106, 112), ["98.25", "1"]),
        (Word("1", 65, 68, 90, 96), ["98.25", "1"]),
        (Word("bp", 65, 68, 99, 105), ["98.25", "bp"]),
    ],
    ids=["a mark", "two marks", "too far", "as large", "lowered", "in the line above", "no number"],
)
def test_small_raised_numbers_right_behind_a_number_are_its_marks(mark: Word, found: list[str]) -> None:
    assert joined(PRICE, mark) == found[::-1]


def test_a_numerator_is_none() -> None:
    handle, small = Word("98", 40, 50, 100, 110), Word("1", 50, 53, 99, 105)
    assert joined(handle, small, Word("/4", 53, 58, 100, 110)) == ["/4", "1", "98"]
