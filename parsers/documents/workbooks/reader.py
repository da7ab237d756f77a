"""Workbooks to grids, one a sheet: values by calamine, looks by readers of our own."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from parsers.codes import Code
from parsers.document import Document, Grid
from parsers.documents.budget import Budget
from parsers.documents.limits import MAX_CELLS, MAX_ROWS
from parsers.documents.package import open_package
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.looks import SheetLooks
from parsers.documents.workbooks.odslooks import ods_looks
from parsers.documents.workbooks.sheetgrid import sheet_grid
from parsers.documents.workbooks.xlsblooks import xlsb_looks
from parsers.documents.workbooks.xlslooks import xls_looks
from parsers.documents.workbooks.xlsxlooks import XlsxLooks

logger = logging.getLogger(__name__)

_HELPER = re.compile(r"[\W_]*(?:cache|blp|lookup)(?:[\W_\d]*(?:cache|blp|lookup))*[\W_\d]*", re.IGNORECASE)  # spec 5.8


def read_xlsx(data: bytes, budget: Budget | None = None) -> Document:
    """XLSX and XLSM. `budget` is its mail's.

    Raises:
        Unreadable: CORRUPT_PART, PASSWORD_PROTECTED, ARCHIVE_LIMIT or PART_TOO_LARGE.
    """
    with open_package(data, budget) as package:
        with _number_errors():
            looks = XlsxLooks(package)
        return _read(data, "xlsx_grid", looks)


def read_xlsb(data: bytes, budget: Budget | None = None) -> Document:
    """The binary workbooks of 2007. `budget` is its mail's.

    Raises:
        Unreadable: as `read_xlsx`.
    """
    with open_package(data, budget) as package:
        return _read(data, "xlsb_grid", xlsb_looks(package))


def read_ods(data: bytes, budget: Budget | None = None) -> Document:
    """The workbooks of LibreOffice. `budget` is its mail's.

    Raises:
        Unreadable: as `read_xlsx`.
    """
    with open_package(data, budget) as package:
        return _read(data, "ods_grid", ods_looks(package))


def read_xls(data: bytes) -> Document:
    """The binary workbooks of before 2007.

    Raises:
        Unreadable: as `read_xlsx`.
    """
    return _read(data, "xls_grid", xls_looks(data))


class _Looks(Protocol):
    def sheet(self, name: str) -> SheetLooks: ...


def _read(data: bytes, parser: str, looks: _Looks) -> Document:
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    grids: list[Grid] = []
    truncated = False
    with _engine_errors():
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for meta in book.sheets_metadata:
            if meta.visible == SheetVisibleEnum.VeryHidden or _HELPER.fullmatch(meta.name):
                logger.info("sheet %r is no sheet for readers: skipped", meta.name)
                continue
            if meta.typ != SheetTypeEnum.WorkSheet:
                continue
            with _number_errors():
                sheet_looks = looks.sheet(meta.name)
            _check_size(meta.name, sheet_looks)
            sheet = book.get_sheet_by_name(meta.name)
            grid = sheet_grid(sheet, sheet_looks, hidden=meta.visible == SheetVisibleEnum.Hidden)
            truncated = truncated or sheet.total_height > MAX_ROWS
            if grid.rows:
                grids.append(grid)
    return Document(tuple(grids), parser=parser, truncated=truncated)


def _check_size(name: str, looks: SheetLooks) -> None:
    """Before calamine makes the rectangle: two cells far apart are enough to fill the memory."""
    if looks.last_row * looks.last_column > MAX_CELLS:
        raise Unreadable(Code.PART_TOO_LARGE, f"sheet {name!r} spans more than {MAX_CELLS} cells")


@contextmanager
def _number_errors() -> Iterator[None]:
    """What stands in a file in the place of a number is damage, and no fault of the reader's."""
    try:
        yield
    except ValueError as error:
        raise Unreadable(Code.CORRUPT_PART, f"looks: {error}"[:200]) from error


@contextmanager
def _engine_errors() -> Iterator[None]:
    """Calamine's errors as outcomes of the part. A panic of its Rust code is no Exception."""
    from python_calamine import CalamineError, PasswordError

    try:
        yield
    except PasswordError as error:
        raise Unreadable(Code.PASSWORD_PROTECTED, str(error)) from error
    except (CalamineError, OSError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"{type(error).__name__}: {error}"[:200]) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Unreadable(Code.CORRUPT_PART, f"the engine gave up: {error}"[:200]) from error
