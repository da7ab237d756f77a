"""Tables as reports draw them: lines at some sides only, cells without lines, cells in several lines."""

from __future__ import annotations

from collections.abc import Callable

from parsers.document import Document, Grid
from tests.parsers.documents.pdf.tables.sheet import Sheet

Grids = Callable[[Document], list[Grid]]
Texts = Callable[[Grid], list[list[str]]]

HEADER = ["Country", "2003", "2004", "2005"]
ROWS = [["Austria", "93", "109", "1.1"], ["Belgium", "290", "123", "0.7"], ["Italy", "107", "36", "0.4"]]
PLACES = [60.0, 180.0, 240.0, 300.0]
BORDERS = [55.0, 175.0, 235.0, 295.0, 355.0]


def test_lines_down_in_the_header_alone_part_the_rows_below_too(grids: Grids, texts: Texts) -> None:
    sheet = Sheet()
    for number, row in enumerate([HEADER, *ROWS]):
        sheet.row(113 + 20 * number, row, PLACES)
        sheet.across(100 + 20 * number, BORDERS[0], BORDERS[-1])
    sheet.across(180, BORDERS[0], BORDERS[-1])
    for x in BORDERS:
        sheet.down(x, 100, 120)
    (grid,) = grids(sheet.read())
    assert texts(grid) == [HEADER, *ROWS]


def test_lines_across_that_reach_past_the_lines_down_close_the_outer_columns(grids: Grids, texts: Texts) -> None:
    sheet = Sheet()
    for number, row in enumerate([HEADER, *ROWS]):
        sheet.row(113 + 20 * number, row, PLACES)
        sheet.across(100 + 20 * number, BORDERS[0], BORDERS[-1])
    sheet.across(180, BORDERS[0], BORDERS[-1])
    for x in BORDERS[1:-1]:
        sheet.down(x, 100, 180)
    (grid,) = grids(sheet.read())
    assert texts(grid) == [HEADER, *ROWS]


def test_a_border_without_a_line_is_open_where_text_goes_across_it(grids: Grids, texts: Texts) -> None:
    sheet = Sheet()
    sheet.text(190, 113, "Samples that were taken")
    for number, row in enumerate([HEADER, *ROWS], 1):
        sheet.row(113 + 20 * number, row, PLACES)
    for number in range(6):
        sheet.across(100 + 20 * number, BORDERS[0], BORDERS[-1])
    for x in BORDERS:
        sheet.down(x, 100 if x in (BORDERS[0], BORDERS[1], BORDERS[-1]) else 120, 140)
    (grid,) = grids(sheet.read())
    assert texts(grid) == [["", "Samples that were taken", "", ""], HEADER, *ROWS]
    assert grid.rows[0].cells[1].col_span == 3


def test_lines_between_two_lines_across_are_one_row_where_each_row_has_its_lines(grids: Grids, texts: Texts) -> None:
    sheet = Sheet()
    wrapped = [["Bosnia and", "Serbia and"], ["Estimate", "by region"], ["of 2003", "and year"], ["(n)", "(%)"]]
    for number, row in enumerate([HEADER, *ROWS]):
        sheet.row(113 + 20 * number, row, PLACES)
        sheet.across(100 + 20 * number, BORDERS[0], BORDERS[-1])
    for line in range(2):
        sheet.row(193 + 10 * line, [cell[line] for cell in wrapped], PLACES)
    for y in (180, 210):
        sheet.across(y, BORDERS[0], BORDERS[-1])
    for x in BORDERS:
        sheet.down(x, 100, 210)
    (grid,) = grids(sheet.read())
    assert texts(grid) == [HEADER, *ROWS, [" ".join(cell) for cell in wrapped]]


def test_a_cell_without_lines_through_it_spans_the_rows_that_lines_part_beside_it(grids: Grids, texts: Texts) -> None:
    sheet = Sheet()
    sheet.row(113, ["Year", "Sex", "Number", "Share"], PLACES)
    for number, row in enumerate([["Men", "93", "1.1"], ["Women", "109", "0.7"]] * 3):
        sheet.row(133 + 20 * number, row, PLACES[1:])
        sheet.across(120 + 20 * number, BORDERS[number % 2], BORDERS[-1])
    for number, label in enumerate([["Nineteen hundred", "ninety-one"], ["1996"], ["2001"]]):
        sheet.lines(PLACES[0], 135 + 40 * number, label)
    for y in (100, 240):
        sheet.across(y, BORDERS[0], BORDERS[-1])
    for x in BORDERS:
        sheet.down(x, 100, 240)
    (grid,) = grids(sheet.read())
    assert [row[0] for row in texts(grid)] == ["Year", "Nineteen hundred ninety-one", "", "1996", "", "2001", ""]
    assert [row.cells[0].row_span for row in grid.rows] == [1, 2, 1, 2, 1, 2, 1]
    assert [row.cells[0].origin for row in grid.rows] == [None, None, (2, 1), None, (4, 1), None, (6, 1)]
