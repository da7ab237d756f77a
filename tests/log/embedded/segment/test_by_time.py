from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.segment.by_time import first_since, offset_since, started_ms
from log.embedded.segment.names import segment_bases, segment_file

BASE = 100
SOURCE = TopicPartition("mails", 0)


@pytest.fixture
def folder(tmp_path: Path, write_segment: Callable[..., bytes]) -> Path:
    """A segment of twenty batches, offsets 100 to 139."""
    write_segment(tmp_path, BASE, batches=20)
    return tmp_path


def test_a_batch_is_found_by_its_time(folder: Path) -> None:
    assert first_since(folder, BASE, 0) == 100
    assert [first_since(folder, BASE, 1000 + number) for number in range(20)] == list(range(100, 140, 2))
    assert first_since(folder, BASE, 1020) is None


def test_a_segment_starts_with_its_first_batch(folder: Path, write_segment: Callable[..., bytes]) -> None:
    assert started_ms(folder, BASE) == 1000
    write_segment(folder, 500, batches=0)
    assert started_ms(folder, 500) is None


def test_a_batch_behind_damage_is_not_guessed(folder: Path) -> None:
    path = segment_file(folder, BASE)
    path.write_bytes(path.read_bytes()[:-1])
    assert first_since(folder, BASE, 1018) == 136
    with pytest.raises(OSError, match=r"00100\.log: damaged at position \d+"):
        first_since(folder, BASE, 1019)


def lose(path: Path) -> None:
    path.unlink()


def clear_a_header(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[:61] = bytes(61)
    path.write_bytes(data)


def tear(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("harm", [lose, clear_a_header, tear])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_time_is_never_found_later_because_a_copy_is_damaged(
    open_embedded: Callable[..., EmbeddedLog], options: LogSettings, harm: Callable[[Path], None], which: int
) -> None:
    log = open_embedded(segment_bytes=2500, compression="none")
    log.create_topic("mails", 1)
    for number in range(8):
        log.append("mails", [Record(b"key", b"%d" % number + b"." * 1000)])
        time.sleep(0.002)
    times = [record.timestamp_ms for record in log.read(SOURCE, 0, 2**20)]
    expected = [times.index(time_ms) for time_ms in times]
    copy = options.replicas[0] / "mails-0"
    assert [offset_since(copy, 0, 8, time_ms) for time_ms in times] == expected
    harm(segment_file(copy, segment_bases(copy)[which]))
    for time_ms, offset in zip(times, expected, strict=True):
        try:
            found = offset_since(copy, 0, 8, time_ms)
        except OSError:
            continue
        assert found == offset
    assert [log.offset_for_time(SOURCE, time_ms) for time_ms in times] == expected
