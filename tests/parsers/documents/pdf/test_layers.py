"""Optional content, written by hand: no library at hand makes any."""

from __future__ import annotations

import pytest

from parsers.documents.pdf.layers import layers_off, may_have_layers
from parsers.documents.pdf.pdfium import pdfium_pages

TEXT = b"BT /F1 12 Tf 40 %d Td (%s) Tj ET\n"
SEEN = TEXT % (700, b"98.25 98.75 99.25")
IN_LAYER = b"/OC /L BDC " + TEXT % (600, b"97.25") + b"EMC\n"
BOX_IN_LAYER = b"/OC /L BDC 1 0 0 rg 30 695 42 20 re f EMC\n"
FORM_IN_LAYER = b"/OC /L BDC /X Do EMC\n"
RESOURCES = b"<</Font<</F1 4 0 R>>/XObject<</X 7 0 R>>/Properties<</L 6 0 R>>>>"
OFF = b"<</OFF[6 0 R]>>"


def pdf(content: bytes, default: bytes, *more: bytes) -> bytes:
    """A page with a layer L of object 6, and a form X, which draws 97.25; `more` are groups, whose numbers begin at 8."""
    inner = TEXT % (600, b"97.25")
    groups = b" ".join(b"%d 0 R" % number for number in (6, *range(8, 8 + len(more))))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[" + groups + b"]/D" + default + b">>>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources " + RESOURCES + b">>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/OCG/Name(Draft)>>",
        b"<</Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 4 0 R>>>>/Length %d>>stream\n%s\nendstream"
        % (len(inner), inner),
        *more,
    ]
    out, places = b"%PDF-1.5\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return out + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        size, table, size, len(out),
    )  # fmt: skip


def hidden(data: bytes) -> list[str]:
    (page,) = pdfium_pages(data, 1)
    assert len(page.words) >= 3
    return [word.text for word in page.words if word.hidden]


@pytest.mark.parametrize(
    ("content", "default", "gone"),
    [
        pytest.param(IN_LAYER, OFF, ["97.25"], id="off"),
        pytest.param(IN_LAYER, b"<</ON[6 0 R]>>", [], id="on"),
        pytest.param(IN_LAYER, b"<</BaseState/OFF>>", ["97.25"], id="all off"),
        pytest.param(IN_LAYER, b"<</BaseState/OFF/ON[6 0 R]>>", [], id="all off but this"),
        pytest.param(FORM_IN_LAYER, OFF, ["97.25"], id="a form"),
        pytest.param(BOX_IN_LAYER, OFF, [], id="a box over the text, off"),
        pytest.param(BOX_IN_LAYER, b"<<>>", ["98.25"], id="a box over the text, on"),
    ],
)
def test_text_in_optional_content_is_hidden_where_that_is_off(content: bytes, default: bytes, gone: list[str]) -> None:
    assert hidden(pdf(SEEN + content, default)) == gone


def test_a_name_that_a_group_has_which_is_on_is_not_off() -> None:
    assert layers_off(pdf(SEEN, OFF)) == {"Draft"}
    assert layers_off(pdf(SEEN, OFF, b"<</Type/OCG/Name(Draft)>>", b"<</Type/OCG/Name(Final)>>")) == frozenset()


def test_a_file_whose_catalog_cannot_be_read_has_no_layers_off() -> None:
    assert layers_off(b"%PDF-1.4\n") == frozenset()
    assert may_have_layers(pdf(SEEN, OFF))
    assert not may_have_layers(b"%PDF-1.4\n")
