"""Where the header of a table stands, and what its columns are (spec 5.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from parsers.document import Cell, Row
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.headings.phrases import heading, option_struct
from parsers.quotes.headings.roles import IDENTITY, IGNORED, LEVEL, SIZE, UNKNOWN
from parsers.quotes.tables.cells.cells import TAKEN_AWAY, wordy
from parsers.quotes.tables.columns.beside import resolved
from parsers.quotes.tables.grids.corners import named, over_tenors
from parsers.quotes.tables.grids.spanning import heading_parts
from parsers.values.identifiers import check, compact
from parsers.values.times.dates import is_date
from parsers.values.times.tenors import tenor
from parsers.values.words import fold

SEARCHED_ROWS = 30
MAX_DEPTH = 3
"""Rows that may combine to one header."""

REMEMBERED = 8192
"""Cell texts of which it is remembered what they say: three of four have been seen before, in a row or a mail."""

_PROVING_ROWS = 5
_LEAST_HEADINGS = 3  # of a row; one or two may be titles
_LONGEST_NUMBER = 40
_MONTH_SHOWN = re.compile(r"[^\W\d_]{3,9}\.?(?:[ '’-]*(?:20)?\d\d)?")
_UNNAMED = frozenset({UNKNOWN, IGNORED})
_BIDS = {("b",), ("g",)}
_NUMERIC = re.compile(
    r"(?:[A-Z][A-Za-z]{0,5}(?=\+))?[$€£(]?[+\-−–]?[\d.,'’  ]*\d[\d.,'’  +/\-]*(?:[%)*]|%\s?NAV)?", re.ASCII
)
"""A number, also over a curve (`J+94`) or of an asset value (`82% NAV`)."""


class Header(Struct, frozen=True):
    """A header and the columns it names."""

    first: int  # index of its first row
    end: int  # index behind its last row
    columns: tuple[Column, ...]  # those with a heading, left to right
    score: int

    @property
    def labels(self) -> tuple[str, ...]:
        """The headings, folded, for comparing headers."""
        return tuple(" ".join(column.text.casefold().split()) for column in self.columns)


def best_header(rows: Sequence[Row]) -> Header | None:
    """The best header among the first rows; None where none is good enough."""
    best: Header | None = None
    for at in range(min(len(rows), SEARCHED_ROWS)):
        found = header_at(rows, at)
        if found is not None and (best is None or found.score > best.score):
            best = found
    return best


def header_at(rows: Sequence[Row], at: int, first: int = 0, last: int | None = None) -> Header | None:
    """The best header whose first row is `at`, up to three rows deep; None where none has both halves of a quote."""
    if not may_head(rows[at], first, last) or not _may_begin(rows, at, first, last):
        return None
    best: Header | None = None
    for depth in range(1, min(MAX_DEPTH, len(rows) - at) + 1):
        if depth > 1 and not _may_continue(rows[at + depth - 1], first, last):
            break
        found = _header(rows, at, depth, first, last)
        if found is None:
            continue
        gain = found.score - best.score if best is not None else 1
        if gain > 0 or (gain == 0 and _is_all_headings(rows[at + depth - 1], first, last)):
            best = found
    return best


def _may_begin(rows: Sequence[Row], at: int, first: int, last: int | None) -> bool:
    """Whether something here names a column, or something below can."""
    cells = rows[at].cells[first:last]
    if _is_taken_away(cells):
        return False
    if any(cell.text and heading(cell.text).meanings for cell in cells):
        return True
    below = rows[at + 1].cells[first:last] if at + 1 < len(rows) else ()
    lead = below[0].text if below and not cells[0].text else ""  # of a blank corner
    return bool(tenor(lead) or option_struct(lead)) or (bool(below) and _may_continue(rows[at + 1], first, last))


def may_head(row: Row, first: int = 0, last: int | None = None) -> bool:
    """A quick look: at least two texts, and more texts than numbers."""
    seen = [
        _is_number(cell.text) if cell.value is None else is_numeric(cell) for cell in row.cells[first:last] if cell.text
    ]
    return len(seen) > max(1, 2 * sum(seen))


def is_numeric(cell: Cell) -> bool:
    """Whether the cell is a number or a date, so no heading; a day that is shown as its month may head a delivery."""
    if cell.value is not None and not isinstance(cell.value, bool):
        return isinstance(cell.value, Decimal) or _MONTH_SHOWN.fullmatch(cell.text) is None
    return _is_number(cell.text)


def _is_number(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_NUMBER and _is_short_number(text)


@lru_cache(maxsize=REMEMBERED)
def _is_short_number(text: str) -> bool:
    return bool(_NUMERIC.fullmatch(text)) or is_date(text)


def is_identifier(text: str) -> bool:
    """Whether the text has the form and check digit of an ISIN or CUSIP."""
    return 9 <= len(text) <= 24 and _is_valid(text)


@lru_cache(maxsize=REMEMBERED)
def _is_valid(text: str) -> bool:
    if text.isalpha() or not any(map(str.isdigit, text)):
        return False
    value = compact(text)
    return (len(value) == 12 and check("isin", value)) or (len(value) == 9 and check("cusip", value))


def _may_continue(row: Row, first: int, last: int | None) -> bool:
    """A further header row has no numbers and is no line across the table."""
    filled = [cell for cell in row.cells[first:last] if cell.text]
    is_of_data = _is_taken_away(filled) or any(is_numeric(cell) or is_identifier(cell.text) for cell in filled)
    return bool(filled) and not is_of_data


def _is_taken_away(cells: Sequence[Cell]) -> bool:
    """Whether a row ends in the same word twice, by which a bond is gone: `off | off`."""
    return len(cells) > 2 and cells[-1].text == cells[-2].text != "" and wordy(cells[-1].text) is TAKEN_AWAY


def _is_all_headings(row: Row, first: int, last: int | None) -> bool:
    """Whether a row, by itself, consists of known headings: `Bid | Ask` under `Price`, never a row of data."""
    texts = [cell.text for cell in row.cells[first:last] if cell.text]
    return len(texts) > 1 and all((found := column(0, (text,))).role != UNKNOWN and found.clear for text in texts)


def _header(rows: Sequence[Row], at: int, depth: int, first: int, last: int | None) -> Header | None:
    stacked = rows[at : at + depth]
    parts = heading_parts(stacked)[first:last]
    columns = tuple(column(first + index, part) for index, part in enumerate(parts) if part)
    columns = _cornered(columns, next((part for part in parts if part), ()))
    below = rows[at + depth : at + depth + _PROVING_ROWS]
    if not _may_name(columns, below, first):
        return None
    columns = resolved(over_tenors(named(columns, below, first), below))
    score = sum(2 if found.clear else 1 for found in _told_apart(columns) if found.role != UNKNOWN)
    if depth > 1:
        score -= _titles_above(stacked, columns, first, last)
    score -= sum(_worth_of_value(cell) for row in stacked for cell in row.cells[first:last] if cell.text)
    return Header(at, at + depth, columns, score) if score >= 3 and _are_of_market(columns) else None


def _titles_above(stacked: Sequence[Row], columns: Sequence[Column], first: int, last: int | None) -> int:
    """How many columns a row above them only names the whole of: a title, unless the header needs it."""
    curves = {found.title for found in columns if found.is_level and found.title}
    is_header = sum(1 for cell in stacked[0].cells[first:last] if cell.text) >= _LEAST_HEADINGS
    named = [
        found
        for found in columns
        if found.role == UNKNOWN
        or (found.title and not found.option_struct and not (found.is_level and len(curves) > 1))
    ]
    if not is_header:
        return len(named)
    return sum(1 for found in named if any(row.cells[found.at].text for row in stacked[1:]))  # else its only heading


def _worth_of_value(cell: Cell) -> int:
    """What an identifier or a number takes from rows that may be a header."""
    if is_identifier(cell.text):
        return 3
    return 2 if is_numeric(cell) else 0


def _are_of_market(columns: Sequence[Column]) -> bool:
    """Whether two columns at least mean something, one of them a level and one what is quoted.

    A money market's `Rate` by `Term`, or of a quantity until a day, is no coupon.
    """
    roles = {found.role for found in columns}
    meant = sum(1 for found in columns if found.role not in (UNKNOWN, IGNORED))
    has_level = LEVEL in roles or {"rate", "tenor"} <= roles or {"rate", "maturity", SIZE} <= roles
    return meant >= 2 and has_level and not roles.isdisjoint(IDENTITY)


def _may_name(columns: Sequence[Column], below: Sequence[Row], first: int) -> bool:
    """Whether a heading is known, or may be by what is beside or below it: a blank corner, a letter, points of a curve.

    Of most rows of data that could be headings none is, which is told before all else that stands below is looked at.
    """
    if any(found.role not in _UNNAMED or fold(found.text)[:1] in _BIDS for found in columns):
        return True
    lead = columns[0] if columns else None
    return lead is not None and (lead.at > first or any(tenor(row.cells[lead.at].text) for row in below))


def _cornered(columns: tuple[Column, ...], parts: tuple[str, ...]) -> tuple[Column, ...]:
    """The columns, the first by its own words where a level's stand above: `EUR basis` over `Mat` names the curve."""
    if len(parts) < 2 or columns[0].role != LEVEL or columns[0].side is not None:
        return columns
    own = column(columns[0].at, parts[-1:])
    return (replace(own, title=" ".join(parts[:-1])), *columns[1:]) if own.role in IDENTITY else columns


def _told_apart(columns: Sequence[Column]) -> Iterator[Column]:
    """The columns without a second `Bid` or `2Y` beside the first: only what stands above or below says what it is."""
    seen: set[str] = set()
    for found in columns:
        is_one_of_two = found.tenor is not None or (found.side is not None and not found.side_assumed)
        if not is_one_of_two or found.text not in seen:
            yield found
        seen.add(found.text)
