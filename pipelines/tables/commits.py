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

from log.times import now_ms
from pipelines.errors import FilesMissing, JobCutOff, NotStored
from pipelines.tables.datafiles import DataFile, partition_values
from pipelines.tables.delta import opened, opened_if_there, refusals_told
from pipelines.tables.fence import committed_as, fences, refenced
from pipelines.tables.publication import NOTHING, version_in
from pipelines.tables.replacing import StoredFile, described
from pipelines.tables.versions import PROPERTY, present

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipelines.tables.publication import Publication
    from pipelines.tables.schemas import Table
    from pipelines.tables.store.interface import Hold, Store


# To clean up may remove what the published version stands on, as long as the next one is not published.
KEEP_LOG = deltalake.PostCommitHookProperties(create_checkpoint=True, cleanup_expired_logs=False)
LOG_PROPERTIES = {
    # Of files that a table holds no longer its checkpoints would say so for a week: of 300,000 that takes 8 s to write.
    "delta.deletedFileRetentionDuration": "interval 1 hours",
    # Who opens a table reads each commit since the last checkpoint: of Delta's 100 that takes 25 ms in the mean, and a
    # run opens tables some thirty times; of 20 it is 10 ms, and a commit takes half the time.
    "delta.checkpointInterval": "20",
}
_IS_DUE_TO = re.compile(r"\s*\x1b\[\d+m↳\x1b\[0m\s*")  # Delta prints each cause of an error on a red line of its own


@dataclass(frozen=True, slots=True)
class Change:
    """What one commit does to a table: files that it names from then on, and files that it names no longer."""

    added: tuple[DataFile, ...] = ()
    removed: tuple[StoredFile, ...] = ()
    is_new_data: bool = True  # False: the same rows in other files, which who follows the table's changes may pass over

    @property
    def rows(self) -> int:
        """In the files that are added."""
        return sum(file.rows for file in self.added)


def create(store: Store, table: Table, hold: Hold) -> None:
    """Make the table if it is not there. The caller holds the tables by `hold`. Raises LeaseLost, JobCutOff."""
    with commit_errors_naming(store, table.name):
        if opened_if_there(store, table.name):
            return
        store.make_folder(table.name)
        hold.check()
        schema = deltalake.Schema.from_json(table.schema.json())
        deltalake.DeltaTable.create(
            store.uri(table.name),
            schema=schema,
            partition_by=list(table.partitioned_by),
            configuration={PROPERTY: str(present(table.name))} | LOG_PROPERTIES,
            storage_options=store.storage_options(),
            raise_if_key_not_exists=False,  # the property is none of Delta's own
        )
        make_durable(store, table.name, -1, 0)


def require_files(store: Store, table: Table, change: Change) -> None:
    """See to what delta-rs takes on trust: every file to be added is there, every one to be removed is in the table.

    The caller holds the tables. Raises FilesMissing.
    """
    for file in change.added:
        name = f"{table.name}/{file.path}"
        if _size(store, name) != file.size:
            raise FilesMissing(f"{store.uri(name)} is not there with the {file.size} bytes that were written")
    if change.removed:
        known = paths_in(store, table.name)
        if gone := [file.path for file in change.removed if file.path not in known]:
            raise FilesMissing(f"{store.uri(table.name)} does not hold {gone[0]}, whose rows were to be replaced")


def _size(store: Store, name: str) -> int | None:
    try:
        return store.size(name)
    except NotStored:
        return None


def paths_in(store: Store, name: str) -> set[str]:
    """The files that a table holds at its newest version, below its folder; none where there is no table."""
    stored = opened_if_there(store, name)
    return set(stored.get_add_actions()["path"].to_pylist()) if stored else set()


def commit(
    store: Store,
    table: Table,
    change: Change,
    metadata: Mapping[str, object],
    hold: Hold,
    *,
    published: Publication = NOTHING,
) -> int:
    """Make the change in one commit, durably; the version that the table has then. No change is no commit.

    `metadata` goes into the commit. What is `published` was made durable before. The caller holds the tables by `hold`,
    and has asked `require_files`. Raises LeaseLost, JobCutOff: nothing is committed then, unless the store became
    unreachable at this very moment.
    """
    with commit_errors_naming(store, table.name):
        stored = opened(store, table.name)
        version = stored.version()
        if change.added or change.removed:
            if not store.is_local and not fences(stored):
                hold.check()
                _transact(store, table, stored, [])  # a commit of its own, for the next one to remove
                stored.update_incremental()
            hold.check()  # of a snapshot taken before: who stands still from here on meets the fence
            version = _transact(store, table, stored, _actions(table, change), metadata)
            if not change.is_new_data:
                version = _begin_anew(store, table, hold)
        make_durable(store, table.name, version_in(store, published, table.name), version)
    return version


def _begin_anew(store: Store, table: Table, hold: Hold) -> int:
    """Make a checkpoint where few files stand for many, so that who opens the table reads of these alone.

    Returns the version that it is of. Delta refuses a change of properties that another commit came before, so that
    needs no fence.
    """
    stored = opened(store, table.name)
    if not LOG_PROPERTIES.items() <= stored.metadata().configuration.items():
        hold.check()
        stored.alter.set_table_properties(LOG_PROPERTIES, post_commithook_properties=KEEP_LOG)
    stored.create_checkpoint()
    return stored.version()


