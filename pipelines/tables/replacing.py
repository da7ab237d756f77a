"""Which of a table's files hold rows of chosen records, and what is left of a file without them.

Candidates are found by the statistics of topic, partition and offset in Delta's log. Each is then read once by some
process, which writes the rows that stay; a file of which nothing is chosen stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.errors import NotConserved
from pipelines.tables.datafiles import DAY, DataFile, Reader, write
from pipelines.tables.fence import PREFIX as FENCE
from pipelines.tables.ranges import OffsetRange, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import deltalake
    from numpy.typing import NDArray

    from pipelines.tables.schemas import Table
    from pipelines.tables.store.interface import Store

    Column: TypeAlias = pa.Array | pa.ChunkedArray

WHERE = ("topic", "log_partition", "log_offset")
_BOUNDS = (pa.string(), pa.int64(), pa.int64())  # their types
_OFFSETS = np.iinfo(np.int64)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A data file as the table's log has it."""

    path: str  # below the table's folder
    size: int  # bytes
    day: str | None  # its partition, YYYY-MM-DD; None where the table has none


@dataclass(frozen=True, slots=True)
class Survivors:
    """A file of which some rows are chosen, and the files that hold the others."""

    of: StoredFile
    files: tuple[DataFile, ...]  # one a day; none where all rows are chosen
    chosen: int  # rows; 0 where the file stays as it is


class Chosen:
    """Records by offset, however many ranges they are: a look-up costs the logarithm of their number."""

    def __init__(self, ranges: Iterable[OffsetRange]) -> None:
        found: dict[tuple[str, int], list[OffsetRange]] = defaultdict(list)
        for each in merged(ranges):
            found[each.topic, each.partition].append(each)
        self._ranges = {
            key: (np.array([each.start for each in parts]), np.array([each.stop for each in parts]))
            for key, parts in found.items()
        }

    def may_be_in(self, least: Sequence[Any], greatest: Sequence[Any]) -> bool:
        """Whether a file may hold any, by its statistics' bounds of topic, partition and offset; None: unknown."""
        one = (
            [pa.array([each], kind) for each, kind in zip(bounds, _BOUNDS, strict=True)] for bounds in (least, greatest)
        )
        return bool(self.may_be_in_each(*one)[0])

    def may_be_in_each(self, least: Sequence[Column], greatest: Sequence[Column]) -> NDArray[np.bool_]:
        """The same of many files: columns of bounds, of types string, int64 and int64; null: unknown."""
        low = pc.fill_null(least[2], _OFFSETS.min).to_numpy(zero_copy_only=False)
        high = pc.fill_null(greatest[2], _OFFSETS.max).to_numpy(zero_copy_only=False)
        found = np.zeros(len(low), np.bool_)
        for (topic, partition), (starts, stops) in self._ranges.items():
            begun, ended = np.searchsorted(starts, high, "right"), np.searchsorted(stops, low, "right")
            here = _within(topic, least[0], greatest[0]) & _within(partition, least[1], greatest[1])
            found |= here & (begun > ended)  # how many ranges begin up to the file's end, and end before it begins
        return found

    def among(self, batch: pa.RecordBatch) -> NDArray[np.bool_]:
        """For each row whether its record is chosen; the batch has columns topic, log_partition, log_offset."""
        topics = batch.column("topic").dictionary_encode()
        names, codes = topics.dictionary.to_pylist(), topics.indices.to_numpy(zero_copy_only=False)
        partitions = batch.column("log_partition").to_numpy(zero_copy_only=False)
        offsets = batch.column("log_offset").to_numpy(zero_copy_only=False)
        chosen = np.zeros(batch.num_rows, np.bool_)
        for (topic, partition), (starts, stops) in self._ranges.items():
            if topic in names:
                here = (codes == names.index(topic)) & (partitions == partition)
                at = np.searchsorted(starts, offsets, "right") - 1
                chosen |= here & (at >= 0) & (offsets < stops[np.maximum(at, 0)])
        return chosen


