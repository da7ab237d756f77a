from __future__ import annotations

import errno
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.errors import TablesDamaged
from pipelines.tables.datafiles import Reader, write
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


def flipped(data: bytes) -> bytes:
    return bytes(byte ^ 0x55 if 100 <= at < len(data) - 1000 else byte for at, byte in enumerate(data))


@pytest.mark.parametrize("damage", [lambda _: b"", lambda data: data[: len(data) // 2], flipped, None])
def test_a_file_that_is_not_what_was_written_is_named_with_what_to_do(
    tmp_path: Path, damage: Callable[[bytes], bytes] | None
) -> None:
    store = Folder(tmp_path)
    name = "t/file.parquet"
    with store.open_write(name) as to:
        pq.write_table(pa.table({"a": list(range(20_000))}), to, compression="zstd")
    if damage:
        store.put(name, damage(store.get(name)))
    else:
        store.delete([name])
    with (
        pytest.raises(TablesDamaged, match=r"t/file\.parquet (is gone|cannot be read) \(.*\): bring .* from a backup"),
        Reader(store, name) as file,
    ):
        list(file.batches())


def test_a_disk_that_fails_is_told_with_the_file_and_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Folder(tmp_path)
    store.put("t/file.parquet", b"x")

    def fails(_: Folder, __: str) -> pa.NativeFile:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Folder, "open_read", fails)
    with pytest.raises(OSError, match="Input/output error") as told:
        Reader(store, "t/file.parquet")
    assert told.value.filename == str(tmp_path / "t" / "file.parquet")


def test_what_fails_amid_reading_by_another_cause_stays_what_it_is(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    with store.open_write("t/file.parquet") as to:
        pq.write_table(pa.table({"a": [1]}), to)
    with Reader(store, "t/file.parquet") as file, pytest.raises(OSError, match="no room"):
        [_full(batch) for batch in file.batches()]


def _full(_: pa.RecordBatch) -> NoReturn:
    raise OSError("no room")
