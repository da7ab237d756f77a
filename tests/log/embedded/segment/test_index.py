from __future__ import annotations

import struct
from pathlib import Path

import pytest

from log.embedded.segment.index import SegmentIndex, entries, nearest_entry, offset_before

BASE = 1000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Indexes of a segment whose batches of ten records are 3,000 bytes and 5 ms apart, twenty of them."""
    index = SegmentIndex(tmp_path, BASE)
    for number in range(20):
        index.add(number * 3000, BASE + number * 10 + 9, 5000 + number * 5)
    index.close()
    return tmp_path


def test_an_entry_is_due_when_4096_bytes_lie_behind_the_last(folder: Path) -> None:
    data = (folder / "00000000000000001000.index").read_bytes()
    assert list(struct.iter_unpack(">ii", data)) == [(number * 10 + 9, number * 3000) for number in range(2, 20, 2)]


def test_the_time_index_names_the_same_batches(folder: Path) -> None:
    data = (folder / "00000000000000001000.timeindex").read_bytes()
    assert list(struct.iter_unpack(">qi", data)) == [(5000 + number * 5, number * 10 + 9) for number in range(2, 20, 2)]


def test_a_timestamp_is_entered_once(tmp_path: Path) -> None:
    index = SegmentIndex(tmp_path, 0)
    for number in range(1, 6):
        index.add(number * 5000, number, 7)
    index.close()
    assert len((tmp_path / "00000000000000000000.index").read_bytes()) == 5 * 8
    assert (tmp_path / "00000000000000000000.timeindex").read_bytes() == struct.pack(">qi", 7, 1)


def test_a_walk_starts_at_the_last_indexed_batch_before_the_offset(folder: Path) -> None:
    for offset in range(BASE, BASE + 200):
        entry = nearest_entry(folder, BASE, offset)
        started = entry[1] // 3000 if entry else 0
        assert BASE + started * 10 <= offset
        assert offset - (BASE + started * 10) < 3 * 10


def test_a_time_is_looked_for_behind_an_older_offset(folder: Path) -> None:
    assert offset_before(folder, BASE, 0) == BASE
    assert offset_before(folder, BASE, 5010) == BASE
    assert offset_before(folder, BASE, 5011) == BASE + 29
    assert offset_before(folder, BASE, 9999) == BASE + 189


def test_without_an_index_a_walk_starts_at_the_beginning(tmp_path: Path) -> None:
    assert nearest_entry(tmp_path, BASE, BASE + 100) is None
    assert offset_before(tmp_path, BASE, 9999) == BASE
    assert entries(tmp_path, BASE) == []


def test_a_torn_entry_is_not_read_and_written_over(folder: Path) -> None:
    path = folder / "00000000000000001000.index"
    whole = path.read_bytes()
    path.write_bytes(whole + b"\x7f\x7f\x7f")
    assert nearest_entry(folder, BASE, BASE + 199) == (BASE + 189, 18 * 3000)
    index = SegmentIndex(folder, BASE)
    index.add(60_000, BASE + 209, 6000)
    index.close()
    assert path.read_bytes() == whole + struct.pack(">ii", 209, 60_000)


def test_a_cut_forgets_what_lies_behind_it(folder: Path) -> None:
    index = SegmentIndex(folder, BASE)
    index.cut(BASE + 100)
    index.add(30_000, BASE + 109, 5050)
    index.close()
    assert [position for _, position in entries(folder, BASE)] == [6000, 12_000, 18_000, 24_000, 30_000]


def test_entries_name_the_offset_behind_each_batch(folder: Path) -> None:
    assert entries(folder, BASE)[:2] == [(BASE + 30, 6000), (BASE + 50, 12_000)]
