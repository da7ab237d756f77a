from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import openpyxl
import pytest
from openpyxl.styles import Font, GradientFill, PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.looks import PLAIN, Look, SheetLooks
from parsers.documents.workbooks.xlsxlooks import XlsxLooks

Saved = Callable[[openpyxl.Workbook], bytes]
Looked = Callable[[Callable[[Worksheet], None]], SheetLooks]


@pytest.fixture
def looked(saved: Saved) -> Looked:
    """The looks of a sheet that openpyxl wrote."""

    def look(fill: Callable[[Worksheet], None]) -> SheetLooks:
        book = openpyxl.Workbook()
        assert book.active is not None
        fill(book.active)
        with zipfile.ZipFile(io.BytesIO(saved(book))) as package:
            return XlsxLooks(package).sheet("Sheet")

    return look


def test_fonts_fills_and_formats_are_looked_up_by_cell(looked: Looked) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["bold", "struck", "filled", "white", "plain", 0.0425, "gradient"])
        sheet["A1"].font = Font(bold=True)
        sheet["B1"].font = Font(strike=True)
        sheet["C1"].fill = PatternFill("solid", fgColor="FFFFCC")
        sheet["D1"].font = Font(color="FFFFFFFF")
        sheet["F1"].number_format = "0.00%"
        sheet["G1"].fill = GradientFill(stop=("000000", "FF0000"))

    looks = looked(fill).looks
    assert [looks[1, column] for column in (1, 2, 4, 6)] == [
        Look(bold=True),
        Look(struck=True),
        Look(white=True),
        Look(number_format="0.00%"),
    ]
    assert [looks.get((1, column), PLAIN).filled for column in (3, 5, 7)] == [True, False, True]


def test_white_text_on_a_fill_is_seen_and_a_white_fill_is_none(looked: Looked) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["on navy", "on white"])
        sheet["A1"].fill, sheet["A1"].font = PatternFill("solid", fgColor="000080"), Font(color="FFFFFF")
        sheet["B1"].fill, sheet["B1"].font = PatternFill("solid", fgColor="FFFFFF"), Font(color="FFFFFF")

    looks = looked(fill).looks
    assert [(looks[1, column].filled, looks[1, column].white) for column in (1, 2)] == [(True, False), (False, True)]


def test_hidden_rows_and_columns_are_listed(looked: Looked) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["a", "b", "c"])
        sheet.append(["d", "e", "f"])
        sheet.column_dimensions["C"].hidden = True
        sheet.row_dimensions[2].hidden = True

    looks = looked(fill)
    assert (looks.hidden_rows, looks.hidden_columns) == ({2}, {3})
    assert (looks.last_row, looks.last_column) == (2, 3)


def test_a_formula_without_a_cached_value_is_told_from_one_with(looked: Looked) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"], sheet["B1"] = "=1+1", 2

    assert looked(fill).no_cache == {(1, 1)}


def test_a_sheet_whose_looks_are_not_there_is_corrupt(saved: Saved) -> None:
    with zipfile.ZipFile(io.BytesIO(saved(openpyxl.Workbook()))) as package:
        looks = XlsxLooks(package)
        with pytest.raises(Unreadable) as refused:
            looks.sheet("Chart1")
    assert refused.value.code is Code.CORRUPT_PART
