"""Mails of dealers out of nowhere, with their truth: a seed gives the same mail always."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from email.message import EmailMessage
from email.utils import formatdate
from html import escape
from typing import TYPE_CHECKING

from tests.parsers.wild.books import BOOKS
from tests.parsers.wild.dealer import Dealer, dealer_of
from tests.parsers.wild.grids import KINDS, grid_of
from tests.parsers.wild.levels import GLYPHS
from tests.parsers.wild.runs import run_of
from tests.parsers.wild.sheets import Sheet, sheet_of
from tests.parsers.wild.words import CHATTER, CLOSING, DISCLAIMER, GREETING, HISTORY

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

UNPRINTED: dict[int, str] = {ord(glyph): f" {text}" for text, glyph in GLYPHS.items() if text.endswith("8")}
"""Fractions that a PDF's standard fonts have not."""
SENT = 1_795_000_000  # seconds since 1970: a day in November 2026
TABLE_FORMATS = ("text", "text", "html", "html", "csv", "xlsx", "xlsx", "pdf", "docx")


@dataclass(frozen=True)
class WildMail:
    seed: int
    raw: bytes
    truths: list[dict[str, object]]
    language: str
    format: str
    layout: str
    book: str


def mail_of(seed: int, of: str | None = None) -> WildMail:
    """The mail of a seed; `of` a class, where one is asked for."""
    dealer = dealer_of(seed, of)
    rng, book = dealer.rng, dealer.book
    title = rng.choice(book.titles)
    kind = KINDS.get(book.code)
    if kind is not None and rng.random() < 0.4:
        sheet = grid_of(dealer, kind, title)
    elif book.tables and (not book.runs or rng.random() < 0.6):
        sheet = sheet_of(dealer)
    else:
        run = run_of(dealer)
        lines = [title, "", *run.lines] if rng.random() < 0.7 else run.lines
        if lines[0] == title and rng.random() < 0.2:  # a second book below
            other = replace(
                dealer, book=rng.choice([one for one in BOOKS if one.runs and dealer.language in one.languages])
            )
            second = run_of(other)
            lines += ["", "", rng.choice(other.book.titles), "", *second.lines]
            run = replace(run, truths=run.truths + second.truths, style=f"two {run.style}")
        raw = letter(dealer, title, lines, subject=rng.choice((title, "Run", "levels")) if lines[0] == title else title)
        return WildMail(seed, raw, run.truths, dealer.language, "text", f"run {run.style}", book.code)
    form = rng.choice([one for one in TABLE_FORMATS if one not in unfit(sheet)])
    return WildMail(
        seed, table_mail(dealer, sheet, title, form), sheet.truths, dealer.language, form, sheet.layout, book.code
    )


def unfit(sheet: Sheet) -> set[str]:
    """The formats that lose a layout: text has no cell that spans others."""
    if sheet.layout in {"two_rows", "side_by_side", "sections", "transposed"}:
        return {"text", "pdf", "csv"} if sheet.layout != "sections" else {"pdf"}
    return set()


def letter(dealer: Dealer, title: str, lines: list[str], *, subject: str | None = None) -> bytes:
    """A text body with its noise."""
    rng, language = dealer.rng, dealer.language
    head = [rng.choice(GREETING[language]), ""] if rng.random() < 0.7 else []
    head += [rng.choice(CHATTER), ""] if rng.random() < 0.4 else []
    foot = [
        "",
        *([rng.choice(CHATTER)] if rng.random() < 0.3 else []),
        "",
        rng.choice(CLOSING[language]),
        "Ann Teller",
        "Tel +44 20 7946 0999",
    ]
    foot += ["", "-- ", DISCLAIMER[language]] if rng.random() < 0.6 else []
    foot += ["", *older(dealer, lines)] if rng.random() < 0.15 else []
    message = envelope(subject or title)
    message.set_content("\n".join([*head, *lines, *foot]) + "\n", charset="utf-8")
    return message.as_bytes()


def older(dealer: Dealer, lines: list[str]) -> list[str]:
    """The run of the day before, quoted below: its levels are no quotes (spec 2.9)."""
    head = dealer.rng.choice(HISTORY[dealer.language])
    if head.startswith("---"):
        return [
            head,
            "From: Bob Buyer",
            "Sent: Tuesday, 17 November 2026 09:12",
            "To: Ann Teller",
            "Subject: run",
            "",
            *lines,
        ]
    return [head, *(f"> {line}" for line in lines)]


