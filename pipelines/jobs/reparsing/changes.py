"""What a shadow would change: each row that would be another one, and how many there are of what kind."""

from __future__ import annotations

from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from pipelines.jobs.reparsing import shadows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipelines.jobs.reparsing.shadows import Shadow
    from pipelines.tables.store.interface import Store

BATCH_ROWS = 1000
_SUMMARY = """
    SELECT * FROM (
        SELECT "table", kind, dealer, asset_class, format, reason, field.name AS field, count(*)::BIGINT AS rows
        FROM (SELECT *, unnest(CASE WHEN len(fields) > 0 THEN fields ELSE [NULL] END) AS field FROM differences)
        GROUP BY ALL
    )
    ORDER BY "table" = 'quotes' DESC, "table", kind, rows DESC, dealer, asset_class, format, reason, field
"""


def summary(store: Store, shadow: Shadow) -> list[dict[str, Any]]:
    """Rows added, lost and changed, counted by table, dealer, asset class, format, reason and field; quotes first."""
    return queried(store, shadow, _SUMMARY)


def differing(store: Store, shadow: Shadow) -> Iterator[dict[str, Any]]:
    """Each row that would be another one (SCHEMA of `readers.differences`), in the order of the log."""
    with _read(store, shadow.id) as file:
        for batch in file.iter_batches(BATCH_ROWS):
            yield from batch.to_pylist()


def queried(
    store: Store, shadow: Shadow, sql: str, parameters: Mapping[str, Any] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """The rows of a query over `differences`, which may name it once. Raises TablesDamaged."""
    with _read(store, shadow.id) as file, duckdb.connect() as connection:
        connection.register("differences", pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches()))
        found: list[dict[str, Any]] = connection.sql(sql, params=dict(parameters)).to_arrow_table().to_pylist()
    return found


@contextmanager
def _read(store: Store, shadow_id: str) -> Iterator[pq.ParquetFile]:
    """The file of the differences. Raises TablesDamaged, also within the block, where it is not what was written."""
    name = shadows.name_of(shadow_id, shadows.DIFFERENCES)
    try:
        with pq.ParquetFile(store.open_read(name)) as file:
            yield file
    except (duckdb.InvalidInputException, duckdb.IOException, pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None):  # a disk's, not what Arrow makes of a content
            raise
        raise shadows.damaged(store, name, f"it is not what was written: {str(error).strip()}") from error
