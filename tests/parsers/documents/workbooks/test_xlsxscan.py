from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import openpyxl
import pytest
from openpyxl.styles import Font

from parsers.documents.workbooks.looks import PLAIN, Look, SheetLooks
from parsers.documents.workbooks.xlsxlooks import streamed_looks
from parsers.documents.workbooks.xlsxscan import column_number, scanned_looks

Saved = Callable[[openpyxl.Workbook], bytes]
FORMATS = [PLAIN, Look(bold=True), Look("0.00%")]
NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def sheet(rows: str, columns: str = "", head: str = '<?xml version="1.0" encoding="UTF-8"?>\n') -> bytes:
    return f"{head}<worksheet {NAMESPACE}>{columns}<sheetData>{rows}</sheetData></worksheet>".encode()


USUAL = [
    pytest.param(sheet('<row r="1"><c r="A1"><v>1</v></c><c r="C1" s="1" t="s"><v>0</v></c></row>'), id="styles"),
    pytest.param(
        sheet('<row r="7" spans="1:3" hidden="1"><c r="B7" t="inlineStr"><is><t>x</t></is></c></row>'), id="row"
    ),
    pytest.param(
        sheet("", '<cols><col min="2" max="3" width="9" hidden="1"/><col min="5" max="5" width="0"/></cols>'), id="cols"
    ),
    pytest.param(
        sheet(
            '<row r="2"><c r="A2"><f>1+1</f><v></v></c><c r="B2"><f>1+1</f><v>2</v></c><c r="C2" t="str"><f>A1&amp;""</f><v></v>'
            '</c><c r="D2" s="2"><f t="shared" si="0"/><v/></c><c r="E2"><f>B1&gt;A1</f></c><c r="F2"><f>A1>B1</f><v>0</v></c></row>'
        ),
        id="formulas",
    ),
    pytest.param(
        sheet('<row r="1"><c r="XFD1" s="1"/><c r="B1" s="9"><v>1</v></c></row>'), id="blank and unknown style"
    ),
]


@pytest.mark.parametrize("data", USUAL)
def test_the_usual_form_gives_what_the_xml_parser_gives(data: bytes) -> None:
    scanned = scanned_looks(data, FORMATS)
    assert scanned is not None
    assert scanned == streamed_looks(data, FORMATS)


def test_rows_and_columns_without_height_or_width_are_hidden() -> None:
    rows = "".join(f'<row r="{at}" ht="{ht}" customHeight="1"/>' for at, ht in enumerate(("0", "0.0", "0.75", "15"), 1))
    data = sheet(rows, '<cols><col min="2" max="2" width="0.0" customWidth="1"/></cols>')
    for looks in (scanned_looks(data, FORMATS), streamed_looks(data, FORMATS)):
        assert looks is not None
        assert (looks.hidden_rows, looks.hidden_columns) == ({1, 2}, {2})


UNUSUAL = [
    pytest.param(sheet("<row r='1'><c r='A1' s='1'><v>1</v></c></row>"), id="single quotes"),
    pytest.param(sheet('<row r="1"><c r="A1" s=\'1\'><v>1</v></c></row>'), id="one single quote"),
    pytest.param(sheet('<row r="1"><c s="1" r="A1"><v>1</v></c></row>'), id="another order"),
    pytest.param(sheet('<row><c r="A1" s="1"><v>1</v></c></row>'), id="a row without a number"),
    pytest.param(sheet('<row r="1"><c s="1"><v>1</v></c></row>'), id="a cell without a place"),
    pytest.param(sheet('<row r="1"><c\nr="A1" s="1"><v>1</v></c></row>'), id="a line end in a tag"),
    pytest.param(sheet('<row r="1"><c r="A1"><is><t><![CDATA[<c r="B9" s="1">]]></t></is></c></row>'), id="cdata"),
    pytest.param(sheet('<!-- <row r="4" hidden="1"> --><row r="1"><c r="A1" s="1"><v>1</v></c></row>'), id="comment"),
    pytest.param(sheet('<row r="1"><c r="A1" s="1"></c></row>'), id="a blank cell of two tags"),
    pytest.param(sheet("", "<cols><col min='1' max='1' hidden='1'/></cols>"), id="columns in single quotes"),
    pytest.param(
        sheet('<row r="1"><c r="A1"><v>é</v></c></row>', head='<?xml version="1.0" encoding="UTF-16"?>'),
        id="another charset",
    ),
    pytest.param(sheet("", '<cols><col min="1" max="1" width="0é"/></cols>'), id="letters beyond ASCII"),
    pytest.param(sheet("").replace(b"<worksheet xmlns=", b"<x:worksheet xmlns:x="), id="a prefix"),
]


@pytest.mark.parametrize("data", UNUSUAL)
def test_any_other_form_is_left_to_the_xml_parser(data: bytes) -> None:
    assert scanned_looks(data, FORMATS) is None


def test_what_openpyxl_writes_is_of_the_usual_form(saved: Saved) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in range(1, 40):
        book.active.append([f"XS{row:010d}", row / 8, "=B1", None, True, "two  words"])
    book.active["B3"].font = Font(bold=True)
    book.active.column_dimensions["C"].hidden = book.active.row_dimensions[7].hidden = True
    with zipfile.ZipFile(io.BytesIO(saved(book))) as package:
        data = package.read("xl/worksheets/sheet1.xml")
    looks = scanned_looks(data, FORMATS)
    assert looks == streamed_looks(data, FORMATS)
    assert looks is not None
    assert looks.looks == {(3, 2): Look(bold=True)}
    assert (looks.last_row, looks.last_column, looks.hidden_rows, looks.hidden_columns) == (39, 6, {7}, {3})


def test_a_sheet_without_rows_has_no_looks() -> None:
    assert scanned_looks(sheet(""), FORMATS) == SheetLooks()


@pytest.mark.parametrize(("letters", "number"), [("A", 1), ("Z", 26), ("AA", 27), ("XFD", 16_384)])
def test_columns_count_in_letters(letters: str, number: int) -> None:
    assert column_number(letters) == number
