from __future__ import annotations

from itertools import pairwise

from parsers.documents.pdf.page import Page, Ruling, Word
from parsers.documents.pdf.rows import spacing
from parsers.documents.pdf.tables.found import tables_of, words_outside

PLACES = [60.0, 180.0, 240.0]
BORDERS = [55.0, 175.0, 235.0, 295.0]


def row(top: float, *texts: str) -> list[Word]:
    return [Word(text, x, x + 5 * len(text), top, top + 10) for text, x in zip(texts, PLACES, strict=False)]


def test_what_lines_do_not_frame_is_looked_at_for_gaps_and_the_rest_is_outside() -> None:
    drawn = [*row(105, "Issue", "Bid", "Ask"), *row(125, "ALPHA", "98", "99")]
    typed = [*row(305, "BETA", "97", "98"), *row(317, "GAMMA", "96", "97")]
    note = row(500, "Indicative")
    across = tuple(Ruling(y, *ends) for y in (100, 120, 140) for ends in pairwise(BORDERS))
    page = Page(1, (*drawn, *typed, *note), across, tuple(Ruling(x, 100, 140) for x in BORDERS))
    found, texts = tables_of(page, spacing(page.words))
    assert [[word.text for cell in table.cells[0] for word in cell] for table in found] == [
        ["Issue", "Bid", "Ask"],
        ["BETA", "97", "98"],
    ]
    assert texts == []
    assert words_outside(page.words, found) == note
