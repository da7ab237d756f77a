from __future__ import annotations

from parsers.documents.pdf.doubled import drawn_once
from parsers.documents.pdf.page import Word


def test_a_word_drawn_twice_at_about_one_place_is_one() -> None:
    word = Word("98.25", 50.0, 75.0, 90.0, 100.0)
    again = Word("98.25", 50.9, 75.9, 90.2, 100.2)
    assert list(drawn_once([word, again])) == [word]


def test_other_words_there_and_the_same_word_elsewhere_stay() -> None:
    tiny = [Word("98.25", x0, x0 + 2, 50.0, 51.0) for x0 in (50.0, 52.5)]
    assert list(drawn_once(tiny)) == tiny
    words = [Word(text, x0, x0 + 25, 90.0, 100.0) for text, x0 in (("98.25", 50.0), ("98.75", 50.5), ("98.25", 80.0))]
    assert list(drawn_once(words)) == words
