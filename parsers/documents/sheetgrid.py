"""One sheet to a grid: calamine's values under the looks of the XML."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

from msgspec.structs import replace

from parsers.document import Cell, CellValue, Grid, Row
from parsers.documents.dateformat import shown_date
from parsers.documents.fold import fold
from parsers.documents.numberformat import shown_number
from parsers.documents.xlsxlooks import PLAIN, SheetLooks
from parsers.values.decimals import decimal_text

MAX_ROWS = 200_000  # of a sheet (spec 6.1)
MAX_CELLS = 4_000_000  # of a sheet's rectangle: calamine keeps the whole of it
_MAX_MERGED = 100_000  # cells of one merge
_ERRORS = ("#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#GETTING_DATA")
_KEPT_BLANK_ROWS = 2  # of a run: enough to end a table
_Place = tuple[int, int]


def sheet_grid(sheet: Any, looks: SheetLooks, *, hidden: bool) -> Grid:
    """The grid of a `CalamineSheet`: true row and column numbers, long gaps of blank rows cut short."""
    values = sheet.to_python(skip_empty_area=False, nrows=MAX_ROWS)
    first = (sheet.start or (0, 0))[1]  # columns before it are empty
    merges, covered = _merges(sheet.merged_cell_ranges or [])
    rows = []
    for number, cells in _without_long_gaps(values):
        row = tuple(_cell(value, number, column, looks) for column, value in enumerate(cells[first:], first + 1))
        if merges:
            row = tuple(_merged(cell, number, merges, covered) for cell in row)
        rows.append(Row(number, row, hidden=number in looks.hidden_rows))
    return Grid(tuple(rows), sheet=sheet.name, hidden=hidden)


def _without_long_gaps(values: list[list[Any]]) -> Iterator[tuple[int, list[Any]]]:
    """Rows with their true numbers, runs of blank ones cut short, none at the end."""
    blanks: list[tuple[int, list[Any]]] = []
    seen = False
    for number, cells in enumerate(values, 1):
        if any(value != "" for value in cells):
            if seen:
                yield from blanks
            yield number, cells
            blanks, seen = [], True
        elif len(blanks) < _KEPT_BLANK_ROWS:
            blanks.append((number, cells))


def _cell(raw: Any, row: int, column: int, looks: SheetLooks) -> Cell:
    look = looks.looks.get((row, column), PLAIN)
    value, text = _value_and_text(raw, look.number_format)
    return Cell(
        text=text,
        value=value,
        number_format=look.number_format,
        column=column,
        bold=look.bold,
        filled=look.filled,
        struck=look.struck,
        hidden=look.white or column in looks.hidden_columns,
        formula_no_cache=(row, column) in looks.no_cache,
    )


def _value_and_text(raw: Any, number_format: str | None) -> tuple[CellValue, str]:
    if isinstance(raw, str):
        return None, "" if raw.startswith(_ERRORS) else fold(raw)
    if isinstance(raw, bool):
        return raw, "TRUE" if raw else "FALSE"
    if isinstance(raw, datetime | date | time):
        return raw, shown_date(raw, number_format)
    if isinstance(raw, int | float) and isfinite(raw):
        number = Decimal(repr(raw))
        return number, shown_number(number, number_format) if number_format else decimal_text(number)
    return None, str(raw) if isinstance(raw, timedelta) else ""


def _merges(ranges: list[tuple[_Place, _Place]]) -> tuple[dict[_Place, _Place], dict[_Place, _Place]]:
    """Spans (height, width) by origin, and origins by covered cell; 1-based."""
    spans: dict[_Place, _Place] = {}
    covered: dict[_Place, _Place] = {}
    for (top, left), (bottom, right) in ranges:
        height, width = bottom - top + 1, right - left + 1
        if height * width > _MAX_MERGED:
            continue  # whole columns, merged for their looks
        origin = (top + 1, left + 1)
        places = ((row, column) for row in range(top + 1, bottom + 2) for column in range(left + 1, right + 2))
        covered.update(dict.fromkeys(places, origin))
        del covered[origin]
        spans[origin] = (height, width)
    return spans, covered


def _merged(cell: Cell, row: int, spans: dict[_Place, _Place], covered: dict[_Place, _Place]) -> Cell:
    place = (row, cell.column)
    if place in spans:
        height, width = spans[place]
        return replace(cell, row_span=height, col_span=width)
    if place in covered:
        return replace(cell, text="", value=None, origin=covered[place])
    return cell
