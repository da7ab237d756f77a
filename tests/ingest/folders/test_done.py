from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingest.folders import holding
from ingest.folders.done import finish, put_aside, release
from ingest.folders.mailfile import FileIdentity, MailFile, identity

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


@pytest.mark.parametrize("move", [False, True])
def test_a_file_that_gets_the_name_at_the_last_moment_is_neither_deleted_nor_moved(  # noqa: PLR0917 -- fixtures
    tmp_path: Path, new: Path, directory: int, read_file: ReadFile, monkeypatch: pytest.MonkeyPatch, move: bool
) -> None:
    (new / "a").write_bytes(b"first")
    mail = read_file(new / "a")
    (tmp_path / "other").write_bytes(b"other")
    (tmp_path / "third").write_bytes(b"third")
    coming = [tmp_path / "third", tmp_path / "other"]

    def look(status: os.stat_result) -> FileIdentity:
        """What it says is true, and no longer so."""
        coming.pop().rename(new / "a")
        return identity(status)

    monkeypatch.setattr("ingest.folders.holding.identity", look)
    assert finish(directory, [mail], tmp_path, move=move) == []
    assert coming == []
    assert {path.name: path.read_bytes() for path in new.iterdir()} == {"a": b"third", "a~2": b"other"}
    assert not move or list((tmp_path / "done").iterdir()) == []


