"""What is drawn on a page of a PDF and not seen there."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.lib.colors import Color, black, white, yellow
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from parsers.documents.pdf.pdfium import pdfium_pages

SEEN = "XS2701001005 98.25 98.75"


def unseen(draw: Callable[[Canvas], object]) -> list[str]:
    """The words that are hidden, of a page on which others are not."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.drawString(40, 780, SEEN)
    draw(canvas)
    canvas.save()
    (page,) = pdfium_pages(out.getvalue(), 9)
    return [word.text for word in page.words if word.hidden]


def boxed(canvas: Canvas, colour: Color, *, after: bool) -> None:
    for is_box in (not after, after):
        canvas.setFillColor(colour if is_box else black)
        if is_box:
            canvas.rect(35, 695, 60, 20, stroke=0, fill=1)
        else:
            canvas.drawString(40, 700, "97.25 97.75")


@pytest.mark.parametrize("colour", [black, white, yellow])
def test_text_that_a_box_is_painted_over_is_hidden(colour: Color) -> None:
    assert unseen(lambda canvas: boxed(canvas, colour, after=True)) == ["97.25"]


@pytest.mark.parametrize(
    ("colour", "after"),
    [
        pytest.param(yellow, False, id="a box below it"),
        pytest.param(Color(1, 1, 0, alpha=0.5), True, id="a box that shines through"),
    ],
)
def test_text_that_is_seen_in_its_box_is_not(colour: Color, after: bool) -> None:
    assert unseen(lambda canvas: boxed(canvas, colour, after=after)) == []


@pytest.mark.parametrize(("left", "gone"), [(200, ["97.25", "97.75"]), (75, ["97.25"]), (40, [])])
def test_text_that_is_clipped_away_is_hidden(left: int, gone: list[str]) -> None:
    def draw(canvas: Canvas) -> None:
        path = canvas.beginPath()
        path.rect(left, 690, 100, 30)
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.drawString(40, 700, "97.25")
        canvas.drawString(80, 700, "97.75")

    assert unseen(draw) == gone


def test_a_box_painted_where_only_a_part_of_it_shows_hides_nothing() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 700, "97.25 97.75")
        path = canvas.beginPath()
        path.rect(300, 690, 100, 30)
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.rect(35, 695, 300, 20, stroke=0, fill=1)

    assert unseen(draw) == []


def test_text_in_a_moved_form_is_seen_where_its_clip_moved_along() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.beginForm("sheet")
        path = canvas.beginPath()
        path.rect(0, 0, 100, 30)
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.drawString(10, 10, "97.25")
        canvas.endForm()
        canvas.translate(300, 500)
        canvas.doForm("sheet")

    assert unseen(draw) == []


def formed(canvas: Canvas, *, width: int) -> None:
    """`97.25 97.75` in a form of this width, drawn at 300, 500."""
    canvas.beginForm("sheet", 0, 0, width, 30)
    canvas.drawString(10, 10, "97.25")
    canvas.drawString(50, 10, "97.75")
    canvas.endForm()
    canvas.saveState()
    canvas.translate(300, 500)
    canvas.doForm("sheet")
    canvas.restoreState()


@pytest.mark.parametrize(("width", "gone"), [(100, []), (45, ["97.75"])])
def test_text_beyond_the_edge_of_its_form_is_hidden(width: int, gone: list[str]) -> None:
    assert unseen(lambda canvas: formed(canvas, width=width)) == gone


def test_text_in_a_form_that_a_box_is_painted_over_is_hidden() -> None:
    def draw(canvas: Canvas) -> None:
        formed(canvas, width=100)
        canvas.rect(345, 505, 60, 20, stroke=0, fill=1)

    assert unseen(draw) == ["97.75"]


def test_a_box_in_a_form_hides_what_it_is_painted_over_where_the_form_shows_it() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.beginForm("box", 0, 0, 35, 30)
        canvas.rect(0, 0, 300, 30, stroke=0, fill=1)
        canvas.endForm()
        canvas.drawString(310, 510, "97.25")
        canvas.drawString(350, 510, "97.75")
        canvas.translate(308, 500)
        canvas.doForm("box")

    assert unseen(draw) == ["97.25"]
