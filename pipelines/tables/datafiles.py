"""A table's data files: written whole and flushed where they will stay, and named by nobody until a commit does.

    <root>/<table>/received_day=2026-11-24/<run>-<random>.zstd.parquet      one day's rows each
    <root>/runs/<run>-<random>.zstd.parquet                                  of a table whose rows have no day

Any process may write them, several at once: a name is never given twice, and a file that no commit names is not part of
its table.
"""

from __future__ import annotations

import os
import secrets
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipelines.errors import NotStored
from pipelines.tables.publication import damaged
from pipelines.tables.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pipelines.tables.schemas import Table
    from pipelines.tables.store.interface import Store

DAY = "received_day"
ROW_GROUP_BYTES = 8 << 20  # of Arrow's, before they are compressed: what a writer holds in memory for a file
MOST_OPEN = 32  # files at once
BATCH_ROWS = 65_536  # of a file that is read, at once


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that a commit may name: a line of what a task gives back."""

    path: str  # below the table's folder
    size: int  # bytes
    rows: int
    day: str | None  # received_day of all its rows, YYYY-MM-DD
    statistics: str  # JSON, by Delta's protocol


def write(rows: Iterable[pa.RecordBatch], store: Store, table: Table, run_id: str) -> list[DataFile]:
    """Write rows of the table's Arrow schema, a file a day; return when they are durable.

    Where rows of very many days come mixed, a day may have several. Raises ValueError for a null where a value is
    required, OSError; no file is left then.
    """
    opened: dict[str | None, _Writer] = {}  # the one written to last stands last
    done: list[DataFile] = []
    try:
        for batch in rows:
            _require_values(batch, table)
            for day, part in _by_day(batch):
                opened[day] = opened.pop(day) if day in opened else _Writer(store, table, day, run_id)
                opened[day].write(part)
                if len(opened) > MOST_OPEN:
                    done.append(_finished(opened, next(iter(opened))))
        return [*done, *(_finished(opened, day) for day in list(opened))]
    except BaseException:
        for writer in opened.values():
            writer.abandon()
        store.delete(f"{table.name}/{file.path}" for file in done)
        raise


def _finished(opened: dict[str | None, _Writer], day: str | None) -> DataFile:
    file = opened[day].finish()
    del opened[day]
    return file


def columns_of(table: Table) -> pa.Schema:
    """What a data file holds: the columns but those that Delta's log says for the whole file."""
    return pa.schema([field for field in table.arrow_schema() if field.name not in table.partitioned_by])


def partition_values(table: Table, day: str | None) -> dict[str, str | None]:
    """What Delta's log says for a whole file of the day."""
    return dict.fromkeys(table.partitioned_by, day)


def _require_values(batch: pa.RecordBatch, table: Table) -> None:
    for field, column in zip(batch.schema, batch.columns, strict=True):
        if column.null_count and not field.nullable:
            raise ValueError(f"{table.name}.{field.name} is null in {column.null_count} rows")


def _by_day(batch: pa.RecordBatch) -> Iterable[tuple[str | None, pa.RecordBatch]]:
    if DAY not in batch.schema.names:
        return [(None, batch)]
    days = batch.column(DAY)
    return [(day.isoformat(), batch.filter(pc.equal(days, day))) for day in pc.unique(days).to_pylist()]


class _Writer:
    """One file, in row groups of some thousand rows."""

    def __init__(self, store: Store, table: Table, day: str | None, run_id: str) -> None:
        name = f"{run_id}-{secrets.token_hex(4)}.zstd.parquet"
        self._name, self._day = f"{DAY}={day}/{name}" if day else name, day
        self._schema = columns_of(table)
        self._statistics = Statistics()
        self._held: list[pa.RecordBatch] = []
        self._writing = ExitStack()
        self._to = self._writing.enter_context(store.open_write(f"{table.name}/{self._name}"))
        self._file = pq.ParquetWriter(self._to, self._schema, compression="zstd")

    def write(self, batch: pa.RecordBatch) -> None:
        own = batch.select(self._schema.names)
        self._statistics.add(own)
        self._held.append(own)
        if sum(each.nbytes for each in self._held) >= ROW_GROUP_BYTES:
            self._write_held()

    def _write_held(self) -> None:
        if self._held:
            self._file.write_table(pa.Table.from_batches(self._held, self._schema))
            self._held = []

    def finish(self) -> DataFile:
        """Close it; it is durable then."""
        self._write_held()
        self._file.close()
        self._writing.close()
        return DataFile(self._name, self._to.size, self._statistics.rows, self._day, self._statistics.as_json())

    def abandon(self) -> None:
        """Leave nothing of it."""
        with suppress(OSError):  # a full disk has no room for its end either
            self._file.close()
        with suppress(_Abandoned), self._writing:
            raise _Abandoned


class Reader:
    """Of a data file of this name in the store. Raises TablesDamaged where it is not what was written."""

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name
        with self._errors_naming():
            self._file = pq.ParquetFile(store.open_read(name), pre_buffer=True)
        self.rows = self._file.metadata.num_rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def batches(
        self, columns: Sequence[str] | None = None, groups: Sequence[int] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Its rows in their order, all or those of these row groups, all columns or these.

        Raises as when it was opened, and OSError.
        """
        with self._errors_naming():
            yield from self._file.iter_batches(BATCH_ROWS, row_groups=groups, columns=columns)

    def groups(self, columns: Sequence[str], may_be_in: Callable[[list[Any], list[Any]], bool]) -> list[int]:
        """The row groups that may hold what is wanted, by the least and greatest values of these columns.

        Either is None where the file does not say it.
        """
        described = self._file.metadata
        paths = {described.schema.column(each).path: each for each in range(described.num_columns)}
        at = [paths[name] for name in columns]
        found = []
        for number in range(described.num_row_groups):
            told = [described.row_group(number).column(each).statistics for each in at]
            known = [each if each is not None and each.has_min_max else None for each in told]
            least, greatest = ([each and getattr(each, side) for each in known] for side in ("min", "max"))
            if may_be_in(least, greatest):
                found.append(number)
        return found

    @contextmanager
    def _errors_naming(self) -> Iterator[None]:
        place = self._store.uri(self._name)
        try:
            yield
        except NotStored as error:
            raise damaged(self._store, f"{place} is gone", "a table names it") from error
        except (pa.ArrowException, OSError) as error:
            if cause := getattr(error, "errno", None):  # a disk's, not what Arrow makes of a content
                raise OSError(cause, os.strerror(cause), place) from error
            raise damaged(self._store, f"{place} cannot be read", error) from error


class _Abandoned(Exception):
    """Ends a file that is not to be there."""
