from __future__ import annotations

import pytest
from lxml import etree
from lxml.etree import _Element

from parsers.document import Cell
from parsers.documents.html.cell import cell, raised
from parsers.documents.html.style import PLAIN, Look, Styles
from parsers.documents.html.tables import Tables


def element(markup: str, tag: str) -> _Element:
    root = etree.fromstring(f"<table><tr>{markup}</tr></table>", etree.HTMLParser())
    found = root.find(f".//{tag}")
    assert found is not None
    return found


def read(markup: str, around: Look = PLAIN) -> Cell:
    td = element(markup, "td")
    return cell(td, Styles([]), Tables(td, Styles([])), around, filled=False)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("99.50<sup>1</sup>", "99.50¹"),
        ("<b>x</b>99.50<sup>1</sup>/99.75", "x99.50¹/99.75"),
        ("98<sup>1</sup>/<sub>2</sub>", "98 1/2"),
        ("98.25<sup>1, 2</sup>", "98.25¹²"),
        ("98.25<span style='font-size:7pt; vertical-align: super'>1</span>", "98.25¹"),
        ("98.25<font style='vertical-align:3pt'><b>1</b></font>", "98.25¹"),
        ("<p style='vertical-align:super'>98.25</p>", "98.25"),
        ("98.25<span style='font-size:0px'>7</span><b style='opacity:0'>1</b>", "98.25"),
        ("<div style='font-size:0'><span style='font-size:9pt'>98.25</span></div>", "98.25"),
        ("98.&#8203;2&shy;5", "98.25"),
        ("98.25<font color=white>1</font>", "98.25"),
        ("99.5<sub>3</sub>", "99.5³"),
        ("99.5<span style='vertical-align:sub'>3</span>", "99.5³"),
        ("<ruby>99.1<rp>(</rp><rt>8</rt><rp>)</rp></ruby>", "99.1⁸"),
        ("<span style='max-height:0;overflow:hidden;display:block'>1</span>99.1", "99.1"),
        ("<span style='display:inline-block;transform:scale(0)'>1</span>99.1", "99.1"),
        ("<span style='font-size:0.01px'>1</span>99.1", "99.1"),
        ("<i style='max-height:0;overflow:hidden'>1</i>99.1", "199.1"),
        ("<font color=white>98.25</font>", "98.25"),
        ("a<br>b", "a b"),
        ("<p>62</p><p>60</p>", "62 60"),
        ("0,75&nbsp;%", "0,75\u00a0%"),
        ("&nbsp;98.25\n  &nbsp;", "98.25"),
        ("98&frac12;", "98½"),
    ],
)
def test_digits_of_one_cell_are_never_glued(markup: str, text: str) -> None:
    assert read(f"<td>{markup}</td>").text == text


def test_only_numbers_are_raised() -> None:
    assert raised(element("<td>98<sup>12</sup></td>", "sup")) == "¹²"
    assert raised(element("<td>98<sup>1</sup>/2</td>", "sup")) == " 1"
    assert raised(element("<td>1<sup>st</sup></td>", "sup")) is None


def test_a_cell_is_struck_or_bold_where_all_of_its_text_is() -> None:
    assert read("<td><s>98</s><del> 99</del></td>").struck
    assert not read("<td><s>98</s> 97</td>").struck
    assert read("<td><b>98</b> \n</td>").bold
    assert not read("<td></td>").struck
    assert read("<td>98</td>", Look(struck=True)).struck


def test_white_text_is_hidden_unless_something_around_it_is_filled() -> None:
    white = '<td><font color="white">98</font></td>'
    assert read(white).hidden
    assert not read(white, Look(filled=True)).hidden
    assert read('<td style="background:#fff">98</td>', Look(white=True, filled=True)).hidden
    assert not read('<td><span style="color:red">98</span></td>', Look(white=True)).hidden
    assert not read('<td bgcolor="navy"><font color="white">98</font></td>').hidden


def test_what_is_not_shown_is_no_text() -> None:
    assert read('<td>98<span style="display:none">1</span><script>2</script><!-- 3 --></td>').text == "98"


@pytest.mark.parametrize(
    ("attributes", "spans"),
    [
        ("rowspan=2 colspan=3", (2, 3)),
        ('rowspan=0 colspan="-1"', (1, 1)),
        ('rowspan="x" colspan=" 2px"', (1, 2)),
        ("rowspan=999999999 colspan=999999999", (65_534, 1_000)),
    ],
)
def test_spans_are_read_as_browsers_read_them(attributes: str, spans: tuple[int, int]) -> None:
    found = read(f"<td {attributes}>98</td>")
    assert (found.row_span, found.col_span) == spans


@pytest.mark.parametrize("around", [PLAIN, Look(struck=True), Look(white=True), Look(sizeless=True), Look(bold=True)])
@pytest.mark.parametrize("text", ["98.25", " ", "", "&#8203;"])
@pytest.mark.parametrize("style", ["", "color:#fff", "text-decoration:line-through", "font-size:0", "font-weight:bold"])
def test_a_cell_of_nothing_but_text_reads_like_one_with_elements_in_it(around: Look, text: str, style: str) -> None:
    assert read(f"<td style='{style}'>{text}</td>", around) == read(f"<td style='{style}'>{text}<i></i></td>", around)
