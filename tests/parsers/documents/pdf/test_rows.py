from __future__ import annotations

from collections.abc import Callable

from parsers.documents.pdf.page import Word
from parsers.documents.pdf.rows import Spacing, TextRow, chunks, row_text, spacing, text_rows

Typed = Callable[[str], list[Word]]


def word(text: str, x0: float, x1: float, top: float = 0, bottom: float = 10) -> Word:
    return Word(text, x0, x1, top, bottom)


def test_words_on_about_one_baseline_are_a_row_left_to_right() -> None:
    rows = text_rows([word("b", 50, 60, 3, 13), word("c", 0, 9, 5, 15), word("a", 0, 10)])
    assert [[one.text for one in row.words] for row in rows] == [["a", "b"], ["c"]]


def test_a_small_word_needs_a_nearer_baseline_than_a_tall_one() -> None:
    rows = text_rows([word("98", 0, 10), word("1", 11, 13, 8, 13)])
    assert len(rows) == 2


def test_a_font_of_one_width_is_told_by_its_words(typed: Typed) -> None:
    assert spacing(typed("XS2701001005  ALPHA 5 31   98.25  98.75")) == Spacing(10, 5)
    assert spacing([word("illi", 0, 10), word("WWWW", 20, 60), word("abc", 70, 90)]).pitch is None
    assert spacing([]) == Spacing(10, None)


def test_a_gap_wider_than_a_word_space_parts_a_row() -> None:
    (row,) = text_rows([word("ALPHA", 0, 25), word("5", 28, 33), word("98.25", 40, 65)])
    assert [chunk.text for chunk in chunks(row, Spacing(10, None).chunk_gap)] == ["ALPHA 5", "98.25"]
    assert [(chunk.x0, chunk.x1) for chunk in chunks(row, 6)] == [(0, 33), (40, 65)]


def test_the_text_of_a_row_keeps_its_columns_apart(typed: Typed) -> None:
    line = "ALPHA 5 31     98.25  98.75"
    words = typed(line)
    (row,) = text_rows(words)
    assert row_text(row, spacing(words)) == line


def test_a_gap_across_the_page_is_not_printed_whole() -> None:
    (row,) = text_rows([word("a", 0, 5), word("b", 9000, 9005)])
    assert row_text(row, Spacing(10, None)) == "a" + 40 * " " + "b"


def test_the_part_of_a_row_between_two_places_is_told_by_the_words_middles() -> None:
    row = TextRow((word("a", 0, 10), word("b", 8, 20)), 0, 10)
    left = row.within(0, 9)
    assert left is not None
    assert [one.text for one in left.words] == ["a"]
    assert row.within(30, 40) is None
