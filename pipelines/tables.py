"""Commits to the Delta tables: rows replaced exactly, in one commit each, on the disk before anybody relies on them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import deltalake
import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema

from pipelines.errors import NothingPublished
from pipelines.files import private_folder, sync_file, sync_folder
from pipelines.publication import latest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from pipelines.ranges import Where
    from pipelines.schemas import Table


@dataclass(frozen=True, slots=True)
class Commit:
    """What a write left."""

    version: int
    rows: int  # written


def create(root: Path, table: Table) -> None:
    """Make the table if it is not there. The caller holds its lock."""
    folder = private_folder(root / table.name)
    if deltalake.DeltaTable.is_deltatable(str(folder)):
        return
    schema = deltalake.Schema.from_json(table.schema.json())
    deltalake.DeltaTable.create(str(folder), schema=schema, partition_by=list(table.partitioned_by))
    _make_durable(folder, -1, 0)


def replace(rows: DataFrame, root: Path, table: Table, where: Where, metadata: Mapping[str, object]) -> Commit:
    """Put `rows`, all of them `where`, in the place of the rows that are; return when that is durable.

    `metadata` goes into the commit. The caller holds the table's lock.
    """

    def write(folder: str, *, anew: bool) -> None:
        writer = rows.write.format("delta").option("userMetadata", json.dumps(metadata))
        # With nothing to replace an append gives the same rows at a third of the cost.
        writer = writer.mode("append") if anew else writer.mode("overwrite").option("replaceWhere", where.sql)
        writer.save(folder)

    return _commit(root, table, where, write)


def replace_row(
    row: Mapping[str, object], root: Path, table: Table, where: Where, metadata: Mapping[str, object]
) -> Commit:
    """The same for one row, by delta-rs: Spark takes seconds for a commit."""

    def write(folder: str, *, anew: bool) -> None:
        properties = deltalake.CommitProperties(custom_metadata={"userMetadata": json.dumps(metadata)})
        arrow = pa.Table.from_pylist([dict(row)], to_arrow_schema(table.schema, timezone="UTC"))
        if anew:
            deltalake.write_deltalake(folder, arrow, mode="append", commit_properties=properties)
        else:
            deltalake.write_deltalake(
                folder, arrow, mode="overwrite", predicate=where.sql, commit_properties=properties
            )

    return Commit(_commit(root, table, where, write).version, 1)


def _commit(root: Path, table: Table, where: Where, write: Callable[..., None]) -> Commit:
    folder = root / table.name
    stored = deltalake.DeltaTable(str(folder))
    before = stored.version()
    there = stored.to_pyarrow_dataset().head(1, columns=[], filter=where.arrow).num_rows
    write(str(folder), anew=not there)

    stored.update_incremental()
    commit = _make_durable(folder, _published(root, table), stored.version())
    committed = stored.version() > before  # not if there were no rows, before and now
    return Commit(stored.version(), _rows_written(commit["operationMetrics"]) if committed else 0)


def put_back(spark: SparkSession, root: Path, table: Table, where: Where, metadata: Mapping[str, object]) -> None:
    """Make the rows `where` those that readers see, durably. The caller holds the table's lock."""
    version = _published(root, table)
    if version < 0:
        rows = spark.createDataFrame([], table.schema)
    else:
        stored = spark.read.format("delta").option("versionAsOf", version).load(str(root / table.name))
        rows = stored.where(where.sql)
    replace(rows, root, table, where, metadata)


def _published(root: Path, table: Table) -> int:
    """The version that readers see; -1 where there is none."""
    try:
        return latest(root).versions[table.name]
    except NothingPublished:
        return -1


def _rows_written(metrics: Mapping[str, str]) -> int:
    """Without those that stood in a rewritten file beside the ones replaced."""
    return int(metrics.get("numOutputRows", 0)) - int(metrics.get("numCopiedRows", 0))


def _make_durable(folder: Path, durable: int, version: int) -> dict[str, Any]:
    """Delta does not fsync on a local file system, and a group's offsets must not outlive the rows they stand for.

    All versions after `durable` are synced: the driver that made one of them may have died before it came to this.
    Returns the information of the commit `version`.
    """
    log = folder / "_delta_log"
    named = [log / f"{each:020}.json" for each in range(min(durable + 1, version), version + 1)]
    commits = [commit for commit in named if commit.exists()]  # Delta removes old ones that a checkpoint stands for
    actions = [json.loads(line) for commit in commits for line in commit.read_text("utf-8").splitlines()]
    removed = {action["remove"]["path"] for action in actions if "remove" in action}
    added = {action["add"]["path"] for action in actions if "add" in action}
    data = [folder / unquote(path) for path in added - removed]
    logged = [file for commit in commits for file in log.glob(f"{commit.stem}.*")]
    for file in [*data, *logged, *log.glob("_last_checkpoint")]:
        sync_file(file)
    for each in {*(file.parent for file in data), log, folder, folder.parent}:
        sync_folder(each)
    return next(action["commitInfo"] for action in reversed(actions) if "commitInfo" in action)
