"""One sheet to a grid: calamine's values under the looks of the XML."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from typing import Any

from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Cell, CellValue, Grid, Row
from parsers.documents.fold import fold
from parsers.documents.limits import MAX_CELLS, MAX_ROWS
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.dateformat import shown_date
from parsers.documents.workbooks.looks import PLAIN, SheetLooks
from parsers.documents.workbooks.numberformat import shown_number
from parsers.values.decimals import decimal_text

_MAX_MERGED = 100_000  # cells of one merge
_ERRORS = ("#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#GETTING_DATA")
_KEPT_BLANK_ROWS = 2  # of a run: enough to end a table
_Place = tuple[int, int]


def sheet_grid(sheet: Any, looks: SheetLooks, *, hidden: bool) -> Grid:
    """The grid of a `CalamineSheet`: true row and column numbers, long gaps of blank rows cut short.

    Raises:
        Unreadable: PART_TOO_LARGE, for merges that lie on each other a thousandfold.
    """
    values = sheet.to_python(skip_empty_area=False, nrows=MAX_ROWS)
    first = (sheet.start or (0, 0))[1]  # columns before it are empty
    merges, covered = _merges(sheet.merged_cell_ranges or [], len(values))
    rows = []
    for number, cells in _without_long_gaps(values):
        row = _row(cells[first:] if first else cells, number, first + 1, looks)
        if merges:
            row = [_merged(cell, number, merges, covered) for cell in row]
        rows.append(Row(number, tuple(row), hidden=number in looks.hidden_rows))
    return Grid(tuple(rows), sheet=sheet.name, hidden=hidden)


def _without_long_gaps(values: list[list[Any]]) -> Iterator[tuple[int, list[Any]]]:
    """Rows with their true numbers, runs of blank ones cut short, none at the end."""
    blanks: list[tuple[int, list[Any]]] = []
    seen = False
    for number, cells in enumerate(values, 1):
        if cells.count("") < len(cells):
            if seen:
                yield from blanks
            yield number, cells
            blanks, seen = [], True
        elif len(blanks) < _KEPT_BLANK_ROWS:
            blanks.append((number, cells))


def _row(values: list[Any], number: int, first: int, looks: SheetLooks) -> list[Cell]:
    """A row's cells under their looks. Most cells of most sheets are plain: these are made without looking twice."""
    look_at, hidden_columns, no_cache = looks.looks.get, looks.hidden_columns, looks.no_cache
    all_shown = not hidden_columns and not no_cache and not looks.rich
    cells = []
    for column, raw in enumerate(values, first):
        look = look_at((number, column), PLAIN)
        value: CellValue = None
        if raw.__class__ is str:
            text = "" if raw[:1] == "#" and raw.startswith(_ERRORS) else fold(raw) if raw else raw
        elif raw.__class__ is float and look is PLAIN and raw:
            value, text = _plain_number(raw)
        else:
            value, text = _TO_CELL.get(raw.__class__, _other)(raw, look.number_format)
        if all_shown and look is PLAIN:
            cells.append(Cell(text, value, None, column))
            continue
        is_hidden = look.white or column in hidden_columns
        cell = Cell(text, value, look.number_format, column, look.bold, look.filled, look.struck, is_hidden)
        if (number, column) in looks.rich:
            text, struck = looks.rich[number, column].standing(struck=look.struck)
            cell = replace(cell, text=fold(text), struck=struck)
        cells.append(replace(cell, formula_no_cache=True) if (number, column) in no_cache else cell)
    return cells


_Shown = tuple[CellValue, str]  # a cell's value, and what a reader sees


def _truth(raw: bool, _: str | None) -> _Shown:  # noqa: FBT001 -- a cell's value
    return raw, "TRUE" if raw else "FALSE"


def _number(raw: float, number_format: str | None) -> _Shown:
    if not isfinite(raw):
        return None, ""
    digits = repr(raw)
    number = Decimal(digits)
    if number_format:
        return number, shown_number(number, number_format)
    return number, digits.removesuffix(".0") if raw and "e" not in digits else decimal_text(number)


@lru_cache(maxsize=8192)  # sizes, coupons and levels come again, in a sheet and in the next
def _plain_number(raw: float) -> _Shown:
    """Of a number that is not 0, which has a sign that a cache does not see."""
    return _number(raw, None)


def _moment(raw: datetime | date | time, number_format: str | None) -> _Shown:
    return raw, shown_date(raw, number_format)


def _other(raw: Any, _: str | None) -> _Shown:
    return None, str(raw) if isinstance(raw, timedelta) else ""


_TO_CELL: dict[type, Callable[[Any, str | None], _Shown]] = {
    float: _number,
    int: _number,
    bool: _truth,
    datetime: _moment,
    date: _moment,
    time: _moment,
}


def _merges(ranges: list[tuple[_Place, _Place]], rows: int) -> tuple[dict[_Place, _Place], dict[_Place, _Place]]:
    """Spans (height, width) by origin, and origins by covered cell; 1-based."""
    spans: dict[_Place, _Place] = {}
    covered: dict[_Place, _Place] = {}
    cells = 0  # of one sheet no two merges share any, but a damaged one's may
    for one, other in ranges:
        if one[0] >= rows and other[0] >= rows:
            continue  # below all cells
        (top, bottom), (left, right) = sorted((one[0], other[0])), sorted((one[1], other[1]))
        height, width = bottom - top + 1, right - left + 1
        if height * width > _MAX_MERGED:
            continue  # whole columns, merged for their looks
        cells += height * width
        if cells > MAX_CELLS:
            raise Unreadable(Code.PART_TOO_LARGE, f"merges of more than {MAX_CELLS} cells")
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
