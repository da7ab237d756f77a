from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path

import pytest

from log.embedded.segment import codec
from log.embedded.segment.segment import Batches, BatchPosition, Wanted, find_batch, read_batches, scan, walk

BASE = 100


@pytest.fixture
def folder(tmp_path: Path, write_segment: Callable[..., bytes]) -> Path:
    """A segment of twenty batches, offsets 100 to 139."""
    write_segment(tmp_path, BASE, batches=20)
    return tmp_path


@pytest.fixture
def path(folder: Path) -> Path:
    return folder / f"{BASE:020d}.log"


@pytest.fixture
def fd(path: Path) -> Iterator[int]:
    opened = os.open(path, os.O_RDONLY)
    yield opened
    os.close(opened)


def test_a_walk_meets_every_batch(fd: int) -> None:
    found = list(walk(fd, 0, os.fstat(fd).st_size))
    assert [each.header.base_offset for each in found] == list(range(100, 140, 2))
    assert found[0].position == 0
    assert all(one.position + one.header.size == two.position for one, two in pairwise(found))


def test_a_walk_ends_before_a_batch_that_is_not_all_there(fd: int) -> None:
    assert len(list(walk(fd, 0, os.fstat(fd).st_size - 1))) == 19


def test_a_batch_is_found_by_any_of_its_offsets(fd: int, folder: Path) -> None:
    for offset in range(100, 140):
        found = find_batch(fd, folder, BASE, offset)
        assert found is not None
        assert found.header.base_offset == offset - offset % 2
    assert find_batch(fd, folder, BASE, 140) is None


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.unlink(), id="missing"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:-5]), id="torn"),
        pytest.param(lambda path: path.write_bytes(bytes(len(path.read_bytes()))), id="zeros"),
        pytest.param(lambda path: path.write_bytes(b"\0\0\0\5\0\0\xff\xff" * 9), id="beside a batch"),
        pytest.param(lambda path: path.write_bytes(b"\0\0\0\5\x7f\xff\xff\xff" * 9), id="behind the end"),
    ],
)
def test_a_wrong_index_changes_no_read(fd: int, folder: Path, damage: Callable[[Path], None]) -> None:
    damage(folder / f"{BASE:020d}.index")
    for offset in range(100, 140):
        found = find_batch(fd, folder, BASE, offset)
        assert found is not None
        assert found.header.base_offset == offset - offset % 2


def reading(
    folder: Path, offset: int, last_read: dict[Path, BatchPosition] | None = None, wanted: Wanted | None = None
) -> Iterator[Batches]:
    return read_batches(folder, BASE, offset, wanted or Wanted(1000, 2**30), last_read)


def bases(found: Iterable[Batches]) -> list[int]:
    return [header.base_offset for each in found for header, _ in islice(codec.split(each.data), each.batches)]


def test_a_read_starts_at_the_batch_of_the_offset(folder: Path) -> None:
    found = list(reading(folder, 111))
    assert bases(found) == list(range(110, 140, 2))
    assert (sum(each.records for each in found), found[-1].next_offset) == (30, 140)


@pytest.mark.parametrize("stop", [112, 113, 130, 131])
def test_batches_are_given_together_until_one_that_is_not_wanted_as_a_whole(folder: Path, stop: int) -> None:
    together, alone = islice(reading(folder, 100, wanted=Wanted(stop, 2**30)), 2)
    assert bases([together]) == list(range(100, stop - 1, 2))
    assert (together.header, together.next_offset) == (None, stop - stop % 2)
    assert alone.header is not None
    assert alone.header.base_offset == together.next_offset


def test_batches_are_given_together_until_their_keys_and_values_may_be_larger_than_the_room(folder: Path) -> None:
    (three,) = islice(reading(folder, 100, wanted=Wanted(1000, 2**30)), 1)
    room = 3 * next(codec.split(three.data))[0].most_bytes
    assert bases(islice(reading(folder, 100, wanted=Wanted(1000, room)), 1)) == [100, 102, 104]
    assert bases(islice(reading(folder, 100, wanted=Wanted(1000, room - 1)), 1)) == [100, 102]


def test_a_reader_goes_on_where_it_stopped(folder: Path) -> None:
    last_read: dict[Path, BatchPosition] = {}
    next(reading(folder, 111, last_read))
    assert last_read[folder].base_offset == 110
    (folder / f"{BASE:020d}.index").unlink()
    for offset in (110, 111, 112, 114, 104, 139):
        assert bases(reading(folder, offset, last_read)) == list(range(offset - offset % 2, 140, 2))


@pytest.mark.parametrize("changed", [{"inode": 1}, {"position": 1}, {"base_offset": 112}])
def test_a_wrong_place_to_go_on_from_changes_no_read(folder: Path, changed: dict[str, int]) -> None:
    last_read: dict[Path, BatchPosition] = {}
    next(reading(folder, 111, last_read))
    last_read[folder] = last_read[folder]._replace(**changed)
    assert bases(islice(reading(folder, 113, last_read), 1)) == [112]


def test_a_damaged_batch_is_not_read_and_later_ones_are(folder: Path, path: Path, fd: int) -> None:
    found = find_batch(fd, folder, BASE, 120)
    assert found is not None
    data = bytearray(path.read_bytes())
    data[found.position + 80] ^= 1
    path.write_bytes(data)
    damaged = reading(folder, 118)
    assert bases(islice(damaged, 1)) == [118]
    with pytest.raises(ValueError, match=f"position {found.position}: not an intact batch"):
        next(damaged)
    assert bases(reading(folder, 122)) == list(range(122, 140, 2))


def test_an_offset_that_is_not_there_is_said(folder: Path) -> None:
    with pytest.raises(ValueError, match="no batch with it"):
        next(reading(folder, 140))


def test_a_scan_says_where_an_intact_segment_ends(path: Path) -> None:
    found = scan(path, BASE)
    assert (found.end, found.position, found.size) == (140, path.stat().st_size, path.stat().st_size)
    assert (found.first_timestamp_ms, found.last_timestamp_ms) == (1000, 1019)


def test_a_false_length_allocates_nothing(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8:12] = b"\x3f\xff\xff\xf0"
    path.write_bytes(data)
    tracemalloc.start()
    found = scan(path, BASE)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.position == 0
    assert peak < 2**22
