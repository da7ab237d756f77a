from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingest.done import finish, put_aside
from ingest.mailfile import MailFile

ReadFile = Callable[[Path], MailFile]


@pytest.fixture
def new(tmp_path: Path) -> Path:
    (tmp_path / "new").mkdir()
    return tmp_path / "new"


@pytest.fixture
def directory(new: Path) -> Iterator[int]:
    folder = os.open(new, os.O_RDONLY)
    yield folder
    os.close(folder)


def test_delete_removes_the_file_that_was_read(tmp_path: Path, new: Path, directory: int, read_file: ReadFile) -> None:
    (new / "a").write_bytes(b"mail")
    finish(directory, [read_file(new / "a")], tmp_path, move=False)
    assert list(new.iterdir()) == []


def test_of_many_files_all_go_but_those_that_are_others_by_now(
    tmp_path: Path, new: Path, directory: int, read_file: ReadFile
) -> None:
    names = [f"{number}" for number in range(100)]
    for name in names:
        (new / name).write_bytes(name.encode())
    mails = [read_file(new / name) for name in names]
    for name in ("0", "57"):
        (new / name).write_bytes(b"another mail")
    assert finish(directory, mails, tmp_path, move=False) == []
    assert sorted(path.name for path in new.iterdir()) == ["0", "57"]


def test_a_file_of_the_same_name_with_other_bytes_stays(
    tmp_path: Path, new: Path, directory: int, read_file: ReadFile
) -> None:
    (new / "a").write_bytes(b"first")
    mail = read_file(new / "a")
    (new / "b").write_bytes(b"other")
    (new / "b").rename(new / "a")
    finish(directory, [mail], tmp_path, move=False)
    assert (new / "a").read_bytes() == b"other"


def test_a_file_that_has_grown_since_stays(tmp_path: Path, new: Path, directory: int, read_file: ReadFile) -> None:
    (new / "a").write_bytes(b"half")
    mail = read_file(new / "a")
    with (new / "a").open("ab") as more:
        more.write(b" and half")
    finish(directory, [mail], tmp_path, move=False)
    assert (new / "a").exists()


def test_a_file_that_another_watcher_finished_is_no_error(
    tmp_path: Path, new: Path, directory: int, read_file: ReadFile
) -> None:
    (new / "a").write_bytes(b"mail")
    mail = read_file(new / "a")
    (new / "a").unlink()
    finish(directory, [mail], tmp_path, move=False)


def test_move_keeps_every_mail_in_done_also_under_one_name(
    tmp_path: Path, new: Path, directory: int, read_file: ReadFile
) -> None:
    for content in (b"first", b"second"):
        (new / "a").write_bytes(content)
        finish(directory, [read_file(new / "a")], tmp_path, move=True)
    assert sorted(path.read_bytes() for path in (tmp_path / "done").iterdir()) == [b"first", b"second"]
    assert (tmp_path / "done").stat().st_mode & 0o777 == 0o700


def test_what_cannot_be_taken_goes_to_failed_with_its_reason_unopened(
    tmp_path: Path, new: Path, directory: int
) -> None:
    (new / "link").symlink_to("/etc/passwd")
    put_aside(directory, "link", "not a mail: a symbolic link", tmp_path)
    assert (tmp_path / "failed" / "link").readlink() == Path("/etc/passwd")
    assert (tmp_path / "failed" / "link.reason").read_text() == "not a mail: a symbolic link\n"
    assert (tmp_path / "failed" / "link.reason").stat().st_mode & 0o777 == 0o600
    assert list(new.iterdir()) == []


def test_a_second_failure_under_the_same_name_keeps_the_first(tmp_path: Path, new: Path, directory: int) -> None:
    for content in (b"one", b"two"):
        (new / "big").write_bytes(content)
        put_aside(directory, "big", "too large", tmp_path)
    names = sorted(path.name for path in (tmp_path / "failed").iterdir())
    assert names == ["big", "big.reason", "big~2", "big~2.reason"]


def test_a_name_of_255_bytes_leaves_room_for_the_reason(tmp_path: Path, new: Path, directory: int) -> None:
    (new / ("n" * 255)).write_bytes(b"x")
    put_aside(directory, "n" * 255, "too large", tmp_path)
    assert {len(path.name) for path in (tmp_path / "failed").iterdir()} == {248, 255}


def test_an_entry_that_has_gone_leaves_no_reason_behind(tmp_path: Path, directory: int) -> None:
    put_aside(directory, "gone", "too large", tmp_path)
    assert list((tmp_path / "failed").iterdir()) == []
