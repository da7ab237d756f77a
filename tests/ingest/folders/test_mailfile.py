from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.folders.mailfile import Limits, NotTaken, read_mail

MAX = 1000
LIMITS = Limits(100, MAX)


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[int]:
    folder = os.open(tmp_path, os.O_RDONLY)
    yield folder
    os.close(folder)


def test_a_file_that_has_gone_is_no_mail(directory: int) -> None:
    assert read_mail(directory, "gone", "drop:x", LIMITS) is None


@pytest.mark.parametrize("kind", ["symlink", "fifo", "directory"])
def test_what_is_no_regular_file_is_never_read(tmp_path: Path, directory: int, kind: str) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    path = tmp_path / "m.eml"
    if kind == "symlink":
        path.symlink_to("secret")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(NotTaken) as refusal:
        read_mail(directory, "m.eml", "drop:x", LIMITS)
    assert refusal.value.for_good


def test_a_mail_above_the_limit_is_refused_unread_with_both_numbers(tmp_path: Path, directory: int) -> None:
    (tmp_path / "big").write_bytes(b"x" * (MAX + 1))
    with pytest.raises(NotTaken, match="1001 bytes are more than max_mail_bytes \\(1000\\)") as refusal:
        read_mail(directory, "big", "drop:x", LIMITS)
    assert refusal.value.for_good
    (tmp_path / "fits").write_bytes(b"x" * MAX)
    assert read_mail(directory, "fits", "drop:x", LIMITS)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_stays_for_later(tmp_path: Path, directory: int) -> None:
    (tmp_path / "locked").write_bytes(b"x")
    (tmp_path / "locked").chmod(0)
    with pytest.raises(NotTaken, match="Permission denied") as refusal:
        read_mail(directory, "locked", "drop:x", LIMITS)
    assert not refusal.value.for_good


@pytest.mark.parametrize(("mode", "is_taken"), [(0o700, True), (0o1777, False), (0o770, False)])
def test_our_own_file_with_a_second_name_is_taken_only_where_nobody_else_can_have_linked_it(
    tmp_path: Path, mode: int, is_taken: bool
) -> None:
    (tmp_path / "secret").write_bytes(b"x")
    (tmp_path / "drop").mkdir()
    os.link(tmp_path / "secret", tmp_path / "drop" / "bait.eml")
    (tmp_path / "drop").chmod(mode)
    folder = os.open(tmp_path / "drop", os.O_RDONLY)
    try:
        if is_taken:
            assert read_mail(folder, "bait.eml", "drop:x", LIMITS)
        else:
            with pytest.raises(NotTaken, match="second name"):
                read_mail(folder, "bait.eml", "drop:x", LIMITS)
    finally:
        os.close(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make another user's file")
def test_another_users_file_with_a_second_name_is_not_taken(tmp_path: Path, directory: int) -> None:
    (tmp_path / "theirs").write_bytes(b"x")
    os.chown(tmp_path / "theirs", 65534, 65534)
    os.link(tmp_path / "theirs", tmp_path / "bait.eml")
    with pytest.raises(NotTaken) as refusal:
        read_mail(directory, "bait.eml", "drop:x", LIMITS)
    assert not refusal.value.for_good
    (tmp_path / "theirs").unlink()
    assert read_mail(directory, "bait.eml", "drop:x", LIMITS), "a delivery agent's file with one name is fine"


@pytest.mark.parametrize("size", [10, 500])
def test_a_file_that_somebody_may_go_on_writing_stays(tmp_path: Path, directory: int, size: int) -> None:
    with (tmp_path / "half").open("wb", buffering=0) as writer:
        writer.write(b"x" * size)
        with pytest.raises(NotTaken, match="still open for writing") as refusal:
            read_mail(directory, "half", "drop:x", LIMITS)
    assert not refusal.value.for_good
    taken = read_mail(directory, "half", "drop:x", LIMITS)
    assert taken is not None
    taken.close()
    assert taken.mail.size == size
