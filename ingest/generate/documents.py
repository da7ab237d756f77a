"""Tables as documents: the bytes, the same ones each time, and how the format locates a cell.

`style` is the dealer's number: colours, fonts and rules differ with it.
"""

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
    from collections.abc import Iterator

    from ingest.generate.tables import Table

MADE = datetime(2026, 11, 16, 7)  # noqa: DTZ001 -- office formats carry no zone
TITLE_ROWS = 3  # of a workbook: title, date, blank
_CORE_TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_FILLS = ("D9E1F2", "E2EFDA", "FFF2CC", "EDEDED", "1F3864")
_HTML_STYLES = (
    ' border="1" cellspacing="0" cellpadding="3"',
    ' style="border-collapse:collapse;font-family:Calibri,sans-serif;font-size:11pt" border="1"',
    ' class="MsoNormalTable" border="0" cellpadding="0" style="font-family:Arial;font-size:9pt"',
)


def xlsx(table: Table, style: int) -> bytes:
    """A workbook of one sheet with typed cells."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.worksheets[0]
    fill_sheet(sheet, table, style)
    return office_bytes(book)


def fill_sheet(sheet: Any, table: Table, style: int) -> None:
    """Title, date, header and rows onto an empty openpyxl sheet."""
    from openpyxl.styles import Font, PatternFill

    sheet.title = sheet_name(table)
    sheet.append([table.title])
    sheet.append([table.as_of])
    sheet.append([])
    fill = _FILLS[style % len(_FILLS)]
    font = Font(bold=True, color="FFFFFF" if fill == "1F3864" else "000000", name="Arial" if style % 2 else "Calibri")
    heads = [table.parents, table.header] if table.parents else [table.header]
    for head in heads:
        sheet.append([text or None for text in head])
        for cell in sheet[sheet.max_row]:
            cell.font, cell.fill = font, PatternFill("solid", fgColor=fill)
    for first, last in _spans(table.parents):
        sheet.merge_cells(start_row=TITLE_ROWS + 1, end_row=TITLE_ROWS + 1, start_column=first + 1, end_column=last + 1)
    for row in table.rows:
        sheet.append([(cell.text or None) if cell.value is None else _stored(cell.value) for cell in row])


def office_bytes(made: Any) -> bytes:
    """What an openpyxl workbook or a docx document saves, with fixed times inside: the libraries write the clock's."""
    raw, out = io.BytesIO(), io.BytesIO()
    made.save(raw)
    with zipfile.ZipFile(raw) as saved, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as fixed:
        for member in saved.namelist():
            content = saved.read(member)
            if member == "docProps/core.xml":
                content = _CORE_TIME.sub(MADE.strftime("%Y-%m-%dT%H:%M:%SZ").encode(), content)
            entry = zipfile.ZipInfo(member, MADE.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_STORED if member.endswith(".jpeg") else zipfile.ZIP_DEFLATED
            fixed.writestr(entry, content)
    return out.getvalue()


def docx(table: Table, style: int) -> bytes:
    """A Word file with a heading and a ruled table."""
    from docx import Document

    document = Document()
    document.core_properties.created = document.core_properties.modified = MADE
    document.add_heading(table.title, 2)
    if table.as_of:
        document.add_paragraph(table.as_of)
    grid = document.add_table(rows=0, cols=len(table.header))
    grid.style = "Table Grid" if style % 2 else "Light Grid Accent 1"
    for texts in _texts(table):
        for cell, text in zip(grid.add_row().cells, texts, strict=True):
            cell.text = text
    return office_bytes(document)


def pdf(table: Table, style: int) -> bytes:
    """Landscape pages with a ruled table, its header on each."""
    from reportlab.platypus import SimpleDocTemplate

    out = io.BytesIO()
    page(SimpleDocTemplate, out).build(flowables(table, style))
    return out.getvalue()


def page(template: Any, out: io.BytesIO) -> Any:
    """A landscape document without the clock in it."""
    from reportlab.lib.pagesizes import A4, landscape

    return template(out, pagesize=landscape(A4), invariant=1, topMargin=36, bottomMargin=36)


def flowables(table: Table, style: int) -> list[Any]:
    """Title, date and table for reportlab."""
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, Spacer, TableStyle
    from reportlab.platypus import Table as Grid

    texts = [list(row) for row in _texts(table)]
    grid = Grid(texts, repeatRows=table.header_rows)
    bold = "Times-Bold" if style % 3 == 1 else "Helvetica-Bold"
    rules = TableStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.4, colors.grey if style % 2 else colors.black),
            ("FONTSIZE", (0, 0), (-1, -1), 8 if len(table.header) < 11 else 7),
            ("FONTNAME", (0, 0), (-1, -1), "Times-Roman" if style % 3 == 1 else "Helvetica"),
            ("FONTNAME", (0, 0), (-1, table.header_rows - 1), bold),
            ("BACKGROUND", (0, 0), (-1, table.header_rows - 1), colors.lightgrey if style % 2 else colors.white),
            *(("SPAN", (first, 0), (last, 0)) for first, last in _spans(table.parents)),
        ]
    )
    grid.setStyle(rules)
    styles = getSampleStyleSheet()
    return [
        Paragraph(html.escape(table.title), styles["Heading3"]),
        Paragraph(table.as_of, styles["Normal"]),
        Spacer(1, 8),
        grid,
    ]


