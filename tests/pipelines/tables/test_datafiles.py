from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.tables.datafiles import write
from pipelines.tables.schemas import REJECTS, RUNS
from pipelines.tables.store.folder import Folder
from tests.pipelines.stores import opened_as

DAY = datetime(2026, 11, 24, 23, 59, tzinfo=UTC)


def rejects(times: list[datetime], code: str | None = "x") -> pa.RecordBatch:
    required = {field.name: "x" for field in REJECTS.schema if not field.nullable}
    known = {"topic": "mails", "log_partition": 0, "code": code}
    rows = [
        required | known | {"log_offset": at, "received_ts": time, "received_day": time.date()}
        for at, time in enumerate(times)
    ]
    return pa.RecordBatch.from_pylist(rows, REJECTS.arrow_schema())


def test_each_day_has_a_file_of_its_own_whatever_the_order_of_rows(tmp_path: Path) -> None:
    batches = [rejects([DAY, DAY + timedelta(minutes=1), DAY]), rejects([DAY + timedelta(days=1)])]
    files = write(batches, Folder(tmp_path), REJECTS, "run")
    assert [(file.day, file.rows) for file in files] == [("2026-11-24", 2), ("2026-11-25", 2)]
    for file in files:
        path = tmp_path / "rejects" / file.path
        assert path.parent.name == f"received_day={file.day}"
        assert (path.stat().st_size, path.stat().st_mode & 0o777) == (file.size, 0o600)
        assert pq.read_metadata(path).row_group(0).column(0).compression == "ZSTD"
        assert pq.read_table(path, partitioning=None).num_rows == file.rows


def test_rows_of_very_many_days_need_few_files_open_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.tables.datafiles.MOST_OPEN", 2)
    days = [DAY + timedelta(days=each) for each in (0, 1, 2, 3, 0)]
    files = write([rejects([day]) for day in days], Folder(tmp_path), REJECTS, "run")
    assert sorted(str(file.day) for file in files) == sorted(str(day.date()) for day in days)
    assert sum(file.rows for file in files) == 5
    with pytest.raises(ValueError, match="is null"):
        write([*(rejects([day]) for day in days), rejects([DAY], code=None)], Folder(tmp_path), REJECTS, "again")
    assert {file.name.partition("-")[0] for file in tmp_path.rglob("*.parquet")} == {"run"}


def test_files_are_durable_when_they_are_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: set[Path] = set()
    monkeypatch.setattr(os, "fsync", lambda number: synced.add(opened_as(number)))
    (file,) = write([rejects([DAY])], Folder(tmp_path), REJECTS, "run")
    path = tmp_path / "rejects" / file.path
    assert {path, path.parent, path.parent.parent} <= synced


def test_a_null_where_a_value_is_required_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"rejects\.code is null in 1 rows"):
        write([rejects([DAY]), rejects([DAY], code=None)], Folder(tmp_path), REJECTS, "run")
    assert list(tmp_path.rglob("*.parquet")) == []


def test_no_rows_are_no_file(tmp_path: Path) -> None:
    assert write([], Folder(tmp_path), RUNS, "run") == []
    assert write([rejects([])], Folder(tmp_path), REJECTS, "run") == []
