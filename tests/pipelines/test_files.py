from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.files import create_json, private_folder, remove, write_json


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


def test_files_and_folders_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "a" / "b")
    write_json(folder / "c.json", {})
    assert (folder.stat().st_mode & 0o777, (folder / "c.json").stat().st_mode & 0o777) == (0o700, 0o600)


def test_removing_what_is_gone_is_no_error(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {})
    remove(tmp_path / "a.json")
    remove(tmp_path / "a.json")
    assert list(tmp_path.iterdir()) == []