def _transact(
    store: Store,
    table: Table,
    stored: deltalake.DeltaTable,
    actions: list[AddAction | RemoveAction],
    metadata: Mapping[str, object] | None = None,
) -> int:
    """One commit of these actions from the table's snapshot; the version that it made.

    In a bucket the fence is among them: where somebody has committed since that snapshot, it fails. And an error may be
    that of an answer that was lost: delta-rs then finds its own commit in its way.
    """
    before = stored.version()
    fence = [] if store.is_local else refenced(store, table.name, stored)
    try:
        stored.create_write_transaction(
            [*actions, *fence],
            "append",
            stored.schema(),
            list(table.partitioned_by),
            commit_properties=deltalake.CommitProperties(custom_metadata={"userMetadata": json.dumps(metadata or {})}),
            post_commithook_properties=KEEP_LOG,
        )
    except (DeltaError, OSError):
        if (version := committed_as(store, table.name, before, fence)) is None:
            raise
        return version
    return before + 1 if store.is_local else committed_as(store, table.name, before, fence) or before + 1


def _actions(table: Table, change: Change) -> list[AddAction | RemoveAction]:
    now = now_ms()
    removed = [
        RemoveAction(file.path, change.is_new_data, now, file.size, partition_values(table, file.day))
        for file in change.removed
    ]
    added = [
        AddAction(file.path, file.size, partition_values(table, file.day), now, change.is_new_data, file.statistics)
        for file in change.added
    ]
    return [*removed, *added]


def put_back(store: Store, table: Table, hold: Hold, published: Publication) -> int:
    """Make the table what readers see, durably, whatever a writer that died, or whose power failed, left behind that.

    Nobody was told of versions after the published one. In a bucket that takes a commit in any case: a writer that
    stands still amid one meets another fence then. Returns the version that the table has, -1 where there is none. The
    caller holds the tables by `hold`. Raises LeaseLost, JobCutOff.
    """
    name, seen = table.name, version_in(store, published, table.name)
    if store.is_local:
        _drop_torn(store, f"{name}/_delta_log", seen)
    with commit_errors_naming(store, name):
        stored = opened_if_there(store, name)
        if stored is None:
            return -1  # its first writer died before it was made
        hold.check()  # the next version after this snapshot is restored to, or none
        if stored.version() > max(seen, 0):
            stored.restore(max(seen, 0), protocol_downgrade_allowed=True)
        elif not store.is_local:
            return _transact(store, table, stored, [])
    make_durable(store, name, seen, stored.version())
    return stored.version()


def is_as_published(store: Store, table: Table, published: Publication) -> bool:
    """Whether the table holds what readers see, and nothing else: commits may have come that nobody published."""
    seen = version_in(store, published, table.name)
    stored = opened_if_there(store, table.name) if seen < 0 else opened(store, table.name)
    if stored is not None and seen < 0 and _rows_in(stored):
        return False
    if stored is None or stored.version() == max(seen, 0):
        return True
    return _state(stored) == _state(opened(store, table.name, max(seen, 0)))


def _state(stored: deltalake.DeltaTable) -> tuple[object, ...]:
    """What a commit may change: files, columns, and what others may or must do with them."""
    return _rows_in(stored), stored.schema(), stored.metadata().configuration, stored.protocol()


def _rows_in(stored: deltalake.DeltaTable) -> set[str]:
    return {file.path for file, _ in described(stored)}


def _drop_torn(store: Store, log: str, published: int) -> None:
    """Remove a commit that a power cut left in part, and those that stand on it; checkpoints are made again."""
    hint = f"{log}/_last_checkpoint"
    names = list(store.names(log))
    if hint in names and (not (told := _entries(store, hint)) or told[0].get("version", 0) > published):
        store.delete([hint])
    after = {name: at for name in names if (at := entry_version(name)) is not None and at > published}
    torn = min((at for name, at in after.items() if name.endswith(".json") and not _entries(store, name)), default=None)
    store.delete(name for name, at in after.items() if ".checkpoint" in name or (torn is not None and at >= torn))


def entry_version(name: str) -> int | None:
    """Which version a file of Delta's log is about; None of one that is about several, or of no log's."""
    number = name.rpartition("/")[2][:20]
    return int(number) if number.isdecimal() else None


def _entries(store: Store, name: str) -> list[dict[str, Any]]:
    """What a file of Delta's log says; nothing if some of it is not there."""
    try:
        return [json.loads(line) for line in store.get(name).splitlines()]
    except ValueError:
        return []


@contextmanager
def commit_errors_naming(store: Store, name: str) -> Iterator[None]:
    """What a commit fails by, as what the store refuses it by, or as JobCutOff with the table's place."""
    try:
        with refusals_told(store, name):
            yield
    except (DeltaError, OSError) as error:
        if isinstance(error, NotStored):
            raise
        said = _IS_DUE_TO.sub(": ", str(error).strip())
        raise JobCutOff(f"table {store.uri(name)} is not written: {said}") from error


def make_durable(store: Store, name: str, durable: int, version: int) -> None:
    """Delta does not fsync on a local file system, and a group's offsets must not outlive the rows they stand for.

    All versions after `durable` are synced: the driver that made one of them may have died before it came to this. Data
    files are durable before a commit names them.
    """
    log = f"{name}/_delta_log"
    made = [f"{log}/{each:020}" for each in range(min(durable + 1, version), version + 1)]
    files = [f"{each}{kind}" for each in made for kind in (".json", ".checkpoint.parquet")]
    store.sync([*files, f"{log}/_last_checkpoint"])
