from __future__ import annotations

import csv
import io
import zipfile
from datetime import date
from decimal import Decimal
from random import Random

import docx
import openpyxl
import pypdfium2
import pytest

from ingest.generate import documents
from ingest.generate.books import books
from ingest.generate.dealers import Dealer, dealers
from ingest.generate.tables import Table, table


def dealing(domain: str) -> Dealer:
    return next(dealer for dealer in dealers() if dealer.domain.startswith(domain))


@pytest.fixture(params=[("rheinuferbank", "ig_eur"), ("calderwhitlock", "govt_us"), ("stonehollow", "ig_usd")])
def sheet(request: pytest.FixtureRequest) -> Table:
    domain, key = request.param
    return table(Random(1), 5, dealing(domain), books()[key], lines=12, day=date(2026, 11, 18))


def texts_of(sheet: Table) -> list[list[str]]:
    heads = [list(sheet.parents)] if sheet.parents else []
    return [*heads, list(sheet.header), *([cell.text for cell in row] for row in sheet.rows)]


def test_a_workbook_holds_typed_values_where_the_truth_places_them(sheet: Table) -> None:
    book = openpyxl.load_workbook(io.BytesIO(documents.xlsx(sheet, 1)))
    lines = sheet.truth(lambda row, column: documents.xlsx_place(sheet, row, column))
    typed = 0
    for line in lines:
        cell = book[line["sheet"]][line["cell"]]
        assert (cell.row, cell.column) == (line["row"], line["col"])
        if isinstance(cell.value, int | float):
            assert Decimal(str(cell.value)) == Decimal(line["bid"])
            typed += 1
    assert typed >= 10


def test_a_word_file_holds_header_and_rows(sheet: Table) -> None:
    (grid,) = docx.Document(io.BytesIO(documents.docx(sheet, 1))).tables
    assert [[cell.text for cell in row.cells] for row in grid.rows] == texts_of(sheet)


def test_a_pdf_shows_every_row_on_one_page(sheet: Table) -> None:
    pdf = pypdfium2.PdfDocument(documents.pdf(sheet, 1))
    try:
        assert len(pdf) == 1
        text = pdf[0].get_textpage().get_text_bounded()
    finally:
        pdf.close()
    assert all(row[0].text in text for row in sheet.rows)


def test_a_csv_parts_by_semicolons_where_the_comma_is_the_decimal_mark(sheet: Table) -> None:
    text = documents.csv_file(sheet, ",").decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text), delimiter=";")) == texts_of(sheet)
    assert list(csv.reader(io.StringIO(documents.csv_file(sheet, ".").decode()))) == texts_of(sheet)


def test_html_has_a_row_each_and_escapes_what_it_prints(sheet: Table) -> None:
    assert documents.html_table(sheet, 1).count("<tr>") == len(texts_of(sheet))
    assert documents._html_row("td", ("<b>", "a & b")) == "<tr><td>&lt;b&gt;</td><td>a &amp; b</td></tr>"
    if sheet.parents:
        assert f'<th colspan="2">{next(parent for parent in sheet.parents if parent)}</th>' in documents.html_table(
            sheet, 1
        )


def test_pasted_columns_stand_one_under_the_other(sheet: Table) -> None:
    lines = documents.text_lines(sheet)
    assert len(lines) == len(texts_of(sheet))
    head = lines[sheet.header_rows - 1]
    at = head.index(sheet.header[-1])
    assert all(not line[at - 3 : at].strip() for line in lines)


@pytest.mark.parametrize("make", [documents.xlsx, documents.docx, documents.pdf])
def test_the_same_table_gives_the_same_bytes(make: object, sheet: Table) -> None:
    assert callable(make)
    assert make(sheet, 3) == make(sheet, 3)


def test_no_clock_is_left_in_an_office_file(sheet: Table) -> None:
    with zipfile.ZipFile(io.BytesIO(documents.xlsx(sheet, 2))) as made:
        assert {entry.date_time[:3] for entry in made.infolist()} == {(2026, 11, 16)}
        assert b"2026-11-16T07:00:00Z" in made.read("docProps/core.xml")
