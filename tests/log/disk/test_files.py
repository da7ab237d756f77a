from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from log import DiskFull, LogUnusable, OutOfResources
from log.disk import files


def test_a_short_write_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda fd, data, position: whole(fd, bytes(data[:7]), position))
    fd = files.create_file(tmp_path / "file")
    files.write_all(fd, bytes(range(100)), 5)
    os.close(fd)
    assert (tmp_path / "file").read_bytes() == bytes(5) + bytes(range(100))


def test_a_replaced_file_has_the_old_content_until_it_has_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    files.replace_file(path, b"old")

    def fail(_: int) -> None:
        raise OSError(errno.EIO, "the disk")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="the disk"):
        files.replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    monkeypatch.undo()
    files.replace_file(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("call", ["pwrite", "fsync"])
def test_a_disk_that_is_full_or_fails_is_told_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="No space left") as raised:
        files.replace_file(tmp_path / "file", b"new")
    assert files.error_in_words(raised.value) == f"{tmp_path / 'file'}: No space left on device"


def test_files_and_folders_are_ours_alone(tmp_path: Path) -> None:
    files.make_folder(tmp_path / "a" / "b")
    files.replace_file(tmp_path / "a" / "b" / "file", b"")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "a" / "b" / "file").stat().st_mode & 0o777 == 0o600


def test_no_file_is_inherited_by_a_child(tmp_path: Path) -> None:
    fd = files.create_file(tmp_path / "file")
    assert not os.get_inheritable(fd)
    os.close(fd)


@pytest.mark.parametrize(("mounted", "kind"), [("nfs4", "nfs4"), ("ext4", None), ("fuse.sshfs", "fuse.sshfs")])
def test_a_network_file_system_is_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mounted: str, kind: str | None
) -> None:
    table = f"1 0 0:1 / / rw - ext4 /dev/a rw\n2 1 0:2 / {str(tmp_path).replace(' ', chr(92) + '040')} rw - {mounted} x rw\n"
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: table)
    assert files.network_file_system(tmp_path / "log") == kind
    assert files.network_file_system(tmp_path.parent) is None


def test_the_disks_errors_become_the_logs(tmp_path: Path) -> None:
    with pytest.raises(DiskFull, match="no space"), files.disk_errors_as_log_errors():
        raise OSError(errno.ENOSPC, "no space left on device")
    with pytest.raises(LogUnusable, match="missing"), files.disk_errors_as_log_errors():
        (tmp_path / "missing").read_bytes()


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
def test_a_limit_of_the_process_is_no_fault_of_the_log_and_may_pass(number: int) -> None:
    with pytest.raises(OutOfResources) as raised, files.disk_errors_as_log_errors():
        raise OSError(number, os.strerror(number))
    assert raised.value.retriable


def test_a_folder_that_another_has_made_is_durable_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(files, "fsync_folder", synced.append)
    (tmp_path / "made").mkdir()
    files.make_folder(tmp_path / "made")
    assert synced == [tmp_path]
    files.make_folder(tmp_path / "made" / "new" / "newer")
    assert synced[1:] == [tmp_path, tmp_path / "made", tmp_path / "made" / "new"]


def test_what_the_system_says_is_told_with_its_file_and_without_a_number(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file") as raised:
        (tmp_path / "missing").read_bytes()
    assert files.error_in_words(raised.value) == f"{tmp_path / 'missing'}: No such file or directory"
    assert files.error_in_words(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) == "No space left on device"
    assert files.error_in_words(OSError("unreadable")) == "unreadable"
