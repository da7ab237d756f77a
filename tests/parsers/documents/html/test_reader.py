from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.codes import Code
from parsers.document import Document, Grid, Line
from parsers.documents.html.reader import read_html
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


def test_hundreds_of_elements_that_are_never_closed_are_no_bar(lines: Lines, grids: Grids, texts: Texts) -> None:
    cell = b"<td>" + b"<span>" * 700 + b"98.5" + b"</span>" * 700
    document = read_html(b"<div>" * 600 + b"AT1<table><tr><td>A" + cell + b"</table>")
    assert lines(document) == ["AT1"]
    assert [texts(grid) for grid in grids(document)] == [[["A", "98.5"]]]


def test_what_lies_deeper_than_any_page_nests_is_told_as_unread(lines: Lines) -> None:
    deep = b"<div>" * 100_000 + b"98.5"
    with pytest.raises(Unreadable) as refused:
        read_html(deep)
    assert refused.value.code is Code.CORRUPT_PART
    document = read_html(b"<p>97/98</p>" + deep)
    assert document.truncated
    assert lines(document) == ["97/98"]


def test_what_a_table_or_its_body_says_holds_for_its_cells(grids: Grids) -> None:
    rows = b"<tr><td>A<td>98</tr>"
    page = (
        b"<table><tbody style='display:none'>" + rows + b"</tbody><tbody style='text-decoration:line-through'>" + rows
    )
    page += b"</tbody><tbody><tr style='color:white'><td>A<td>97</tr></tbody></table>"
    (struck, white) = grids(read_html(page))[0].rows
    assert [cell.struck for cell in struck.cells] == [True, True]
    assert [cell.hidden for cell in white.cells] == [True, True]


def test_white_text_on_a_coloured_table_is_seen(grids: Grids) -> None:
    page = b"<table style='background:#003366'><tr><td style='color:white'>A<td style='color:white'>98</tr></table>"
    assert not any(cell.hidden or cell.filled for cell in grids(read_html(page))[0].rows[0].cells)


def test_a_white_line_is_hidden() -> None:
    document = read_html(b"<p style='color:#fff'>A 98/99</p><div bgcolor=navy><p style='color:#fff'>B 98/99</p></div>")
    assert [block.hidden for block in document.blocks] == [True, False]


def test_text_of_no_size_is_not_there_and_text_of_no_colour_is_hidden(lines: Lines) -> None:
    page = b"<p style='font-size:0'>98.25 <b style='font-size:9pt'>seen</b></p><p style='color:transparent'>99.50</p>"
    document = read_html(page)
    assert lines(document) == ["seen", "99.50"]
    assert [block.hidden for block in document.blocks if isinstance(block, Line)] == [False, True]


def test_a_small_table_in_a_cell_does_not_dissolve_the_table_around_it(grids: Grids, texts: Texts) -> None:
    rows = b"<tr><td>A<td>98</tr><tr><td>B<td>97</tr>"
    note = b"<tr><td>notes <table><tr><td>x</td></tr></table><td><table><tr><td>Z<td>96</tr></table>y</tr>"
    tables = grids(read_html(b"<table>" + rows + rows + note + b"</table>"))
    assert [texts(grid) for grid in tables] == [
        [["A", "98"], ["B", "97"], ["A", "98"], ["B", "97"], ["notes x", "y"]],
        [["Z", "96"]],
    ]
    assert [grid.table_idx for grid in tables] == [1, 2]


def test_tables_side_by_side_are_arranged_by_the_one_around_them(grids: Grids) -> None:
    inner = b"<table><tr><td>A<td>98</tr></table>"
    assert len(grids(read_html(b"<table><tr><td>x<td>" + inner + b"<td>" + inner + b"</tr></table>"))) == 2


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


def test_a_place_to_break_a_word_takes_no_cell_into_another(grids: Grids, texts: Texts) -> None:
    page = b"<table><tr><td>XS27010<wbr>01005<td>98.<WBR/>25<td>98.75</tr><tr><td>a<td>b<td>c</tr></table>"
    assert texts(grids(read_html(page))[0]) == [["XS2701001005", "98.25", "98.75"], ["a", "b", "c"]]


def test_a_line_says_a_raised_number_by_its_marks_however_it_is_raised(lines: Lines) -> None:
    page = b"<p>F 5y 182<span style='vertical-align:super'>1</span>/188<sup>2,3</sup></p><p>opacity <b>1</b></p>"
    assert lines(read_html(page)) == ["F 5y 182¹/188²³", "opacity 1"]


@pytest.mark.parametrize(
    "unseen",
    [
        b"<style>p.y, .x{display:none}</style><p class=y>F 5y 1/2</p><p class=x>F 5y 1/2</p>",
        b"<style>#x{display:none} .z:hover{display:none}</style><p id=x>F 5y 1/2</p>",
        b"<div style='max-height:0;overflow:hidden'>F 5y 1/2</div>",
    ],
)
def test_what_a_list_of_classes_an_id_or_no_height_hides_is_not_there(unseen: bytes, lines: Lines) -> None:
    assert lines(read_html(unseen + b"<p class=z>C 5y 3/4</p>")) == ["C 5y 3/4"]


def test_a_page_of_more_rows_than_are_read_says_that_it_goes_on(monkeypatch: pytest.MonkeyPatch, grids: Grids) -> None:
    monkeypatch.setattr("parsers.documents.html.reader.MAX_ROWS", 3)
    table = b"<table><tr><td>A<td>98<tr><td>B<td>97</table>"
    assert not read_html(b"<table><tr><td>A<td>98<tr><td>B<td>97<tr><td>C<td>96</table>").truncated
    document = read_html(table + table)
    assert [len(grid.rows) for grid in grids(document)] == [2, 1]
    assert document.truncated


def test_a_page_of_more_lines_than_are_read_says_that_it_goes_on(monkeypatch: pytest.MonkeyPatch, lines: Lines) -> None:
    monkeypatch.setattr("parsers.documents.html.reader.MAX_LINES", 2)
    assert not read_html(b"<p>a<p>b").truncated
    document = read_html(b"<p>a<p>b<p>c<p>d")
    assert lines(document) == ["a", "b"]
    assert document.truncated
