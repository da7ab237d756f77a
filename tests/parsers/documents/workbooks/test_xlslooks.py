from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from parsers.codes import Code
from parsers.document import Document, Grid
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.looks import Look, SheetLooks
from parsers.documents.workbooks.reader import read_xls
from parsers.documents.workbooks.xlslooks import XlsLooks, _read, xls_looks


def record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


BOF, EOF = record(0x0809, struct.pack("<HHHH", 0x0600, 5, 0, 0)), record(0x000A, b"")
FONTS = [  # marks, colour, weight, script; the fifth is no. 5
    (0, 8, 400, 0), (0, 8, 700, 0), (8, 8, 400, 0), (0, 9, 400, 0), (0, 9, 400, 0), (0, 8, 400, 1)
]  # fmt: skip


def text(value: str, width: int) -> bytes:
    return len(value).to_bytes(width, "little") + b"\0" + value.encode("latin-1")


def xf(font: int, number_format: int, pattern: int = 0, colour: int = 13) -> bytes:
    return record(0x00E0, struct.pack("<HH10xLH", font, number_format, pattern << 26, colour))


def stream(*cells: bytes, wide: bool = True) -> bytes:
    """A workbook of one sheet, with a chart's substream in it, whose records are of no cell."""
    assert wide
    head = BOF + b"".join(record(0x0031, struct.pack("<HHHHH", 200, *font)) for font in FONTS)
    head += record(0x041E, struct.pack("<H", 164) + text("# ?/8", 2))
    head += xf(0, 0) + xf(1, 10) + xf(2, 164) + xf(3, 0) + xf(5, 0, pattern=1) + xf(0, 0, pattern=1, colour=9)
    rich = struct.pack("<HBH", 6, 8, 1) + b"98.251" + struct.pack("<HH", 5, 6)  # the last character in font no. 6
    table = struct.pack("<LLHB", 2, 2, 4, 0) + b"ISIN" + rich
    strings = record(0x00FC, table[:20]) + record(0x003C, b"\0" + table[20:])
    at = len(head) + len(record(0x0085, bytes(6) + text("EUR IG", 1))) + len(strings) + len(EOF)
    sheet = record(0x0085, struct.pack("<LH", at, 0) + text("EUR IG", 1))
    sheet += strings
    chart = BOF + record(0x0203, struct.pack("<HHHd", 0, 0, 1, 1.0)) + EOF
    return head + sheet + EOF + BOF + chart + b"".join(cells) + EOF


def looks_of(*cells: bytes) -> SheetLooks:
    found = XlsLooks()
    _read(stream(*cells), found)
    return found.sheet("EUR IG")


def number(row: int, column: int, style: int) -> bytes:
    return record(0x0203, struct.pack("<HHHd", row, column, style, 98.375))


def test_formats_fonts_and_fills_are_looked_up_by_cell() -> None:
    found = looks_of(*(number(4, style, style) for style in range(6)))
    assert found.looks == {
        (5, 2): Look("0.00%", bold=True),
        (5, 3): Look("# ?/8", struck=True),
        (5, 4): Look(white=True),
        (5, 5): Look(filled=True),
    }


def test_records_of_several_cells_give_each_its_look() -> None:
    multi_rk = record(0x00BD, struct.pack("<HHHLHLHLH", 0, 2, 1, 0, 0, 0, 2, 0, 4))
    multi_blank = record(0x00BE, struct.pack("<HHHHH", 1, 0, 1, 4, 1))
    found = looks_of(multi_rk, multi_blank).looks
    assert {place: look.number_format for place, look in found.items()} == {
        (1, 3): "0.00%",
        (1, 5): "# ?/8",
        (2, 1): "0.00%",
        (2, 2): None,
    }


def test_hidden_rows_and_columns_are_listed() -> None:
    rows = [
        record(0x0208, struct.pack("<HHHHHHHH", row, 0, 9, 255, 0, 0, marks, 0)) for row, marks in ((3, 0x20), (4, 0))
    ]
    columns = [
        record(0x007D, struct.pack("<HHHHHH", 1, 2, 9, 15, 1, 0)),
        record(0x007D, struct.pack("<HHHHHH", 7, 7, 0, 15, 0, 0)),
    ]
    found = looks_of(*rows, *columns)
    assert (found.hidden_rows, found.hidden_columns) == ({4}, {2, 3, 8})


def test_a_string_with_a_raised_part_is_found_by_its_cells() -> None:
    found = looks_of(*(record(0x00FD, struct.pack("<HHHL", 7, column, 0, column)) for column in (0, 1)))
    assert {place: text.standing(struck=False) for place, text in found.rich.items()} == {(8, 2): ("98.25¹", False)}


def test_a_damaged_stream_leaves_the_looks_that_were_read() -> None:
    found = XlsLooks()
    whole = stream(number(4, 1, 1), number(4, 2, 2))
    with pytest.raises(struct.error):
        _read(whole[:-22] + b"\x03\x02\x02\x00xx", found)
    assert found.sheet("EUR IG").looks == {(5, 2): Look("0.00%", bold=True)}
    assert xls_looks(b"no workbook").sheet("EUR IG") == SheetLooks()


def test_an_encrypted_workbook_says_so(shared: Callable[[str], Path]) -> None:
    (file,) = (shared("odd") / "xls").glob("*35897-type4.xls")
    with pytest.raises(Unreadable) as refused:
        read_xls(file.read_bytes())
    assert refused.value.code is Code.PASSWORD_PROTECTED


def test_a_real_workbook_shows_its_numbers_as_its_formats_say(
    shared: Callable[[str], Path], grids: Callable[[Document], list[Grid]]
) -> None:
    (file,) = (shared("odd") / "xls").glob("*__SimpleWithStyling.xls")
    (grid, *_) = grids(read_xls(file.read_bytes()))
    assert any(cell.bold or cell.number_format for row in grid.rows for cell in row.cells)
