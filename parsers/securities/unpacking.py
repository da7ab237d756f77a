"""Unpacks a Parquet file in a process of its own, in little memory: what one says that it unpacks to may be a lie.

Run by path with `python -I`. usage: unpacking.py PACKAGE_ROOT MEMORY_BYTES SWELLS_TO COLUMN ...

The file stands in its input. Its output has a JSON array a line, in UTF-8: first the names of those of the columns that
the file has, then the texts of each row. What is wrong is the last line of its errors, and its exit code is 1.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import compute, types

_BATCH_ROWS = 4_096
_MOST_GROUPS = 1_000  # of rows
_MOST_BYTES = 200 * 4  # of a text: UTF-8 takes at most four a letter
_MOST_TOLD = 500  # characters of what is wrong: names and types are the file's
_CPU_S = 60
_KINDS = (types.is_decimal, types.is_integer, types.is_floating, types.is_date, types.is_timestamp)


class _Refused(ValueError):
    """What is wrong with the file."""


def main(root: str, memory: str, swells_to: str, *columns: str) -> None:
    """Write the rows, or what is wrong."""
    sys.path.insert(0, root)
    from parsers.securities.sheets import MOST_ROWS

    _limit(int(memory))
    try:
        _write(_lines(sys.stdin.buffer.read(), columns, MOST_ROWS, int(swells_to)), int(swells_to))
    except (_Refused, pa.ArrowException, MemoryError, OSError, UnicodeDecodeError) as error:
        told = str(error).partition("\n")[0][:_MOST_TOLD]
        sys.exit(told if isinstance(error, _Refused) else f"is no Parquet file that can be read: {told}")


def _write(rows: Iterable[Sequence[str]], most: int) -> None:
    """Write the rows. Raises _Refused where they come to more bytes: a text that the file has once may stand in all."""
    left = most
    for texts in rows:
        line = json.dumps(texts, ensure_ascii=False).encode() + b"\n"
        left -= len(line)
        if left < 0:
            raise _swollen(most)
        sys.stdout.buffer.write(line)


def _limit(memory: int) -> None:
    """Address space for what this process has and so many bytes more, and no more CPU than any file is worth."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + memory
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _lines(content: bytes, columns: Sequence[str], most_rows: int, swells_to: int) -> Iterator[Sequence[str]]:
    with pq.ParquetFile(pa.BufferReader(content)) as file:
        wanted = [name for name in file.schema_arrow.names if name.strip().lower() in columns]
        texts = _texts(file.schema_arrow, wanted)
        _require_small(file.metadata, wanted, most_rows, swells_to)
    yield wanted
    with pq.ParquetFile(pa.BufferReader(content), read_dictionary=texts) as file:  # a text that comes again is once
        for batch in file.iter_batches(_BATCH_ROWS, columns=wanted, use_threads=False):
            _require_short(batch)
            for cells in zip(*(batch.column(name).to_pylist() for name in wanted), strict=True):
                yield [_text(cell) for cell in cells]


def _texts(schema: pa.Schema, wanted: Sequence[str]) -> list[str]:
    """The columns of text. Raises _Refused for one that holds neither text, numbers nor dates."""
    texts = []
    for name in wanted:
        if wanted.count(name) > 1:
            raise _Refused(f"has the column {name} twice")
        kind = schema.field(name).type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        if types.is_string(kind) or types.is_large_string(kind):
            texts.append(name)
        elif not any(is_such(kind) for is_such in _KINDS):
            raise _Refused(f"the column {name} is of {kind}: it must hold text, numbers or dates")
    return texts


def _require_small(told: pq.FileMetaData, wanted: Iterable[str], most_rows: int, swells_to: int) -> None:
    """Raise _Refused where the file says itself that it unpacks to too much."""
    if told.num_rows > most_rows or told.num_row_groups > _MOST_GROUPS:
        raise _Refused(f"has more than {most_rows} rows, or {_MOST_GROUPS} groups of them")
    groups = [told.row_group(at) for at in range(told.num_row_groups)]
    chunks = [group.column(at) for group in groups for at in range(group.num_columns)]
    sizes = [chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in wanted]
    if sum(sizes) > swells_to or min(sizes, default=0) < 0:
        raise _swollen(swells_to)


def _swollen(most: int) -> _Refused:
    return _Refused(f"unpacks to more than {most >> 20} MiB")


def _require_short(batch: pa.RecordBatch) -> None:
    """Raise _Refused before a long text that stands in many rows is made as often."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if types.is_dictionary(column.type):
            longest = compute.max(compute.binary_length(column.dictionary)).as_py() or 0
            if longest > _MOST_BYTES:
                raise _Refused(f"the column {name} has a text of more than 200 letters")


def _text(cell: object) -> str:
    """A cell as a CSV file has it."""
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, Decimal):  # of a column with twelve decimals
        from parsers.values.decimals import decimal_text

        return decimal_text(cell)
    return "" if cell is None else str(cell)


if __name__ == "__main__":
    main(*sys.argv[1:])
