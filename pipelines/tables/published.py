"""The published tables, read without a JVM: deltalake finds the files of a version, DuckDB queries them.

SQL is put together from the constants of our modules alone; what a user or a mail says is always a parameter.
"""

from __future__ import annotations

from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from pipelines.tables.publication import damaged, latest, table_of
from pipelines.tables.versions import lacking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import deltalake
    import pyarrow.compute as pc
    import pyarrow.dataset as ds

    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Store

BATCH_ROWS = 1000


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
        """From now on a table has only rows that meet a condition; files that have none, by statistics, stay shut."""
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
            opened.add(name, _dataset(name, table_of(store, publication, name)))
        yield opened


def _dataset(name: str, table: deltalake.DeltaTable) -> ds.Dataset:
    """Its files; columns that it has not been upgraded to are null."""
    dataset = table.to_pyarrow_dataset()
    new = lacking(name, table)
    if not new:
        return dataset
    from pipelines.tables.schemas import TABLES  # imports PySpark, which takes longer than most queries

    schema = TABLES[name].arrow_schema()
    return dataset.replace_schema(pa.schema([*dataset.schema, *(schema.field(column) for column in new)]))
