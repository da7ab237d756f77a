from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.errors import NotConserved
from pipelines.tables.commits import Change, commit, create
from pipelines.tables.compacting import Part, compacted, due, shares, smallest_together
from pipelines.tables.datafiles import DataFile, write
from pipelines.tables.delta import opened
from pipelines.tables.replacing import StoredFile
from pipelines.tables.schemas import MAILS, QUOTES, RUNS, Table
from pipelines.tables.store.folder import Folder
from tests.pipelines.stores import HELD

DAY = datetime(2026, 11, 24, 9, tzinfo=UTC)


class File(NamedTuple):
    rows: int


@pytest.mark.parametrize("seed", range(5))
def test_a_row_is_written_anew_about_as_often_as_the_rows_of_its_day_double(seed: int) -> None:
    chance = random.Random(seed)
    files: list[File] = []
    rewritten = rows = 0
    for _ in range(24):  # hours
        new = [File(chance.randrange(1, 500)) for _ in range(chance.randrange(1, 1800))]
        rows += sum(each.rows for each in new)
        files += new
        chosen = smallest_together(files)
        files = [each for each in files if each not in chosen] + [File(sum(each.rows for each in chosen))] * bool(
            chosen
        )
        rewritten += sum(each.rows for each in chosen)
        ordered = sorted(each.rows for each in files)
        assert all(more > sum(ordered[: at + 1]) for at, (_, more) in enumerate(pairwise(ordered))), (
            "no larger one waits"
        )
    assert len(files) <= math.log2(rows) + 1
    assert rewritten <= rows * (math.log2(24) + 1)
    assert sum(each.rows for each in files) == rows


def test_a_large_file_waits_until_as_much_has_come_and_one_alone_stays() -> None:
    assert smallest_together([File(1000)]) == smallest_together([]) == []
    assert smallest_together([File(1000), *[File(100)] * 9]) == [File(100)] * 9
    assert smallest_together([File(1000), *[File(100)] * 10]) == [*[File(100)] * 10, File(1000)]


def test_shares_keep_the_order_and_are_about_equal() -> None:
    files = [StoredFile(str(number), 10 + number, None) for number in range(100)]
    found = shares(files, 7)
    assert [file for share in found for file in share] == files
    sizes = [sum(file.size for file in share) for share in found]
    assert len(sizes) == 7
    assert max(sizes) < 1.3 * min(sizes)
    assert shares(files[:2], 7) == [[files[0]], [files[1]]]


def batch(table: Table, offsets: list[int], days: int = 1, partition: int = 0) -> pa.RecordBatch:
    values: dict[str, Any] = {"string": "x", "timestamp": DAY, "decimal": 1, "boolean": True, "array": []}
    rows = []
    for at in offsets:
        time = DAY + timedelta(days=at % days)
        required = [field for field in table.schema if not field.nullable]
        row = {field.name: values.get(field.dataType.typeName().partition("(")[0], 1) for field in required}
        rows.append({**row, "topic": "mails", "log_partition": partition, "log_offset": at, "quote_date": time.date()})
        rows[-1] |= {"received_ts": time, "received_day": time.date()}
    return pa.RecordBatch.from_pylist(rows, table.arrow_schema())


def added(store: Folder, table: Table, *batches: pa.RecordBatch) -> list[DataFile]:
    create(store, table, HELD)
    files = write(batches, store, table, "run")
    commit(store, table, Change(tuple(files)), {}, HELD)
    return files


@pytest.mark.parametrize("table", [MAILS, QUOTES], ids=lambda table: table.name)
def test_only_files_of_one_day_are_put_together_and_their_rows_lie_in_the_order_of_the_log(
    tmp_path: Path, table: Table
) -> None:
    store = Folder(tmp_path)
    for start in (20, 0, 10):
        for partition in (1, 0):
            added(
                store,
                table,
                batch(table, [*range(start, start + 10, 2), *range(start + 1, start + 10, 2)], 2, partition),
            )
    parts = due(opened(store, table.name), table)
    assert sorted(len(part.files) for part in parts) == [6, 6]
    for part in parts:
        (file,) = compacted(store, table, part, "new")
        assert {of.path.partition("/")[0] for of in part.files} == {file.path.partition("/")[0]}
        rows = pq.read_table(tmp_path / table.name / file.path, partitioning=None)
        lies = list(zip(rows["log_partition"].to_pylist(), rows["log_offset"].to_pylist(), strict=True))
        assert lies == sorted(lies)
        assert len(lies) == file.rows == 30


def test_files_of_several_days_come_apart_by_days(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    create(store, MAILS, HELD)
    for start in (0, 10):
        made = write([batch(MAILS, list(range(start, start + 10)), 1)], store, MAILS, "run")
        mixed = batch(MAILS, list(range(start, start + 10)), 2)
        pq.write_table(pa.Table.from_batches([mixed]), tmp_path / "mails" / made[0].path)
        path = tmp_path / "mails" / made[0].path
        file = DataFile(made[0].path, path.stat().st_size, 10, None, '{"numRecords": 10}')
        commit(store, MAILS, Change((file,)), {}, HELD)
    (part,) = due(opened(store, "mails"), MAILS)
    made = compacted(store, MAILS, part, "new")
    assert sorted((file.day, file.rows) for file in made) == [("2026-11-24", 10), ("2026-11-25", 10)]


def test_a_table_without_days_is_put_together_whole(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    for number in range(3):
        row = batch(RUNS, []).schema
        values = {"string": f"run-{number}", "timestamp": DAY, "array": []}
        given = {field.name: values.get(field.dataType.typeName(), 1) for field in RUNS.schema}
        added(store, RUNS, pa.RecordBatch.from_pylist([given], row))
    (part,) = due(opened(store, "runs"), RUNS)
    (file,) = compacted(store, RUNS, part, "new")
    assert pq.read_table(tmp_path / "runs" / file.path)["run_id"].to_pylist() == ["run-0", "run-1", "run-2"]


def test_a_large_file_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Folder(tmp_path)
    (large,) = added(store, MAILS, batch(MAILS, list(range(4000))))
    for start in (4000, 6000):
        added(store, MAILS, batch(MAILS, list(range(start, start + 2000))))
    (part,) = due(opened(store, "mails"), MAILS)
    assert len(part.files) == 3
    monkeypatch.setattr("pipelines.tables.compacting.LARGE_BYTES", large.size)
    (part,) = due(opened(store, "mails"), MAILS)
    assert large.path not in {of.path for of in part.files}
    monkeypatch.setattr("pipelines.tables.compacting.PART_BYTES", large.size // 2)
    parts = due(opened(store, "mails"), MAILS)
    assert sorted(len(part.files) for part in parts) == [1, 1], "no task has too much to do"


def test_rows_that_are_lost_on_the_way_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Folder(tmp_path)
    files = [file for start in (0, 10) for file in added(store, MAILS, batch(MAILS, list(range(start, start + 10))))]
    part = Part("mails", tuple(StoredFile(file.path, file.size, None) for file in files))
    monkeypatch.setattr("pipelines.tables.compacting.as_written_now", lambda rows, *_: rows.slice(1))
    with pytest.raises(NotConserved, match=r"of 20 rows of 2 files of .*mails 18 are written"):
        compacted(store, MAILS, part, "new")
