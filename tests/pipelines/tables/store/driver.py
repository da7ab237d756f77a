"""A driver in a process of its own, for tests: each line it is told is a round, in which it appends rows once.

`python -m tests.pipelines.tables.store.driver ROOT CREDENTIALS LENGTH_S`; a line is `ROUND PAUSE`, where PAUSE is where it
stops itself at its first try: `before` it asks its lease, `between` that and its commit, or `never`. It answers with what
befell its tries: lost, refused, committed, there.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import deltalake
import pyarrow as pa
import pyarrow.parquet as pq
from deltalake.exceptions import CommitFailedError
from deltalake.transaction import AddAction, RemoveAction

from pipelines.errors import LeaseLost, TableBusy
from pipelines.tables.store.fence import fenced, refenced
from pipelines.tables.store.interface import Store
from pipelines.tables.store.lease import leased
from pipelines.tables.store.store import open_store

SCHEMA = pa.schema([("log_offset", pa.int64()), ("writer", pa.int64())])
TABLE = "quotes"
ROWS = 10


def opened(store: Store) -> deltalake.DeltaTable:
    return deltalake.DeltaTable(store.uri(TABLE), storage_options=store.storage_options())


def created(store: Store) -> deltalake.DeltaTable:
    """The table, empty."""
    if (root := Path(store.uri(TABLE))).is_absolute():
        root.mkdir(parents=True)
    deltalake.DeltaTable.create(store.uri(TABLE), SCHEMA, storage_options=store.storage_options())
    return fenced(store, TABLE, opened(store))


def added(store: Store, offsets: range, data_change: bool = True) -> AddAction:
    """A file with these offsets, written."""
    path = f"part-{time.time_ns()}-{os.getpid()}.parquet"
    rows = pa.table({"log_offset": pa.array(offsets, pa.int64()), "writer": [os.getpid()] * len(offsets)}, SCHEMA)
    with store.open_write(f"{TABLE}/{path}") as file:
        pq.write_table(rows, file)
    bounds = {"minValues": {"log_offset": offsets[0]}, "maxValues": {"log_offset": offsets[-1]}}
    stats = json.dumps({"numRecords": len(offsets), "nullCount": {"log_offset": 0}} | bounds)
    return AddAction(path, file.size, {}, time.time_ns() // 1_000_000, data_change, stats)


def commit(store: Store, table: deltalake.DeltaTable, *actions: AddAction | RemoveAction) -> None:
    """One commit from the table's snapshot, with the fence."""
    table.create_write_transaction([*refenced(store, TABLE, table), *actions], "append", table.schema())


def tried(store: Store, number: int, pause: str, length_s: float) -> str:
    offsets = range(number * ROWS, (number + 1) * ROWS)
    try:
        with leased(
            store, f"_locks/{TABLE}.lease", TableBusy, "table quotes is written", length_s=length_s, wait_s=60
        ) as lease:
            table = opened(store)
            if table.to_pyarrow_dataset().count_rows(filter=pa.compute.field("log_offset") == offsets[0]):
                return "there"
            file = added(store, offsets)
            if pause == "before":
                os.kill(os.getpid(), signal.SIGSTOP)
            lease.check()
            if pause == "between":
                os.kill(os.getpid(), signal.SIGSTOP)
            commit(store, table, file)
    except LeaseLost:
        return "lost"
    except CommitFailedError:
        return "refused"
    return "committed"


def main(root: str, credentials: str, length_s: str) -> None:
    store = open_store(root, Path(credentials))
    for line in sys.stdin:
        number, pause = line.split()
        befell = [tried(store, int(number), pause, float(length_s))]
        while befell[-1] in {"lost", "refused"}:
            befell.append(tried(store, int(number), "never", float(length_s)))
        print(json.dumps(befell), flush=True)  # noqa: T201  the test reads it


if __name__ == "__main__":
    main(*sys.argv[1:])
