from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet
from python_calamine import CalamineWorkbook

from parsers.codes import Code
from parsers.document import Cell, CellValue, Grid
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.looks import Look, SheetLooks
from parsers.documents.workbooks.sheetgrid import sheet_grid

Saved = Callable[[openpyxl.Workbook], bytes]
Made = Callable[..., Grid]


@pytest.fixture
def made(saved: Saved) -> Made:
    """The grid of a sheet that openpyxl wrote and calamine read, under these looks."""

    def make(fill: Callable[[Worksheet], None], looks: SheetLooks | None = None) -> Grid:
        book = openpyxl.Workbook()
        assert book.active is not None
        fill(book.active)
        sheet = CalamineWorkbook.from_filelike(io.BytesIO(saved(book))).get_sheet_by_index(0)
        return sheet_grid(sheet, looks or SheetLooks(), hidden=False)

    return make


def cells(grid: Grid) -> dict[tuple[int, int], Cell]:
    return {(row.number, cell.column): cell for row in grid.rows for cell in row.cells}


@pytest.mark.parametrize(
    ("raw", "text", "value"),
    [
        ("  5 x\n10 ", "5 x 10", None),
        (0.1, "0.1", Decimal("0.1")),
        (98.375, "98.375", Decimal("98.375")),
        (1234567, "1234567", Decimal(1234567)),
        (True, "TRUE", True),
        (date(2034, 5, 15), "2034-05-15", date(2034, 5, 15)),
        ("#N/A", "", None),
        ("#N/A Requesting Data...", "", None),
        ("#1 pick", "#1 pick", None),
    ],
)
def test_a_value_is_exact_and_an_error_is_nothing(made: Made, raw: object, text: str, value: CellValue) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["x", raw])

    cell = cells(made(fill))[1, 2]
    assert (cell.text, cell.value) == (text, value)


def test_times_are_values_too(made: Made) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append([datetime(2026, 11, 18, 14, 30), time(9, 15)])  # noqa: DTZ001 -- workbooks know no zones

    found = cells(made(fill))
    assert found[1, 1].value == datetime(2026, 11, 18, 14, 30)  # noqa: DTZ001 -- as above
    assert found[1, 2].value == time(9, 15)


def test_looks_are_laid_over_the_cells_of_their_place(made: Made) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["B3"], sheet["C3"] = 0.0425, "x"

    looks = SheetLooks(looks={(3, 2): Look("0.00%", bold=True)}, hidden_columns={3}, no_cache={(3, 3)}, hidden_rows={3})
    grid = made(fill, looks)
    found = cells(grid)
    assert (found[3, 2].text, found[3, 2].bold, found[3, 2].hidden) == ("4.25%", True, False)
    assert (found[3, 3].hidden, found[3, 3].formula_no_cache) == (True, True)
    assert [(row.number, row.hidden) for row in grid.rows] == [(3, True)]


def test_merges_are_spans_and_covered_cells_name_their_origin(made: Made) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"], sheet["A2"], sheet["B2"], sheet["B3"] = "SENIOR FINANCIALS", "BACR", 98.5, 99
        sheet.merge_cells("A1:C1")
        sheet.merge_cells("A2:A3")

    found = cells(made(fill))
    assert (found[1, 1].col_span, found[1, 2].origin) == (3, (1, 1))
    assert (found[2, 1].row_span, found[3, 1].origin, found[3, 1].text) == (2, (2, 1), "")


def test_columns_merged_whole_for_their_looks_are_no_span(made: Made) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"], sheet["C1"] = "x", "y"
        sheet.merged_cells.add("A1:B1048576")  # merge_cells would make each of them

    assert cells(made(fill))[1, 1].row_span == 1


def test_merges_below_all_cells_are_none(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"] = "x"
        for row in range(3, 9):
            sheet.merged_cells.add(f"A{row}:B{row}")

    monkeypatch.setattr("parsers.documents.workbooks.sheetgrid.MAX_CELLS", 2)
    assert cells(made(fill))[1, 1].text == "x"


def test_long_gaps_are_cut_short_and_rows_keep_their_numbers(made: Made) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"], sheet["A5000"] = "top", "bottom"

    assert [row.number for row in made(fill).rows] == [1, 2, 3, 5000]


def test_merges_that_lie_on_each_other_beyond_the_cells_of_a_sheet_are_refused(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["D4"] = 98.5
        for merge in ("A1:C3", "A2:C4"):
            sheet.merge_cells(merge)

    assert made(fill)
    monkeypatch.setattr("parsers.documents.workbooks.sheetgrid.MAX_CELLS", 17)
    with pytest.raises(Unreadable) as refused:
        made(fill)
    assert refused.value.code is Code.PART_TOO_LARGE


def test_a_merge_told_from_its_end_is_the_same_merge(saved: Saved) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active["A1"] = "EUR IG"
    book.active["B2"] = 98.25
    book.active.merge_cells("A1:B1")
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(book))) as whole, zipfile.ZipFile(out, "w") as turned:
        for name in whole.namelist():
            turned.writestr(name, whole.read(name).replace(b'"A1:B1"', b'"B1:A1"'))
    out.seek(0)
    found = cells(sheet_grid(CalamineWorkbook.from_filelike(out).get_sheet_by_index(0), SheetLooks(), hidden=False))
    assert found[1, 1].col_span == 2
    assert found[1, 2].origin == (1, 1)
