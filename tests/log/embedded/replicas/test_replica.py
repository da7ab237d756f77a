from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from log import OutOfResources, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.replicas.replica import Replica, drop_segments_after
from log.embedded.segment.index import entries
from log.embedded.segment.names import SUFFIXES, segment_bases, segment_file
from log.reading import records_of
from tests.log.batches import encode
from tests.processes import open_files

BATCH = encode([Record(b"key", b"." * 5000)], 0, 1, 0, "none")


@pytest.fixture
def replica(tmp_path: Path, write_segment: Callable[..., bytes]) -> Iterator[Replica]:
    """One in an empty first segment."""
    write_segment(tmp_path, batches=0)
    opened = Replica(1, tmp_path, 0)
    yield opened
    opened.close()


def test_it_stands_where_it_was_left(replica: Replica) -> None:
    assert replica.stands_at(0)
    replica.append(BATCH, 0, 0, 1)
    assert replica.stands_at(len(BATCH))
    assert not replica.stands_at(0)


def test_a_file_that_took_its_name_is_noticed(replica: Replica, tmp_path: Path) -> None:
    path = segment_file(tmp_path, 0)
    path.rename(tmp_path / "away")
    with pytest.raises(FileNotFoundError):
        replica.stands_at(0)
    path.touch()
    assert not replica.stands_at(0)


def test_a_roll_begins_an_empty_segment_with_its_indexes(replica: Replica, tmp_path: Path) -> None:
    replica.append(BATCH, 0, 0, 1)
    replica.roll(1)
    assert replica.stands_at(0)
    assert segment_bases(tmp_path) == [0, 1]
    assert all(segment_file(tmp_path, 1, suffix).stat().st_size == 0 for suffix in SUFFIXES)


def test_a_cut_goes_back_over_segments(replica: Replica, tmp_path: Path) -> None:
    replica.append(BATCH, 0, 0, 1)
    replica.append(BATCH, len(BATCH), 1, 2)
    replica.append(BATCH, 2 * len(BATCH), 2, 3)
    replica.roll(3)
    replica.append(BATCH, 0, 3, 4)
    replica.roll(4)
    replica.cut(0, 2 * len(BATCH), 2)
    assert segment_bases(tmp_path) == [0]
    assert replica.stands_at(2 * len(BATCH))
    assert entries(tmp_path, 0) == [(2, len(BATCH))]


def test_a_full_disk_is_no_failed_one(replica: Replica) -> None:
    replica.error = OSError(28, "no space")
    assert replica.is_full
    replica.flush_failed = True
    assert not replica.is_full


def test_dropped_segments_go_with_their_indexes(tmp_path: Path, write_segment: Callable[..., bytes]) -> None:
    for base in (0, 10, 20):
        write_segment(tmp_path, base)
    drop_segments_after(tmp_path, 0)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [*(f"{0:020d}{suffix}" for suffix in SUFFIXES), "leader-epoch-checkpoint"]
    )


@pytest.fixture
def only_more_files() -> Iterator[Callable[[int | None], None]]:
    """Let this process open so many more files; None: as many as before."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)

    def limit(count: int | None) -> None:
        if count is None:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
            return
        lowest = os.open("/dev/null", os.O_RDONLY)
        os.close(lowest)
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + count, before[1]))

    yield limit
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize("begun", [True, False])
def test_a_want_of_files_at_any_place_costs_no_replica_and_leaves_no_file_open(
    open_embedded: Callable[..., EmbeddedLog],
    only_more_files: Callable[[int | None], None],
    tmp_path: Path,
    begun: bool,
) -> None:
    log, failed, acknowledged = open_embedded(segment_bytes=4096), 0, []
    log.create_topic("mails", 1)

    def append() -> None:
        value = os.urandom(3000)  # each begins a segment
        log.append("mails", [Record(None, value)])
        acknowledged.append(value)

    append()
    files = open_files(tmp_path)
    for more in range(24):
        if not begun:
            log.close()
            log = open_embedded(segment_bytes=4096)
            assert log.span(TopicPartition("mails", 0)).stop >= len(acknowledged)
        only_more_files(more)
        try:
            append()
        except OutOfResources:
            failed += 1
        finally:
            only_more_files(None)
        append()
        assert len(log.describe("mails")[0].isr) == 3, more
        assert open_files(tmp_path) == files, more
    assert failed > 2
    stored = [record.value for record in records_of(log, TopicPartition("mails", 0))]
    assert [value for value in stored if value in acknowledged] == acknowledged
