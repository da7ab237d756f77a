from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from conf.settings import LogSettings
from log import CommitLog, Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.segment.names import segment_bases, segment_file

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


def values(log: CommitLog) -> list[bytes | None]:
    return [record.value for record in log.read(SOURCE, 0, 2**30)]


def test_segments_are_rolled_by_bytes(open_embedded: OpenLog, options: LogSettings, numbered: Numbered) -> None:
    log = open_embedded(segment_bytes=10_000, compression="none")
    log.create_topic("mails", 1)
    for start in range(0, 50, 5):
        log.append("mails", numbered(5, start, size=500))
    folders = [folder / "mails-0" for folder in options.replicas]
    bases = segment_bases(folders[0])
    assert len(bases) > 2
    for folder in folders:
        assert segment_bases(folder) == bases
        sizes = [segment_file(folder, base).stat().st_size for base in bases]
        assert all(5000 < size <= 10_000 for size in sizes[:-1])
    assert values(log) == [record.value for record in numbered(50, size=500)]


def test_one_append_may_fill_several_segments(open_embedded: OpenLog, options: LogSettings, numbered: Numbered) -> None:
    log = open_embedded(segment_bytes=10_000, compression="none")
    log.create_topic("mails", 1)
    log.append("mails", numbered(100, size=500))
    assert len(segment_bases(options.replicas[2] / "mails-0")) > 5
    assert values(log) == [record.value for record in numbered(100, size=500)]


def test_a_record_larger_than_a_segment_has_its_own(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=1000, compression="none")
    log.create_topic("mails", 1)
    log.append("mails", [*numbered(1), *numbered(1, 1, size=5000), *numbered(1, 2)])
    assert segment_bases(options.replicas[0] / "mails-0") == [0, 1, 2]
    assert [len(value or b"") for value in values(log)] == [1, 5001, 1]


def test_segments_are_rolled_by_age(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_embedded(segment_age_s=60)
    log.create_topic("mails", 1)
    start = time.time_ns()
    for number, seconds in enumerate((0, 30, 59, 61, 90, 200)):
        monkeypatch.setattr(time, "time_ns", lambda s=seconds: start + s * 10**9)
        log.append("mails", numbered(1, number))
    assert segment_bases(options.replicas[1] / "mails-0") == [0, 3, 5]


def test_a_topics_own_settings_hold(open_embedded: OpenLog, options: LogSettings, numbered: Numbered) -> None:
    log = open_embedded()
    log.create_topic("mails", 1, TopicConfig(segment_bytes=2000, compression="none"))
    for start in range(10):
        log.append("mails", numbered(1, start, size=900))
    assert segment_bases(options.replicas[0] / "mails-0") == [0, 2, 4, 6, 8]


def test_timestamps_do_not_fall_when_the_clock_does(
    embedded: EmbeddedLog, open_embedded: OpenLog, numbered: Numbered, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()
    for number, hours in enumerate((0, -2, 1, 0)):
        monkeypatch.setattr(time, "time_ns", lambda h=hours: now + h * 3600 * 10**9)
        (embedded, open_embedded())[number % 2].append("mails", numbered(1, number))
    times = [record.timestamp_ms for record in embedded.read(SOURCE, 0, 2**20)]
    assert times == [now // 10**6, now // 10**6, now // 10**6 + 3_600_000, now // 10**6 + 3_600_000]
