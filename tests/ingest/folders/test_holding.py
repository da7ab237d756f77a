"""Files held under a name of their own, in a real folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingest.folders.holding import HELD, NAME_BYTES, free_name, give, has_back, held_name, hold, own_name
from ingest.folders.mailfile import MailFile

ReadFile = Callable[[Path], MailFile]


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[int]:
    folder = os.open(tmp_path, os.O_RDONLY)
    yield folder
    os.close(folder)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_held_file_is_as_it_was_under_a_name_that_tells_its_own(
    tmp_path: Path, directory: int, read_file: ReadFile
) -> None:
    (tmp_path / "a").write_bytes(b"mail")
    held = hold(directory, read_file(tmp_path / "a"))
    assert held is not None
    assert held.startswith(HELD)
    assert own_name(held) == "a"
    assert content(tmp_path) == {held: b"mail"}


def test_a_file_that_is_another_by_now_is_not_held(tmp_path: Path, directory: int, read_file: ReadFile) -> None:
    (tmp_path / "a").write_bytes(b"mail")
    mail = read_file(tmp_path / "a")
    (tmp_path / "b").write_bytes(b"other")
    (tmp_path / "b").rename(tmp_path / "a")
    assert hold(directory, mail) is None
    assert content(tmp_path) == {"a": b"other"}


def test_the_longest_name_leaves_room_to_be_held_and_no_two_are_held_alike() -> None:
    names = {held_name("ä" * 127) for _ in range(100)}
    assert len(names) == 100
    assert max(len(os.fsencode(name)) for name in names) <= NAME_BYTES


def test_what_is_held_goes_back_over_no_other_file(tmp_path: Path, directory: int) -> None:
    held = held_name("a")
    (tmp_path / held).write_bytes(b"mail")
    (tmp_path / "a").write_bytes(b"another")
    give(directory, held, directory, "a")
    assert content(tmp_path) == {"a": b"another", "a~2": b"mail"}


def test_a_name_whose_reason_is_taken_is_not_free(tmp_path: Path, directory: int) -> None:
    (tmp_path / "a.reason").write_bytes(b"of one before")
    assert free_name(directory, "a") == "a~2"


def test_a_file_has_its_name_back_only_if_it_is_the_same_file(tmp_path: Path, directory: int) -> None:
    held = held_name("a")
    (tmp_path / held).write_bytes(b"mail")
    (tmp_path / "a").write_bytes(b"mail")
    assert not has_back(directory, held, "a")
    os.link(tmp_path / held, tmp_path / "a~2")
    assert has_back(directory, held, "a")


def test_a_file_that_has_another_number_of_names_by_now_is_still_held(
    tmp_path: Path, directory: int, read_file: ReadFile
) -> None:
    (tmp_path / "a").write_bytes(b"mail")
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    mail = read_file(tmp_path / "b")
    (tmp_path / "a").unlink()
    held = hold(directory, mail)
    assert held is not None
    assert content(tmp_path) == {held: b"mail"}


def test_a_file_written_over_by_as_many_bytes_with_its_time_set_back_is_not_held(
    tmp_path: Path, directory: int, read_file: ReadFile
) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"mail")
    mail, before = read_file(file), file.stat()
    file.write_bytes(b"MAIL")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert hold(directory, mail) is None
    assert content(tmp_path) == {"a": b"MAIL"}
