from __future__ import annotations

import csv
import io
import zipfile
from decimal import Decimal
from random import Random

import docx
import openpyxl
import pypdfium2
import pytest

from ingest.generate import documents
from ingest.generate.market import dealers
from ingest.generate.tables import Table, table

GERMAN = next(dealer for dealer in dealers() if dealer.language == "de")


@pytest.fixture(params=["corp_ig", "corp_hy"])
def sheet(request: pytest.FixtureRequest) -> Table:
    return table(Random(1), 5, GERMAN, GERMAN.kind(request.param), 12)


def test_a_workbook_holds_typed_values_where_the_truth_places_them(sheet: Table) -> None:
    book = openpyxl.load_workbook(io.BytesIO(documents.xlsx(sheet)))
    lines = sheet.truth(lambda row, column: documents.xlsx_place(sheet, row, column))
    assert len(lines) == 12
    for line in lines:
        cell = book[line["sheet"]][line["cell"]]
        assert (cell.row, cell.column) == (line["row"], line["col"])
        assert Decimal(str(cell.value)) == Decimal(line["bid"])


def test_a_word_file_holds_header_and_rows(sheet: Table) -> None:
    (grid,) = docx.Document(io.BytesIO(documents.docx(sheet))).tables
    texts = [[cell.text for cell in row.cells] for row in grid.rows]
    assert texts == [list(sheet.header), *([cell.text for cell in row] for row in sheet.rows)]


def test_a_pdf_shows_every_row_on_one_page(sheet: Table) -> None:
    pdf = pypdfium2.PdfDocument(documents.pdf(sheet))
    try:
        assert len(pdf) == 1
        text = pdf[0].get_textpage().get_text_bounded()
    finally:
        pdf.close()
    assert all(row[0].text in text for row in sheet.rows)


def test_a_german_csv_parts_by_semicolons(sheet: Table) -> None:
    text = documents.csv_file(sheet, "de").decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text), delimiter=";"))
    assert rows[1:] == [[cell.text for cell in row] for row in sheet.rows]


def test_html_escapes_what_it_prints(sheet: Table) -> None:
    assert documents.html_table(sheet).count("<tr>") == 13
    assert documents._html_row("td", ("<b>", "a & b")) == "<tr><td>&lt;b&gt;</td><td>a &amp; b</td></tr>"


@pytest.mark.parametrize("make", [documents.xlsx, documents.docx, documents.pdf])
def test_the_same_table_gives_the_same_bytes(make: object, sheet: Table) -> None:
    assert callable(make)
    assert make(sheet) == make(sheet)


def test_no_clock_is_left_in_an_office_file(sheet: Table) -> None:
    with zipfile.ZipFile(io.BytesIO(documents.xlsx(sheet))) as made:
        assert {entry.date_time[:3] for entry in made.infolist()} == {(2026, 11, 16)}
        assert b"2026-11-16T07:00:00Z" in made.read("docProps/core.xml")
