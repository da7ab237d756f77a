from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pipelines.tables.files import create_json, private_folder, remove, write_json


def test_writing_replaces_whole_and_leaves_nothing_beside(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    write_json(file, {"n": 1})
    write_json(file, {"n": 2})
    assert json.loads(file.read_text()) == {"n": 2}
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def test_creating_never_replaces(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    create_json(file, {"n": 1})
    with pytest.raises(FileExistsError):
        create_json(file, {"n": 2})
    assert json.loads(file.read_text()) == {"n": 1}
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def test_files_and_every_folder_that_is_made_are_for_their_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs").chmod(0o755)
    umask = os.umask(0o022)
    try:
        folder = private_folder(tmp_path / "theirs" / "a" / "b")
        write_json(private_folder(folder) / "c.json", {})
    finally:
        os.umask(umask)
    modes = [each.stat().st_mode & 0o777 for each in (folder / "c.json", folder, folder.parent, tmp_path / "theirs")]
    assert modes == [0o600, 0o700, 0o700, 0o755]


def test_a_folder_whose_maker_died_before_it_was_durable_is_made_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made").mkdir()
    synced: list[Path] = []
    fsync = os.fsync

    def watched(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").readlink())
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    private_folder(tmp_path / "made")
    assert synced == [tmp_path.resolve()]


def test_removing_what_is_gone_is_no_error(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {})
    remove(tmp_path / "a.json")
    remove(tmp_path / "a.json")
    assert list(tmp_path.iterdir()) == []
