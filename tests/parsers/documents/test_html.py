from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.codes import Code
from parsers.document import Document, Grid, Line
from parsers.documents.html import read_html
from parsers.documents.unreadable import Unreadable

Grids = Callable[[Document], list[Grid]]
Lines = Callable[[Document], list[str]]
Texts = Callable[[Grid], list[list[str]]]


def test_blocks_breaks_and_preformatted_lines_are_lines(lines: Lines) -> None:
    page = b"<body><p>HY  run</p><div>one<br>two</div><pre>A  98/99\nB  97/98</pre><ul><li>three</ul></body>"
    assert lines(read_html(page)) == ["HY run", "one", "two", "A  98/99", "B  97/98", "three"]


def test_spans_are_expanded_and_name_their_origin(grids: Grids, texts: Texts) -> None:
    page = b"""<table><tr><th rowspan=2>ISIN<th colspan=2>Price</tr><tr><td>Bid<td>Ask</tr>
               <tr><td>XS2701001005<td>103.25<td>103.75</tr></table>"""
    (grid,) = grids(read_html(page))
    assert texts(grid) == [["ISIN", "Price", ""], ["", "Bid", "Ask"], ["XS2701001005", "103.25", "103.75"]]
    assert (grid.rows[0].cells[0].row_span, grid.rows[0].cells[1].col_span) == (2, 2)
    assert grid.rows[1].cells[0].origin == (1, 1)
    assert grid.rows[0].cells[2].origin == (1, 2)


def test_a_table_that_only_arranges_is_dissolved_and_not_counted(grids: Grids, lines: Lines) -> None:
    data = b"<table><tr><td>A<td>1</tr><tr><td>B<td>2</tr></table>"
    page = b"<table><tr><td><p>Hello</p>" + data + b"</td></tr><tr><td>" + data + b"</td></tr></table>"
    document = read_html(page)
    assert [grid.table_idx for grid in grids(document)] == [1, 2]
    assert lines(document) == ["Hello"]


def test_a_table_of_one_column_is_lines(grids: Grids, lines: Lines) -> None:
    document = read_html(b"<table><tr><td>F 5y 182/188</td></tr><tr><td>AAL 5y 12.5/13.5</td></tr></table>")
    assert grids(document) == []
    assert lines(document) == ["F 5y 182/188", "AAL 5y 12.5/13.5"]


def test_what_a_reader_cannot_see_is_not_there(grids: Grids, lines: Lines, texts: Texts) -> None:
    page = b"""<style>.gone { display: none } td { color: red }</style><title>no</title>
      <p hidden>x</p><p style="DISPLAY : none">x</p><p class="a gone">x</p><!-- x --><script>x</script>seen
      <table><tr style="display:none"><td>x<td>x</tr><tr><td>A<td style="display:none">x<td>98.5</tr></table>"""
    document = read_html(page)
    assert lines(document) == ["seen"]
    assert [texts(grid) for grid in grids(document)] == [[["A", "98.5"]]]


def test_struck_bold_filled_and_white_cells_say_so(grids: Grids) -> None:
    page = b"""<table><tr bgcolor=#eee><th>Bid<td>Ask</tr>
      <tr><td><s>98</s><td style="text-decoration:line-through">99</tr>
      <tr><td><s>98</s> 97<td><b>96</b></tr>
      <tr><td style="color:#fff">95<td style="color:#FFF;background:black">94</tr></table>"""
    (grid,) = grids(read_html(page))
    header, struck, half, white = (row.cells for row in grid.rows)
    assert [(cell.bold, cell.filled) for cell in header] == [(True, True), (False, True)]
    assert [cell.struck for cell in struck] == [True, True]
    assert [cell.struck for cell in half] == [False, False]
    assert half[1].bold
    assert [cell.hidden for cell in white] == [True, False]


@pytest.mark.parametrize(
    "quote",
    [
        '<blockquote type="cite">{}</blockquote>',
        '<div class="gmail_quote">{}</div>',
        '<div class="x yahoo_quoted">{}</div>',
        '<hr><div id="divRplyFwdMsg">From: A</div>{}',
    ],
)
def test_quoted_history_says_so(quote: str) -> None:
    old = "<p>old</p><table><tr><td>A<td>97</tr></table>"
    document = read_html(("<p>new</p>" + quote.format(old)).encode())
    assert {block.quoted for block in document.blocks if isinstance(block, Grid) or block.text == "old"} == {True}
    assert [block.quoted for block in document.blocks if isinstance(block, Line) and block.text == "new"] == [False]


def test_text_below_a_quote_is_the_senders_own() -> None:
    document = read_html(b'<blockquote type="cite">old</blockquote><p>new</p>')
    assert [(block.text, block.quoted) for block in document.blocks] == [("old", True), ("new", False)]  # type: ignore[union-attr]


def test_the_declared_charset_beats_the_pages_own(lines: Lines) -> None:
    page = '<meta charset="utf-8"><p>Fälligkeit</p>'
    assert lines(read_html(page.encode("cp1252"), "cp1252")) == ["Fälligkeit"]
    assert lines(read_html(page.encode())) == ["Fälligkeit"]


def test_a_table_beyond_all_measure_is_refused() -> None:
    page = b"<table>" + b"<tr><td rowspan=65000 colspan=1000>x<td>y</tr>" * 3000 + b"</table>"
    with pytest.raises(Unreadable) as refused:
        read_html(page)
    assert refused.value.code is Code.PART_TOO_LARGE


def test_what_lies_deeper_than_any_page_nests_is_not_read(lines: Lines) -> None:
    assert lines(read_html(b"<div>" * 100_000 + b"98.5")) == []


@pytest.mark.parametrize("page", [b"", b"   ", b"<!doctype html>", b"\xff\xfe"])
def test_nothing_gives_nothing(page: bytes) -> None:
    assert read_html(page).blocks == ()


def test_a_lone_angle_is_text(lines: Lines) -> None:
    assert lines(read_html(b"<")) == ["<"]


def test_a_price_that_is_struck_and_replaced_is_gone(grids: Grids, lines: Lines) -> None:
    page = b"<p>XS1 <s>98.25/98.75</s> 97/97.5</p><table><tr><td>A<td><s>98</s>97<td><del>98</del></tr></table>"
    document = read_html(page)
    assert lines(document) == ["XS1 97/97.5"]
    (grid,) = grids(document)
    assert [(cell.text, cell.struck) for cell in grid.rows[0].cells] == [("A", False), ("97", False), ("98", True)]
