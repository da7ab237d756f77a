"""One hash of a table's published rows, to tell whether two homes hold the same, wherever their mails came from.

usage: python -m pipelines.readers.digest [SETTINGS]      a line a table: SHA-256, rows, name

Left out is what says when and where a mail was appended; in what order the rows lie does not count.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

import conf
from pipelines.tables.publication import latest, table_of
from pipelines.tables.schemas import OUTCOMES, POSITION
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipelines.tables.schemas import Table
    from pipelines.tables.store.interface import Store

_OF_APPENDING = {field.name for field in POSITION}


def digest(store: Store, table: Table) -> tuple[str, int]:
    """Of all its rows, and how many. Raises NothingPublished, TablesDamaged."""
    names = [name for name in table.arrow_schema().names if name not in _OF_APPENDING]
    lines = sorted(map(repr, rows_of(store, table, names)))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest(), len(lines)


def rows_of(store: Store, table: Table, names: Sequence[str]) -> Iterator[list[Any]]:
    """Of what is published, these columns. Raises as `digest`."""
    found = pa.table(table_of(store, latest(store), table.name).get_add_actions())
    for path in found.column("path").to_pylist():
        # Without threads: they would outlive Python, and abort it.
        with pq.ParquetFile(store.open_read(f"{table.name}/{path}"), pre_buffer=False) as file:
            for row in file.read(list(names), use_threads=False).to_pylist():
                yield [row[name] for name in names]


def _main() -> None:
    settings = conf.load(Path(sys.argv[1]) if sys.argv[1:] else None)
    store = store_of(settings.tables)
    for table in OUTCOMES:
        found, rows = digest(store, table)
        sys.stdout.write(f"{found} {rows} {table.name}\n")


if __name__ == "__main__":
    _main()