def csv_file(table: Table, decimal: str) -> bytes:
    """Commas, or semicolons where the comma is the decimal mark."""
    out = io.StringIO()
    comma = decimal == ","
    csv.writer(out, delimiter=";" if comma else ",").writerows(_texts(table))
    return out.getvalue().encode("utf-8-sig" if comma else "utf-8")


def html_table(table: Table, style: int) -> str:
    """The `<table>` element."""
    lines = [f"<table{_HTML_STYLES[style % len(_HTML_STYLES)]}>"]
    for number, texts in enumerate(_texts(table)):
        tag = "th" if number < table.header_rows else "td"
        lines.append(_spanned(table.parents) if table.parents and not number else _html_row(tag, texts))
    return "\n".join([*lines, "</table>"])


def text_lines(table: Table) -> list[str]:
    """The table in columns of blanks, header first; as many lines as rows."""
    texts = list(_texts(table))
    widths = [max(len(row[at]) for row in texts) + 3 for at in range(len(table.header))]
    return ["".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip() for row in texts]


def sheet_name(table: Table) -> str:
    """The name of the workbook's sheet that has the table."""
    return table.code.upper().replace("_", " ")


def xlsx_place(table: Table, row: int, column: int) -> dict[str, Any]:
    """Sheet and cell of a 0-based row and column of the table."""
    from openpyxl.utils import get_column_letter

    at, letter = row + TITLE_ROWS + table.header_rows + 1, get_column_letter(column + 1)
    return {"sheet": sheet_name(table), "row": at, "col": column + 1, "cell": f"{letter}{at}"}


def _spans(parents: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """First and last column of each parent over two."""
    for at, parent in enumerate(parents):
        if parent and parents[at - 1] != parent:
            yield at, at + 1


def _spanned(parents: tuple[str, ...]) -> str:
    starts = {first for first, _ in _spans(parents)}
    cells = [
        f'<th colspan="2">{html.escape(parent)}</th>' if at in starts else f"<th>{html.escape(parent)}</th>"
        for at, parent in enumerate(parents)
        if not parent or at in starts
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _texts(table: Table) -> Iterator[tuple[str, ...]]:
    if table.parents:
        yield table.parents
    yield table.header
    for row in table.rows:
        yield tuple(cell.text for cell in row)


def _html_row(tag: str, texts: tuple[str, ...]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts) + "</tr>"


def _stored(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value
