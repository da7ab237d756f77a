"""CSV and TSV to one grid. The delimiter is the one with the most constant column count (spec 5.1)."""

from __future__ import annotations

import csv
import io
from collections import Counter

from parsers.codes import Code
from parsers.document import Cell, Document, Grid, Row
from parsers.documents.charset import decode
from parsers.documents.fold import fold
from parsers.documents.unreadable import Unreadable

DELIMITERS = "\t;|,"  # in this order where two divide a text equally well: a comma is the likeliest in a number
MAX_ROWS = 200_000  # spec 6.1
MAX_COLUMNS = 2_000
_SNIFFED_LINES = 50
_SNIFFED_CHARS = 65_536
csv.field_size_limit(1_000_000)  # a quote that is never closed must not swallow the file


def read_csv(data: bytes, charset: str | None = None) -> Document:
    """One grid; row numbers count every record, empty ones too, as a spreadsheet would show them.

    Raises:
        Unreadable: CHARSET_UNDECODABLE; PART_TOO_LARGE for a field or a row beyond all measure.
    """
    text = decode(data, charset)
    delimiter, _ = sniff_delimiter(text)
    rows = []
    try:
        for number, record in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 1):
            if number > MAX_ROWS:
                break
            if len(record) > MAX_COLUMNS:
                raise Unreadable(Code.PART_TOO_LARGE, f"a row of more than {MAX_COLUMNS} columns")
            rows.append([fold(field) for field in record])
    except csv.Error as error:
        raise Unreadable(Code.PART_TOO_LARGE, f"a field without end: {error}") from error
    width = max((len(row) for row in rows), default=0)
    grid = Grid(tuple(_row(number, row, width) for number, row in enumerate(rows, 1)), table_idx=1)
    return Document((grid,), parser="csv", truncated=len(rows) == MAX_ROWS)


def _row(number: int, fields: list[str], width: int) -> Row:
    fields = fields + [""] * (width - len(fields))
    return Row(number, tuple(Cell(text=text, column=column) for column, text in enumerate(fields, 1)))


def sniff_delimiter(text: str) -> tuple[str, float]:
    """The likeliest delimiter of a text, and the share of lines that agree on its column count (0 for none)."""
    head = text[:_SNIFFED_CHARS]
    best, best_score, best_share = ",", (0.0, 0), 0.0
    for delimiter in DELIMITERS:
        if delimiter not in head:
            continue
        counts = _column_counts(head, delimiter)
        if not counts:
            continue
        (columns, lines), *_ = Counter(counts).most_common(1)
        share = lines / len(counts) if columns > 1 else 0.0
        score = (round(share, 1), columns)
        if score > best_score:
            best, best_score, best_share = delimiter, score, share
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
