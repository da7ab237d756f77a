from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import CorruptRecord, Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.segment.names import segment_bases, segment_file
from log.embedded.segment.wholeness import check_whole, first_missing

SOURCE = TopicPartition("mails", 0)


@pytest.fixture
def folder(
    open_embedded: Callable[..., EmbeddedLog], options: LogSettings, numbered: Callable[..., list[Record]]
) -> Path:
    """A copy of ten records in five segments."""
    log = open_embedded(segment_bytes=2500, compression="none")
    log.create_topic("mails", 1)
    for number in range(10):
        log.append("mails", numbered(1, number, size=1000))
    copy = options.replicas[0] / "mails-0"
    assert segment_bases(copy) == [0, 2, 4, 6, 8]
    return copy


def test_a_copy_with_all_its_segments_lacks_nothing(folder: Path) -> None:
    assert first_missing(folder, 0, 10) is None
    check_whole(SOURCE, folder, 0, 10)


@pytest.mark.parametrize(("base", "missing"), [(0, 0), (4, 4), (8, 8)])
def test_the_first_offset_of_a_lost_segment_is_missing(folder: Path, base: int, missing: int) -> None:
    segment_file(folder, base).unlink()
    assert first_missing(folder, 0, 10) == missing
    with pytest.raises(CorruptRecord, match=f"damaged at offset {missing} .*mails-0: a segment is missing"):
        check_whole(SOURCE, folder, 0, 10)


def test_what_lies_before_the_log_start_or_behind_the_end_is_not_missed(folder: Path) -> None:
    segment_file(folder, 0).unlink()
    segment_file(folder, 8).unlink()
    assert first_missing(folder, 2, 8) is None
    assert first_missing(folder, 3, 8) is None
    assert first_missing(folder, 1, 8) == 1


def test_a_segment_that_ends_early_lacks_what_follows(folder: Path) -> None:
    path = segment_file(folder, 4)
    path.write_bytes(path.read_bytes()[:-1])
    assert first_missing(folder, 0, 10) == 5
    path.write_bytes(b"")
    assert first_missing(folder, 0, 10) == 4


def test_segments_that_a_dead_compaction_left_over_are_no_hole(
    open_embedded: Callable[..., EmbeddedLog], options: LogSettings, numbered: Callable[..., list[Record]]
) -> None:
    log = open_embedded(segment_bytes=2500, compression="none")
    log.create_topic("keys", 1, TopicConfig(cleanup="compact"))
    for number in range(10):
        log.append("keys", [Record(b"key", record.value) for record in numbered(1, number, size=1000)])
    copy = options.replicas[0] / "keys-0"
    old = {base: segment_file(copy, base).read_bytes() for base in segment_bases(copy)}
    log.tend()
    assert segment_bases(copy) == [0, 8]
    segment_file(copy, 4).write_bytes(old[4])
    assert first_missing(copy, 0, 10) is None
    segment_file(copy, 0).unlink()
    assert first_missing(copy, 0, 10) == 0
