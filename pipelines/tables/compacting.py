"""Many small files of a table and day into few: which ones, and the rows of some as one file.

A file is written anew only together with smaller ones of its day that have at least as many rows as it has: so a row
is written anew about as often as the day's rows double, and of each day as many files stay. One of LARGE_BYTES stays
as it is. Tables whose rows have no day count as one day.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pyarrow as pa

from pipelines.errors import NotConserved
from pipelines.tables.datafiles import BATCH_ROWS, DAY, DataFile, Reader, write
from pipelines.tables.replacing import WHERE, StoredFile, as_written_now, described

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import deltalake

    from pipelines.tables.schemas import Table
    from pipelines.tables.store.interface import Store

LARGE_BYTES = 64 << 20
PART_BYTES = 128 << 20  # that are read for one new file, at least where there are as many: it is a large one then
WINDOW_BYTES = 64 << 20  # of Arrow's, within which rows are put in order


@dataclass(frozen=True, slots=True)
class Part:
    """Files of one table and day whose rows one task puts into one file."""

    table: str
    files: tuple[StoredFile, ...]  # by where their records lie

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class _Found:
    of: StoredFile
    rows: int
    day: str | None  # of all its rows; None: there is none, or there are several
    first: tuple[Any, ...]  # lowest values of the columns that rows are ordered by

    @property
    def size(self) -> int:
        return self.of.size


class Sized(Protocol):
    """What has bytes."""

    @property
    def size(self) -> int:
        """How many."""


class Filled(Protocol):
    """What has rows."""

    @property
    def rows(self) -> int:
        """How many."""


S = TypeVar("S", bound=Sized)
F = TypeVar("F", bound=Filled)


def due(stored: deltalake.DeltaTable, table: Table) -> list[Part]:
    """What is to be written anew of a table, a file each."""
    days: dict[str | None, list[_Found]] = defaultdict(list)
    for file in _files(stored, table):
        if file.size < LARGE_BYTES:
            days[file.day].append(file)
    parts = (files for found in days.values() for files in _parts(smallest_together(found)))
    return [Part(table.name, tuple(file.of for file in files)) for files in parts]


def smallest_together(files: Iterable[F]) -> list[F]:
    """Of a day's files the smallest, up to the last that has no more rows than those before it together."""
    ordered = sorted(files, key=lambda file: file.rows)
    smaller = accumulate((file.rows for file in ordered), initial=0)
    ends = [at for at, (file, rows) in enumerate(zip(ordered, smaller, strict=False)) if file.rows <= rows]
    last = max(ends, default=0)
    return ordered[: last + 1] if last else []


def _parts(files: Sequence[_Found]) -> list[list[_Found]]:
    in_order = sorted(files, key=lambda file: [(value is not None, value) for value in file.first])
    return shares(in_order, max(1, sum(file.size for file in files) // PART_BYTES))


def shares(files: Sequence[S], number: int) -> list[list[S]]:
    """In this order, in at most so many lists of about equal bytes."""
    total = max(1, sum(file.size for file in files))
    found: list[list[S]] = [[] for _ in range(number)]
    for file, end in zip(files, accumulate(file.size for file in files), strict=True):
        found[min(number - 1, (end - file.size) * number // total)].append(file)
    return [each for each in found if each]


def compacted(store: Store, table: Table, part: Part, run_id: str) -> list[DataFile]:
    """Write the rows of a part's files into one, durably; into one a day where these have several.

    Raises OSError, TablesDamaged, and NotConserved unless all rows are there again.
    """
    there = [0]
    made = write(_in_order(_rows(store, table, part, there), table), store, table, run_id)
    rows = sum(file.rows for file in made)
    if rows != there[0]:
        raise NotConserved(
            f"of {there[0]} rows of {len(part.files)} files of {store.uri(table.name)} {rows} are written"
        )
    return made


def _rows(store: Store, table: Table, part: Part, there: list[int]) -> Iterator[pa.RecordBatch]:
    for of in part.files:
        with Reader(store, f"{table.name}/{of.path}") as file:
            there[0] += file.rows
            for batch in file.batches():
                yield as_written_now(batch, table, of.day)


def _in_order(batches: Iterable[pa.RecordBatch], table: Table) -> Iterator[pa.RecordBatch]:
    """Ordered within windows, which bound the memory: the files come in the order of their first records."""
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        held.append(batch)
        size += batch.nbytes
        if size >= WINDOW_BYTES:
            yield from _ordered(held, table)
            held, size = [], 0
    yield from _ordered(held, table)


def _ordered(held: Sequence[pa.RecordBatch], table: Table) -> Iterator[pa.RecordBatch]:
    if held:
        found = pa.Table.from_batches(held).sort_by([(name, "ascending") for name in _order(table)])
        yield from found.to_batches(BATCH_ROWS)


def _order(table: Table) -> Sequence[str]:
    return WHERE if WHERE[0] in table.schema.names else table.schema.names[:1]


def _files(stored: deltalake.DeltaTable, table: Table) -> Iterator[_Found]:
    bounds = (f"min.{DAY}", f"max.{DAY}", *(f"min.{name}" for name in _order(table)))
    for file, (count, least, most, *first) in described(stored, "num_records", *bounds):
        one = str(least) if least is not None and least == most else None
        yield _Found(file, count or 0, file.day or one, tuple(first))
