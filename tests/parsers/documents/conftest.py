"""What the tests of readers share: looking at grids and lines, and files written by other libraries."""

from __future__ import annotations

import io
from collections.abc import Callable

import openpyxl
import pytest

from parsers.document import Document, Grid, Line

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
