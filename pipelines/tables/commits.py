"""Commits to the Delta tables: names of files, added and removed in one commit each, durable before it returns.

Whoever commits reads and writes no row: data files are written, flushed and described by others (`datafiles`).
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import deltalake
from deltalake.exceptions import DeltaError
from deltalake.transaction import AddAction, RemoveAction

from log.disk.files import fsync_folder
from log.times import now_ms
from pipelines.errors import FilesMissing, JobCutOff, NothingPublished
from pipelines.tables.datafiles import DataFile, partition_values
from pipelines.tables.files import private_folder, remove, sync_file
from pipelines.tables.publication import latest
from pipelines.tables.replacing import StoredFile
from pipelines.tables.versions import PROPERTY, present

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pipelines.tables.schemas import Table


# To clean up may remove what the published version stands on, as long as the next one is not published.
KEEP_LOG = deltalake.PostCommitHookProperties(create_checkpoint=True, cleanup_expired_logs=False)
_IS_DUE_TO = re.compile(r"\s*\x1b\[\d+m↳\x1b\[0m\s*")  # Delta prints each cause of an error on a red line of its own


@dataclass(frozen=True, slots=True)
class Change:
    """What one commit does to a table: files that it names from then on, and files that it names no longer."""

    added: tuple[DataFile, ...] = ()
    removed: tuple[StoredFile, ...] = ()

    @property
    def rows(self) -> int:
        """In the files that are added."""
        return sum(file.rows for file in self.added)


def create(root: Path, table: Table) -> None:
    """Make the table if it is not there. The caller holds its lock."""
    folder = private_folder(root / table.name)
    with commit_errors_naming(folder):
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
        make_durable(folder, -1, 0)


def require_files(root: Path, table: Table, change: Change) -> None:
    """See to what delta-rs takes on trust: every file to be added is there, every one to be removed is in the table.

    The caller holds the table's lock. Raises FilesMissing.
    """
    folder = root / table.name
    for file in change.added:
        if not (path := folder / file.path).is_file() or path.stat().st_size != file.size:
            raise FilesMissing(f"{path} is not there with the {file.size} bytes that were written")
    if change.removed:
        known = paths_in(folder)
        if gone := [file.path for file in change.removed if file.path not in known]:
            raise FilesMissing(f"{folder} does not hold {gone[0]}, whose rows were to be replaced")


def paths_in(folder: Path) -> set[str]:
    """The data files that a table's newest version holds, below its folder; none where there is no table."""
    if not deltalake.DeltaTable.is_deltatable(str(folder)):
        return set()
    return set(deltalake.DeltaTable(str(folder)).get_add_actions()["path"].to_pylist())


def commit(root: Path, table: Table, change: Change, metadata: Mapping[str, object]) -> int:
    """Make the change in one commit, durably; the version that the table has then. No change is no commit.

    `metadata` goes into the commit. The caller holds the table's lock. Raises FilesMissing, JobCutOff: nothing is
    committed then.
    """
    folder = root / table.name
    require_files(root, table, change)
    with commit_errors_naming(folder):
        stored = deltalake.DeltaTable(str(folder))
        if change.added or change.removed:
            stored.create_write_transaction(
                _actions(table, change),
                "append",
                stored.schema(),
                list(table.partitioned_by),
                commit_properties=deltalake.CommitProperties(custom_metadata={"userMetadata": json.dumps(metadata)}),
                post_commithook_properties=KEEP_LOG,
            )
            stored.update_incremental()
        make_durable(folder, _published(root, table), stored.version())
    return stored.version()


def _actions(table: Table, change: Change) -> list[AddAction | RemoveAction]:
    now = now_ms()
    removed = [
        RemoveAction(file.path, True, now, file.size, partition_values(table, file.day)) for file in change.removed
    ]
    added = [
        AddAction(file.path, file.size, partition_values(table, file.day), now, True, file.statistics)
        for file in change.added
    ]
    return [*removed, *added]


def put_back(root: Path, table: Table) -> None:
    """Make the table what readers see, durably, whatever a writer that died, or whose power failed, left behind that.

    Nobody was told of versions after the published one. The caller holds the table's lock. Raises JobCutOff.
    """
    folder, published = root / table.name, _published(root, table)
    _drop_torn(folder / "_delta_log", published)
    if not deltalake.DeltaTable.is_deltatable(str(folder)):
        return  # its first writer died before it was made
    with commit_errors_naming(folder):
        stored = deltalake.DeltaTable(str(folder))
        if stored.version() > max(published, 0):
            stored.restore(max(published, 0))
    make_durable(folder, published, stored.version())


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
def commit_errors_naming(folder: Path) -> Iterator[None]:
    """What a commit fails by, as JobCutOff with the table's folder."""
    try:
        yield
    except (DeltaError, OSError) as error:
        raise JobCutOff(f"table {folder} is not written: {_IS_DUE_TO.sub(': ', str(error).strip())}") from error


def make_durable(folder: Path, durable: int, version: int) -> None:
    """Delta does not fsync on a local file system, and a group's offsets must not outlive the rows they stand for.

    All versions after `durable` are synced: the driver that made one of them may have died before it came to this. Data
    files are durable before a commit names them.
    """
    log = folder / "_delta_log"
    versions = range(min(durable + 1, version), version + 1)
    for file in [*(file for each in versions for file in log.glob(f"{each:020}.*")), *log.glob("_last_checkpoint")]:
        sync_file(file)
    for each in (log, folder, folder.parent):
        fsync_folder(each)
