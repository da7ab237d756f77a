"""The published tables, read without a JVM: deltalake finds the files of a version, DuckDB queries them.

SQL is put together from the constants of our modules alone; what a user or a mail says is always a parameter.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from pipelines.tables.publication import damaged, latest, table_of
from pipelines.tables.versions import lacking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    import deltalake
    import pyarrow.dataset as ds

BATCH_ROWS = 1000


class Published:
    """The tables of one publication."""

    def __init__(self, root: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self._root = root
        self._connection = connection

    def rows(
        self, select: str, where: Iterable[str], order: str, parameters: Mapping[str, Any], limit: int | None = None
    ) -> Iterator[dict[str, Any]]:
        """The rows of a query, as they come: times in UTC, decimals exact. `$name` in the SQL is a parameter.

        Raises TablesDamaged when a file of theirs is gone, or not what was written.
        """
        sql = " ".join([select, "WHERE", " AND ".join(where) or "true", "ORDER BY", order])
        relation = self._connection.sql(sql, params=dict(parameters))
        if limit is not None:
            relation = relation.limit(limit)
        try:
            for batch in relation.to_arrow_reader(BATCH_ROWS):
                yield from batch.to_pylist()
        except (duckdb.InvalidInputException, duckdb.IOException, pa.ArrowException, OSError) as error:
            raise damaged(self._root, f"a file of the tables in {self._root} cannot be read", error) from error


@contextmanager
def published(root: Path, *tables: str) -> Iterator[Published]:
    """Open these tables at their published versions, with all columns of today.

    Raises NothingPublished, TablesDamaged, and SchemaDiffers if a later otclog wrote them.
    """
    publication = latest(root)
    # Nothing is fetched from anywhere, whatever a query says.
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    with duckdb.connect(config=config) as connection:
        for name in tables:
            connection.register(name, _dataset(name, table_of(root, publication, name)))
        yield Published(root, connection)


def _dataset(name: str, table: deltalake.DeltaTable) -> ds.Dataset:
    """Its files; columns that it has not been upgraded to are null."""
    dataset = table.to_pyarrow_dataset()
    new = lacking(name, table)
    if not new:
        return dataset
    from pipelines.tables.schemas import TABLES  # imports PySpark, which takes longer than most queries

    schema = TABLES[name].arrow_schema()
    return dataset.replace_schema(pa.schema([*dataset.schema, *(schema.field(column) for column in new)]))
