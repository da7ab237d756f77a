from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import deltalake
import pyarrow.compute as pc
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from pipelines.publication import publish
from pipelines.ranges import OffsetRange, Where, rows_of_records
from pipelines.schemas import QUOTES, REJECTS, RUNS
from pipelines.tables import Commit, create, put_back, replace, replace_row

DAY = datetime(2025, 11, 3, 9, tzinfo=UTC)


def rejects(spark: SparkSession, offsets: range, detail: str) -> DataFrame:
    required = {field.name: sf.lit("x").cast(field.dataType) for field in REJECTS.schema if not field.nullable}
    known = {
        "topic": sf.lit("mails"),
        "log_partition": sf.lit(0),
        "log_offset": sf.col("id"),
        "received_ts": sf.lit(DAY),
        "received_day": sf.to_date(sf.lit(DAY)),
        "detail": sf.lit(detail),
    }
    columns = required | known
    return spark.range(offsets.start, offsets.stop, 1, 1).select(
        *(columns.get(field.name, sf.lit(None).cast(field.dataType)).alias(field.name) for field in REJECTS.schema)
    )


def stored(root: Path) -> dict[int, str]:
    rows = (
        deltalake.DeltaTable(str(root / "rejects")).to_pyarrow_dataset().to_table(["log_offset", "detail"]).to_pylist()
    )
    assert len(rows) == len({row["log_offset"] for row in rows})
    return {row["log_offset"]: row["detail"] for row in rows}


def put(spark: SparkSession, root: Path, offsets: range, detail: str, run_id: str) -> Commit:
    where = rows_of_records([OffsetRange("mails", 0, offsets.start, offsets.stop)])
    return replace(rejects(spark, offsets, detail), root, REJECTS, where, {"run_id": run_id})


def test_exactly_the_rows_of_the_records_are_replaced(spark: SparkSession, tmp_path: Path) -> None:
    create(tmp_path, REJECTS)
    assert put(spark, tmp_path, range(10), "first", "1") == Commit(1, 10)
    assert put(spark, tmp_path, range(10, 12), "later", "2") == Commit(2, 2)
    assert put(spark, tmp_path, range(3, 6), "again", "3") == Commit(3, 3)
    expected = dict.fromkeys(range(10), "first") | dict.fromkeys((10, 11), "later") | dict.fromkeys((3, 4, 5), "again")
    assert stored(tmp_path) == expected
    assert put(spark, tmp_path, range(3, 6), "again", "4").rows == 3
    assert stored(tmp_path) == expected


def test_replacing_by_nothing_removes_and_keeping_nothing_is_no_commit(spark: SparkSession, tmp_path: Path) -> None:
    create(tmp_path, REJECTS)
    put(spark, tmp_path, range(4), "first", "1")
    where = rows_of_records([OffsetRange("mails", 0, 0, 2)])
    nothing = rejects(spark, range(0), "none")
    assert replace(nothing, tmp_path, REJECTS, where, {"run_id": "2"}).rows == 0
    assert stored(tmp_path) == {2: "first", 3: "first"}
    assert replace(nothing, tmp_path, REJECTS, where, {"run_id": "3"}).rows == 0


@pytest.mark.slow
def test_rows_are_put_back_to_what_is_published(spark: SparkSession, tmp_path: Path) -> None:
    create(tmp_path, REJECTS)
    where = rows_of_records([OffsetRange("mails", 0, 0, 3)])
    put(spark, tmp_path, range(2), "never published", "1")
    put_back(spark, tmp_path, REJECTS, where, {"run_id": "1"})
    assert stored(tmp_path) == {}
    published = put(spark, tmp_path, range(4), "published", "2")
    publish(tmp_path, "2", {"rejects": published.version})
    put(spark, tmp_path, range(6), "later", "3")
    put_back(spark, tmp_path, REJECTS, where, {"run_id": "3"})
    assert stored(tmp_path) == dict.fromkeys(range(3), "published") | dict.fromkeys(range(3, 6), "later")


