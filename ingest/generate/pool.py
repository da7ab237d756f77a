"""The documents of a seed, made once and attached to many mails."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from ingest.generate import documents, tail
from ingest.generate.dealers import writers
from ingest.generate.grids import grid
from ingest.generate.mime import Attachment
from ingest.generate.tables import Table, table

if TYPE_CHECKING:
    from ingest.generate.books import Book
    from ingest.generate.dealers import Dealer

FIRST_DAY = date(2026, 11, 16)  # a Monday; the mails of a seed are of its week
POOL = {"xlsx": 160, "pdf": 120, "docx": 30, "large": len(tail.SIZES_MB)}  # documents a seed
# mean number of quotes in a document, so that with the text runs a mail has 9.2
QUOTES = {"xlsx": 18, "pdf": 15, "html": 12, "docx": 10, "csv": 10, "zip": 10, "large": 18}
_OFFICE = "application/vnd.openxmlformats-officedocument"
TYPES = {
    "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    "docx": f"{_OFFICE}.wordprocessingml.document",
    "pdf": "application/pdf",
    "csv": "text/csv",
    "zip": "application/zip",
}


@dataclass(frozen=True, slots=True)
class Pooled:
    """A document that many mails may carry, all of the same dealer and day."""

    dealer: Dealer
    book: Book
    day: date
    form: str
    attachment: Attachment
    quotes: list[dict[str, Any]]


_KEPT: dict[tuple[int, str, int], Pooled] = {}


def keep(made: dict[tuple[int, str, int], Pooled]) -> None:
    """Documents that another process has made."""
    _KEPT.update(made)


def pooled(seed: int, form: str, index: int) -> Pooled:
    """The document of that number in its part of the pool. A function of its arguments alone, made once a process."""
    key = (seed, form, index)
    if key not in _KEPT:
        _KEPT[key] = _made(seed, form, index)
    return _KEPT[key]


def _made(seed: int, form: str, index: int) -> Pooled:
    random = Random(f"{seed} {form} {index}")  # noqa: S311 -- drawn, not secret
    dealer, book = writer(random)
    day = FIRST_DAY + timedelta(days=random.randrange(5))
    sheet = sheet_of(random, seed, dealer, book, quotes=QUOTES[form], day=day)
    if form == "large":
        form = ("xlsx", "pdf")[index % 2]
        make = {"xlsx": tail.workbook, "pdf": tail.report}[form]
        content = make(random, sheet, dealer.number, tail.SIZES_MB[index])
    else:
        content = {"xlsx": documents.xlsx, "docx": documents.docx, "pdf": documents.pdf}[form](sheet, dealer.number)
    name = f"{random.choice((book.key, book.cls))}_{day:%d%m%y}_{index}.{form}"
    quotes = sheet.truth(lambda row, column: place(form, sheet, row, column))
    return Pooled(dealer, book, day, form, Attachment.of(name, TYPES[form], content), quotes)


def writer(random: Random) -> tuple[Dealer, Book]:
    """A dealer and a book of his."""
    pairs, weights = writers()
    return random.choices(pairs, weights)[0]


def sheet_of(random: Random, seed: int, dealer: Dealer, book: Book, *, quotes: int, day: date) -> Table:
    """A table of about that many quotes in the mean."""
    each = {"curve": len(book.tenors), "cube": len(book.across), "surface": 1}.get(book.grid, len(book.tables))
    wanted = quotes * random.uniform(0.4, 1.6) / each
    lines = max(1, int(wanted + random.random()))
    return (grid if book.grid else table)(random, seed, dealer, book, lines=lines, day=day)


def place(form: str, sheet: Table, row: int, column: int) -> dict[str, Any]:
    """Where the format has a 0-based row and column of the table (domain.md 2.3), without the part."""
    if form == "xlsx":
        return {"part_path": "2"} | documents.xlsx_place(sheet, row, column)
    if form == "pdf":
        return {"part_path": "2", "page": 1}
    at = {"row": row + sheet.header_rows + 1, "col": column + 1}
    if form == "html":
        return {"part_path": "1", "table_idx": 1} | at
    return {"part_path": "2"} | ({"table_idx": 1} | at if form == "docx" else at)


def zipped(name: str, content: bytes) -> bytes:
    """An archive of one file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name, documents.MADE.timetuple()[:6]), content)
    return out.getvalue()
