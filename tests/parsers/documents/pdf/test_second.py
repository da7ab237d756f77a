"""The second engine against the first: the same words in the same places."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.pdf.page import Page
from parsers.documents.pdf.pdfium import pdfium_pages
from parsers.documents.pdf.second import pdfminer_pages
from parsers.documents.pdf.struck import with_struck_words
from parsers.documents.unreadable import Unreadable


def sheet() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for page in range(2):
        for row in range(30):
            canvas.drawString(40, 780 - 20 * row, f"XS26{page}{row:07d}")
            canvas.drawRightString(300, 780 - 20 * row, f"{98 + row / 8}")
            canvas.line(40, 775 - 20 * row, 300, 775 - 20 * row)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def placed(page: Page) -> dict[str, tuple[float, float]]:
    return {word.text: (word.x0, word.middle) for word in page.words}


def test_both_engines_see_the_same_words_and_lines() -> None:
    data = sheet()
    first, second = list(pdfium_pages(data, 9)), list(pdfminer_pages(data, 9))
    for one, other in zip(first, second, strict=True):
        assert placed(one).keys() == placed(other).keys()
        for text, place in placed(one).items():
            assert place == pytest.approx(placed(other)[text], abs=3)
    assert [len(page.across) for page in first] == [len(page.across) for page in second] == [30, 30]


def test_both_engines_see_what_stands_on_a_shade_and_what_is_struck_through() -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for row, colour in enumerate(((0.8, 0.8, 0.8), (1, 1, 1), (0.9, 0.2, 0.2))):
        canvas.setFillColorRGB(*colour)
        canvas.rect(30, 735 - 40 * row, 200, 25, stroke=0, fill=1)
        canvas.setFillColorRGB(0, 0, 0)
        canvas.drawString(40, 740 - 40 * row, f"word{row}")
    canvas.line(38, 743, 100, 743)
    canvas.save()
    for pages in (pdfium_pages, pdfminer_pages):
        (page,) = map(with_struck_words, pages(out.getvalue(), 9))
        assert [(word.text, word.filled, word.struck) for word in page.words] == [
            ("word0", True, True),
            ("word1", False, False),
            ("word2", True, False),
        ]


def test_both_engines_hide_what_is_white_or_not_drawn_but_not_what_stands_on_a_shade() -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.rect(30, 690, 200, 25, stroke=0, fill=1)
    drawn = {"black": (0, 0), "white": (1, 0), "onshade": (1, 0), "undrawn": (0, 3), "grey": (0.5, 0), "more": (0, 0)}
    for row, (word, (grey, mode)) in enumerate(drawn.items()):
        canvas.setFillGray(grey)
        canvas.drawString(40, 780 - 40 * row, word, mode=mode)
    canvas.setFillColorCMYK(0, 0, 0, 0)
    canvas.drawString(140, 780, "noink")
    canvas.save()
    for pages in (pdfium_pages, pdfminer_pages):
        (page,) = pages(out.getvalue(), 9)
        assert {word.text for word in page.words if word.hidden} == {"white", "undrawn", "noink"}, pages


def test_both_engines_part_a_raised_footnote_from_its_number() -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    text = canvas.beginText(40, 700)
    for size, rise, piece in ((10, 0, "98.25"), (6, 4, "12")):
        text.setFont("Helvetica", size)
        text.setRise(rise)
        text.textOut(piece)
    canvas.drawText(text)
    canvas.save()
    for pages in (pdfium_pages, pdfminer_pages):
        assert [word.text for page in pages(out.getvalue(), 9) for word in page.words] == ["98.25", "12"]


def test_both_engines_see_the_same_words_and_lines_in_every_pdf_of_the_gold_mails(
    attachments: Callable[[str], list[tuple[str, bytes]]],
) -> None:
    compared = 0
    for name, data in attachments(kinds.PDF):
        try:
            first = list(pdfium_pages(data, 9))
        except Unreadable:  # locked: this engine must not open it either
            with pytest.raises(Unreadable):
                list(pdfminer_pages(data, 9))
            continue
        for one, other in zip(first, pdfminer_pages(data, 9), strict=True):
            compared += len(one.words)
            assert Counter(word.text for word in one.words) == Counter(word.text for word in other.words), name
            assert (len(one.across), len(one.down)) == (len(other.across), len(other.down)), name
    assert compared > 1_000


def test_no_more_pages_are_read_than_asked_for() -> None:
    assert len(list(pdfminer_pages(sheet(), 1))) == 1
    assert len(list(pdfium_pages(sheet(), 1))) == 1


def test_what_this_engine_cannot_read_either_is_corrupt() -> None:
    with pytest.raises(Unreadable) as refused:
        list(pdfminer_pages(b"%PDF-1.4 nothing", 9, "the first engine said no"))
    assert refused.value.code is Code.CORRUPT_PART
    assert "the first engine said no" in str(refused.value)
