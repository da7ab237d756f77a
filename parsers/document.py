"""Where formats end: every part becomes blocks in reading order, each a line of text or a grid of cells (spec 5.1)."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal

from msgspec import Struct

CellValue = Decimal | date | datetime | time | bool | None


class Cell(Struct, frozen=True, gc=False):
    """One cell. Cells covered by a merge are present, empty, and name the span's origin."""

    text: str = ""  # as displayed, white space folded
    value: CellValue = None  # typed value of a workbook cell; a float is read through its shortest repr; else None
    number_format: str | None = None  # as the workbook spells it: `0.00%`, `# ?/8`
    column: int = 0  # 1-based, true column in the sheet or table
    bold: bool = False
    filled: bool = False  # has a background of its own
    struck: bool = False  # struck through: withdrawn
    hidden: bool = False  # hidden column, or white on white
    row_span: int = 1
    col_span: int = 1
    origin: tuple[int, int] | None = None  # (row, column) of the merge that covers this cell
    formula_no_cache: bool = False  # a formula without a cached value: text is empty


class Row(Struct, frozen=True, gc=False):
    """One row of a grid."""

    number: int  # 1-based: the sheet's true row, or the row within the table
    cells: tuple[Cell, ...]  # exactly as many as the grid is wide, left to right
    page: int | None = None  # 1-based page of a PDF
    hidden: bool = False  # hidden or filtered out


class Grid(Struct, frozen=True, gc=False):
    """A table, before anybody asked what it means. One grid a sheet; one a table in HTML, DOCX, PDF, CSV."""

    rows: tuple[Row, ...]
    sheet: str | None = None  # sheet name in workbooks
    table_idx: int | None = None  # 1-based among the part's data tables
    hidden: bool = False  # hidden sheet
    quoted: bool = False  # inside quoted history


class Line(Struct, frozen=True, gc=False):
    """A line of text outside tables."""

    number: int  # 1-based within the part; a paragraph of a Word file or a block of HTML counts as one
    text: str  # without its line end
    char_start: int  # 0-based code point offset in the decoded part text, without characters of no width
    page: int | None = None
    struck: bool = False
    hidden: bool = False  # white on white
    quoted: bool = False  # quoted from an earlier mail: context for the line below it, never a quote itself (spec 6.1)


class Document(Struct, frozen=True):
    """What a format reader makes of one part."""

    blocks: tuple[Grid | Line, ...]  # in reading order
    parser: str  # the reader's name in provenance: `text`, `html`, `xlsx_grid`, `pdf`, ...
    truncated: bool = False  # the part goes on beyond the limits of spec 6.1; what was read stays
    note: str = ""  # for people: what of it was passed over, as pages without text