def envelope(subject: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ann Teller <ann.teller@newdealer.example>"
    message["To"] = "desk@buyer.example"
    message["Subject"] = subject
    message["Date"] = formatdate(SENT)
    message["Message-ID"] = "<wild@newdealer.example>"
    return message


def table_mail(dealer: Dealer, sheet: Sheet, title: str, form: str) -> bytes:
    rng, language = dealer.rng, dealer.language
    if form == "text":
        return letter(dealer, title, [title, "", *text_table(dealer, sheet)])
    message = envelope(title)
    cover = f"{rng.choice(GREETING[language])}\n\n{rng.choice(CLOSING[language])}\nAnn Teller\n"
    if form == "html":
        message.set_content(
            f"<html><body><p>{rng.choice(GREETING[language])}</p><p>{title}</p>{html_table(sheet)}"
            f"<p>{rng.choice(CLOSING[language])}</p><p style='font-size:7pt'>{DISCLAIMER[language]}</p></body></html>",
            subtype="html",
            charset="utf-8",
        )
        return message.as_bytes()
    message.set_content(cover, charset="utf-8")
    name = title.replace(" ", "_")
    data, kind = {"csv": csv_file, "xlsx": xlsx_file, "pdf": pdf_file, "docx": docx_file}[form](dealer, sheet, title)
    main, _, sub = kind.partition("/")
    message.add_attachment(data, maintype=main, subtype=sub, filename=f"{name}.{form}")
    return message.as_bytes()


def text_table(dealer: Dealer, sheet: Sheet) -> list[str]:
    style = dealer.rng.choice(("aligned", "aligned", "tabs", "bars"))
    if style == "tabs":
        return ["\t".join(row) for row in sheet.rows]
    rows = [
        [cell or ("-" if style == "aligned" and at not in sheet.sections else "") for cell in row]
        for at, row in enumerate(sheet.rows)
    ]
    if style == "aligned":
        rows = [row if number not in sheet.sections else [row[0]] for number, row in enumerate(rows)]
    widths = [max(len(row[at]) for row in rows if len(row) > at) for at in range(len(sheet.rows[0]))]
    gap = "  " if style == "aligned" else " | "
    return [gap.join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]


def html_table(sheet: Sheet) -> str:
    lines = []
    for number, row in enumerate(sheet.rows):
        tag = "th" if number < sheet.head else "td"
        if number in sheet.sections:
            lines.append(f"<tr><td colspan={len(row)}><b>{row[0]}</b></td></tr>")
        else:
            lines.append(
                "<tr>"
                + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in spanned(row, number, sheet, tag))
                + "</tr>"
            )
    return "<table border=1>" + "".join(lines).replace("<th>@span@", "<th colspan=2>") + "</table>"


def spanned(row: list[str], number: int, sheet: Sheet, tag: str) -> list[str]:
    """The first of two header rows: each measure over its two columns."""
    if tag == "th" and sheet.head == 2 and number == 0:
        start = next(at for at, cell in enumerate(row) if cell)
        return row[:start] + ["@span@" + cell for cell in row[start::2]]
    return row


def csv_file(dealer: Dealer, sheet: Sheet, _: str) -> tuple[bytes, str]:
    made = io.StringIO()
    csv.writer(made, delimiter=";" if dealer.mark == "," else dealer.rng.choice((",", ";", "\t"))).writerows(sheet.rows)
    return made.getvalue().encode(dealer.rng.choice(("utf-8", "utf-8-sig"))), "text/csv"


def xlsx_file(dealer: Dealer, sheet: Sheet, title: str) -> tuple[bytes, str]:
    from openpyxl import Workbook

    book = Workbook()
    page = book.create_sheet(title[:30].replace("/", " "), 0)
    del book["Sheet"]
    typed = dealer.rng.random() < 0.6
    if dealer.rng.random() < 0.4:
        page.append([title])
        page.append([])
    top = page.max_row if page.max_row > 1 else 0
    for row in sheet.rows:
        page.append([number_of(cell, dealer.mark) if typed else cell for cell in row])
    if sheet.head == 2:
        merge_tops(page, sheet, top)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue(), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def merge_tops(page: Worksheet, sheet: Sheet, top: int) -> None:
    start = next(at for at, cell in enumerate(sheet.rows[0]) if cell)
    row = next(number for number in range(1, top + 4) if page.cell(number, start + 1).value == sheet.rows[0][start])
    for at in range(start, len(sheet.rows[0]), 2):
        page.merge_cells(start_row=row, start_column=at + 1, end_row=row, end_column=at + 2)


def number_of(cell: str, mark: str) -> str | float:
    """A plain decimal as a number; all else, and whole numbers that may be dates or years, as they stand."""
    plain = cell.replace(mark, ".")
    is_number = plain.lstrip("-").replace(".", "", 1).isdigit() and len(plain) < 9
    return float(plain) if is_number else cell


def pdf_file(dealer: Dealer, sheet: Sheet, title: str) -> tuple[bytes, str]:
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    made = io.BytesIO()
    style = [("FONTSIZE", (0, 0), (-1, -1), 7)] + (
        [("GRID", (0, 0), (-1, -1), 0.4, "black")] if dealer.rng.random() < 0.5 else []
    )
    rows = [[cell.translate(UNPRINTED) for cell in row] for row in sheet.rows]
    SimpleDocTemplate(made, pagesize=landscape(A4), invariant=1).build(
        [Paragraph(title, getSampleStyleSheet()["Heading2"]), Table(rows, style=style)]
    )
    return made.getvalue(), "application/pdf"


def docx_file(dealer: Dealer, sheet: Sheet, title: str) -> tuple[bytes, str]:
    from docx import Document

    made, document = io.BytesIO(), Document()
    document.add_paragraph(title)
    table = document.add_table(rows=0, cols=len(sheet.rows[0]))
    for number, row in enumerate(sheet.rows):
        cells = table.add_row().cells
        for cell, text in zip(cells, row, strict=True):
            cell.text = text
        if sheet.head == 2 and number == 0:
            start = next(at for at, text in enumerate(row) if text)
            for at in range(start, len(row), 2):
                cells[at].merge(cells[at + 1])
                cells[at].text = row[at]
    document.add_paragraph(dealer.rng.choice(CLOSING[dealer.language]))
    document.save(made)
    return made.getvalue(), "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
