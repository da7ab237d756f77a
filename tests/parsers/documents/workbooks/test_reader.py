from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date
from decimal import Decimal

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from parsers.codes import Code
from parsers.document import Cell, Document, Grid
from parsers.documents import kinds
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.reader import read_xls, read_xlsx

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


@pytest.mark.parametrize(
    ("name", "is_read"),
    [
        ("BLP_cache", False),
        ("_lookup 2", False),
        ("Lookup-Cache", False),
        ("Cached runs", True),
        ("Look", True),
        ("BLPX", True),
    ],
)
def test_a_sheet_whose_name_says_no_more_than_that_it_helps_others_is_left_out(
    saved: Saved, grids: Grids, name: str, is_read: bool
) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = name
    book.active["A1"] = 98.25
    assert bool(grids(read_xlsx(saved(book)))) == is_read


@pytest.mark.parametrize("name", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml"])
def test_xml_in_utf_16_is_refused_as_the_engine_would_read_none_of_it(saved: Saved, name: str) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["XS2641318121", 98.25])
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(book))) as given, zipfile.ZipFile(out, "w") as made:
        for item in given.infolist():
            data = given.read(item)
            made.writestr(item, data.decode().encode("utf-16") if item.filename == name else data)
    with pytest.raises(Unreadable) as refused:
        read_xlsx(out.getvalue())
    assert refused.value.code is Code.CORRUPT_PART


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


def test_cells_of_the_gold_workbooks_are_those_that_openpyxl_sees(
    attachments: Callable[[str], list[tuple[str, bytes]]], grids: Grids
) -> None:
    compared = 0
    for name, data in attachments(kinds.XLSX):
        book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
        for grid in grids(read_xlsx(data)):
            sheet = book[str(grid.sheet)]
            hidden = {number for number, row in sheet.row_dimensions.items() if row.hidden}
            assert {row.number for row in grid.rows if row.hidden} == hidden & {row.number for row in grid.rows}, name
            for (row, column), cell in cells(grid).items():
                seen = sheet.cell(row, column)
                compared += 1
                if cell.origin is not None:
                    continue
                assert (cell.bold, cell.struck) == (bool(seen.font.b), bool(seen.font.strike)), (name, row, column)
                if isinstance(cell.value, Decimal):
                    assert cell.value == Decimal(repr(seen.value)), (name, row, column)
                elif seen.value is None:
                    assert cell.text == "", (name, row, column)
                elif isinstance(seen.value, str) and not seen.value.startswith("#"):
                    assert cell.text.split() == seen.value.split(), (name, row, column)
                if cell.number_format is not None:
                    assert cell.number_format == seen.number_format, (name, row, column)
    assert compared > 1_000


@pytest.mark.parametrize("data", [b"PK\x03\x04 and no more", b"", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600])
def test_damaged_workbooks_are_corrupt(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        (read_xlsx if data[:2] == b"PK" else read_xls)(data)
    assert refused.value.code is Code.CORRUPT_PART


def test_text_that_is_raised_or_struck_in_a_cell_is_no_price(saved: Saved, grids: Grids) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    struck, raised = InlineFont(strike=True), InlineFont(vertAlign="superscript")
    sheet["A1"] = CellRichText("98.25", TextBlock(raised, "1"))
    sheet["B1"] = CellRichText(TextBlock(struck, "97.25"), " 98.75")
    sheet["C1"] = CellRichText(TextBlock(struck, "97.75"))
    sheet["D1"] = "plain"
    (grid,) = grids(read_xlsx(saved(book)))
    assert [(cell.text, cell.struck) for cell in grid.rows[0].cells] == [
        ("98.25¹", False),
        ("98.75", False),
        ("97.75", True),
        ("plain", False),
    ]


def test_looks_are_found_by_member_names_in_another_case(saved: Saved, grids: Grids, texts: Texts) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["A1"].number_format = 0.9825, "0.00%"
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(book))) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            target.writestr(name.replace("worksheets/sheet1", "Worksheets/Sheet1"), source.read(name))
    assert texts(grids(read_xlsx(out.getvalue()))[0]) == [["98.25%"]]


@pytest.mark.parametrize(
    ("member", "number", "damage"),
    [
        ("xl/worksheets/sheet1.xml", b'width="5"', b'width="\xcc("'),
        ("xl/worksheets/sheet1.xml", b'min="2"', b'min="x"'),
        ("xl/styles.xml", b'numFmtId="0"', b'numFmtId="O"'),
    ],
)
def test_what_is_no_number_where_the_looks_have_one_is_damage(
    member: str, number: bytes, damage: bytes, saved: Saved
) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["B1"] = 98.25
    sheet.column_dimensions["B"].width = 5
    sheet.column_dimensions["B"].hidden = True
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(book))) as whole, zipfile.ZipFile(out, "w") as damaged:
        assert number in whole.read(member)
        for name in whole.namelist():
            damaged.writestr(name, whole.read(name).replace(number, damage) if name == member else whole.read(name))
    with pytest.raises(Unreadable) as refused:
        read_xlsx(out.getvalue())
    assert refused.value.code is Code.CORRUPT_PART
