from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator

import pytest

from conf.settings import LogSettings
from log import OffsetOutOfRange, Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.segment.names import segment_bases
from log.protection import protect, unprotect
from tests.turns import strides

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
EVERY_STEP = strides(7)
Numbered = Callable[..., list[Record]]
DAY_MS = 86_400_000


class Clock:
    """The wall clock, set by the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_ms = time.time_ns() // 10**6
        monkeypatch.setattr(time, "time_ns", lambda: self.now_ms * 10**6)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def details(log: EmbeddedLog) -> list[str]:
    return [each.detail for each in log.tend()]


def test_segments_are_deleted_when_the_next_one_is_old_enough(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, clock: Clock
) -> None:
    log = open_embedded(segment_bytes=2000, compression="none")
    log.create_topic("mails", 1, TopicConfig(retention_s=3600))
    for number in range(6):
        log.append("mails", numbered(1, number, size=1500))
        log.tend()
        clock.now_ms += 20 * 60 * 1000
    log.tend()
    assert log.span(SOURCE) == range(2, 6)  # 3 is 60 minutes old
    assert [segment_bases(folder / "mails-0") for folder in options.replicas] == [[2, 3, 4, 5]] * 3
    with pytest.raises(OffsetOutOfRange, match=r"offset 1 is not in \[2, 6\]"):
        log.read(SOURCE, 1, 100)
    assert [record.offset for record in log.read(SOURCE, 2, 2**20)] == [2, 3, 4, 5]
    assert log.offset_for_time(SOURCE, 0) == 2


def test_the_oldest_segments_beyond_the_bytes_are_deleted(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=2000, compression="none")
    log.create_topic("mails", 1, TopicConfig(retention_bytes=5000))
    for number in range(10):
        log.append("mails", numbered(1, number, size=1500))
    log.tend()
    (described,) = log.describe("mails")
    assert (described.start, described.end) == (6, 10)
    assert 5000 <= described.bytes < 5000 + 1700
    assert segment_bases(options.replicas[2] / "mails-0") == [6, 7, 8, 9]


def test_a_clock_that_jumps_a_year_deletes_nothing(open_embedded: OpenLog, numbered: Numbered, clock: Clock) -> None:
    log = open_embedded(segment_bytes=2000, compression="none")
    log.create_topic("mails", 1, TopicConfig(retention_s=3600))
    for number in range(5):
        log.append("mails", numbered(1, number, size=1500))
    log.tend()
    clock.now_ms += 365 * DAY_MS
    for _ in range(20):
        log.tend()
        clock.now_ms += 3_600_000
    assert log.span(SOURCE) == range(5)
    clock.now_ms -= 365 * DAY_MS
    log.tend()
    assert log.span(SOURCE) == range(5)
    for _ in range(26):
        clock.now_ms += 3_600_000
        log.tend()
    assert log.span(SOURCE) == range(4, 5)


def test_what_a_protected_group_has_not_read_is_kept(open_embedded: OpenLog, numbered: Numbered) -> None:
    log = open_embedded(segment_bytes=2000, compression="none")
    log.create_topic("mails", 1, TopicConfig(retention_bytes=1))
    for number in range(6):
        log.append("mails", numbered(1, number, size=1500))
    log.commit("extract", {SOURCE: 2})
    protect(log, "extract")
    assert details(log) == [
        "kept from offset 2 on, as the protected group extract has not read it",
        "offsets 0 to 1 deleted",
    ]
    assert log.span(SOURCE) == range(2, 6)
    log.commit("extract", {SOURCE: 4})
    log.tend()
    assert log.span(SOURCE) == range(4, 6)
    unprotect(log, "extract")
    log.tend()
    assert log.span(SOURCE) == range(5, 6)


def test_deleted_records_are_gone_within_a_segment_too(
    embedded: EmbeddedLog, open_embedded: OpenLog, numbered: Numbered
) -> None:
    other = open_embedded()
    embedded.append("mails", numbered(10))
    assert other.span(SOURCE) == range(10)
    assert embedded.delete_records(SOURCE, 4) == 4
    assert embedded.span(SOURCE) == other.span(SOURCE) == range(4, 10)
    assert [record.value for record in other.read(SOURCE, 4, 1000)] == [b"%d" % number for number in range(4, 10)]
    assert embedded.describe("mails")[0].start == 4
    assert embedded.delete_records(SOURCE, 2) == 4
    assert embedded.delete_records(SOURCE, 10) == 10
    assert embedded.read(SOURCE, 10, 1000) == []
    with pytest.raises(OffsetOutOfRange):
        embedded.delete_records(SOURCE, 11)
    assert embedded.append("mails", numbered(1))[0].offset == 10


@EVERY_STEP
def test_a_deletion_that_dies_at_any_step_keeps_all_or_none_of_it(
    options: LogSettings, numbered: Numbered, each_death: Callable[..., Iterator[bool]], every: int
) -> None:
    replicas = tuple(options.root / f"disk-{number}" for number in (1, 2, 3))
    options = dataclasses.replace(options, replicas=replicas, segment_bytes=2000, compression="none")
    log = EmbeddedLog(options)
    log.create_topic("mails", 1)
    for number in range(6):
        log.append("mails", numbered(1, number, size=1500))
    log.close()

    def delete() -> Callable[[], object]:
        dying = EmbeddedLog(options)
        return lambda: dying.delete_records(SOURCE, 4)

    steps = 0
    for died in each_death(options.root, delete, every):
        steps += 1
        log = EmbeddedLog(options)
        with log.exclusive(SOURCE):
            start = log.span(SOURCE).start
        assert start in ({0, 4} if died else {4})
        assert [record.offset for record in log.read(SOURCE, start, 2**20)] == list(range(start, 6))
        log.tend()
        kept = [segment_bases(folder / "mails-0") for folder in replicas]
        assert kept == [list(range(start, 6))] * 3
        assert log.append("mails", numbered(1))[0].offset == 6
        assert len(log.describe("mails")[0].isr) == 3
        log.close()
    assert (steps + 1) * every > 15
