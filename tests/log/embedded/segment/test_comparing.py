from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from log import Record
from log.embedded.segment.comparing import SegmentPosition, common_part
from log.embedded.segment.names import segment_file
from tests.log.batches import encode

WriteSegment = Callable[..., bytes]


@pytest.fixture
def copies(tmp_path: Path, write_segment: WriteSegment) -> tuple[Path, Path, int]:
    """Two equal copies of segments 0 and 6, three batches of two records in each; a batch's size."""
    leader, folder = tmp_path / "leader", tmp_path / "copy"
    size = len(write_segment(leader, 0)) // 3
    write_segment(leader, 6)
    shutil.copytree(leader, folder)
    return leader, folder, size


def test_equal_copies_have_all_in_common(copies: tuple[Path, Path, int]) -> None:
    leader, folder, _ = copies
    assert common_part(folder, leader, 12) == SegmentPosition(6, segment_file(leader, 6).stat().st_size, 12)


def test_nothing_beyond_the_stop_is_in_common(copies: tuple[Path, Path, int]) -> None:
    leader, folder, size = copies
    assert common_part(folder, leader, 8) == SegmentPosition(6, size, 8)
    assert common_part(folder, leader, 7) == SegmentPosition(6, 0, 6)
    assert common_part(folder, leader, 6) == SegmentPosition(6, 0, 6)


def test_a_missing_folder_or_segment_ends_it(copies: tuple[Path, Path, int]) -> None:
    leader, folder, _ = copies
    segment_file(folder, 6).unlink()
    assert common_part(folder, leader, 12) == SegmentPosition(6, 0, 6)
    shutil.rmtree(folder)
    assert common_part(folder, leader, 12) == SegmentPosition(0, 0, 0)


@pytest.mark.parametrize("position", [5, 14, 70, 300])
def test_a_byte_that_differs_ends_it(copies: tuple[Path, Path, int], position: int) -> None:
    leader, folder, size = copies
    path = segment_file(folder, 0)
    data = bytearray(path.read_bytes())
    data[size + position] ^= 1
    path.write_bytes(data)
    assert common_part(folder, leader, 12) == SegmentPosition(0, size, 2)


def test_the_same_records_of_another_epoch_are_others(copies: tuple[Path, Path, int]) -> None:
    leader, folder, size = copies
    path = segment_file(folder, 6)
    data = path.read_bytes()
    records = [Record(b"key", b"%d" % offset + b"." * 2000) for offset in (8, 9)]
    later = encode(records, 8, 1001, 1, "none")
    assert len(later) == size
    path.write_bytes(data[:size] + later + data[2 * size :])
    assert common_part(folder, leader, 12) == SegmentPosition(6, size, 8)
