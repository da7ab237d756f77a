from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from parsers.document import Document, Grid
from parsers.documents.workbooks.looks import Look, SheetLooks
from parsers.documents.workbooks.reader import read_xlsb
from parsers.documents.workbooks.xlsblooks import xlsb_looks

BLACK, WHITE, NAVY = b"\x05\xff\0\0\0\0\0\xff", b"\x05\xff\0\0\xff\xff\xff\xff", b"\x05\xff\0\0\0\0\x80\xff"
PAPER = b"\x07\0\0\0\0\0\0\0"  # the theme's background


def record(kind: int, body: bytes = b"") -> bytes:
    """Kind and length in bytes of seven bits."""
    number = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size = bytes([len(body)]) if len(body) < 0x80 else bytes([len(body) & 0x7F | 0x80, len(body) >> 7])
    return number + size + body


def text(value: str) -> bytes:
    return struct.pack("<L", len(value)) + value.encode("utf-16-le")


def font(marks: int, weight: int, colour: bytes, script: int = 0) -> bytes:
    return record(43, struct.pack("<HHHH4x", 200, marks, weight, script) + colour + bytes(8))


def xf(number_format: int, font: int, fill: int) -> bytes:
    return record(47, struct.pack("<HHHH8x", 0, number_format, font, fill))


STYLES = b"".join(
    [
        record(44, struct.pack("<H", 164) + text("# ?/8")),
        font(0, 400, BLACK), font(0, 700, BLACK), font(8, 400, BLACK), font(0, 400, WHITE), font(0, 400, PAPER),
        font(0, 400, BLACK, script=1),
        record(45, struct.pack("<L", 0) + BLACK), record(45, struct.pack("<L", 1) + NAVY), record(45, struct.pack("<L", 1) + WHITE),
        record(626), xf(9, 1, 1), record(627),
        record(617), xf(0, 0, 0), xf(10, 1, 0), xf(164, 2, 0), xf(0, 3, 0), xf(0, 4, 1), xf(0, 0, 2), record(618),
    ]
)  # fmt: skip


def row(number: int, marks: int = 0) -> bytes:
    return record(0, struct.pack("<LLHBB", number, 0, 300, 0, marks))


def cell(column: int, style: int, kind: int = 5) -> bytes:
    return record(kind, struct.pack("<LL", column, style) + (b"" if kind == 1 else struct.pack("<d", 98.375)))


RICH = b"\1" + text("98.251") + struct.pack("<LHH", 1, 5, 5)  # the last character in font no. 5
STRINGS = record(19, b"\0" + text("ISIN")) + record(19, RICH)


def looks_of(*records: bytes, styles: bytes = STYLES) -> SheetLooks:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("xl/styles.bin", styles)
        sheet = struct.pack("<LL", 0, 1) + text("rId7") + text("EUR IG")
        package.writestr("xl/workbook.bin", record(156, sheet))
        package.writestr("xl/_rels/workbook.bin.rels", '<r><R Id="rId7" Target="worksheets/sheet1.bin"/></r>')
        package.writestr("xl/worksheets/sheet1.bin", b"".join(records))
        package.writestr("xl/sharedStrings.bin", STRINGS)
    with zipfile.ZipFile(out) as package:
        return xlsb_looks(package).sheet("EUR IG")


def test_formats_fonts_and_fills_are_looked_up_by_cell() -> None:
    found = looks_of(row(4), *(cell(style, style) for style in range(6)))
    assert found.looks == {
        (5, 2): Look("0.00%", bold=True),
        (5, 3): Look("# ?/8", struck=True),
        (5, 4): Look(white=True),
        (5, 5): Look(filled=True),
    }
    assert (found.last_row, found.last_column) == (5, 6)


def test_hidden_rows_and_columns_are_listed_and_blank_cells_are_no_values() -> None:
    columns = record(60, struct.pack("<LLLLH", 1, 2, 9, 0, 1)) + record(60, struct.pack("<LLLLH", 7, 7, 0, 0, 0))
    found = looks_of(columns, row(3, 0x10), row(4), cell(0, 0), row(5), cell(9, 1, kind=1))
    assert (found.hidden_rows, found.hidden_columns) == ({4}, {2, 3, 8})
    assert (found.last_row, found.last_column) == (5, 1)


def test_a_string_with_a_raised_part_is_found_by_its_cells() -> None:
    found = looks_of(row(4), *(record(7, struct.pack("<LLL", column, 0, column)) for column in (0, 1)))
    assert {place: rich.standing(struck=False) for place, rich in found.rich.items()} == {(5, 2): ("98.25¹", False)}


@pytest.mark.parametrize("cut", range(1, len(STYLES), 7))
def test_damaged_styles_leave_the_cells(cut: int) -> None:
    assert looks_of(row(4), cell(0, 0), styles=STYLES[:cut]).last_row == 5


def test_a_cut_off_sheet_has_the_looks_before_the_cut() -> None:
    assert looks_of(row(4), cell(1, 1), b"\x05\x10xx").looks == {(5, 2): Look("0.00%", bold=True)}


def test_a_real_workbook_shows_its_numbers_as_its_formats_say(
    shared: Callable[[str], Path], grids: Callable[[Document], list[Grid]]
) -> None:
    (file,) = (shared("odd") / "xlsb").glob("*testVarious.xlsb")
    (grid,) = grids(read_xlsb(file.read_bytes()))
    shown = {cell.number_format: (cell.text, cell.value) for row in grid.rows for cell in row.cells}
    assert shown["0%"] == ("20%", Decimal("0.2"))
    assert shown["# ?/?"][0] == "1/4"
