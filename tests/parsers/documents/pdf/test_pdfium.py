from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from parsers.codes import Code
from parsers.documents.pdf.page import Page
from parsers.documents.pdf.pdfium import PdfiumFailed, pdfium_pages
from parsers.documents.unreadable import Unreadable

HEIGHT = A4[1]


def pages(draw: Callable[[Canvas], object], encrypt: StandardEncryption | None = None, most: int = 9) -> list[Page]:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, encrypt=encrypt)
    draw(canvas)
    canvas.save()
    return list(pdfium_pages(out.getvalue(), most))


def texts(page: Page) -> list[str]:
    return [word.text for word in page.words]


def test_words_have_their_boxes_from_the_top_of_the_page() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(40, 700, "XS2701001005 98.25")

    (page,) = pages(draw)
    isin, price = page.words
    assert (isin.text, price.text) == ("XS2701001005", "98.25")
    assert isin.x0 == pytest.approx(40, abs=1)
    assert isin.x1 < price.x0
    assert isin.top < HEIGHT - 700 < isin.bottom
    assert 8 < isin.height < 16


def test_pieces_drawn_apart_are_words_of_their_own() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        width = canvas.stringWidth("98.25")
        canvas.drawString(40, 700, "98.25")
        canvas.drawString(40 + width + 1.5, 700, "98.75")

    assert texts(pages(draw)[0]) == ["98.25", "98.75"]


def touching(canvas: Canvas, left: str, right: str) -> None:
    canvas.setFont("Helvetica", 10)
    canvas.drawString(40, 700, left)
    canvas.drawString(40 + canvas.stringWidth(left), 700, right)


def test_a_line_down_parts_pieces_that_touch() -> None:
    def draw(canvas: Canvas, *, ruled: bool) -> None:
        touching(canvas, "9825", "9875")
        if ruled:
            width = canvas.stringWidth("9825")
            canvas.line(40 + width, 600, 40 + width, 800)

    assert texts(pages(lambda canvas: draw(canvas, ruled=True))[0]) == ["9825", "9875"]
    assert texts(pages(lambda canvas: draw(canvas, ruled=False))[0]) == ["98259875"]


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        ("98.25", "98.75", ["98.25", "98.75"]),
        ("99.5", "100.25", ["99.5", "100.25"]),
        ("111.11", "111.11", ["111.11", "111.11"]),
        ("97.47", "74.77", ["97.47", "74.77"]),
        ("98,25", "98,75", ["98,25", "98,75"]),
        ("16.11.", "2026", ["16.11.2026"]),
        ("98.", "25", ["98.25"]),
        ("1.234", ".567", ["1.234.567"]),
    ],
)
def test_two_decimals_that_touch_are_two_numbers_and_other_pieces_one(left: str, right: str, words: list[str]) -> None:
    assert texts(pages(lambda canvas: touching(canvas, left, right))[0]) == words


def test_bold_fonts_say_so() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(40, 700, "Bid")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(40, 680, "98.25")

    (page,) = pages(draw)
    assert [word.bold for word in page.words] == [True, False]


def test_pages_count_from_one_and_no_more_are_read_than_asked_for() -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(3):
            canvas.drawString(40, 700, f"page{number}")
            canvas.showPage()

    assert [(page.number, texts(page)) for page in pages(draw, most=2)] == [(1, ["page0"]), (2, ["page1"])]


def test_a_password_is_not_guessed_and_an_empty_one_is_tried() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 700, "open")

    with pytest.raises(Unreadable) as refused:
        pages(draw, StandardEncryption("secret", "owner"))
    assert refused.value.code is Code.PASSWORD_PROTECTED
    assert texts(pages(draw, StandardEncryption("", "owner"))[0]) == ["open"]


def test_a_failure_without_a_reason_has_not_that_of_the_file_before(shared: Callable[[str], Path]) -> None:
    """The engine keeps its last error: a damaged file after a locked one was PASSWORD_PROTECTED, and alone it was not."""
    (damaged,) = (shared("odd") / "pdf").glob("*c-empty.pdf")
    with pytest.raises(Unreadable):
        pages(lambda canvas: canvas.drawString(40, 700, "x"), StandardEncryption("secret", "owner"))
    with pytest.raises(PdfiumFailed):
        list(pdfium_pages(damaged.read_bytes(), 9))


def test_what_it_cannot_open_is_left_to_another_engine() -> None:
    with pytest.raises(PdfiumFailed):
        list(pdfium_pages(b"%PDF-1.7\n% and no more", 9))


def test_a_word_ends_with_its_line_even_behind_a_hyphen() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(40, 700, "98.25 A-")
        canvas.drawString(40, 680, "XS2701001005 99.50")

    (page,) = pages(draw)
    assert texts(page) == ["98.25", "A-", "XS2701001005", "99.50"]


def written(canvas: Canvas, *words: tuple[str, float, int]) -> None:
    """Words one below the other, each with its grey and its text rendering mode."""
    for at, (word, grey, mode) in enumerate(words):
        text = canvas.beginText(40, 700 - 20 * at)
        text.setFillGray(grey)
        text.setTextRenderMode(mode)
        text.textOut(word)
        canvas.drawText(text)


def test_what_is_white_on_the_paper_or_not_drawn_is_hidden() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillGray(0.2)
        canvas.rect(30, 650, 200, 18, stroke=0, fill=1)
        written(canvas, ("seen", 0, 0), ("white", 1, 0), ("shaded", 1, 0), ("grey", 0.5, 0), ("undrawn", 0, 3))

    (page,) = pages(draw)
    assert {word.text: word.hidden for word in page.words} == {
        "seen": False,
        "white": True,
        "undrawn": True,
        "shaded": False,
        "grey": False,
    }


@pytest.mark.parametrize(("grey", "mode"), [(0, 3), (1, 0)])
def test_the_text_of_a_scanned_page_or_of_dark_paper_is_seen(grey: float, mode: int) -> None:
    (page,) = pages(lambda canvas: written(canvas, ("1", 0, 0), ("98.25", grey, mode), ("98.75", grey, mode)))
    assert not any(word.hidden for word in page.words)


def test_a_line_drawn_twice_is_one_and_what_lies_beside_the_paper_is_hidden() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for place in (40, 40.3):
            canvas.drawString(place, 700, "XS2701001005 98.25")
        canvas.drawString(5000, 700, "99.75")

    (page,) = pages(draw)
    assert [(word.text, word.hidden) for word in page.words] == [
        ("XS2701001005", False),
        ("98.25", False),
        ("99.75", True),
    ]


def test_a_page_cut_out_of_a_larger_one_is_seen() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.setCropBox((300, 300, 500, 500))
        canvas.drawString(320, 400, "98.25")
        canvas.drawString(320, 380, "98.75")
        canvas.drawString(20, 380, "99.75")

    (page,) = pages(draw)
    assert [word.text for word in page.words if not word.hidden] == ["98.25", "98.75"]
