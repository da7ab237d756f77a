"""The published tables, read without a JVM: deltalake finds the files of a version, DuckDB queries them.

SQL is put together from the constants of our modules alone; what a user or a mail says is always a parameter.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from deltalake.fs import DeltaStorageHandler
from pyarrow.fs import PyFileSystem

from pipelines.tables.datafiles import DAY
from pipelines.tables.publication import damaged, latest, table_of
from pipelines.tables.replacing import described
from pipelines.tables.versions import lacking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import deltalake

    from pipelines.tables.publication import Publication
    from pipelines.tables.replacing import StoredFile
    from pipelines.tables.store.interface import Store

BATCH_ROWS = 1000
# What queries narrow by. None may be null: of a column with bounds Arrow takes for granted that each row has a value.
BOUNDED = (DAY, "log_partition", "log_offset", "run_id")


class Published:
    """The tables of one publication. A query is a SELECT, its conditions and an order; `$name` in it is a parameter.

    Queries raise TablesDamaged when a file of theirs is gone, or not what was written.
    """

    def __init__(self, store: Store, connection: duckdb.DuckDBPyConnection) -> None:
        self._store = store
        self._connection = connection
        self._datasets: dict[str, ds.Dataset] = {}

    def add(self, name: str, dataset: ds.Dataset) -> None:
        """Let queries know it by this name."""
        self._datasets[name] = dataset
        self._connection.register(name, dataset)

    def rows(
        self, select: str, where: Iterable[str], order: str, parameters: Mapping[str, Any], limit: int | None = None
    ) -> Iterator[dict[str, Any]]:
        """The rows of a query, as they come: times in UTC, decimals exact."""
        relation = self._query(select, where, order, parameters, limit)
        with self._damage_told():
            for batch in relation.to_arrow_reader(BATCH_ROWS):
                yield from batch.to_pylist()

    def hold(
        self,
        name: str,
        select: str,
        where: Iterable[str] = (),
        *,
        order: str = "",
        parameters: Mapping[str, Any] = MappingProxyType({}),
        limit: int | None = None,
    ) -> pa.Table:
        """The same at once, in memory, in any order without one; later queries know it by `name`."""
        relation = self._query(select, where, order, parameters, limit)
        with self._damage_told():
            found = relation.to_arrow_table()
        self._connection.register(name, found)
        return found

    def narrow(self, name: str, where: pc.Expression) -> None:
        """From now on a table has only rows that meet a condition; files that have none, by BOUNDED, stay shut."""
        self._connection.register(name, self._datasets[name].filter(where))

    def _query(
        self, select: str, where: Iterable[str], order: str, parameters: Mapping[str, Any], limit: int | None
    ) -> duckdb.DuckDBPyRelation:
        sql = " ".join([select, "WHERE", " AND ".join(where) or "true", *(["ORDER BY", order] if order else [])])
        relation = self._connection.sql(sql, params=dict(parameters))
        return relation if limit is None else relation.limit(limit)

    @contextmanager
    def _damage_told(self) -> Iterator[None]:
        try:
            yield
        except (duckdb.InvalidInputException, duckdb.IOException, pa.ArrowException, OSError) as error:
            if refusal := self._store.refusal(str(error), ""):
                raise refusal from None
            raise damaged(self._store, f"a file of the tables in {self._store.uri()} cannot be read", error) from error


@contextmanager
def published(store: Store, *tables: str, at: Publication | None = None) -> Iterator[Published]:
    """Open these tables as the newest publication, or `at` another one, shows them, with all columns of today.

    Raises NothingPublished, TablesDamaged, and SchemaDiffers if a later otclog wrote them.
    """
    publication = at or latest(store)
    # Nothing is fetched from anywhere, whatever a query says.
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    with duckdb.connect(config=config) as connection:
        opened = Published(store, connection)
        for name in tables:
            opened.add(name, _dataset(store, name, table_of(store, publication, name)))
        yield opened


def _dataset(store: Store, name: str, table: deltalake.DeltaTable) -> ds.Dataset:
    """Its files, each with its bounds of what queries narrow by; columns that it has not been upgraded to are null.

    Delta's own dataset has the bounds of every column, which takes 4 ms a file to build.
    """
    schema = pa.schema(table.schema().to_arrow())
    bounded = [column for column in BOUNDED if column in schema.names]
    bounds = [f"{kind}.{column}" for column in bounded for kind in ("min", "max")]
    files = [(file, dict(zip(bounds, told, strict=True))) for file, told in described(table, *bounds)]
    # Who opens a file does not ask for its size: Arrow would stand still where that one is gone.
    sizes = {file.path: file.size for file, _ in files}
    filesystem = PyFileSystem(DeltaStorageHandler(table.table_uri, store.storage_options(), sizes))
    form = ds.ParquetFileFormat(default_fragment_scan_options=ds.ParquetFragmentScanOptions(pre_buffer=True))
    fragments = [form.make_fragment(file.path, filesystem, _known(schema, file, told, bounded)) for file, told in files]
    dataset = ds.FileSystemDataset(fragments, schema, form, filesystem)
    new = lacking(name, table)
    if not new:
        return dataset
    from pipelines.tables.schemas import TABLES  # imports PySpark, which takes longer than most queries

    wider = TABLES[name].arrow_schema()
    return dataset.replace_schema(pa.schema([*schema, *(wider.field(column) for column in new)]))


def _known(schema: pa.Schema, file: StoredFile, bounds: Mapping[str, Any], columns: Iterable[str]) -> pc.Expression:
    """What holds for all rows of the file."""
    known = pc.scalar(True)
    if file.day is not None:
        known &= pc.field(DAY) == pa.scalar(date.fromisoformat(file.day))
    for column in columns:
        least, most = bounds[f"min.{column}"], bounds[f"max.{column}"]
        if least is not None and most is not None:
            kind = schema.field(column).type
            known &= (pc.field(column) >= pa.scalar(least, kind)) & (pc.field(column) <= pa.scalar(most, kind))
    return known
