from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from parsers.document import Grid, Line
from parsers.documents.word.doc import blocks_of, read_doc, shown
from parsers.documents.word.docfile import Paragraph


def cell(text: str) -> Paragraph:
    return Paragraph(text, in_table=True, ends_cell=True)


ROW_END = Paragraph("", in_table=True, ends_cell=True, ends_row=True)


def texts(grid: Grid | Line) -> list[list[str]]:
    assert isinstance(grid, Grid)
    return [[cell.text for cell in row.cells] for row in grid.rows]


def test_paragraphs_are_lines_and_tables_grids_in_their_order() -> None:
    inner = Paragraph("two", in_table=True)
    over, table, under = blocks_of(
        [Paragraph("over"), cell("A"), cell(" B  b"), ROW_END, inner, cell("lines"), ROW_END, Paragraph("under")]
    )
    assert (over, under) == (Line(1, "over", 0), Line(2, "under", 5))
    assert texts(table) == [["A", "B b"], ["two lines", ""]]


def test_a_table_of_single_cells_only_arranges_lines() -> None:
    assert blocks_of([cell("one"), ROW_END, cell("two"), ROW_END]) == [Line(1, "one", 0), Line(2, "two", 4)]


def test_what_is_struck_through_is_said_of_lines_and_cells() -> None:
    gone = Paragraph("99", struck=True, in_table=True, ends_cell=True)
    line, table = blocks_of([Paragraph("98", struck=True), cell("A"), gone, ROW_END])
    assert isinstance(line, Line)
    assert line.struck
    assert isinstance(table, Grid)
    assert [each.struck for each in table.rows[0].cells] == [False, True]


def test_a_row_without_an_end_is_read() -> None:
    (table,) = blocks_of([cell("A"), cell("B"), ROW_END, cell("C"), cell("D")])
    assert texts(table) == [["A", "B"], ["C", "D"]]


@pytest.mark.parametrize(
    ("stored", "seen"),
    [
        ('see \x13 HYPERLINK "x" \x14here\x15.', "see here."),
        ("\x13 IF \x13 PAGE \x141\x15 \x14out\x15", "out"),
        ("a\x13 X \x14b\x13 Y \x14c\x15d\x15e\x13 Z \x15f", "abcdef"),
        ("no \x13 end \x14of \x13 X \x14it", "no  end of  X it"),
        ("no \x15beginning \x14of it", "no beginning of it"),
        ("a\x0bb\x1ec\x1fd\x01\x08", "a\nb-cd"),
    ],
)
def test_fields_show_their_results_and_pictures_nothing(stored: str, seen: str) -> None:
    assert shown(stored) == seen


def test_the_table_of_a_real_file_is_found(shared: Callable[[str], Path]) -> None:
    (file,) = shared("odd").glob("doc/*simple-table2.doc")
    table = next(block for block in read_doc(file.read_bytes()).blocks if isinstance(block, Grid))
    assert texts(table)[0] == ["Row 1/Cell 1", "Row 1/Cell 2", "Row 1/Cell 3"]
    assert texts(table)[1][2] == "Row 2/Cell 3"


@pytest.mark.parametrize("text", ["\x13" + "a" * 1_000_000, "\x13" * 200_000 + "\x15" * 200_000, "\x13\x14" * 200_000])
@pytest.mark.slow
def test_fields_without_end_take_no_time(text: str) -> None:
    began = time.process_time()
    assert shown(text) == text.strip("\x13\x14\x15")
    assert time.process_time() - began < 5
