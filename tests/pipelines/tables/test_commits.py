from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import deltalake
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from pipelines.errors import FilesMissing, JobCutOff
from pipelines.tables.commits import Change, commit, create, is_as_published, put_back, require_files
from pipelines.tables.datafiles import write
from pipelines.tables.publication import newest
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.replacing import Chosen, StoredFile, candidates, survivors
from pipelines.tables.schemas import QUOTES, REJECTS, RUNS
from pipelines.tables.store.folder import Folder
from tests.pipelines.stores import HELD, opened_as, publish_now

DAY = datetime(2025, 11, 3, 9, tzinfo=UTC)


def rejects(offsets: range, detail: str, code: str | None = "x") -> list[pa.RecordBatch]:
    required = {field.name: "x" for field in REJECTS.schema if not field.nullable}
    known = {"topic": "mails", "log_partition": 0, "received_ts": DAY, "received_day": DAY.date()}
    rows = [required | known | {"log_offset": offset, "detail": detail, "code": code} for offset in offsets]
    return [pa.RecordBatch.from_pylist(rows, REJECTS.arrow_schema())]


def stored(root: Path) -> dict[int, str]:
    rows = (
        deltalake.DeltaTable(str(root / "rejects")).to_pyarrow_dataset().to_table(["log_offset", "detail"]).to_pylist()
    )
    assert len(rows) == len({row["log_offset"] for row in rows})
    return {row["log_offset"]: row["detail"] for row in rows}


def replacing(root: Path, offsets: Iterable[int], rows: Iterable[pa.RecordBatch], run_id: str) -> Change:
    """These rows in the place of those of these records."""
    chosen = Chosen(OffsetRange("mails", 0, offset, offset + 1) for offset in offsets)
    found = candidates(deltalake.DeltaTable(str(root / "rejects")), chosen)
    left = [survivors(Folder(root), REJECTS, file, chosen, run_id) for file in found]
    added = [*write(rows, Folder(root), REJECTS, run_id), *(file for each in left for file in each.files)]
    return Change(tuple(added), tuple(each.of for each in left if each.chosen))


def put(root: Path, offsets: range, detail: str, run_id: str) -> int:
    store, change = Folder(root), replacing(root, offsets, rejects(offsets, detail), run_id)
    return commit(store, REJECTS, change, {"run_id": run_id}, HELD, published=newest(store))


def test_exactly_the_rows_of_the_records_are_replaced(tmp_path: Path) -> None:
    create(Folder(tmp_path), REJECTS, HELD)
    assert put(tmp_path, range(10), "first", "1") == 1
    assert put(tmp_path, range(10, 12), "later", "2") == 2
    assert put(tmp_path, range(3, 6), "again", "3") == 3
    expected = dict.fromkeys(range(10), "first") | dict.fromkeys((10, 11), "later") | dict.fromkeys((3, 4, 5), "again")
    assert stored(tmp_path) == expected
    assert put(tmp_path, range(3, 6), "again", "4") == 4
    assert stored(tmp_path) == expected


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\v", "\x1c"], ids=ascii)
def test_text_with_any_character_that_ends_a_line_somewhere_is_written_and_put_back(tmp_path: Path, end: str) -> None:
    create(Folder(tmp_path), REJECTS, HELD)
    put(tmp_path, range(2), f"one{end}two", "1")
    assert stored(tmp_path) == dict.fromkeys(range(2), f"one{end}two")
    put_back(Folder(tmp_path), REJECTS, HELD, newest(Folder(tmp_path)))
    assert stored(tmp_path) == {}


def test_replacing_by_nothing_removes_and_keeping_nothing_is_no_commit(tmp_path: Path) -> None:
    create(Folder(tmp_path), REJECTS, HELD)
    put(tmp_path, range(4), "first", "1")
    assert commit(Folder(tmp_path), REJECTS, replacing(tmp_path, range(2), [], "2"), {}, HELD) == 2
    assert stored(tmp_path) == {2: "first", 3: "first"}
    assert commit(Folder(tmp_path), REJECTS, replacing(tmp_path, range(2), [], "3"), {}, HELD) == 2


def test_rows_are_put_back_to_what_is_published(tmp_path: Path) -> None:
    put_back(Folder(tmp_path), REJECTS, HELD, newest(Folder(tmp_path)))  # there is no table yet
    create(Folder(tmp_path), REJECTS, HELD)
    put(tmp_path, range(2), "never published", "1")
    put_back(Folder(tmp_path), REJECTS, HELD, newest(Folder(tmp_path)))
    assert stored(tmp_path) == {}
    publish_now(Folder(tmp_path), "2", {"rejects": put(tmp_path, range(4), "published", "2")})
    put(tmp_path, range(1, 6), "later", "3")
    put_back(Folder(tmp_path), REJECTS, HELD, newest(Folder(tmp_path)))
    put_back(Folder(tmp_path), REJECTS, HELD, newest(Folder(tmp_path)))
    assert stored(tmp_path) == dict.fromkeys(range(4), "published")


