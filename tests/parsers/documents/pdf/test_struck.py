from __future__ import annotations

import pytest

from parsers.documents.pdf.page import Page, Ruling, Word
from parsers.documents.pdf.struck import with_struck_words

WORD = Word("98.25", 100, 130, 50, 60)


def struck(*lines: Ruling) -> bool:
    (word,) = with_struck_words(Page(1, (WORD,), lines)).words
    return word.struck


@pytest.mark.parametrize(
    ("line", "found"),
    [
        pytest.param(Ruling(55, 100, 130), True, id="through it"),
        pytest.param(Ruling(54, 40, 500), True, id="through its whole row"),
        pytest.param(Ruling(59, 100, 130), False, id="below it"),
        pytest.param(Ruling(61, 40, 500), False, id="of a table, below"),
        pytest.param(Ruling(50.5, 40, 500), False, id="of a table, above"),
        pytest.param(Ruling(55, 40, 110), False, id="up to it, as dots before a number"),
        pytest.param(Ruling(55, 200, 230), False, id="beside it"),
    ],
)
def test_a_word_is_struck_by_a_line_through_its_middle(line: Ruling, found: bool) -> None:
    assert struck(line) is found


def test_a_line_through_words_is_no_tables_and_the_others_stay() -> None:
    border = Ruling(61, 40, 500)
    page = with_struck_words(Page(1, (WORD,), (Ruling(55, 90, 140), border), (Ruling(40, 0, 99),)))
    assert (page.across, page.down) == ((border,), (Ruling(40, 0, 99),))


def test_a_page_without_such_lines_is_as_it_was() -> None:
    page = Page(1, (WORD,), (Ruling(61, 40, 500),))
    assert with_struck_words(page) is page
