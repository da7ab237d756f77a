from __future__ import annotations

import io
from collections.abc import Callable

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import RGBColor

from parsers.codes import Code
from parsers.document import Document, Grid, Line
from parsers.documents.unreadable import Unreadable
from parsers.documents.word.docx import read_docx

Grids = Callable[[Document], list[Grid]]
Lines = Callable[[Document], list[str]]
Texts = Callable[[Grid], list[list[str]]]


def saved(word: docx.document.Document) -> bytes:
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()


def test_paragraphs_are_lines_and_tables_grids_in_reading_order(texts: Texts) -> None:
    word = docx.Document()
    word.add_paragraph("AT1 levels")
    table = word.add_table(rows=2, cols=2)
    for at, text in enumerate(("ISIN", "Bid", "XS2621001002", "106.25")):
        table.cell(at // 2, at % 2).text = text
    word.add_paragraph("first\nsecond")
    before, grid, first, second = read_docx(saved(word)).blocks
    assert isinstance(before, Line)
    assert before.text == "AT1 levels"
    assert isinstance(grid, Grid)
    assert texts(grid) == [["ISIN", "Bid"], ["XS2621001002", "106.25"]]
    assert isinstance(first, Line)
    assert isinstance(second, Line)
    assert [(first.number, first.text), (second.number, second.text)] == [(2, "first"), (3, "second")]


def test_merged_cells_are_spans(grids: Grids, texts: Texts) -> None:
    word = docx.Document()
    table = word.add_table(rows=3, cols=3)
    table.cell(0, 0).merge(table.cell(0, 2)).text = "EUR AT1"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "BNP"
    table.cell(1, 1).text, table.cell(2, 1).text = "106.25", "98.5"
    (grid,) = grids(read_docx(saved(word)))
    assert texts(grid) == [["EUR AT1", "", ""], ["BNP", "106.25", ""], ["", "98.5", ""]]
    assert grid.rows[0].cells[0].col_span == 3
    assert grid.rows[1].cells[0].row_span == 2
    assert grid.rows[2].cells[0].origin == (2, 1)


def test_struck_bold_hidden_and_deleted_text(grids: Grids, lines: Lines) -> None:
    word = docx.Document()
    word.add_paragraph().add_run("withdrawn").font.strike = True
    hidden = word.add_paragraph("seen")
    hidden.add_run(" unseen").font.hidden = True
    deleted = parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>gone</w:delText></w:r></w:del>")
    hidden._p.append(deleted)
    table = word.add_table(rows=1, cols=2)
    table.cell(0, 0).paragraphs[0].add_run("Bid").bold = True
    table.cell(0, 1).paragraphs[0].add_run("98").font.double_strike = True
    document = read_docx(saved(word))
    assert lines(document)[:2] == ["withdrawn", "seen"]
    assert [block.struck for block in document.blocks if isinstance(block, Line)][:2] == [True, False]
    (grid,) = grids(document)
    assert grid.rows[0].cells[0].bold
    assert grid.rows[0].cells[1].struck


def test_a_table_around_a_table_is_dissolved(grids: Grids, texts: Texts) -> None:
    word = docx.Document()
    outer = word.add_table(rows=1, cols=2)
    inner = outer.cell(0, 1).add_table(rows=1, cols=2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "A", "98.5"
    (grid,) = grids(read_docx(saved(word)))
    assert texts(grid) == [["A", "98.5"]]
    assert grid.table_idx == 1


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.99])
def test_a_cut_off_file_is_corrupt(cut: float) -> None:
    data = saved(docx.Document())
    with pytest.raises(Unreadable) as refused:
        read_docx(data[: int(len(data) * cut)])
    assert refused.value.code is Code.CORRUPT_PART


def test_a_style_withdraws_a_price_as_a_run_does(grids: Grids) -> None:
    word = docx.Document()
    word.styles.add_style("Withdrawn", WD_STYLE_TYPE.PARAGRAPH).font.strike = True
    word.styles.add_style("Unseen", WD_STYLE_TYPE.CHARACTER).font.hidden = True
    table = word.add_table(rows=1, cols=2)
    table.cell(0, 0).paragraphs[0].add_run("98.5")
    table.cell(0, 0).paragraphs[0].style = "Withdrawn"
    table.cell(0, 1).paragraphs[0].add_run("99").style = "Unseen"
    (grid,) = grids(read_docx(saved(word)))
    assert [(cell.text, cell.struck) for cell in grid.rows[0].cells] == [("98.5", True), ("", False)]


