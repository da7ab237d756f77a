from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import deltalake
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql.types import ArrayType, DecimalType, StringType, StructField, StructType

from pipelines.tables import datafiles
from pipelines.tables.commits import Change, commit, create
from pipelines.tables.datafiles import write
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.replacing import Chosen, StoredFile, candidates, chosen_rows, survivors
from pipelines.tables.schemas import MAILS, QUOTES, Table
from pipelines.tables.store.folder import Folder
from tests.pipelines.stores import HELD

DAY = datetime(2026, 11, 24, 9, tzinfo=UTC)
WHERE = ("topic", "log_partition", "log_offset")


def rows(table: Table, positions: list[tuple[str, int, int]]) -> pa.RecordBatch:
    values = {"string": "x", "timestamp": DAY, "date": DAY.date(), "decimal": 1, "boolean": True, "array": []}
    given = {
        field.name: values.get(field.dataType.typeName().partition("(")[0], 1)
        for field in table.schema
        if not field.nullable
    }
    return pa.RecordBatch.from_pylist(
        [given | dict(zip(WHERE, each, strict=True)) for each in positions], table.arrow_schema()
    )


def stored(root: Path, table: Table) -> list[tuple[str, int, int]]:
    found = deltalake.DeltaTable(str(root / table.name)).to_pyarrow_dataset().to_table(list(WHERE)).to_pylist()
    return sorted((row["topic"], row["log_partition"], row["log_offset"]) for row in found)


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_chosen_as_a_plain_set_of_records_would(seed: int) -> None:
    chance = random.Random(seed)
    ranges = [
        OffsetRange(
            chance.choice("ab"), chance.randrange(3), start := chance.randrange(50), start + chance.randrange(1, 9)
        )
        for _ in range(chance.randrange(1, 20))
    ]
    meant = {(each.topic, each.partition, at) for each in ranges for at in range(each.start, each.stop)}
    positions = [(chance.choice("abc"), chance.randrange(4), chance.randrange(60)) for _ in range(200)]
    batch = rows(MAILS, positions).select(list(WHERE))
    chosen = Chosen(ranges)
    assert chosen.among(batch).tolist() == [each in meant for each in positions]
    for topic, partition, offset in positions:
        bounds = topic, partition, offset
        assert chosen.may_be_in(bounds, bounds) == (bounds in meant)
    assert chosen.may_be_in((None, None, None), (None, None, None))


@pytest.mark.parametrize("seed", range(20))
def test_of_many_files_those_are_found_whose_bounds_leave_room_for_a_chosen_record(seed: int) -> None:
    chance = random.Random(seed)
    ranges = [
        OffsetRange(chance.choice("ab"), chance.randrange(3), start := chance.randrange(50), start + 1 + start % 4)
        for _ in range(chance.randrange(1, 12))
    ]

    def bounds(values: Sequence[Any]) -> tuple[Any, Any]:
        least, most = sorted(chance.choices(values, k=2))
        return chance.choice([least] * 9 + [None]), chance.choice([most] * 9 + [None])

    files = [(bounds("abc"), bounds(range(4)), bounds(range(60))) for _ in range(200)]

    def has_room(file: tuple[tuple[Any, Any], ...], record: tuple[Any, ...]) -> bool:
        return all(
            (least is None or least <= value) and (most is None or value <= most)
            for (least, most), value in zip(file, record, strict=True)
        )

    meant = [(each.topic, each.partition, at) for each in ranges for at in range(each.start, each.stop)]
    expected = [any(has_room(file, record) for record in meant) for file in files]
    types = (pa.string(), pa.int64(), pa.int64())
    least, most = ([pa.array([file[at][side] for file in files], types[at]) for at in range(3)] for side in (0, 1))
    assert Chosen(ranges).may_be_in_each(least, most).tolist() == expected


