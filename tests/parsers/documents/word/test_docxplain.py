"""Plain cells are made short only where nothing of what they say is lost."""

from __future__ import annotations

import pytest

from parsers.documents.word.docxplain import with_short_cells

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHORT = "<w:c>98.5 bid</w:c>"


def document(inside: str, head: str = f'<w:document xmlns:w="{W}">') -> bytes:
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{head}<w:body>{inside}</w:body></w:document>".encode()


def cell(text: str = "98.5 bid", properties: str = "", paragraph: str = "", run: str = "") -> str:
    return f"<w:tc>{properties}<w:p{paragraph}><w:r{run}><w:t>{text}</w:t></w:r></w:p></w:tc>"


@pytest.mark.parametrize(
    "plain",
    [
        cell(),
        cell(properties='<w:tcPr><w:tcW w:type="dxa" w:w="720"/></w:tcPr>'),
        cell(
            properties='<w:tcPr><w:tcW w:w="720" w:type="dxa"/></w:tcPr>',
            paragraph=' w:rsidR="00FC693F" w:rsidP="00FC693F"',
        ),
        cell(run=' w:rsidRPr="0006063C"').replace("<w:t>", '<w:t xml:space="preserve">'),
    ],
)
def test_a_cell_that_holds_a_text_and_no_more_is_made_short(plain: str) -> None:
    assert with_short_cells(document(plain)) == document(SHORT)


@pytest.mark.parametrize(
    "other",
    [
        cell("A &amp; B"),
        cell("]]>"),
        cell(""),
        cell(properties='<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>'),
        cell(paragraph=' w:rsidR="00FC693F" w:rsidR="00FC693F"'),
        cell().replace("<w:r>", "<w:r><w:rPr><w:strike/></w:rPr>"),
        cell().replace("<w:p>", '<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr>'),
        cell().replace("</w:p>", "</w:p><w:p/>"),
        cell().replace("</w:t>", "<w:t>"),
    ],
)
def test_any_other_cell_stays_as_it_is(other: str) -> None:
    assert with_short_cells(document(other)) == document(other)


@pytest.mark.parametrize(
    "whole",
    [
        pytest.param(document(f"<!--{cell()}-->"), id="in a comment"),
        pytest.param(document(f"<w:p><![CDATA[{cell()}]]></w:p>"), id="in text"),
        pytest.param(document(f'<w:p xmlns:w="urn:x">{cell()}</w:p>'), id="of another vocabulary within"),
        pytest.param(document(cell(), '<w:document xmlns:w="urn:x">'), id="of another vocabulary"),
        pytest.param(
            document(cell(), f'<w:document xmlns:w="{W}"><w:x xmlns:w="urn:x">'), id="rebound before the body"
        ),
        pytest.param(document(cell()).replace(b"w:", b"o:"), id="by another prefix"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_where_the_same_characters_may_be_something_else_nothing_is_changed(whole: bytes) -> None:
    assert with_short_cells(whole) == whole