def described(stored: deltalake.DeltaTable, *columns: str) -> Iterator[tuple[StoredFile, tuple[Any, ...]]]:
    """The table's data files in the log's order, without the fence, and what that says of each in these columns.

    They are named as `get_add_actions` flattens them, as `min.log_offset`; None where the log says nothing.
    """
    yield from _described(pa.table(stored.get_add_actions(flatten=True)), columns)


def _described(actions: pa.Table, columns: Sequence[str]) -> Iterator[tuple[StoredFile, tuple[Any, ...]]]:
    named = ("path", "size_bytes", f"partition.{DAY}", *columns)
    for path, size, day, *told in zip(*(_column(actions, name).to_pylist() for name in named), strict=True):
        if not path.startswith(FENCE):
            yield StoredFile(path, size, None if day is None else str(day)), tuple(told)


def _column(actions: pa.Table, name: str) -> pa.ChunkedArray:
    return actions[name] if name in actions.schema.names else pa.chunked_array([pa.nulls(actions.num_rows)])


def candidates(stored: deltalake.DeltaTable, chosen: Chosen) -> list[StoredFile]:
    """The files that may hold rows of chosen records, in the log's order."""
    actions = pa.table(stored.get_add_actions(flatten=True))
    least, most = (
        [_column(actions, f"{kind}.{name}").cast(of) for name, of in zip(WHERE, _BOUNDS, strict=True)]
        for kind in ("min", "max")
    )
    may_hold = actions.filter(pa.array(chosen.may_be_in_each(least, most)))
    return [file for file, _ in _described(may_hold, ())]


def survivors(store: Store, table: Table, of: StoredFile, chosen: Chosen, run_id: str) -> Survivors:
    """Write what is left of a file without its chosen rows, durably, unless none is chosen.

    Raises OSError, TablesDamaged, and NotConserved where chosen rows and those that stay are not all that the file has.
    """
    name = f"{table.name}/{of.path}"
    with Reader(store, name) as file:
        rows = sum(int(chosen.among(batch).sum()) for batch in file.batches(WHERE))
        stays = _rows(file, table, of, lambda batch: ~chosen.among(batch))
        kept = tuple(write(stays, store, table, run_id)) if rows else ()
        stay, there = sum(each.rows for each in kept), file.rows
    if rows and rows + stay != there:
        raise NotConserved(f"of {there} rows of {store.uri(name)} {rows} are to be replaced, and {stay} would stay")
    return Survivors(of, kept, rows)


def chosen_rows(store: Store, table: Table, of: StoredFile, chosen: Chosen) -> Iterator[pa.RecordBatch]:
    """The rows of chosen records in a file, in the table's Arrow schema. Raises OSError, TablesDamaged."""
    with Reader(store, f"{table.name}/{of.path}") as file:
        yield from _rows(file, table, of, chosen.among, file.groups(WHERE, chosen.may_be_in))


def _rows(
    file: Reader,
    table: Table,
    of: StoredFile,
    wanted: Callable[[pa.RecordBatch], NDArray[np.bool_]],
    groups: Sequence[int] | None = None,
) -> Iterator[pa.RecordBatch]:
    for batch in file.batches(groups=groups):
        found = batch.filter(pa.array(wanted(batch)))
        if found.num_rows:
            yield as_written_now(found, table, of.day)


def as_written_now(batch: pa.RecordBatch, table: Table, day: str | None) -> pa.RecordBatch:
    """Rows of a file, whoever wrote it and when, in the table's Arrow schema: a column that it lacks is null."""
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    columns |= {name: pa.array([day] * batch.num_rows, pa.string()) for name in table.partitioned_by}
    schema = table.arrow_schema()
    return pa.RecordBatch.from_arrays(
        [
            columns[field.name].cast(field.type) if field.name in columns else pa.nulls(batch.num_rows, field.type)
            for field in schema
        ],
        schema=schema,
    )


def _within(value: Any, least: Column, greatest: Column) -> NDArray[np.bool_]:
    """Whether a value may lie between the bounds of each; one that is not known excludes nothing."""
    lies = pc.and_(
        pc.fill_null(pc.less_equal(least, value), True),
        pc.fill_null(pc.greater_equal(greatest, value), True),
    )
    found: NDArray[np.bool_] = lies.to_numpy(zero_copy_only=False)
    return found
