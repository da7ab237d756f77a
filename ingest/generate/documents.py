"""Tables as documents: the bytes, the same ones each time, and how the format locates a cell."""

from __future__ import annotations

import csv
import html
import io
import re
import zipfile
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.generate.tables import Table

MADE = datetime(2026, 11, 16, 7)  # noqa: DTZ001 -- office formats carry no zone
FIRST_XLSX_ROW = 4  # of the quotes; above them title, blank and header
_CORE_TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def xlsx(table: Table) -> bytes:
    """A workbook of one sheet with typed cells."""
    from openpyxl import Workbook
    from openpyxl.styles import Font, PatternFill

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = sheet_name(table)
    sheet.append([table.kind.heading])
    sheet.append([])
    sheet.append(table.header)
    for cell in sheet[3]:
        cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="D9E1F2")
    for row in table.rows:
        sheet.append([cell.text if cell.value is None else _stored(cell.value) for cell in row])
    out = io.BytesIO()
    book.save(out)
    return _without_time(out.getvalue())


def docx(table: Table) -> bytes:
    """A Word file with a heading and a ruled table."""
    from docx import Document

    document = Document()
    document.core_properties.created = document.core_properties.modified = MADE
    document.add_heading(table.kind.heading, 2)
    grid = document.add_table(rows=0, cols=len(table.header))
    grid.style = "Table Grid"
    for texts in _texts(table):
        for cell, text in zip(grid.add_row().cells, texts, strict=True):
            cell.text = text
    out = io.BytesIO()
    document.save(out)
    return _without_time(out.getvalue())


def pdf(table: Table) -> bytes:
    """One landscape page with a ruled table."""
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, TableStyle
    from reportlab.platypus import Table as Grid

    grid = Grid([list(texts) for texts in _texts(table)], repeatRows=1)
    rule = ("GRID", (0, 0), (-1, -1), 0.4, colors.grey)
    grid.setStyle(
        TableStyle([rule, ("FONTSIZE", (0, 0), (-1, -1), 8), ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")])
    )
    out = io.BytesIO()
    page = SimpleDocTemplate(out, pagesize=landscape(A4), invariant=1, topMargin=36, bottomMargin=36)
    page.build([Paragraph(table.kind.heading, getSampleStyleSheet()["Heading3"]), Spacer(1, 8), grid])
    return out.getvalue()


def csv_file(table: Table, language: str) -> bytes:
    """Commas, or semicolons where the comma is the decimal mark."""
    out = io.StringIO()
    csv.writer(out, delimiter=";" if language == "de" else ",").writerows(_texts(table))
    return out.getvalue().encode("utf-8-sig" if language == "de" else "utf-8")


def html_table(table: Table) -> str:
    """The `<table>` element."""
    head, *rows = _texts(table)
    lines = ['<table border="1" cellspacing="0" cellpadding="3">', _html_row("th", head)]
    return "\n".join([*lines, *(_html_row("td", row) for row in rows), "</table>"])


def sheet_name(table: Table) -> str:
    """Of the workbook's sheet."""
    return f"{table.kind.currency} {table.kind.code}"


def xlsx_place(table: Table, row: int, column: int) -> dict[str, Any]:
    """Sheet and cell of a 0-based row and column of the table."""
    from openpyxl.utils import get_column_letter

    at, letter = row + FIRST_XLSX_ROW, get_column_letter(column + 1)
    return {"part_path": "2", "sheet": sheet_name(table), "row": at, "col": column + 1, "cell": f"{letter}{at}"}


def _texts(table: Table) -> Iterable[tuple[str, ...]]:
    yield table.header
    for row in table.rows:
        yield tuple(cell.text for cell in row)


def _html_row(tag: str, texts: tuple[str, ...]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts) + "</tr>"


def _stored(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value


def _without_time(office: bytes) -> bytes:
    """The same zip with fixed times inside: the libraries write the clock's."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(office)) as made, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as fixed:
        for member in made.namelist():
            content = made.read(member)
            if member == "docProps/core.xml":
                content = _CORE_TIME.sub(MADE.strftime("%Y-%m-%dT%H:%M:%SZ").encode(), content)
            entry = zipfile.ZipInfo(member, MADE.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            fixed.writestr(entry, content)
    return out.getvalue()