def test_a_commit_syncs_all_that_came_after_the_published_version(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "rejects"
    synced: set[Path] = set()
    create(tmp_path, REJECTS)
    rejects(spark, range(2), "first").write.format("delta").mode("append").save(str(folder))  # and its driver dies
    monkeypatch.setattr(os, "fsync", lambda number: synced.add(Path(f"/proc/self/fd/{number}").readlink()))
    second = put(spark, tmp_path, range(2, 4), "second", "2")
    before = {
        *(folder / "_delta_log").glob("*.json"),
        *folder.glob("received_day=*/*.parquet"),
        *folder.glob("*.parquet"),
    }
    assert len(before) == 5
    assert before <= synced
    publish(tmp_path, "2", {"rejects": second.version})
    nothing = rows_of_records([OffsetRange("mails", 0, 90, 91)])
    assert replace(rejects(spark, range(0), "none"), tmp_path, REJECTS, nothing, {}).rows == 0
    synced.clear()
    put(spark, tmp_path, range(4, 6), "third", "3")
    assert before & synced == set()


def test_rows_outside_the_replaced_records_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    create(tmp_path, REJECTS)
    put(spark, tmp_path, range(4), "first", "1")
    where = rows_of_records([OffsetRange("mails", 0, 0, 2)])
    with pytest.raises(Exception, match="DELTA_REPLACE_WHERE_MISMATCH"):
        replace(rejects(spark, range(5), "astray"), tmp_path, REJECTS, where, {"run_id": "2"})
    assert stored(tmp_path) == dict.fromkeys(range(4), "first")


def test_one_row_is_replaced_without_spark_and_spark_reads_it(spark: SparkSession, tmp_path: Path) -> None:
    create(tmp_path, RUNS)
    values = {"string": "x", "timestamp": DAY, "array": []}
    given = {field.name: values.get(field.dataType.typeName(), 1) for field in RUNS.schema}
    for number, run_id in enumerate(("first", "second", "first"), start=1):
        where = Where(f"run_id = '{run_id}'", pc.field("run_id") == run_id)
        row = given | {"run_id": run_id, "records": number}
        assert replace_row(row, tmp_path, RUNS, where, {"run_id": run_id}) == Commit(number, 1)
    found = spark.read.format("delta").load(str(tmp_path / "runs")).select("run_id", "records", "started_ts").collect()
    assert {tuple(each) for each in found} == {
        (run_id, records, DAY.replace(tzinfo=None)) for run_id, records in (("first", 3), ("second", 2))
    }
    (commit,) = deltalake.DeltaTable(str(tmp_path / "runs")).history(1)
    assert commit["userMetadata"] == '{"run_id": "first"}'


def test_a_table_has_the_columns_their_comments_and_its_partitions(tmp_path: Path) -> None:
    create(tmp_path, QUOTES)
    create(tmp_path, QUOTES)  # again: nothing happens
    table = deltalake.DeltaTable(str(tmp_path / "quotes"))
    assert table.version() == 0
    assert table.metadata().partition_columns == ["received_day"]
    assert [field.name for field in table.schema().fields] == QUOTES.schema.names
    assert {field.name: field.metadata["comment"] for field in table.schema().fields} == {
        field.name: field.metadata["comment"] for field in QUOTES.schema
    }
    assert {field.name for field in table.schema().fields if not field.nullable} == {
        field.name for field in QUOTES.schema if not field.nullable
    }


def test_a_null_where_a_value_is_required_never_gets_in(spark: SparkSession, tmp_path: Path) -> None:
    create(tmp_path, REJECTS)
    where = rows_of_records([OffsetRange("mails", 0, 0, 4)])
    without = rejects(spark, range(4), "first").withColumn("code", sf.lit(None).cast("string"))
    with pytest.raises(Exception, match="code"):
        replace(without, tmp_path, REJECTS, where, {"run_id": "1"})
    assert stored(tmp_path) == {}
