"""What the tests of readers share: looking at grids and lines, and files written by other libraries."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import openpyxl
import pytest

from parsers.document import Document, Grid, Line
from parsers.documents.pdf.page import Word
from parsers.mail.unpack import unpack

Sheets = dict[str, list[list[object]]]


@pytest.fixture
def grids() -> Callable[[Document], list[Grid]]:
    return lambda document: [block for block in document.blocks if isinstance(block, Grid)]


@pytest.fixture
def lines() -> Callable[[Document], list[str]]:
    return lambda document: [block.text for block in document.blocks if isinstance(block, Line)]


@pytest.fixture
def texts() -> Callable[[Grid], list[list[str]]]:
    return lambda grid: [[cell.text for cell in row.cells] for row in grid.rows]


@pytest.fixture
def saved() -> Callable[[openpyxl.Workbook], bytes]:
    def save(book: openpyxl.Workbook) -> bytes:
        out = io.BytesIO()
        book.save(out)
        return out.getvalue()

    return save


@pytest.fixture
def attachments(shared: Callable[[str], Path]) -> Callable[[str], list[tuple[str, bytes]]]:
    """The parts of a kind in the gold mails, with the name of their mail."""

    def find(kind: str) -> list[tuple[str, bytes]]:
        files = sorted(shared("gold").glob("dev/*.eml"))
        unpacked = ((file.name, unpack(file.read_bytes(), {}, lambda _: None).parts) for file in files)
        return [(name, part.data) for name, parts in unpacked for part in parts if part.content_type == kind]

    return find


@pytest.fixture
def typed() -> Callable[[str], list[Word]]:
    """Lines as a PDF page in a font of one width: a character is 5 points wide, 10 high, a line every 12."""

    def words(text: str) -> list[Word]:
        return [
            Word(match[0], 40 + 5.0 * match.start(), 40 + 5.0 * match.end(), top, top + 10)
            for top, line in zip(count(100.0, 12.0), text.splitlines(), strict=False)
            for match in re.finditer(r"\S+", line)
        ]

    return words
