from __future__ import annotations

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from parsers.documents.pdf.annotations import struck_out, withdrawn
from parsers.documents.pdf.frame import Box, Frame
from parsers.documents.pdf.page import Word

QUADS = "/QuadPoints[20 80 60 80 20 70 60 70]"


def boxes(annotations: str) -> list[Box]:
    """Of a page of 200 by 100 points; pdfium finds the objects without a table of them."""
    leaf = f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Annots[{annotations}]>>"
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", leaf]
    body = "".join(f"{number} 0 obj{text}endobj\n" for number, text in enumerate(objects, 1))
    document = pypdfium2.PdfDocument(f"%PDF-1.5\n{body}trailer<</Size 4/Root 1 0 R>>\n%%EOF".encode())
    page = document[0]  # closed with its last name
    try:
        return withdrawn(page.raw, Frame(0, 200, 100), pdfium)
    finally:
        document.close()


@pytest.mark.parametrize(
    ("annotation", "found"),
    [
        (f"/StrikeOut/Rect[10 60 90 90]{QUADS}", [(20, 20, 60, 30)]),
        ("/Redact/Rect[10 60 90 90]", [(10, 10, 90, 40)]),
        (f"/StrikeOut/F 2/Rect[10 60 90 90]{QUADS}", []),
        (f"/Highlight/Rect[10 60 90 90]{QUADS}", []),
        ("/Link/Rect[10 60 90 90]", []),
    ],
)
def test_what_is_struck_out_or_to_be_blacked_out_is_withdrawn(annotation: str, found: list[Box]) -> None:
    assert boxes(f"<</Type/Annot/Subtype{annotation}>>") == found


def test_a_page_of_annotations_without_end_is_read_in_part() -> None:
    assert len(boxes(f"<</Type/Annot/Subtype/StrikeOut/Rect[10 60 90 90]{QUADS}>>" * 1_000)) == 500


def test_a_word_is_struck_where_most_of_it_lies_in_a_box() -> None:
    whole, part, below = (Word("98.25", *place) for place in ((20, 45, 20, 30), (50, 75, 20, 30), (20, 45, 32, 42)))
    assert [word.struck for word in struck_out([whole, part, below], [(18, 19, 60, 31)])] == [True, False, False]
