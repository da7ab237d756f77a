from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.folders.renaming import rename_new


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    opened = os.open(tmp_path, os.O_RDONLY)
    yield opened
    os.close(opened)


def test_a_file_gets_a_new_name_in_another_folder(tmp_path: Path, folder: int) -> None:
    (tmp_path / "a").write_bytes(b"mail")
    (tmp_path / "done").mkdir()
    done = os.open(tmp_path / "done", os.O_RDONLY)
    try:
        assert rename_new(folder, "a", done, "\udcff b")
    finally:
        os.close(done)
    assert not (tmp_path / "a").exists()
    assert (tmp_path / "done" / "\udcff b").read_bytes() == b"mail"


def test_a_name_that_is_taken_stays_with_its_file(tmp_path: Path, folder: int) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(name.encode())
    with pytest.raises(FileExistsError):
        rename_new(folder, "a", folder, "b")
    assert [(tmp_path / name).read_bytes() for name in ("a", "b")] == [b"a", b"b"]


def test_a_file_that_has_gone_is_an_error(folder: int) -> None:
    with pytest.raises(FileNotFoundError):
        rename_new(folder, "a", folder, "b")


def test_where_there_is_no_such_rename_nothing_is_done(
    tmp_path: Path, folder: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"mail")
    monkeypatch.setattr("ingest.folders.renaming._renameat2", lambda: None)
    assert not rename_new(folder, "a", folder, "b")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
