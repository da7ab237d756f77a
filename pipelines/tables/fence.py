"""The fence of a Delta table: an empty file that each commit removes and puts another one in the place of.

delta-rs takes two appends from one snapshot, for neither touches what the other did; that both have rows of the same
offsets it cannot know. It refuses the second of two commits that remove one file. So a writer that stood still amid its
commit, and whose lease somebody else has by now, is refused. Readers read over an empty file.

The fence's own actions always say that they change data, also in a commit that only moves rows: of those that do not
delta-rs takes both.
"""

from __future__ import annotations

import json
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING

import deltalake
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake.transaction import AddAction, RemoveAction

from log.times import now_ms
from pipelines.errors import NotStored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.tables.store.interface import Store

PREFIX = "fence-"
NO_DAY = "0001-01-01"  # of a table with a folder a day: who wants the rows of a day need not open it


def fences(table: deltalake.DeltaTable) -> dict[str, int]:
    """The fences of this snapshot with their sizes: one, but where nobody or two at once put the first one."""
    files = pa.table(table.get_add_actions()).select(["path", "size_bytes"])
    found = files.filter(pc.starts_with(files["path"], PREFIX))
    return dict(zip(found["path"].to_pylist(), found["size_bytes"].to_pylist(), strict=True))


def refenced(store: Store, name: str, table: deltalake.DeltaTable) -> list[AddAction | RemoveAction]:
    """Write a new fence of the table `name`; what a commit from this snapshot must say to change the fence.

    Where the snapshot has none, the commit puts the first one.
    """
    now = now_ms()
    partitions = table.metadata().partition_columns
    path = f"{PREFIX}{uuid.uuid4().hex}.parquet"
    columns = [field for field in pa.schema(table.schema()) if field.name not in partitions]
    with store.open_write(f"{name}/{path}") as file:
        pq.write_table(pa.schema(columns).empty_table(), file)
    nowhere: dict[str, str | None] = dict.fromkeys(partitions, NO_DAY)
    removed = [RemoveAction(each, True, now, size, nowhere) for each, size in fences(table).items()]
    return [*removed, AddAction(path, file.size, nowhere, now, True, json.dumps({"numRecords": 0}))]


def committed_as(store: Store, name: str, after: int, actions: Sequence[AddAction | RemoveAction]) -> int | None:
    """The version after `after` whose commit added the fence among `actions`; None if there is none, or no fence.

    For a commit that ended in an error: where its answer was lost, delta-rs finds its own commit in its way, and calls
    that a conflict, or gives up.
    """
    fence = next((each.path for each in actions if isinstance(each, AddAction) and each.path.startswith(PREFIX)), None)
    version = after
    with suppress(NotStored):
        while fence:
            version += 1
            commit = store.get(f"{name}/_delta_log/{version:020}.json")
            added = [line for line in commit.splitlines() if line.startswith(b'{"add":')]
            if any(fence.encode() in line for line in added):
                return version
    return None
