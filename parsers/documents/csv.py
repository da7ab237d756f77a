"""CSV and TSV to one grid. The delimiter is the one with the most constant column count (spec 5.1)."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from parsers.codes import Code
from parsers.document import Cell, Document, Grid, Row
from parsers.documents.charset import decode
from parsers.documents.fold import fold, visible
from parsers.documents.limits import MAX_ROWS
from parsers.documents.spans import MAX_CELLS
from parsers.documents.unreadable import Unreadable

DELIMITERS = "\t;|,"  # in this order where two divide a text equally well: a comma is the likeliest in a number
MAX_COLUMNS = 2_000
_LEAST_COLUMNS = 3  # of a table whose lines are told from those of a long cell by how many columns they have
_WIDE = 6  # columns that no lines but those of a table have, all of them, whatever stands above
_FITTING = 0.8  # of the lines that an open quote ran together: have as many columns as the others
_SNIFFED_LINES = 50
_SNIFFED_CHARS = 65_536
csv.field_size_limit(1_000_000)  # a quote that is never closed must not swallow the file


def read_csv(data: bytes, charset: str | None = None) -> Document:
    """One grid; row numbers count every record, empty ones too, as a spreadsheet would show them.

    Raises:
        Unreadable: CHARSET_UNDECODABLE; PART_TOO_LARGE for a field, a row or a table beyond all measure.
    """
    text = visible(decode(data, charset))
    delimiter, _ = sniff_delimiter(text)
    rows: list[list[str]] = []
    truncated = False
    for record in _records(text, delimiter):
        if len(rows) == MAX_ROWS:
            truncated = True
            break
        if len(record) > MAX_COLUMNS:
            raise Unreadable(Code.PART_TOO_LARGE, f"a row of more than {MAX_COLUMNS} columns")
        rows.append([fold(field) for field in record])
    width = max((len(row) for row in rows), default=0)
    if width * len(rows) > MAX_CELLS:  # before each row is made as wide as the widest
        raise Unreadable(Code.PART_TOO_LARGE, f"a table of more than {MAX_CELLS} cells")
    grid = Grid(tuple(_row(number, row, width) for number, row in enumerate(rows, 1)), table_idx=1)
    return Document((grid,), parser="csv", truncated=truncated)


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    """The records; those that a quote without its end has run together are told line by line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    head = islice(io.StringIO(text, newline=""), _SNIFFED_LINES)
    (columns, _), *_ = Counter(line.count(delimiter) + 1 for line in head if line.strip()).most_common(1) or [(0, 0)]
    lines: list[str] = []  # split only for a record of several lines
    while True:
        before = reader.line_num
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            apart = _apart((lines or io.StringIO(text, newline="").readlines())[before:], delimiter, columns, None)
            if apart is None:
                raise Unreadable(Code.PART_TOO_LARGE, f"a field without end: {error}") from error
            yield from apart
            return
        if reader.line_num - before > 1 or (record and delimiter in record[-1]):
            lines = lines or io.StringIO(text, newline="").readlines()
            yield from _apart(lines[before : reader.line_num], delimiter, columns, record) or [record]
        else:
            yield record


def _apart(lines: list[str], delimiter: str, columns: int, record: list[str] | None) -> list[list[str]] | None:
    """Lines that look like a record as records of their own, where they are; None where they are one.

    Args:
        lines: that look like one record.
        delimiter: between fields.
        columns: that most lines have.
        record: what they look like; None for nothing.
    """
    inside = [line for line in lines if line.strip()]
    is_whole = (
        record is not None
        and len(record) == columns
        and sum(line.count('"') for line in inside) % 2 == 0
        and not any(line.count(delimiter) >= columns - 1 for field in record for line in field.split("\n"))
    )
    if columns < _LEAST_COLUMNS or is_whole:
        return None
    records = [_alone(line, delimiter) for line in lines]
    fitting = sum(1 for each in records if len(each) == columns)
    return records if fitting >= _FITTING * len(inside) else None


def _alone(line: str, delimiter: str) -> list[str]:
    """A line as a record; a quote that is not closed in it is none."""
    if line.count('"') % 2 or len(line) > csv.field_size_limit():
        return [field.strip().strip('"') for field in line.split(delimiter)]
    return next(csv.reader([line], delimiter=delimiter), [])


def _row(number: int, fields: list[str], width: int) -> Row:
    fields = fields + [""] * (width - len(fields))
    return Row(number, tuple(Cell(text=text, column=column) for column, text in enumerate(fields, 1)))


def sniff_delimiter(text: str) -> tuple[str, float]:
    """The likeliest delimiter of a text, and the share of lines that agree on its column count (0 for none).

    A line with one field more or less agrees: a delimiter behind the last, or none for an empty one. The lines above
    the first that agrees are titles, and are not counted where they are fewer, or all below has many columns: a run
    under which a signature has commas is no table.
    """
    head = text[:_SNIFFED_CHARS]
    best, best_score, best_share = ",", (0.0, 0), 0.0
    for delimiter in DELIMITERS:
        if delimiter not in head:
            continue
        counts = _column_counts(head, delimiter)
        if not counts:
            continue
        (columns, lines), *_ = Counter(count for count in counts if count > 1).most_common(1) or [(1, 0)]
        share = lines / len(counts)
        score = (round(share, 1), columns)
        if score > best_score:
            begin = counts.index(columns)  # titles above the table have no columns
            is_wide = columns >= _WIDE and all(abs(count - columns) <= 1 for count in counts[begin:])
            below = counts[begin:] if is_wide or begin <= len(counts) - begin else counts
            near = sum(1 for count in below if abs(count - columns) <= (columns >= _LEAST_COLUMNS))
            best, best_score, best_share = delimiter, score, near / len(below)
    return best, best_share


def _column_counts(text: str, delimiter: str) -> list[int]:
    """Columns of the first lines that are not empty."""
    counts: list[int] = []
    try:
        for record in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if any(field.strip() for field in record):
                counts.append(len(record))
            if len(counts) == _SNIFFED_LINES:
                break
    except csv.Error:
        return []
    return counts
