from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conf import SourceSettings
from ingest.folders.inbox import FIRST_RETRY_S, HELD_S, MAILDIR, Inbox, Listing, check_source


def maildir(path: Path) -> Inbox:
    for name in MAILDIR:
        (path / name).mkdir(parents=True)
    return Inbox(SourceSettings(path=path, kind="maildir"), settle_s=60)


def drop_folder(path: Path, settle_s: float) -> Inbox:
    path.mkdir(parents=True, exist_ok=True)
    return Inbox(SourceSettings(path=path, kind="drop"), settle_s)


def scan(inbox: Inbox, limit: int = 1000, now: float = 0.0) -> Listing:
    with inbox.open() as folder:
        return inbox.scan(folder, limit, now)


def test_a_folder_that_is_missing_is_told_and_not_made_its_disk_may_not_be_mounted(tmp_path: Path) -> None:
    for kind in ("maildir", "drop"):
        source = SourceSettings(path=tmp_path / "desk", kind=kind)
        with pytest.raises(FileNotFoundError, match=r"mount its disk, or `mkdir -p .*/desk"), Inbox(source, 0).open():
            pass
    assert list(tmp_path.iterdir()) == []


def test_an_empty_mount_point_is_no_maildir(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"mkdir -p .*/tmp .*/new .*/cur`: .*/new"):
        check_source(SourceSettings(path=tmp_path, kind="maildir"))
    assert list(tmp_path.iterdir()) == []
    check_source(SourceSettings(path=tmp_path, kind="maildir", recursive=True))  # they may all be below


def test_of_a_file_system_mounted_read_only_it_is_told_and_not_of_rights(
    tmp_path: Path, needs: Callable[..., str]
) -> None:
    mount = needs("mount", "umount", root=True)
    subprocess.run([mount, "-t", "tmpfs", "-o", "ro,size=1m", "none", tmp_path], check=True)
    try:
        with pytest.raises(OSError, match="mounted read-only"):
            check_source(SourceSettings(path=tmp_path, kind="drop"))
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_files_of_new_are_whole_at_once_and_come_oldest_first(tmp_path: Path) -> None:
    inbox = maildir(tmp_path)
    for name, age in (("b", 30), ("c", 10), ("a", 20)):
        (inbox.folder / name).write_bytes(b"x")
        os.utime(inbox.folder / name, (time.time() - age,) * 2)
    assert scan(inbox).ready == ["b", "a", "c"]


def test_files_still_in_tmp_or_already_read_in_cur_are_not_listed(tmp_path: Path) -> None:
    inbox = maildir(tmp_path)
    (tmp_path / "tmp" / "half").write_bytes(b"x")
    (tmp_path / "cur" / "read").write_bytes(b"x")
    assert scan(inbox) == Listing()


def test_no_more_than_the_limit_is_listed_and_it_is_the_oldest(tmp_path: Path) -> None:
    inbox = maildir(tmp_path)
    for age in range(50):
        (inbox.folder / f"{age}").write_bytes(b"x")
        os.utime(inbox.folder / f"{age}", (time.time() - age,) * 2)
    assert scan(inbox, limit=3).ready == ["49", "48", "47"]


def test_hidden_names_are_somebodys_work_in_progress(tmp_path: Path) -> None:
    inbox = maildir(tmp_path)
    (inbox.folder / ".mail.eml.part").write_bytes(b"x")
    assert scan(inbox) == Listing()


def test_what_is_no_regular_file_is_named_for_what_it_is(tmp_path: Path) -> None:
    inbox = maildir(tmp_path)
    (inbox.folder / "link.eml").symlink_to("/etc/passwd")
    (inbox.folder / "dir.eml").mkdir()
    os.mkfifo(inbox.folder / "fifo.eml")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(inbox.folder / "s"))
        listing = scan(inbox)
    assert dict(listing.odd) == {
        "link.eml": "a symbolic link",
        "dir.eml": "a directory",
        "fifo.eml": "a FIFO, socket or device",
        "s": "a FIFO, socket or device",
    }
    assert listing.ready == []


def test_folders_within_a_drop_folder_are_left_alone(tmp_path: Path) -> None:
    inbox = drop_folder(tmp_path, 0)
    (tmp_path / "done").mkdir()
    assert scan(inbox) == Listing()


def test_a_file_in_a_drop_folder_is_whole_when_it_has_kept_its_size_for_a_while(tmp_path: Path) -> None:
    inbox = drop_folder(tmp_path, 10)
    (tmp_path / "a.eml").write_bytes(b"half")
    assert scan(inbox, now=100) == Listing(waiting=1)
    (tmp_path / "a.eml").write_bytes(b"half and more")
    assert scan(inbox, now=110) == Listing(waiting=1), "it has grown: the wait begins anew"
    assert scan(inbox, now=119.9) == Listing(waiting=1)
    assert scan(inbox, now=120) == Listing(ready=["a.eml"])


