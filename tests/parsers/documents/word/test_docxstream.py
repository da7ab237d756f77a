from __future__ import annotations

import pytest

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.documents.word.docxblocks import parts_of
from parsers.documents.word.docxstream import tokens
from parsers.documents.word.docxstyles import Styles

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def body(inside: str, namespace: str = W, prefix: str = "w:") -> bytes:
    name = f"xmlns:{prefix[:-1]}" if prefix else "xmlns"
    text = inside.replace("w:", prefix)
    return f'<{prefix}document {name}="{namespace}" xmlns:mc="{MC}"><{prefix}body>{text}</{prefix}body></{prefix}document>'.encode()


def run(text: str, look: str = "") -> str:
    return f"<w:r>{look}<w:t>{text}</w:t></w:r>"


def test_a_table_is_told_row_by_row_and_cell_by_cell() -> None:
    cell = f"<w:tc><w:tcPr><w:tcW/><w:gridSpan w:val='2'/><w:vMerge/><w:shd w:fill='00FF00'/></w:tcPr><w:p>{run('98.5')}</w:p></w:tc>"
    table = f"<w:tbl><w:tblPr><w:shd w:fill='FF0000'/></w:tblPr><w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr>{cell}</w:tr></w:tbl>"
    assert tokens(body(table)) == ["(", "R", "k1", "C", "g2", "v", "f00FF00", "P", "r", "t98.5", ")"]


@pytest.mark.parametrize(
    ("look", "told"),
    [
        pytest.param("<w:strike/>", "lS", id="struck"),
        pytest.param("<w:dstrike w:val='0'/>", "ld", id="expressly not struck twice"),
        pytest.param("<w:b/><w:vanish w:val='true'/>", "lBV", id="bold and hidden"),
        pytest.param("<w:color w:val='FFFFFF'/>", "lW", id="white"),
        pytest.param("<w:color w:val='ffffff'/><w:shd w:fill='000000'/>", "lWF", id="white on a shade"),
        pytest.param("<w:color w:val='000000'/>", "lw", id="expressly not white"),
        pytest.param("<w:webHidden/>", "l", id="hidden in web pages alone"),
        pytest.param("<w:lang w:val='de-DE'/>", "l", id="nothing that matters"),
    ],
)
def test_text_is_told_with_its_look(look: str, told: str) -> None:
    assert tokens(body(f"<w:p>{run('x', f'<w:rPr>{look}</w:rPr>')}{run('y')}</w:p>")) == [
        "P",
        "r",
        told,
        "tx",
        "r",
        "ty",
    ]


def test_styles_are_told_of_paragraphs_and_of_text() -> None:
    look = "<w:rPr><w:rStyle w:val='Gone'/><w:b/></w:rPr>"
    mark = "<w:pPr><w:pStyle w:val='Sheet'/><w:rPr><w:strike/></w:rPr></w:pPr>"
    assert tokens(body(f"<w:p>{mark}{run('x', look)}</w:p>")) == ["P", "pSheet", "r", "lB", "yGone", "tx"]


def test_what_is_deleted_hidden_or_for_older_programs_is_not_told() -> None:
    gone = f"<w:del>{run('1')}</w:del><w:moveFrom>{run('2')}</w:moveFrom><mc:AlternateContent><mc:Choice>{run('3')}</mc:Choice><mc:Fallback>{run('4')}</mc:Fallback></mc:AlternateContent>"
    rows = f"<w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p>{run('5')}</w:p></w:tc></w:tr><w:tr><w:trPr><w:hidden/></w:trPr><w:tc/></w:tr>"
    assert tokens(body(f"<w:p>{gone}</w:p><w:tbl>{rows}</w:tbl>")) == ["P", "r", "t3", "(", ")"]


def test_how_it_looked_before_tracked_changes_is_not_told() -> None:
    look = "<w:rPr><w:strike/><w:rPrChange><w:rPr><w:b/><w:rStyle w:val='Old'/></w:rPr></w:rPrChange></w:rPr>"
    paragraph = (
        "<w:pPr><w:pStyle w:val='New'/><w:pPrChange><w:pPr><w:pStyle w:val='Old'/></w:pPr></w:pPrChange></w:pPr>"
    )
    cell = (
        "<w:tcPr><w:shd w:fill='FF0000'/><w:tcPrChange><w:tcPr><w:gridSpan w:val='3'/></w:tcPr></w:tcPrChange></w:tcPr>"
    )
    table = f"<w:tbl><w:tr><w:tc>{cell}<w:p>{paragraph}{run('98', look)}</w:p></w:tc></w:tr></w:tbl>"
    assert tokens(body(table)) == ["(", "R", "C", "fFF0000", "P", "pNew", "r", "lS", "t98", ")"]


def test_a_plain_cell_is_one_token_and_means_the_same() -> None:
    table = (
        f"<w:tbl><w:tr><w:tc><w:p>{run('98.5')}</w:p></w:tc><w:tc><w:p>{run('99')}</w:p><w:p/></w:tc></w:tr></w:tbl>"
    )
    told = tokens(body(table).replace(f' xmlns:mc="{MC}"'.encode(), b""))
    assert told == ["(", "R", "c98.5", "C", "P", "r", "t99", "P", ")"]
    assert parts_of(told, Styles(None)) == parts_of(tokens(body(table, prefix="ns0:")), Styles(None))


def test_shades_are_told_of_paragraphs_and_of_tables_whose_style_may_have_some() -> None:
    table = "<w:tbl><w:tblPr><w:tblStyle w:val='{}'/></w:tblPr><w:tr><w:tc/></w:tr></w:tbl>"
    paragraph = "<w:p><w:pPr><w:shd w:fill='000000'/></w:pPr></w:p>"
    assert tokens(body(table.format("TableGrid") + table.format("Dark") + paragraph)) == [
        *["(", "R", "C", ")"],
        *["(", "s", "R", "C", ")"],
        *["P", "h"],
    ]


def test_strict_files_and_other_prefixes_are_the_same() -> None:
    inside = f"<w:p><w:pPr><w:pStyle w:val='a'/></w:pPr>{run('98.5')}</w:p>"
    expected = ["P", "pa", "r", "t98.5"]
    assert tokens(body(inside)) == tokens(body(inside, STRICT)) == tokens(body(inside, prefix="ns0:")) == expected


def test_breaks_tabs_entities_and_boxes_are_told() -> None:
    inside = "<w:r><w:t>A &amp; B</w:t><w:tab/><w:noBreakHyphen/><w:br/></w:r>"
    box = f"<w:r><w:pict><w:txbxContent><w:p>{run('in')}</w:p></w:txbxContent></w:pict></w:r>"
    assert tokens(body(f"<w:p>{inside}{box}</w:p>")) == [
        "P",
        "r",
        "tA & B",
        "t\t",
        "t-",
        "n",
        "r",
        "B",
        "P",
        "r",
        "tin",
        "b",
    ]


@pytest.mark.parametrize("xml", [b"", b"<w:document>", b"no xml", body("<w:sdt>" * 5000 + "</w:sdt>" * 5000)])
def test_what_is_no_whole_xml_is_corrupt(xml: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        tokens(xml)
    assert refused.value.code is Code.CORRUPT_PART
