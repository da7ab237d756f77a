"""A table with a fence, and commits to it by hand."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import deltalake
import pyarrow as pa
import pyarrow.parquet as pq
from deltalake.transaction import AddAction, RemoveAction

from pipelines.tables.fence import refenced
from pipelines.tables.store.interface import Store

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
    commit(store, opened(store))  # gives it a fence
    return opened(store)


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
