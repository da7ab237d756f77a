"""Commits to the Delta tables: rows replaced exactly, in one commit each, on the disk before anybody relies on them."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import deltalake
import pyarrow as pa
from deltalake.exceptions import DeltaError

from log.disk.files import fsync_folder
from pipelines.errors import JobCutOff, NothingPublished
from pipelines.tables.files import private_folder, remove, sync_file
from pipelines.tables.publication import latest
from pipelines.tables.versions import PROPERTY, present

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pipelines.tables.ranges import Where
    from pipelines.tables.schemas import Table


# To clean up may remove what the published version stands on, as long as the next one is not published.
_KEEP_LOG = deltalake.PostCommitHookProperties(create_checkpoint=True, cleanup_expired_logs=False)
_IS_DUE_TO = re.compile(r"\s*\x1b\[\d+m↳\x1b\[0m\s*")  # Delta prints each cause of an error on a red line of its own


@dataclass(frozen=True, slots=True)
class Commit:
    """What a write left."""

    version: int
    rows: int  # there are now, of the records that were written


def create(root: Path, table: Table) -> None:
    """Make the table if it is not there. The caller holds its lock."""
    folder = private_folder(root / table.name)
    with _errors_naming(folder):
        if deltalake.DeltaTable.is_deltatable(str(folder)):
            return
        schema = deltalake.Schema.from_json(table.schema.json())
        deltalake.DeltaTable.create(
            str(folder),
            schema=schema,
            partition_by=list(table.partitioned_by),
            configuration={PROPERTY: str(present(table.name))},
            raise_if_key_not_exists=False,  # the property is none of Delta's own
        )
        _make_durable(folder, -1, 0)


def replace(
    rows: Iterable[pa.RecordBatch], root: Path, table: Table, where: Where, metadata: Mapping[str, object]
) -> Commit:
    """Put `rows`, all of them `where`, in the place of the rows that are; return when that is durable.

    `metadata` goes into the commit. The caller holds the table's lock. Raises JobCutOff.
    """
    folder = root / table.name
    with _errors_naming(folder):
        stored = deltalake.DeltaTable(str(folder))
        before = stored.version()
        there = stored.to_pyarrow_dataset().head(1, columns=[], filter=where.arrow).num_rows
        full = (batch for batch in rows if batch.num_rows)
        first = next(full, None)
        if first is not None or there:
            given = pa.RecordBatchReader.from_batches(table.arrow_schema(), chain([first] if first else [], full))
            properties = deltalake.CommitProperties(custom_metadata={"userMetadata": json.dumps(metadata)})
            # Where there is nothing to replace an append need not look for it in the table's files.
            mode: dict[str, Any] = {"mode": "overwrite", "predicate": where.sql} if there else {"mode": "append"}
            deltalake.write_deltalake(
                stored, given, commit_properties=properties, post_commithook_properties=_KEEP_LOG, **mode
            )
        _make_durable(folder, _published(root, table), stored.version())
        written = stored.to_pyarrow_dataset().count_rows(filter=where.arrow) if stored.version() > before else 0
    return Commit(stored.version(), written)


def put_back(root: Path, table: Table) -> None:
    """Make the table what readers see, durably, whatever a writer that died, or whose power failed, left behind that.

    Nobody was told of versions after the published one. The caller holds the table's lock. Raises JobCutOff.
    """
    folder, published = root / table.name, _published(root, table)
    _drop_torn(folder / "_delta_log", published)
    if not deltalake.DeltaTable.is_deltatable(str(folder)):
        return  # its first writer died before it was made
    with _errors_naming(folder):
        stored = deltalake.DeltaTable(str(folder))
        if stored.version() > max(published, 0):
            stored.restore(max(published, 0))
    _make_durable(folder, published, stored.version())


def _drop_torn(log: Path, published: int) -> None:
    """Remove a commit that a power cut left in part, and those that stand on it; checkpoints are made again."""
    for hint in log.glob("_last_checkpoint"):
        if not (told := _entries(hint)) or told[0].get("version", 0) > published:
            remove(hint)
    after = {file: int(file.name[:20]) for file in log.glob("[0-9]*") if int(file.name[:20]) > published}
    torn = min((at for file, at in after.items() if file.suffix == ".json" and not _entries(file)), default=None)
    for file, at in after.items():
        if ".checkpoint" in file.name or (torn is not None and at >= torn):
            remove(file)


def _entries(file: Path) -> list[dict[str, Any]]:
    """What a file of Delta's log says; nothing if some of it is not there."""
    try:
        return [json.loads(line) for line in file.read_bytes().splitlines()]
    except ValueError:
        return []


def _published(root: Path, table: Table) -> int:
    """The version that readers see; -1 where there is none."""
    try:
        return latest(root).versions[table.name]
    except NothingPublished:
        return -1


@contextmanager
def _errors_naming(folder: Path) -> Iterator[None]:
    try:
        yield
    except (DeltaError, OSError) as error:
        raise JobCutOff(f"table {folder} is not written: {_IS_DUE_TO.sub(': ', str(error).strip())}") from error


def _make_durable(folder: Path, durable: int, version: int) -> None:
    """Delta does not fsync on a local file system, and a group's offsets must not outlive the rows they stand for.

    All versions after `durable` are synced: the driver that made one of them may have died before it came to this.
    """
    log = folder / "_delta_log"
    named = [log / f"{each:020}.json" for each in range(min(durable + 1, version), version + 1)]
    commits = [commit for commit in named if commit.exists()]  # Delta removes old ones that a checkpoint stands for
    actions = [json.loads(line) for commit in commits for line in commit.read_bytes().splitlines()]
    removed = {action["remove"]["path"] for action in actions if "remove" in action}
    added = {action["add"]["path"] for action in actions if "add" in action}
    data = [folder / unquote(path) for path in added - removed]
    logged = [file for commit in commits for file in log.glob(f"{commit.stem}.*")]
    for file in [*data, *logged, *log.glob("_last_checkpoint")]:
        sync_file(file)
    for each in {*(file.parent for file in data), log, folder, folder.parent}:
        fsync_folder(each)