def test_an_old_modification_time_is_no_proof_of_a_whole_file(tmp_path: Path) -> None:
    inbox = drop_folder(tmp_path, 60)
    (tmp_path / "copied.eml").write_bytes(b"x")
    os.utime(tmp_path / "copied.eml", (0, 0))
    assert scan(inbox) == Listing(waiting=1)


def test_a_postponed_file_is_left_out_until_its_time_and_does_not_hold_up_others(tmp_path: Path) -> None:
    inbox = maildir(tmp_path)
    (inbox.folder / "bad").write_bytes(b"x")
    inbox.postpone("bad", 100)
    (inbox.folder / "good").write_bytes(b"x")
    assert scan(inbox, limit=1, now=100).ready == ["good"]
    assert set(scan(inbox, now=100 + FIRST_RETRY_S).ready) == {"good", "bad"}
    inbox.postpone("bad", 200)
    assert scan(inbox, now=200 + FIRST_RETRY_S).ready == ["good"], "twice as long"
    assert set(scan(inbox, now=200 + 2 * FIRST_RETRY_S).ready) == {"good", "bad"}


def test_names_of_any_bytes_are_listed(tmp_path: Path) -> None:
    inbox = maildir(tmp_path)
    names = [b"line\nbreak", b"\xff\xfe", "\u202egnp.eml".encode(), b"n" * 255]
    for name in names:
        (inbox.folder / os.fsdecode(name)).write_bytes(b"x")
    assert sorted(map(os.fsencode, scan(inbox).ready)) == sorted(names)


def test_a_file_that_a_dead_watcher_held_is_listed_by_its_name(tmp_path: Path) -> None:
    inbox = maildir(tmp_path)
    (inbox.folder / ".otclog.0123456789abcdef.m.eml").write_bytes(b"mail")
    assert scan(inbox).ready == ["m.eml"]


def test_what_a_watcher_held_that_is_killed_later_is_listed_when_no_watcher_can_hold_it_any_more(
    tmp_path: Path,
) -> None:
    inbox = maildir(tmp_path)
    assert scan(inbox, now=5).ready == []
    (inbox.folder / ".otclog.0123456789abcdef.n.eml").write_bytes(b"mail")
    assert scan(inbox, now=10).ready == []
    assert scan(inbox, now=9 + HELD_S).ready == [], "its watcher may live"
    assert scan(inbox, now=10 + HELD_S).ready == ["n.eml"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a file of another user")
def test_a_file_of_another_user_that_cannot_have_its_name_back_stops_nothing_and_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    inbox = maildir(tmp_path)
    inbox.folder.chmod(0o1777)
    foreign = inbox.folder / ".otclog.0123456789abcdef.x"
    foreign.write_bytes(b"x")
    for name in (".otclog.1123456789abcdef.ours", ".otclog.0023456789abcdef.ours too"):
        (inbox.folder / name).write_bytes(b"mail")
        os.chown(inbox.folder / name, 65534, 65534)
    with inbox.open() as folder:
        os.seteuid(65534)
        try:
            found = [inbox.scan(folder, 1000, now).ready for now in (0, HELD_S, 2 * HELD_S)]
        finally:
            os.seteuid(0)
    assert [sorted(names) for names in found] == [["ours", "ours too"]] * 3
    assert foreign.exists()
    assert [each.getMessage().count("cannot have its name back") for each in caplog.records] == [1]


@pytest.mark.parametrize("kind", ["maildir", "below"])
def test_a_folder_behind_a_link_below_the_one_named_is_not_looked_into(tmp_path: Path, kind: str) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "secret").touch()
    root = tmp_path / "mail"
    root.mkdir()
    if kind == "maildir":
        (root / "new").symlink_to(tmp_path / "private")
        inbox = Inbox(SourceSettings(path=root, kind="maildir"), 0)
    else:
        (root / "inner").symlink_to(tmp_path / "private")
        inbox = Inbox(SourceSettings(path=root / "inner", kind="drop"), 0, below=root)
    with pytest.raises(OSError, match="or a link: name the folder itself"):
        scan(inbox)
    assert (tmp_path / "private" / "secret").exists()


def test_the_folder_that_the_settings_name_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "mail").symlink_to(tmp_path / "disk")
    inbox = drop_folder(tmp_path / "mail", 0)
    (tmp_path / "disk" / "1").touch()
    assert scan(inbox).ready == ["1"]
