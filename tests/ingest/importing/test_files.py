from __future__ import annotations

import os
from pathlib import Path

import pytest

from ingest.importing.files import find_files


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    names = ["b/2", "b/1", "a.eml", "box/cur/x:2,S", "box/new/y", "box/tmp/z", ".hidden/h", "b/.draft", "tmp/t"]
    for name in [*names, "box/.Sent/cur/s", "box/.Sent/new/t", "box/.Sent/tmp/u"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to("a.eml")
    (tmp_path / "folder-link").symlink_to("b")
    os.mkfifo(tmp_path / "fifo")
    return tmp_path


def test_every_file_below_a_folder_is_found_in_the_same_order(tree: Path) -> None:
    found = [str(path.relative_to(tree)) for path in find_files(tree)]
    assert found == ["a.eml", "b/1", "b/2", "box/.Sent/cur/s", "box/.Sent/new/t", "box/cur/x:2,S", "box/new/y", "tmp/t"]


def test_a_file_is_itself(tree: Path) -> None:
    assert list(find_files(tree / "b" / "1")) == [tree / "b" / "1"]


def test_what_is_not_there_is_an_error(tree: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(find_files(tree / "c"))