def test_a_text_box_in_a_cell_is_read_once(grids: Grids, texts: Texts) -> None:
    word = docx.Document()
    table = word.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "XS2621001002"
    inside = "<w:txbxContent><w:p><w:r><w:t>98.5</w:t></w:r></w:p></w:txbxContent>"
    names = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    both = f"<mc:Choice Requires='wps'><w:pict>{inside}</w:pict></mc:Choice><mc:Fallback><w:pict>{inside}</w:pict></mc:Fallback>"
    box = parse_xml(f"<w:r {nsdecls('w')} {names}><mc:AlternateContent>{both}</mc:AlternateContent></w:r>")
    table.cell(0, 1).paragraphs[0]._p.append(box)
    (grid,) = grids(read_docx(saved(word)))
    assert texts(grid) == [["XS2621001002", "98.5"]]


def test_a_price_that_is_struck_and_replaced_is_gone(grids: Grids, lines: Lines) -> None:
    word = docx.Document()
    table = word.add_table(rows=1, cols=2)
    for paragraph in (word.add_paragraph(), table.cell(0, 1).paragraphs[0]):
        paragraph.add_run("98.25").font.strike = True
        paragraph.add_run(" 97.5")
    document = read_docx(saved(word))
    (grid,) = grids(document)
    assert [(cell.text, cell.struck) for cell in grid.rows[0].cells] == [("", False), ("97.5", False)]
    assert [line.strip() for line in lines(document) if line.strip()] == ["97.5"]


def test_a_raised_footnote_is_no_digit_of_the_price_before_it(grids: Grids, lines: Lines, texts: Texts) -> None:
    word = docx.Document()
    paragraph = word.add_paragraph("XYZ 98.25")
    paragraph.add_run("1").font.superscript = True
    paragraph.add_run("/98.75")
    paragraph.add_run("2").font.subscript = True
    table = word.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "98", "99"
    for text, is_raised in (("1", True), ("/", False), ("2", False)):
        table.cell(0, 1).paragraphs[0].add_run(text).font.superscript = is_raised
    document = read_docx(saved(word))
    assert lines(document) == ["XYZ 98.25¹/98.75²"]
    assert [texts(grid) for grid in grids(document)] == [[["98", "99 1/2"]]]


def test_white_digits_beside_black_ones_are_none_of_the_price(grids: Grids, texts: Texts) -> None:
    word = docx.Document()
    table = word.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "98.25", ""
    for column, text in ((0, "1"), (1, "99.25")):
        table.cell(0, column).paragraphs[0].add_run(text).font.color.rgb = RGBColor(255, 255, 255)
    assert [texts(grid) for grid in grids(read_docx(saved(word)))] == [[["98.25", "99.25"]]]


def test_text_all_in_white_is_hidden_unless_it_may_lie_on_a_shade(grids: Grids) -> None:
    word = docx.Document()
    word.add_paragraph().add_run("XYZ 98.25").font.color.rgb = RGBColor(255, 255, 255)
    for style in ("Table Grid", "Light Grid Accent 1"):
        cell = word.add_table(rows=1, cols=2, style=style).cell(0, 0)
        cell.paragraphs[0].add_run("98.25").font.color.rgb = RGBColor(255, 255, 255)
    document = read_docx(saved(word))
    assert [block.hidden for block in document.blocks if isinstance(block, Line) and block.text] == [True]
    assert [grid.rows[0].cells[0].hidden for grid in grids(document)] == [True, False]


def test_a_number_raised_by_its_style_or_its_place_is_a_mark(lines: Lines) -> None:
    word = docx.Document()
    word.styles.add_style("Foot", WD_STYLE_TYPE.CHARACTER).font.superscript = True
    paragraph = word.add_paragraph("XYZ 98.25")
    paragraph.add_run("1", style="Foot")
    paragraph.add_run(" 98.75")
    look = paragraph.add_run("2")._r.get_or_add_rPr()
    look.append(parse_xml(f'<w:position {nsdecls("w")} w:val="6"/>'))
    assert lines(read_docx(saved(word))) == ["XYZ 98.25¹ 98.75²"]
