"""Cleaned segments, written and put in the places of old ones in real folders."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from log import Record
from log.embedded.replicas.replica import begin_segment
from log.embedded.segment.codec import ANYBODY, BatchHeader, Producer, read_header, split
from log.embedded.segment.index import nearest_entry
from log.embedded.segment.names import segment_bases, segment_file
from log.embedded.upkeep.cleaned import CLEANED, MAX_OFFSETS, Writer, remove_unfinished, swap
from tests.log.batches import encode

SEGMENT_BYTES = 2000


def batch_at(base: int, count: int = 2, epoch: int = 1, producer: Producer = ANYBODY) -> bytes:
    return encode([Record(None, b"x" * 100)] * count, base, 5, epoch, "none", producer)


def header_of(batch: bytes) -> BatchHeader:
    header = read_header(batch)
    assert header is not None
    return header


def written(folder: Path, base: int) -> list[tuple[int, int, int]]:
    """Of each batch the first offset, the offset behind it, and its records."""
    data = (folder / f"{base:020d}{CLEANED}").read_bytes()
    return [(header.base_offset, header.next_offset, header.records) for header, _ in split(data)]


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    found = [tmp_path / "one", tmp_path / "two"]
    for folder in found:
        folder.mkdir()
    return found


def test_batches_of_which_nothing_stays_leave_one_empty_batch_for_all_their_offsets(folders: list[Path]) -> None:
    with contextlib.closing(Writer(folders, SEGMENT_BYTES)) as writer:
        writer.begin(0, 500)
        writer.add(header_of(batch_at(0)), batch_at(0))
        writer.add(header_of(batch_at(2)), None)
        writer.add(header_of(batch_at(4)), None)
        writer.add(header_of(batch_at(6)), batch_at(6))
        writer.finish()
    assert [written(folder, 0) for folder in folders] == [[(0, 2, 2), (2, 6, 0), (6, 8, 2)]] * 2


@pytest.mark.parametrize("other", [batch_at(2, epoch=2), batch_at(2, producer=Producer(9, 0, 0))])
def test_empty_batches_of_another_epoch_or_of_a_producer_stay_apart(folders: list[Path], other: bytes) -> None:
    with contextlib.closing(Writer(folders, SEGMENT_BYTES)) as writer:
        writer.begin(0, 500)
        writer.add(header_of(batch_at(0)), None)
        writer.add(header_of(other), None)
        writer.finish()
    assert written(folders[0], 0) == [(0, 2, 0), (2, 4, 0)]


def test_neighbours_become_one_segment_while_they_fit_its_bytes_and_its_offsets(folders: list[Path]) -> None:
    far = MAX_OFFSETS + 4
    with contextlib.closing(Writer(folders, SEGMENT_BYTES)) as writer:
        for base, size in ((0, 500), (2, 500), (4, SEGMENT_BYTES), (far + 1, 500)):
            writer.begin(base, size)
            writer.add(header_of(batch_at(base)), batch_at(base))
        writer.finish()
    assert writer.bases == [0, 4, far + 1]
    assert written(folders[1], 0) == [(0, 2, 2), (2, 4, 2)]


def test_a_swap_leaves_the_cleaned_segment_with_its_index_and_none_that_it_has_taken_in(folders: list[Path]) -> None:
    folder, batches = folders[0], [batch_at(base, 50) for base in (0, 50, 100)]
    for base in (0, 50, 100, 150):
        begin_segment(folder, base)
        segment_file(folder, base).write_bytes(batch_at(base, 50))
    (folder / f"{0:020d}{CLEANED}").write_bytes(b"".join(batches))
    swap(folder, [(0, 150)])
    assert segment_bases(folder) == [0, 150]
    assert segment_file(folder, 0).read_bytes() == b"".join(batches)
    assert nearest_entry(folder, 0, 120) == (99, len(batches[0]))


def test_what_a_dead_compaction_had_written_is_forgotten(folders: list[Path]) -> None:
    with contextlib.closing(Writer(folders, SEGMENT_BYTES)) as writer:
        writer.begin(0, 500)
    begin_segment(folders[0], 0)
    remove_unfinished(folders[0])
    assert not list(folders[0].glob("*.cleaned"))
    assert segment_bases(folders[0]) == [0]
