from __future__ import annotations

from parsers.documents.pdf.page import Word, unless_most_hidden


def test_a_word_has_its_fonts_height_and_stands_in_its_middle() -> None:
    word = Word("98.25", x0=40, x1=65, top=100, bottom=110)
    assert (word.height, word.middle) == (10, 105)


def test_where_most_words_would_be_hidden_none_is() -> None:
    words = [Word(text, 40, 65, 100, 110, hidden=text == "ghost") for text in ("98.25", "ghost", "ghost")]
    assert [word.hidden for word in unless_most_hidden(words)] == [False] * 3
    assert [word.hidden for word in unless_most_hidden(words[:2])] == [False, True]