@pytest.mark.parametrize("table", [MAILS, QUOTES], ids=lambda table: table.name)
@pytest.mark.parametrize("is_ours", [True, False], ids=["written by us", "written by delta-rs"])
def test_only_files_that_hold_chosen_rows_are_read_and_the_others_rows_survive(
    tmp_path: Path, table: Table, *, is_ours: bool
) -> None:
    create(Folder(tmp_path), table, HELD)
    parts = [[("mails", partition, at) for at in range(start, start + 10)] for partition in (0, 1) for start in (0, 10)]
    for part in parts:
        if is_ours:
            commit(
                Folder(tmp_path),
                table,
                Change(tuple(write([rows(table, part)], Folder(tmp_path), table, "run"))),
                {},
                HELD,
            )
        else:
            deltalake.write_deltalake(str(tmp_path / table.name), rows(table, part), mode="append")
    delta = deltalake.DeltaTable(str(tmp_path / table.name))
    chosen = Chosen([OffsetRange("mails", 0, 8, 9), OffsetRange("mails", 1, 10, 20), OffsetRange("mails", 2, 0, 99)])
    found = candidates(delta, chosen)
    assert len(found) == 2, "of four files those with such offsets in the partition"
    assert candidates(delta, Chosen([OffsetRange("other", 0, 0, 99)])) == []
    left = [survivors(Folder(tmp_path), table, file, chosen, "again") for file in found]
    assert sorted((each.chosen, sum(file.rows for file in each.files)) for each in left) == [(1, 9), (10, 0)]
    commit(
        Folder(tmp_path),
        table,
        Change(tuple(file for each in left for file in each.files), tuple(each.of for each in left)),
        {},
        HELD,
    )
    kept = [each for part in parts for each in part if each != ("mails", 0, 8) and not (each[1] == 1 and each[2] >= 10)]
    assert stored(tmp_path, table) == sorted(kept)


def test_of_a_file_only_row_groups_that_may_hold_a_chosen_record_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datafiles, "ROW_GROUP_BYTES", 1)
    store = Folder(tmp_path)
    batches = [rows(MAILS, [("a", 0, at) for at in range(start, start + 10)]) for start in range(0, 100, 10)]
    (file,) = write(batches, store, MAILS, "run")
    chosen = Chosen([OffsetRange("a", 0, 42, 43), OffsetRange("a", 0, 77, 79), OffsetRange("b", 0, 0, 9)])
    read: list[int] = []
    own = pq.ParquetFile.iter_batches

    def counting(*arguments: Any, **options: Any) -> Iterator[pa.RecordBatch]:
        for batch in own(*arguments, **options):
            read.append(batch.num_rows)
            yield batch

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", counting)
    found = pa.Table.from_batches(chosen_rows(store, MAILS, StoredFile(file.path, file.size, file.day), chosen))
    assert found["log_offset"].to_pylist() == [42, 77, 78]
    assert sum(read) == 20


def test_a_file_of_which_nothing_is_chosen_stays_though_its_bounds_would_hold_it(tmp_path: Path) -> None:
    create(Folder(tmp_path), MAILS, HELD)
    (file,) = write([rows(MAILS, [("mails", 0, at) for at in (1, 9)])], Folder(tmp_path), MAILS, "run")
    commit(Folder(tmp_path), MAILS, Change((file,)), {}, HELD)
    chosen = Chosen([OffsetRange("mails", 0, 4, 6)])
    (found,) = candidates(deltalake.DeltaTable(str(tmp_path / "mails")), chosen)
    assert survivors(Folder(tmp_path), MAILS, found, chosen, "again").chosen == 0
    assert len(list(tmp_path.rglob("*.parquet"))) == 1


def test_columns_that_a_file_lacks_are_null_of_whatever_type(tmp_path: Path) -> None:
    new = StructType([StructField("tags", ArrayType(StringType())), StructField("score", DecimalType(4, 3))])
    later = Table("quotes", StructType([*QUOTES.schema, *new]), QUOTES.partitioned_by)
    (old,) = write([rows(QUOTES, [("mails", 0, 1), ("mails", 0, 2)])], Folder(tmp_path), QUOTES, "run")
    chosen = Chosen([OffsetRange("mails", 0, 1, 2)])
    left = survivors(Folder(tmp_path), later, StoredFile(old.path, old.size, old.day), chosen, "again")
    (row,) = pq.read_table(tmp_path / "quotes" / left.files[0].path, partitioning=None).to_pylist()
    assert (row["log_offset"], row["tags"], row["score"]) == (2, None, None)
