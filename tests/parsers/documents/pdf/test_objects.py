from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from parsers.documents.pdf.calls import address_of
from parsers.documents.pdf.objects import PAGE, Painted, clip_of, painted


@contextmanager
def found(draw: Callable[[Canvas], object]) -> Iterator[Painted]:
    """The objects of a page, as long as it is open."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 300))
    draw(canvas)
    canvas.save()
    document = pypdfium2.PdfDocument(out.getvalue())
    page = document[0]
    yield painted(address_of(page.raw))
    page.close()
    document.close()


def form(canvas: Canvas) -> None:
    canvas.beginForm("sheet", 0, 0, 35, 50)
    canvas.drawString(10, 10, "97.25")
    canvas.rect(10, 20, 30, 5)
    canvas.endForm()
    canvas.drawString(10, 250, "98.25")
    canvas.translate(200, 100)
    canvas.scale(2, 1)
    canvas.doForm("sheet")
    canvas.drawString(10, 10, "99.25")


def test_objects_are_numbered_in_the_order_of_painting_those_in_a_form_at_its_place() -> None:
    with found(form) as objects:
        (rect, _, _) = objects.paths[0]
        before, inside, after = objects.texts.values()
    assert before < inside < rect < after


def test_what_lies_in_a_form_is_told_with_the_forms_place_and_edges() -> None:
    with found(form) as objects:
        (_, _, inside) = objects.paths[0]
        (text,) = objects.clipped
        edges, is_exact = clip_of(text, inside)
    assert inside.box((10, 20, 40, 25)) == pytest.approx((220, 120, 280, 125))
    assert edges == pytest.approx((200, 100, 270, 150))
    assert is_exact


def test_what_lies_on_the_page_is_told_as_it_is() -> None:
    with found(lambda canvas: canvas.rect(10, 20, 30, 5)) as objects:
        ((_, path, inside),) = objects.paths
        assert clip_of(path, inside) == (PAGE.clip, True)
    assert inside is PAGE
    assert inside.box((1, 2, 3, 4)) == (1, 2, 3, 4)


def test_a_round_clip_is_told_by_the_rectangle_around_it_which_is_not_all_of_it() -> None:
    def draw(canvas: Canvas) -> None:
        path = canvas.beginPath()
        path.circle(100, 100, 50)
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.rect(10, 20, 300, 200)

    with found(draw) as objects:
        ((_, path, inside),) = objects.paths
        edges, is_exact = clip_of(path, inside)
    assert edges == pytest.approx((50, 50, 150, 150))
    assert not is_exact
