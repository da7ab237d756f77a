from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from parsers.documents.pdf.frame import Frame
from parsers.documents.pdf.text import PdfText


@contextmanager
def asked() -> Iterator[PdfText]:
    """A page with two lines: `98.25` bold, `99` in white and `97` not drawn at all."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(200, 100))
    canvas.setFont("Helvetica-Bold", 10)
    canvas.drawString(20, 70, "98.25")
    canvas.setFont("Helvetica", 10)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(80, 70, "99")
    canvas.setFillColorRGB(0, 0, 0)
    canvas.drawString(20, 30, "97", mode=3)
    canvas.save()
    document = pypdfium2.PdfDocument(out.getvalue())
    text_page = document[0].get_textpage()
    yield PdfText(text_page.raw, Frame(0, 200, 100))
    text_page.close()
    document.close()


def test_characters_say_how_they_are_drawn() -> None:
    with asked() as text:  # 98.25, a space, 99, a line's end of two characters, 97
        looks = [text.look(index, text.text_object(index)) for index in (0, 4, 6, 10)]
    assert looks == [(True, False), (True, False), (False, True), (False, True)]


def test_what_pdfium_itself_put_between_two_texts_is_drawn_like_none() -> None:
    with asked() as text:
        assert text.look(5, text.text_object(5)) == text.look(8, text.text_object(8)) == (False, False)


def test_boxes_are_a_readers_and_pieces_are_counted() -> None:
    with asked() as text:
        x0, top, x1, bottom = text.box(0)
        assert text.pieces(0, 5) == 1
    assert [x0, bottom] == pytest.approx([20, 32], abs=2)
    assert 5 < x1 - x0 < 6 < bottom - top
