from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from parsers.documents.pdf.page import Page
from parsers.documents.pdf.pdfium import pdfium_pages

HEIGHT = A4[1]


def page(draw: Callable[[Canvas], object]) -> Page:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    draw(canvas)
    canvas.showPage()
    canvas.save()
    (found,) = pdfium_pages(out.getvalue(), 1)
    return found


def test_strokes_lie_where_a_reader_sees_them() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.line(40, 700, 300, 700)
        canvas.line(40, 650, 40, 700)

    found = page(draw)
    (across,), (down,) = found.across, found.down
    assert (across.at, across.start, across.end) == pytest.approx((HEIGHT - 700, 40, 300), abs=1.5)
    assert (down.at, down.start, down.end) == pytest.approx((40, HEIGHT - 700, HEIGHT - 650), abs=1.5)


def test_a_thin_rectangle_is_a_line_and_a_filled_box_is_none() -> None:
    thin = page(lambda canvas: canvas.rect(40, 700, 260, 1, stroke=0, fill=1))
    assert (len(thin.across), len(thin.down)) == (1, 0)
    box = page(lambda canvas: canvas.rect(40, 600, 260, 90, stroke=0, fill=1))
    assert (box.across, box.down) == ((), ())


def test_the_outline_of_a_box_is_four_lines() -> None:
    found = page(lambda canvas: canvas.rect(40, 600, 260, 90))
    assert sorted(line.at for line in found.across) == pytest.approx([HEIGHT - 690, HEIGHT - 600], abs=1)
    assert sorted(line.at for line in found.down) == pytest.approx([40, 300], abs=1)


def test_lines_inside_a_moved_box_stand_where_it_was_moved_to() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(100, 50)
        canvas.rect(40, 600, 160, 90)

    assert sorted(line.at for line in page(draw).down) == pytest.approx([140, 300], abs=1)


def test_slanted_and_tiny_strokes_are_no_lines() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.line(40, 600, 300, 700)
        canvas.line(40, 500, 41, 500)

    found = page(draw)
    assert (found.across, found.down) == ((), ())


def test_lines_inside_a_moved_form_stand_where_the_form_shows_them() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.beginForm("box", 0, 0, 300, 300)
        canvas.rect(10, 20, 160, 90)
        canvas.endForm()
        canvas.translate(100, 50)
        canvas.doForm("box")

    assert sorted(line.at for line in page(draw).down) == pytest.approx([110, 270], abs=1)
