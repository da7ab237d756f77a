from __future__ import annotations

import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from log.embedded.replicas.archiving import archive_after, set_aside_bytes
from log.embedded.segment.comparing import SegmentPosition
from log.embedded.segment.dump import dump
from log.embedded.segment.names import segment_file

WriteSegment = Callable[..., bytes]


@pytest.fixture
def folder(tmp_path: Path, write_segment: WriteSegment) -> Path:
    """Segments 0 and 6, three batches of two records in each, and a torn tail."""
    folder = tmp_path / "disk-1" / "mails-0"
    folder.mkdir(parents=True)
    write_segment(folder, 0)
    write_segment(folder, 6)
    with segment_file(folder, 6).open("ab") as file:
        file.write(b"torn")
    return folder


@pytest.fixture
def leader(tmp_path: Path, write_segment: WriteSegment) -> Path:
    """A copy without records."""
    folder = tmp_path / "disk-2" / "mails-0"
    folder.mkdir(parents=True)
    write_segment(folder, 0, batches=0)
    return folder


def offsets(path: Path) -> list[int]:
    return [row["offset"] for row in dump(path) if row["kind"] == "record"]


def test_whole_batches_behind_a_place_are_kept_as_a_segment(folder: Path, leader: Path) -> None:
    size = segment_file(folder, 0).stat().st_size // 3
    path = archive_after(folder, SegmentPosition(0, 2 * size, 4), 0, leader)
    assert path is not None
    assert path.name == f"{4:020d}.log"
    assert path.is_relative_to(folder.parent / "archive" / "mails-0")
    assert offsets(path) == list(range(4, 12))
    assert not [row for row in dump(path) if row["kind"] == "damage"]


def test_what_is_set_aside_is_counted_by_partition_and_in_all(folder: Path, leader: Path) -> None:
    replica = folder.parent
    assert set_aside_bytes(replica) == 0
    path = archive_after(folder, SegmentPosition(0, 0, 0), 0, leader)
    assert path is not None
    assert set_aside_bytes(replica) == set_aside_bytes(replica, "mails-0") == path.stat().st_size
    assert set_aside_bytes(replica, "mails-1") == 0
    assert set_aside_bytes(replica.parent / "gone") == 0


def test_what_the_log_deleted_is_not_kept(folder: Path, leader: Path) -> None:
    path = archive_after(folder, SegmentPosition(0, 0, 0), 8, leader)
    assert path is not None
    assert offsets(path) == list(range(8, 12))


def test_without_records_behind_it_there_is_no_file(folder: Path, leader: Path) -> None:
    end = segment_file(folder, 6).stat().st_size - len(b"torn")
    assert archive_after(folder, SegmentPosition(6, end, 12), 0, leader) is None
    assert archive_after(folder.parent / "gone", SegmentPosition(0, 0, 0), 0, leader) is None
    assert not (folder.parent / "archive").exists()


def test_only_what_the_leader_lacks_is_kept(folder: Path, leader: Path, write_segment: WriteSegment) -> None:
    write_segment(leader, 0)
    write_segment(leader, 6)
    with segment_file(leader, 6).open("r+b") as file:
        file.seek(segment_file(leader, 6).stat().st_size // 2)  # damages the second of three batches
        file.write(b"damage")
    path = archive_after(folder, SegmentPosition(0, 0, 0), 0, leader)
    assert path is not None
    assert offsets(path) == [8, 9]
    assert archive_after(folder, SegmentPosition(0, 0, 0), 10, leader) is None


def test_records_are_set_aside_without_being_all_in_memory(folder: Path, leader: Path) -> None:
    segment_file(folder, 6).unlink()
    for base in range(6, 6000, 6):
        shutil.copyfile(segment_file(folder, 0), segment_file(folder, base))
    size = sum(path.stat().st_size for path in folder.glob("*.log"))
    tracemalloc.start()
    path = archive_after(folder, SegmentPosition(0, 0, 0), 0, leader)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert path is not None
    assert path.stat().st_size == size
    assert most < size / 5
