from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date
from decimal import Decimal

import openpyxl
import pytest
from openpyxl.styles import Font, PatternFill

from parsers.codes import Code
from parsers.document import Cell, Document, Grid
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbook import read_xls, read_xlsx

Grids = Callable[[Document], list[Grid]]
Texts = Callable[[Grid], list[list[str]]]
Saved = Callable[[openpyxl.Workbook], bytes]


def cells(grid: Grid) -> dict[tuple[int, int], Cell]:
    return {(row.number, cell.column): cell for row in grid.rows for cell in row.cells}


def test_values_are_exact_and_shown_as_a_reader_saw_them(saved: Saved, grids: Grids) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["B3"], sheet["C3"], sheet["D3"], sheet["E3"] = 98.375, 0.0425, date(2034, 5, 15), "  5 x\n10 "
    sheet["B3"].number_format, sheet["C3"].number_format, sheet["D3"].number_format = "# ?/8", "0.00%", "dd/mm/yyyy"
    (grid,) = grids(read_xlsx(saved(book)))
    found = cells(grid)
    assert [row.number for row in grid.rows] == [3]
    assert (found[3, 2].text, found[3, 2].value, found[3, 2].number_format) == ("98 3/8", Decimal("98.375"), "# ?/8")
    assert (found[3, 3].text, found[3, 3].value) == ("4.25%", Decimal("0.0425"))
    assert (found[3, 4].text, found[3, 4].value) == ("15/05/2034", date(2034, 5, 15))
    assert (found[3, 5].text, found[3, 5].value) == ("5 x 10", None)


def test_looks_come_from_the_xml(saved: Saved, grids: Grids) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for column, word in enumerate(("bold", "struck", "filled", "white", "plain", "away"), 1):
        sheet.cell(1, column, word)
    sheet["A1"].font = Font(bold=True)
    sheet["B1"].font = Font(strike=True)
    sheet["C1"].fill = PatternFill("solid", fgColor="FFFFCC")
    sheet["D1"].font = Font(color="FFFFFFFF")
    sheet.column_dimensions["F"].hidden = True
    sheet["A2"] = "below"
    sheet.row_dimensions[2].hidden = True
    (grid,) = grids(read_xlsx(saved(book)))
    found = cells(grid)
    assert found[1, 1].bold
    assert not found[1, 5].bold
    assert found[1, 2].struck
    assert not found[1, 5].struck
    assert found[1, 3].filled
    assert not found[1, 5].filled
    assert found[1, 4].hidden
    assert found[1, 6].hidden
    assert not found[1, 5].hidden
    assert [row.hidden for row in grid.rows] == [False, True]


def test_merges_are_spans_and_covered_cells_name_their_origin(saved: Saved, grids: Grids) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["A2"], sheet["B2"] = "SENIOR FINANCIALS", "BACR", 98.5
    sheet.merge_cells("A1:C1")
    sheet.merge_cells("A2:A3")
    sheet["B3"] = 99
    (grid,) = grids(read_xlsx(saved(book)))
    found = cells(grid)
    assert (found[1, 1].col_span, found[1, 2].origin) == (3, (1, 1))
    assert (found[2, 1].row_span, found[3, 1].origin, found[3, 1].text) == (2, (2, 1), "")


def test_formulas_without_a_cached_value_and_errors_are_empty(saved: Saved, grids: Grids) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["B1"], sheet["C1"], sheet["D1"] = "x", "=1+1", "#N/A", "#N/A Requesting Data..."
    (grid,) = grids(read_xlsx(saved(book)))
    assert [(cell.text, cell.formula_no_cache) for cell in grid.rows[0].cells][:4] == [
        ("x", False),
        ("", True),
        ("", False),
        ("", False),
    ]


def test_hidden_sheets_say_so_and_those_for_no_reader_are_left_out(saved: Saved, grids: Grids) -> None:
    book = openpyxl.Workbook()
    states = {"Sheet": "visible", "old run": "hidden", "secret": "veryHidden", "_cache": "visible", "BLP": "visible"}
    for name, state in states.items():
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        sheet.sheet_state = state
        sheet["A1"] = name
    assert [(grid.sheet, grid.hidden) for grid in grids(read_xlsx(saved(book)))] == [
        ("Sheet", False),
        ("old run", True),
    ]


def test_long_gaps_are_cut_short_and_rows_keep_their_numbers(saved: Saved, grids: Grids) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["A5000"] = "top", "bottom"
    (grid,) = grids(read_xlsx(saved(book)))
    assert [row.number for row in grid.rows] == [1, 2, 3, 5000]


def test_two_cells_far_apart_do_not_fill_the_memory(saved: Saved) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["XFD1048576"] = 1, 2
    with pytest.raises(Unreadable) as refused:
        read_xlsx(saved(book))
    assert refused.value.code is Code.PART_TOO_LARGE


def test_every_value_is_the_one_that_openpyxl_reads(saved: Saved, grids: Grids) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in range(1, 60):
        sheet.append([f"XS{row:010d}", row / 8, -row * 1.1, date(2030, 1 + row % 12, 1 + row % 28), row % 2 == 0, None])
    data = saved(book)
    (grid,) = grids(read_xlsx(data))
    oracle = openpyxl.load_workbook(io.BytesIO(data), data_only=True).active
    assert oracle is not None
    for (row, column), cell in cells(grid).items():
        expected = oracle.cell(row, column).value
        if isinstance(expected, str) or expected is None:
            assert (cell.text, cell.value) == (expected or "", None)
        elif isinstance(expected, bool):
            assert cell.value is expected
        elif isinstance(expected, int | float):
            assert cell.value == Decimal(repr(expected))
        else:
            assert cell.value == expected.date()  # type: ignore[union-attr]


@pytest.mark.parametrize("data", [b"PK\x03\x04 and no more", b"", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600])
def test_damaged_workbooks_are_corrupt(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        (read_xlsx if data[:2] == b"PK" else read_xls)(data)
    assert refused.value.code is Code.CORRUPT_PART


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/workbook.xml", b" " * (64 * 2**20))
    with pytest.raises(Unreadable) as refused:
        read_xlsx(out.getvalue())
    assert refused.value.code is Code.ARCHIVE_LIMIT


def test_entities_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><workbook>&b;</workbook>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("xl/workbook.xml", bomb)
        package.writestr("xl/_rels/workbook.xml.rels", "<Relationships/>")
    with pytest.raises(Unreadable) as refused:
        read_xlsx(out.getvalue())
    assert refused.value.code is Code.CORRUPT_PART
