from __future__ import annotations

import io
from datetime import date
from random import Random

import openpyxl
import pypdfium2
import pytest

from ingest.generate.books import books
from ingest.generate.dealers import dealers
from ingest.generate.tables import Table, table
from ingest.generate.tail import LARGEST_MB, PICTURE_BYTES, SIZES_MB, picture, report, workbook


@pytest.fixture
def sheet() -> Table:
    return table(Random(1), 5, dealers()[0], books()["govt_us"], lines=8, day=date(2026, 11, 18))


def test_the_largest_document_makes_a_mail_of_at_most_20_mb() -> None:
    assert 0.85 * LARGEST_MB < max(SIZES_MB) * 4 / 3 * 78 / 76 <= LARGEST_MB


def test_a_picture_has_about_the_size_that_is_counted_with() -> None:
    assert 0.7 * PICTURE_BYTES < len(picture(Random(1))) < 1.1 * PICTURE_BYTES


def test_a_workbook_of_the_tail_holds_the_quotes_and_as_much_of_pictures_as_asked(sheet: Table) -> None:
    content = workbook(Random(1), sheet, 1, 3.0)
    assert 2e6 < len(content) < 3.3e6
    assert openpyxl.load_workbook(io.BytesIO(content)).sheetnames == ["GOVT US", "Charts"]


def test_a_report_of_the_tail_has_the_quotes_on_page_one_and_a_page_a_picture(sheet: Table) -> None:
    content = report(Random(1), sheet, 1, 3.0)
    assert 2e6 < len(content) < 3.3e6
    pdf = pypdfium2.PdfDocument(content)
    try:
        assert len(pdf) == 6
        assert sheet.rows[0][0].text in pdf[0].get_textpage().get_text_bounded()
    finally:
        pdf.close()