def test_commits_that_nobody_published_are_seen_whoever_made_them(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    assert is_as_published(store, REJECTS, newest(store))
    create(store, REJECTS, HELD)
    assert is_as_published(store, REJECTS, newest(store))
    publish_now(store, "1", {"rejects": put(tmp_path, range(4), "published", "1")})
    assert is_as_published(store, REJECTS, newest(store))
    put(tmp_path, range(4, 6), "never published", "2")
    assert not is_as_published(store, REJECTS, newest(store))
    put_back(store, REJECTS, HELD, newest(store))
    assert is_as_published(store, REJECTS, newest(store)), "by another version of it"
    deltalake.DeltaTable(str(tmp_path / "rejects")).alter.add_columns(
        [deltalake.Field("of somebody else", deltalake.schema.PrimitiveType("string"))]
    )
    assert not is_as_published(store, REJECTS, newest(store))


def torn_commit(folder: Path) -> None:
    log = max((folder / "_delta_log").glob("*.json"))
    log.write_bytes(log.read_bytes()[:100])


def empty_commit(folder: Path) -> None:
    max((folder / "_delta_log").glob("*.json")).write_bytes(b"")


def torn_data(folder: Path) -> None:
    max(folder.rglob("*.parquet"), key=lambda file: file.stat().st_mtime_ns).write_bytes(b"PAR1")


def lost_data(folder: Path) -> None:
    max(folder.rglob("*.parquet"), key=lambda file: file.stat().st_mtime_ns).unlink()


def torn_checkpoint(folder: Path) -> None:
    deltalake.DeltaTable(str(folder)).create_checkpoint()
    max((folder / "_delta_log").glob("*.parquet")).write_bytes(b"PAR1")


@pytest.mark.parametrize("damage", [torn_commit, empty_commit, torn_data, lost_data, torn_checkpoint])
@pytest.mark.parametrize("is_first", [True, False], ids=["the first run", "a later run"])
def test_what_a_power_cut_left_of_a_commit_is_put_back_and_written_anew(
    tmp_path: Path, damage: Callable[[Path], None], *, is_first: bool
) -> None:
    create(Folder(tmp_path), REJECTS, HELD)
    if not is_first:
        publish_now(Folder(tmp_path), "1", {"rejects": put(tmp_path, range(4), "published", "1")})
    put(tmp_path, range(2, 6), "cut off", "2")
    damage(tmp_path / "rejects")
    put_back(Folder(tmp_path), REJECTS, HELD, newest(Folder(tmp_path)))
    assert stored(tmp_path) == ({} if is_first else dict.fromkeys(range(4), "published"))
    put(tmp_path, range(2, 6), "anew", "3")
    assert stored(tmp_path) == dict.fromkeys(range(0 if not is_first else 2, 2), "published") | dict.fromkeys(
        range(2, 6), "anew"
    )


def test_what_others_make_of_a_tables_properties_and_protocol_is_put_back_as_its_rows_are(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    create(store, REJECTS, HELD)
    publish_now(store, "1", {"rejects": put(tmp_path, range(4), "published", "1")})
    seen = deltalake.DeltaTable(store.uri("rejects"))

    def append_only(table: deltalake.DeltaTable) -> None:
        table.alter.set_table_properties({"delta.appendOnly": "true"})

    def deletion_vectors(table: deltalake.DeltaTable) -> None:
        table.alter.add_feature(deltalake.TableFeatures.DeletionVectors, allow_protocol_versions_increase=True)

    for change in (append_only, deletion_vectors):
        change(deltalake.DeltaTable(store.uri("rejects")))
        assert not is_as_published(store, REJECTS, newest(store))
        put_back(store, REJECTS, HELD, newest(store))
        assert is_as_published(store, REJECTS, newest(store))
        now = deltalake.DeltaTable(store.uri("rejects"))
        assert (now.metadata().configuration, now.protocol()) == (seen.metadata().configuration, seen.protocol())


def test_a_commit_syncs_all_that_came_after_the_published_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "rejects"
    synced: set[Path] = set()
    create(Folder(tmp_path), REJECTS, HELD)
    unsynced = folder / "_delta_log" / f"{1:020}.json"
    put(tmp_path, range(2), "first", "1")  # and its driver dies before it syncs
    monkeypatch.setattr(os, "fsync", lambda number: synced.add(opened_as(number)))
    second = put(tmp_path, range(2, 4), "second", "2")
    data = {file for file in folder.rglob("*.parquet") if file.name.startswith("2-")}
    assert {unsynced, folder / "_delta_log" / f"{second:020}.json", folder / "_delta_log", *data} <= synced
    publish_now(Folder(tmp_path), "2", {"rejects": second})
    synced.clear()
    put(tmp_path, range(4, 6), "third", "3")
    assert unsynced not in synced


def test_what_delta_takes_on_trust_is_refused_before_a_commit(tmp_path: Path) -> None:
    create(Folder(tmp_path), REJECTS, HELD)
    put(tmp_path, range(4), "first", "1")
    change = replacing(tmp_path, range(2), rejects(range(2), "again"), "2")
    for path in [file.path for file in change.added]:
        file = tmp_path / "rejects" / path
        content = file.read_bytes()
        file.write_bytes(content[:-1])
        with pytest.raises(FilesMissing, match=f"{file.name} is not there with the {len(content)} bytes"):
            require_files(Folder(tmp_path), REJECTS, change)
        file.unlink()
        with pytest.raises(FilesMissing, match="is not there"):
            require_files(Folder(tmp_path), REJECTS, change)
        file.write_bytes(content)
    stranger = replace(change.removed[0], path="never.parquet")
    with pytest.raises(FilesMissing, match=r"rejects does not hold never\.parquet"):
        require_files(Folder(tmp_path), REJECTS, replace(change, removed=(stranger,)))
    assert stored(tmp_path) == dict.fromkeys(range(4), "first")
    assert commit(Folder(tmp_path), REJECTS, change, {}, HELD) == 2
    with pytest.raises(FilesMissing, match="whose rows were to be replaced"):
        require_files(Folder(tmp_path), REJECTS, change)


@pytest.mark.slow
def test_spark_reads_what_was_committed_and_the_commit_says_by_whom(spark: SparkSession, tmp_path: Path) -> None:
    create(Folder(tmp_path), RUNS, HELD)
    values = {"string": "x", "timestamp": DAY, "array": []}
    given = {field.name: values.get(field.dataType.typeName(), 1) for field in RUNS.schema}
    for records, run_id in enumerate(("first", "second"), start=1):
        row = pa.RecordBatch.from_pylist([given | {"run_id": run_id, "records": records}], RUNS.arrow_schema())
        assert (
            commit(
                Folder(tmp_path),
                RUNS,
                Change(tuple(write([row], Folder(tmp_path), RUNS, run_id))),
                {"run_id": run_id},
                HELD,
            )
            == records
        )
    found = spark.read.format("delta").load(str(tmp_path / "runs")).select("run_id", "records", "started_ts").collect()
    assert {tuple(each) for each in found} == {
        (run_id, records, DAY.replace(tzinfo=None)) for run_id, records in (("first", 1), ("second", 2))
    }
    (last,) = deltalake.DeltaTable(str(tmp_path / "runs")).history(1)
    assert last["userMetadata"] == '{"run_id": "second"}'


def test_a_table_has_the_columns_their_comments_and_its_partitions(tmp_path: Path) -> None:
    create(Folder(tmp_path), QUOTES, HELD)
    create(Folder(tmp_path), QUOTES, HELD)  # again: nothing happens
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


def test_a_folder_that_cannot_be_written_is_named_and_the_rows_stay(tmp_path: Path) -> None:
    create(Folder(tmp_path), REJECTS, HELD)
    put(tmp_path, range(2), "first", "1")
    log = tmp_path / "rejects" / "_delta_log"
    (log / "00000000000000000002.json").mkdir()
    with pytest.raises(JobCutOff, match=f"{tmp_path}/rejects is not written"):
        put(tmp_path, range(2), "second", "2")
    (log / "00000000000000000002.json").rmdir()
    assert stored(tmp_path) == dict.fromkeys(range(2), "first")


def test_a_commit_that_moves_rows_alone_leaves_a_checkpoint_that_says_nothing_of_the_files_that_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Folder(tmp_path)
    with monkeypatch.context() as earlier:
        earlier.setattr("pipelines.tables.commits.LOG_PROPERTIES", {})
        create(store, REJECTS, HELD)  # as 0.2.0 made it
    files = [file for at in range(3) for file in write(rejects(range(at, at + 1), "x"), store, REJECTS, "1")]
    commit(store, REJECTS, Change(tuple(files)), {}, HELD)
    monkeypatch.setattr(
        "pipelines.tables.commits.LOG_PROPERTIES", {"delta.deletedFileRetentionDuration": "interval 0 seconds"}
    )
    (one,) = write(rejects(range(3), "x"), store, REJECTS, "2")
    gone = tuple(StoredFile(file.path, file.size, None) for file in files)
    version = commit(store, REJECTS, Change((one,), gone, is_new_data=False), {}, HELD)
    assert stored(tmp_path) == dict.fromkeys(range(3), "x")
    checkpoint = pq.read_table(tmp_path / "rejects" / "_delta_log" / f"{version:020}.checkpoint.parquet")
    added, removed = (checkpoint[kind].to_pylist() for kind in ("add", "remove"))
    assert [each["path"] for each in added if each] == [one.path]
    assert [each for each in removed if each] == []
    assert is_as_published(store, REJECTS, newest(store)) is False
    assert deltalake.DeltaTable(str(tmp_path / "rejects")).version() == version
