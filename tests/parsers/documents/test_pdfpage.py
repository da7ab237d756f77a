from __future__ import annotations

from parsers.documents.pdfpage import Word


def test_a_word_has_its_fonts_height_and_stands_in_its_middle() -> None:
    word = Word("98.25", x0=40, x1=65, top=100, bottom=110)
    assert (word.height, word.middle) == (10, 105)
