from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from itertools import repeat
from pathlib import Path

import deltalake
import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from deltalake.exceptions import CommitFailedError, DeltaError
from deltalake.transaction import AddAction, RemoveAction
from pyspark.sql import SparkSession

from pipelines.tables.fence import committed_as, fences, refenced
from pipelines.tables.store.bucket import Bucket
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Store
from tests.pipelines.proxy import Proxy, troubled
from tests.pipelines.tables.store.appending import TABLE, added, commit, created, opened


def offsets(store: Store) -> list[int]:
    rows = opened(store).to_pyarrow_dataset().to_table()
    return sorted(rows["log_offset"].to_pylist())


def test_of_two_appends_from_one_snapshot_the_second_is_refused(store: Store) -> None:
    created(store)
    first, second = opened(store), opened(store)
    commit(store, first, added(store, range(10)))
    with pytest.raises(CommitFailedError):
        commit(store, second, added(store, range(10)))
    assert offsets(store) == list(range(10))
    commit(store, opened(store), added(store, range(10, 20)))
    assert offsets(store) == list(range(20))
    assert len(fences(opened(store))) == 1


def compaction(store: Store, table: deltalake.DeltaTable, files: list[AddAction]) -> None:
    """Two files made one, as a commit that changes no data."""
    gone = [RemoveAction(file.path, False, time.time_ns() // 1_000_000, file.size, {}) for file in files]
    commit(store, table, *gone, added(store, range(20), data_change=False))


def replacing(store: Store, table: deltalake.DeltaTable, files: list[AddAction]) -> None:
    """The rows of one file written anew."""
    commit(store, table, RemoveAction(files[0].path, True, 0, files[0].size, {}), added(store, range(10)))


def appending(store: Store, table: deltalake.DeltaTable, _: list[AddAction]) -> None:
    commit(store, table, added(store, range(20, 30)))


KINDS = [compaction, replacing, appending]


@pytest.mark.parametrize("second", KINDS)
@pytest.mark.parametrize("first", KINDS)
def test_whatever_two_commits_from_one_snapshot_do_the_second_is_refused(
    tmp_path: Path, first: object, second: object
) -> None:
    store = Folder(tmp_path)
    created(store)
    files = [added(store, range(10)), added(store, range(10, 20))]
    commit(store, opened(store), *files)
    one, other = opened(store), opened(store)
    first(store, one, files)  # type: ignore[operator]
    after = offsets(store)
    with pytest.raises(CommitFailedError):
        second(store, other, files)  # type: ignore[operator]
    assert offsets(store) == after == list(range(30 if first is appending else 20))


def test_a_table_whose_fence_was_taken_is_given_one_and_of_two_given_at_once_the_next_commit_leaves_one(
    store: Store,
) -> None:
    table = created(store)
    ((path, size),) = fences(table).items()
    taken = RemoveAction(path, True, 0, size, {})
    table.create_write_transaction([taken], "append", table.schema())
    one, other = opened(store), opened(store)
    assert fences(one) == {}
    commit(store, one)
    commit(store, other)
    one.update_incremental()
    one = deltalake.DeltaTable(store.uri(TABLE), one.version() - 1, storage_options=store.storage_options())
    assert len(fences(one)) == 1
    assert len(fences(opened(store))) == 2
    commit(store, opened(store), added(store, range(10)))
    with pytest.raises(CommitFailedError):  # it knows of but one of them, which is removed
        commit(store, one, added(store, range(10)))
    assert len(fences(opened(store))) == 1
    assert offsets(store) == list(range(10))


@pytest.fixture
def by_day(tmp_path: Path) -> Folder:
    """A table with a folder a day, with columns of every kind that ours have, 100 rows in two commits."""
    store = Folder(tmp_path)
    columns = [
        ("log_offset", pa.int64()),
        ("received_day", pa.date32()),
        ("received_ts", pa.timestamp("us", "UTC")),
        ("bid", pa.decimal128(18, 6)),
        ("flags", pa.list_(pa.string())),
        ("firm", pa.bool_()),
    ]
    (tmp_path / TABLE).mkdir()
    deltalake.DeltaTable.create(store.uri(TABLE), pa.schema(columns), partition_by=["received_day"])
    for day in (1, 2):
        table = opened(store)
        rows = pa.table({"log_offset": range(50 * day, 50 * (day + 1))}).cast(pa.schema(columns[:1]))
        for name, kind in columns[2:]:
            rows = rows.append_column(name, pa.nulls(50, kind))
        path = f"received_day=2026-01-0{day}/part-{day}.parquet"
        with store.open_write(f"{TABLE}/{path}") as file:
            pq.write_table(rows, file)
        new = AddAction(path, file.size, {"received_day": f"2026-01-0{day}"}, 0, True, '{"numRecords": 50}')
        actions = [*refenced(store, TABLE, table), new]
        table.create_write_transaction(actions, "append", table.schema(), ["received_day"])
    return store


def test_readers_without_a_jvm_read_over_the_fence(by_day: Folder) -> None:
    table = opened(by_day)
    assert len(fences(table)) == 1
    quotes = table.to_pyarrow_dataset()
    assert quotes.to_table().num_rows == 100
    assert quotes.count_rows(filter=pc.field("log_offset") >= 120) == 30
    of_a_day = pc.field("received_day") == pa.scalar("2026-01-02").cast(pa.date32())
    assert quotes.count_rows(filter=of_a_day) == 50
    assert not any("fence-" in file.path for file in quotes.get_fragments(filter=of_a_day))
    said = duckdb.sql(
        "SELECT count(*), count(received_day), max(log_offset) FROM quotes WHERE received_day > '2026-01-01'"
    )
    assert said is not None
    assert said.fetchall() == [(50, 50, 149)]


@pytest.mark.slow
def test_spark_reads_over_the_fence(by_day: Folder, spark: SparkSession) -> None:
    rows = spark.read.format("delta").load(by_day.uri(TABLE))
    assert rows.count() == 100
    assert rows.where("log_offset >= 120").count() == 30
    assert [
        row.received_day.isoformat() for row in rows.select("received_day").distinct().sort("received_day").collect()
    ] == [
        "2026-01-01",
        "2026-01-02",
    ]


def test_a_checkpoint_keeps_the_fence(store: Store) -> None:
    table = created(store)
    before = fences(table)
    table.create_checkpoint()
    assert fences(opened(store)) == before


@pytest.mark.parametrize("lost", [1, 30], ids=["once", "each time"])
def test_a_commit_whose_answer_was_lost_is_found_by_its_fence(
    behind: Callable[[float], Bucket], proxy: Proxy, bucket: Store, lost: int
) -> None:
    created(bucket)
    store = behind(5)
    table = opened(store)
    actions = [*refenced(store, TABLE, table), added(store, range(10))]
    proxy.only, proxy.plan = r"PUT .*/_delta_log/\d+\.json", repeat("lost", lost)
    with pytest.raises((DeltaError, OSError)):
        table.create_write_transaction(actions, "append", table.schema())
    proxy.plan = repeat("pass")
    assert committed_as(store, TABLE, 1, actions) == 2
    commit(bucket, opened(bucket), added(bucket, range(10, 20)))
    assert committed_as(store, TABLE, 1, actions) == 2
    assert committed_as(store, TABLE, 2, actions) is None
    assert offsets(bucket) == list(range(20))


@pytest.mark.slow
def test_rows_are_appended_once_over_a_line_in_trouble(
    behind: Callable[[float], Bucket], proxy: Proxy, bucket: Store
) -> None:
    created(bucket)
    store = behind(60)
    proxy.plan = troubled(11, 0.25)
    for start in range(0, 60, 10):
        done = False
        while not done:
            with suppress(DeltaError, OSError):
                table = opened(store)
                actions = [*refenced(store, TABLE, table), added(store, range(start, start + 10))]
                version = table.version()
                with suppress(DeltaError, OSError):
                    table.create_write_transaction(actions, "append", table.schema())
                done = committed_as(store, TABLE, version, actions) is not None
    assert offsets(bucket) == list(range(60))
