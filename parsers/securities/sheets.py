"""A master file as rows of text: CSV or Parquet, with limits before work."""

from __future__ import annotations

import csv
import io
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from parsers.securities.errors import SecuritiesError

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

MOST_BYTES = 128 * 2**20
MOST_ROWS = 300_000
MOST_LETTERS = 200  # of a cell
_SWELLS = 4  # times MOST_BYTES is what columns of a Parquet file may say that they unpack to
_MOST_GROUPS = 1_000  # of rows, in a Parquet file
_BATCH_ROWS = 4_096
_PARQUET = b"PAR1"
_SEPARATORS = ",;\t"

Row = tuple[str, Mapping[str, str]]
"""Where it stands, as `line 17`, and its cells by column; those without text are left out."""


def content_of(path: Path) -> bytes:
    """The bytes of a master file. Raises SecuritiesError for what is no file or too large, OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # nobody waits for who writes to a pipe
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SecuritiesError(f"{path}: is no file")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise SecuritiesError(f"{path}: has more than {MOST_BYTES >> 20} MiB")
    return content


def rows_of(content: bytes, columns: Iterable[str]) -> Iterator[Row]:
    """The rows of a CSV or Parquet file, of these columns those that it has.

    Raises SecuritiesError, whose message leaves the file's name to the caller.
    """
    found = _parquet_rows if content[: len(_PARQUET)] == _PARQUET else _csv_rows
    for count, row in enumerate(found(content, columns)):
        if count == MOST_ROWS:
            raise SecuritiesError(f"has more than {MOST_ROWS} rows")
        yield row


def _csv_rows(content: bytes, columns: Iterable[str]) -> Iterator[Row]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SecuritiesError(f"line {line}: is not in UTF-8") from error
    first = text[: text.find("\n")] if "\n" in text else text
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        names = _known([name.strip().lower() for name in next(reader, [])], columns)
        while True:
            line = reader.line_num + 1
            cells = next(reader, None)
            if cells is None:
                return
            if any(cells):
                yield f"line {line}", _row(names, cells, f"line {line}")
    except csv.Error as error:
        raise SecuritiesError(f"line {line}: {error}") from error


def _known(names: Sequence[str], columns: Iterable[str]) -> list[str]:
    """The names of a header, '' of columns that nobody asks for."""
    known = [name if name in set(columns) else "" for name in names]
    for name in filter(None, known):
        if known.count(name) > 1:
            raise SecuritiesError(f"line 1: has the column {name} twice")
    return known


def _row(names: Sequence[str], cells: Sequence[str], place: str) -> dict[str, str]:
    if len(cells) > len(names):
        raise SecuritiesError(f"{place}: has {len(cells)} cells under {len(names)} headings")
    found = {name: text for name, cell in zip(names, cells, strict=False) if name and (text := cell.strip())}
    for name, text in found.items():
        if len(text) > MOST_LETTERS or not text.isprintable():
            raise SecuritiesError(f"{place}: {name} is no text of at most {MOST_LETTERS} letters")
    return found


def _parquet_rows(content: bytes, columns: Iterable[str]) -> Iterator[Row]:
    import pyarrow as pa  # which takes longer to import than a CSV file to read
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(pa.BufferReader(content)) as file:
            names = _known(file.schema_arrow.names, columns)
            wanted = [name for name in names if name]
            texts = _texts(file.schema_arrow, wanted)
            _require_small(file.metadata, wanted)
        with pq.ParquetFile(pa.BufferReader(content), read_dictionary=texts) as file:  # a text that comes again is once
            number = 0
            for batch in file.iter_batches(_BATCH_ROWS, columns=wanted, use_threads=False):
                _require_short(batch)
                for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    number += 1
                    place = f"row {number}"
                    yield place, _row(batch.schema.names, [_text(cell) for cell in cells], place)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise SecuritiesError(f"is no Parquet file: {error}") from error


def _texts(schema: pa.Schema, wanted: Iterable[str]) -> list[str]:
    """The columns of text. Raises SecuritiesError for one that holds neither text, numbers nor dates."""
    from pyarrow import types

    texts = []
    for name in wanted:
        kind = schema.field(name).type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        if types.is_string(kind) or types.is_large_string(kind):
            texts.append(name)
        elif not any(
            is_such(kind) for is_such in (types.is_decimal, types.is_integer, types.is_floating, types.is_date)
        ):
            raise SecuritiesError(f"the column {name} is of {kind}: it must hold text, numbers or dates")
    return texts


def _require_small(told: pq.FileMetaData, wanted: Sequence[str]) -> None:
    """Raise SecuritiesError where the file says that it unpacks to too much."""
    if told.num_rows > MOST_ROWS or told.num_row_groups > _MOST_GROUPS:
        raise SecuritiesError(f"has more than {MOST_ROWS} rows, or {_MOST_GROUPS} groups of them")
    groups = [told.row_group(at) for at in range(told.num_row_groups)]
    chunks = [group.column(at) for group in groups for at in range(group.num_columns)]
    sizes = [chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in wanted]
    if sum(sizes) > _SWELLS * MOST_BYTES or min(sizes, default=0) < 0:
        raise SecuritiesError(f"unpacks to more than {_SWELLS * MOST_BYTES >> 20} MiB")


def _require_short(batch: pa.RecordBatch) -> None:
    """Raise SecuritiesError before a long text that stands in many rows is made as often."""
    from pyarrow import compute, types

    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if types.is_dictionary(column.type):
            longest = compute.max(compute.binary_length(column.dictionary)).as_py() or 0
            if longest > 4 * MOST_LETTERS:  # bytes
                raise SecuritiesError(f"the column {name} has texts of more than {MOST_LETTERS} letters")


def _text(cell: object) -> str:
    """A cell as a CSV file has it."""
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    return "" if cell is None else str(cell)
