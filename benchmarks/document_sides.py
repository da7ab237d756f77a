"""What benchmarks/documents.py measures: our readers and the plain libraries on the same bytes."""

from __future__ import annotations

import base64
import io
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import docx
import openpyxl
from openpyxl.utils import column_index_from_string
from pdfminer.high_level import extract_pages

from ingest.generate import documents
from ingest.generate.books import books
from ingest.generate.dealers import dealers
from ingest.generate.tables import table
from ingest.generate.write import generate
from parsers.documents.pdf.pdfium import pdfium_pages
from parsers.documents.pdf.reader import MAX_PAGES, read_pdf
from parsers.documents.pdf.rows import row_text, spacing, text_rows
from parsers.documents.readers import read_document
from parsers.documents.unreadable import Unreadable
from parsers.documents.word.docx import read_docx
from parsers.documents.workbooks.reader import read_xlsx
from parsers.mail.unpack import unpack
from parsers.parse import parse_mail
from parsers.sandbox import Sandbox
from parsers.sandbox.engines import load_engines

ROWS = 100
BOOK = "ig_eur"  # 12 columns: identifiers, names, dates, prices, spreads, sizes
LARGE_BYTES = 2**20
_WARM_S = 5.0  # more than a spare takes to start, and than three lost children are held back
_BATCH = 50  # mails between two looks at the clocks of the sandbox's child, which count in 10 ms otherwise


def versions() -> str:
    """Of the libraries."""
    return ", ".join(f"{name} {version(name)}" for name in ("pdfminer.six", "openpyxl", "python-docx"))


def pairs() -> dict[str, dict[str, Callable[[], object]]]:
    """What is done, by who does it."""
    dealer = next(dealer for dealer in dealers() if BOOK in dealer.books)
    sheet = table(random.Random(7), 1, dealer, books()[BOOK], lines=ROWS, day=date(2026, 11, 16))  # noqa: S311 -- drawn, not secret
    pdf, xlsx, word = (make(sheet, dealer.number) for make in (documents.pdf, documents.xlsx, documents.docx))
    return {
        "PDF to grids": {"otclog": lambda: read_pdf(pdf), "pdfminer.six extract_pages": lambda: _by_pdfminer(pdf)},
        "PDF to lines": {"otclog": lambda: _to_lines(pdf), "pdfminer.six extract_pages": lambda: _by_pdfminer(pdf)},
        "XLSX": {
            "otclog": lambda: read_xlsx(xlsx),
            "openpyxl, every attribute": lambda: _by_openpyxl(xlsx),
            "openpyxl, values alone": lambda: _values_by_openpyxl(xlsx),
        },
        "DOCX": {"otclog": lambda: read_docx(word), "python-docx": lambda: _by_python_docx(word)},
    }


def _to_lines(data: bytes) -> list[list[str]]:
    """What a reader of the lines alone would do."""
    pages = [(text_rows(page.words), spacing(page.words)) for page in pdfium_pages(data, MAX_PAGES)]
    return [[row_text(row, measure) for row in rows] for rows, measure in pages]


def _by_pdfminer(data: bytes) -> list[Any]:
    return list(extract_pages(io.BytesIO(data)))


def _values_by_openpyxl(data: bytes) -> list[Any]:
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    return [[cell.value for cell in row] for sheet in book.worksheets for row in sheet.iter_rows()]


def _by_openpyxl(data: bytes) -> list[Any]:
    """As much as `read_xlsx` tells."""
    values = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    formulas = openpyxl.load_workbook(io.BytesIO(data))
    found = []
    for sheet, beside in zip(values.worksheets, formulas.worksheets, strict=True):
        hidden_rows = {number for number, row in sheet.row_dimensions.items() if row.hidden}
        hidden_columns = {
            column_index_from_string(name) for name, column in sheet.column_dimensions.items() if column.hidden
        }
        for row, written in zip(sheet.iter_rows(), beside.iter_rows(), strict=True):
            for cell, formula in zip(row, written, strict=True):
                font = cell.font
                marks = (cell.number_format, font.b, font.strike, font.color, cell.fill.fill_type)
                is_hidden = cell.row in hidden_rows or cell.column in hidden_columns
                found.append((cell.value, *marks, is_hidden, formula.data_type == "f" and cell.value is None))
        found.append(sheet.merged_cells.ranges)
    return found


def _by_python_docx(data: bytes) -> list[Any]:
    document = docx.Document(io.BytesIO(data))
    return [[[cell.text for cell in row.cells] for row in grid.rows] for grid in document.tables]


def to_documents(raw: bytes) -> None:
    """A mail unpacked, and its parts read to grids and lines."""
    for part in unpack(raw, {}, lambda _: None).parts:
        if part.state is None:
            try:
                read_document(part.data, part.content_type, part.hints)
            except Unreadable:
                continue


def sandbox_ms(mails: int) -> tuple[list[float], list[float]]:
    """Milliseconds a mail of 80 kB that the sandbox adds, batch by batch: CPU of parent and child, and wall."""
    load_engines()
    cpu, wall = [], []
    raw = _mail_of_80_kb()
    with Sandbox() as sandbox:
        for _ in range(_BATCH):
            parse_mail(raw)
            sandbox.parse(raw)
        child = int(Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()[0])  # the spare is later
        for _ in range(max(mails // _BATCH, 3)):
            began, cpu_began = time.monotonic(), time.process_time()
            for _ in range(_BATCH):
                parse_mail(raw)
            alone, cpu_alone = time.monotonic() - began, time.process_time() - cpu_began
            began, cpu_began, child_began = time.monotonic(), time.process_time(), _child_cpu(child)
            for _ in range(_BATCH):
                sandbox.parse(raw)
            child_taken = _child_cpu(child) - child_began
            cpu.append(1000 * (time.process_time() - cpu_began + child_taken - cpu_alone) / _BATCH)
            wall.append(1000 * (time.monotonic() - began - alone) / _BATCH)
    return cpu, wall


def takeover_ms(times: int) -> list[float]:
    """Milliseconds to a mail's outcome behind a child that was killed, its spare being warm."""
    taken = []
    raw = _mail_of_80_kb()
    with Sandbox() as sandbox:
        for _ in range(times):
            sandbox.parse(raw)
            time.sleep(_WARM_S)
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()
            os.kill(int(children[0]), signal.SIGKILL)
            began = time.monotonic()
            sandbox.parse(raw)
            taken.append(1000 * (time.monotonic() - began))
    return taken


def _child_cpu(child: int) -> float:
    """Seconds, by the scheduler's own count."""
    return int(Path(f"/proc/{child}/schedstat").read_text("ascii").split()[0]) / 1e9


def _mail_of_80_kb() -> bytes:
    """A text run and a picture, which is not read: what is left is mostly the way to the child and back."""
    picture = base64.encodebytes(b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(58_000))  # noqa: S311 -- drawn
    return (
        b"From: desk@dealer.example\nSubject: EUR IG\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        b"Content-Type: text/plain\n\nXS2641318121 XYZ 7 PERP 98.25/98.75 5x5\n\n--b\nContent-Type: image/png\n"
        b"Content-Transfer-Encoding: base64\n\n" + picture + b"\n--b--\n"
    )


@contextmanager
def mails_of_mix(count: int) -> Iterator[list[Path]]:
    """The first mails of the generator's first seed."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in generate(Path(folder), count):
            pass
        yield sorted(Path(folder).glob("*.eml"))
