"""Which reader reads which content type."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from parsers.codes import Code
from parsers.document import Document
from parsers.documents import kinds
from parsers.documents.budget import Budget
from parsers.documents.unreadable import Unreadable


class Hints(Struct, frozen=True):
    """What the mail says of a part's bytes, beyond them."""

    charset: str | None = None
    flowed: bool = False  # text/plain; format=flowed
    delsp: bool = False


def read_document(data: bytes, kind: str, hints: Hints, budget: Budget | None = None) -> Document:
    """The document of a part.

    Args:
        data: its bytes.
        kind: one of `kinds`.
        hints: what the mail says of them.
        budget: what its mail may unpack yet; by default as much as a whole mail may.

    Raises:
        Unreadable: with the part's code; UNSUPPORTED_TYPE where there is no reader.
    """
    if kind == kinds.ENCRYPTED_OFFICE:
        raise Unreadable(Code.PASSWORD_PROTECTED, "an encrypted office file")
    reader = _READERS.get(kind)
    if reader is None:
        raise Unreadable(Code.UNSUPPORTED_TYPE, kind)
    return reader(data, hints, budget or Budget())


def _text(data: bytes, hints: Hints, _: Budget) -> Document:
    from parsers.documents.text import read_text

    return read_text(data, hints.charset, flowed=hints.flowed, delsp=hints.delsp)


def _html(data: bytes, hints: Hints, _: Budget) -> Document:
    from parsers.documents.html.reader import read_html

    return read_html(data, hints.charset)


def _csv(data: bytes, hints: Hints, _: Budget) -> Document:
    from parsers.documents.csv import read_csv

    return read_csv(data, hints.charset)


def _pdf(data: bytes, _: Hints, __: Budget) -> Document:
    from parsers.documents.pdf.reader import read_pdf

    return read_pdf(data)


def _doc(data: bytes, _: Hints, __: Budget) -> Document:
    from parsers.documents.word.doc import read_doc

    return read_doc(data)


def _docx(data: bytes, _: Hints, budget: Budget) -> Document:
    from parsers.documents.word.docx import read_docx

    return read_docx(data, budget)


def _xlsx(data: bytes, _: Hints, budget: Budget) -> Document:
    from parsers.documents.workbooks.reader import read_xlsx

    return read_xlsx(data, budget)


def _xlsb(data: bytes, _: Hints, budget: Budget) -> Document:
    from parsers.documents.workbooks.reader import read_xlsb

    return read_xlsb(data, budget)


def _ods(data: bytes, _: Hints, budget: Budget) -> Document:
    from parsers.documents.workbooks.reader import read_ods

    return read_ods(data, budget)


def _xls(data: bytes, _: Hints, __: Budget) -> Document:
    from parsers.documents.workbooks.reader import read_xls

    return read_xls(data)


def _rtf(data: bytes, _: Hints, __: Budget) -> Document:
    from parsers.documents.word.rtf import read_rtf

    return read_rtf(data)


_READERS: dict[str, Callable[[bytes, Hints, Budget], Document]] = {
    kinds.EMPTY: _text,
    kinds.TEXT: _text,
    kinds.HTML: _html,
    kinds.CSV: _csv,
    kinds.PDF: _pdf,
    kinds.DOC: _doc,
    kinds.DOCX: _docx,
    kinds.XLSX: _xlsx,
    kinds.XLSB: _xlsb,
    kinds.XLS: _xls,
    kinds.ODS: _ods,
    kinds.RTF: _rtf,
}