def test_no_other_file_in_done_is_overwritten_at_the_last_moment(
    tmp_path: Path, new: Path, directory: int, read_file: ReadFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    (new / "a").write_bytes(b"mail")
    mail = read_file(new / "a")
    free = holding.free_name

    def late(folder: int, name: str) -> str:
        """The name is free, and no longer so."""
        found = free(folder, name)
        if found == "a":
            (tmp_path / "done" / "a").write_bytes(b"another watcher's")
        return found

    monkeypatch.setattr("ingest.folders.holding.free_name", late)
    finish(directory, [mail], tmp_path, move=True)
    files = {path.name: path.read_bytes() for path in (tmp_path / "done").iterdir()}
    assert files == {"a": b"another watcher's", "a~2": b"mail"}
    assert list(new.iterdir()) == []


def test_a_file_that_cannot_be_moved_keeps_its_name(
    tmp_path: Path, new: Path, directory: int, read_file: ReadFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (new / "a").write_bytes(b"mail")
    mail = read_file(new / "a")
    monkeypatch.setattr(os, "link", no_space)
    ((file, error),) = finish(directory, [mail], tmp_path, move=True)
    assert (file, error.errno) == (mail, errno.ENOSPC)
    assert [path.name for path in new.iterdir()] == ["a"]


def test_what_a_dead_watcher_held_gets_its_name_back_or_a_free_one(new: Path, directory: int) -> None:
    for number in range(2):
        (new / f".otclog.{number:016}.a").write_bytes(b"%d" % number)
    (new / ".others").write_bytes(b"x")
    assert release(directory, [f".otclog.{number:016}.a" for number in range(2)]) == []
    assert sorted(path.name for path in new.iterdir()) == [".others", "a", "a~2"]
    assert {path.read_bytes() for path in new.iterdir()} == {b"0", b"1", b"x"}


@pytest.mark.parametrize("back", ["a", "a~2"])
def test_what_had_its_name_back_when_the_watcher_died_has_no_second_one(new: Path, directory: int, back: str) -> None:
    (new / "a").write_bytes(b"another")
    held = new / f".otclog.{0:016}.a"
    held.write_bytes(b"mail")
    (new / back).unlink(missing_ok=True)
    os.link(held, new / back)
    assert release(directory, [held.name]) == []
    names = sorted(path.name for path in new.iterdir())
    assert names == sorted({"a", back})
    assert (new / back).read_bytes() == b"mail"


@pytest.mark.parametrize("renames", ["over nothing", "over all"])
@pytest.mark.parametrize("move", [False, True])
def test_where_no_links_can_be_made_what_comes_at_the_last_moment_is_not_gone_over(  # noqa: PLR0917 -- fixtures
    tmp_path: Path,
    new: Path,
    directory: int,
    read_file: ReadFile,
    monkeypatch: pytest.MonkeyPatch,
    renames: str,
    move: bool,
) -> None:
    """`renames` tells what the file system's can be asked for."""
    held = new / f".otclog.{0:016}.a"
    held.write_bytes(b"mail")
    into = tmp_path / "done" if move else new
    refused: list[str] = []
    free = holding.free_name

    def no_links(*_: object, **__: object) -> None:
        refused.append("link")
        raise OSError(errno.EPERM, "Operation not permitted")

    def late(folder: int, name: str) -> str:
        """The name is free, and no longer so."""
        found = free(folder, name)
        if found == "a" and refused:
            (into / "a").write_bytes(b"comes at this moment")
        return found

    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr("ingest.folders.holding.free_name", late)
    if renames == "over all":
        monkeypatch.setattr("ingest.folders.renaming._renameat2", lambda: None)
    if move:
        held.rename(new / "a")
        assert finish(directory, [read_file(new / "a")], tmp_path, move=True) == []
    else:
        assert release(directory, [held.name]) == []
    assert sorted(path.read_bytes() for path in into.iterdir()) == [b"comes at this moment", b"mail"]
    assert (into / "a~2").read_bytes() == b"mail"
    assert move == (list(new.iterdir()) == [])


def test_the_longest_name_can_be_finished(tmp_path: Path, new: Path, directory: int, read_file: ReadFile) -> None:
    (new / ("n" * 255)).write_bytes(b"x")
    assert finish(directory, [read_file(new / ("n" * 255))], tmp_path, move=False) == []
    assert list(new.iterdir()) == []


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
    put_aside(directory, "link", "not a mail: a symbolic link", tmp_path, 100)
    assert (tmp_path / "failed" / "link").readlink() == Path("/etc/passwd")
    assert (tmp_path / "failed" / "link.reason").read_text() == "not a mail: a symbolic link\n"
    assert (tmp_path / "failed" / "link.reason").stat().st_mode & 0o777 == 0o600
    assert list(new.iterdir()) == []


def test_a_second_failure_under_the_same_name_keeps_the_first(tmp_path: Path, new: Path, directory: int) -> None:
    for content in (b"one", b"two"):
        (new / "big").write_bytes(content)
        put_aside(directory, "big", "too large", tmp_path, 1)
    names = sorted(path.name for path in (tmp_path / "failed").iterdir())
    assert names == ["big", "big.reason", "big~2", "big~2.reason"]


def test_a_name_of_255_bytes_leaves_room_for_the_reason(tmp_path: Path, new: Path, directory: int) -> None:
    (new / ("n" * 255)).write_bytes(b"x")
    put_aside(directory, "n" * 255, "too large", tmp_path, 0)
    assert {len(path.name) for path in (tmp_path / "failed").iterdir()} == {248, 255}


def test_an_entry_that_has_gone_leaves_no_reason_behind(tmp_path: Path, directory: int) -> None:
    assert not put_aside(directory, "gone", "too large", tmp_path, 0)
    assert not any((tmp_path / "failed").glob("*"))


def test_a_mail_that_comes_under_the_name_of_what_is_put_aside_stays(tmp_path: Path, new: Path, directory: int) -> None:
    (new / "a").write_bytes(b"mail")
    assert not put_aside(directory, "a", "not a mail: a symbolic link", tmp_path, 100)
    assert {path.name: path.read_bytes() for path in new.iterdir()} == {"a": b"mail"}
    assert not (tmp_path / "failed").exists()


def test_what_failed_cannot_take_has_its_name_back(tmp_path: Path, new: Path, directory: int) -> None:
    (tmp_path / "failed").write_bytes(b"no folder")
    (new / "link").symlink_to("/etc/passwd")
    with pytest.raises(FileExistsError):
        put_aside(directory, "link", "not a mail: a symbolic link", tmp_path, 100)
    assert [path.name for path in new.iterdir()] == ["link"]
