from __future__ import annotations

import dataclasses
import random
import shutil
import time
from collections.abc import Callable, Iterator

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.verifying import verify
from log.embedded.segment.names import segment_bases, segment_file
from tests.turns import strides

SOURCE = TopicPartition("status", 0)
OpenLog = Callable[..., EmbeddedLog]
EVERY_STEP = strides(7)
COMPACT = TopicConfig(cleanup="compact", segment_bytes=1000, compression="none", tombstone_s=3600)


def read_all(log: EmbeddedLog) -> list[tuple[int, bytes | None, bytes | None]]:
    with log.exclusive(SOURCE):
        found, offset = [], log.span(SOURCE).start
        while records := log.read(SOURCE, offset, 500):
            found += [(record.offset, record.key, record.value) for record in records]
            offset = records[-1].offset + 1
    return found


def latest(rows: list[tuple[int, bytes | None, bytes | None]]) -> dict[bytes | None, tuple[int, bytes | None]]:
    return {key: (offset, value) for offset, key, value in rows}


def fill(log: EmbeddedLog, count: int, seed: int = 1) -> None:
    chance = random.Random(seed)
    for number in range(count):
        run = [Record(b"key %d" % chance.randrange(9), b"%d" % number * chance.randrange(1, 60)) for _ in range(3)]
        log.append("status", run)


def test_of_each_key_the_latest_record_stays_at_its_offset(open_embedded: OpenLog, options: LogSettings) -> None:
    log = open_embedded()
    log.create_topic("status", 1, COMPACT)
    fill(log, 100)
    before = read_all(log)
    segments = len(segment_bases(options.replicas[0] / "status-0"))
    assert [each.action for each in log.tend()] == ["compact"]
    after = read_all(log)
    assert latest(after) == latest(before)
    assert len(after) < 40
    assert set(after) <= set(before)
    assert all(len(segment_bases(folder / "status-0")) < segments for folder in options.replicas)
    assert log.tend() == []
    assert [record.offset for record in log.read(SOURCE, 0, 1)] == [after[0][0]]


@pytest.mark.parametrize("lacking", [1, 3])
def test_a_segment_that_some_lack_is_compacted_away_on_nobody(
    open_embedded: OpenLog, options: LogSettings, lacking: int
) -> None:
    log = open_embedded()
    log.create_topic("status", 1, COMPACT)
    log.append("status", [Record(b"once", b"." * 900)])
    fill(log, 40)
    before = read_all(log)
    for folder in options.replicas[:lacking]:
        segment_file(folder / "status-0", 0 if lacking == 3 else segment_bases(folder / "status-0")[1]).unlink()
    done = {each.action: each.ok for each in log.tend()}
    if lacking == 3:
        assert set(done) in ({"check", "compact"}, {"check", "tend"})  # what cannot be read cannot be told from mails
        assert not any(done.values())
    else:
        assert done == {"check": False, "rejoin": True, "compact": True}
        assert latest(read_all(log)) == latest(before)
    assert all(each.isr for each in log.describe("status"))


def test_the_replicas_stay_equal_and_in_sync(open_embedded: OpenLog, options: LogSettings) -> None:
    log = open_embedded()
    log.create_topic("status", 1, COMPACT)
    fill(log, 60)
    log.tend()
    fill(log, 60, seed=2)
    log.tend()
    files = [sorted((folder / "status-0").glob("*")) for folder in options.replicas]
    for other in files[1:]:
        assert [path.name for path in other] == [path.name for path in files[0]]
        assert [path.read_bytes() for path in other] == [path.read_bytes() for path in files[0]]
    log.close()
    assert len(open_embedded().describe("status")[0].isr) == 3


def test_a_tombstone_goes_when_it_is_old_enough(open_embedded: OpenLog, monkeypatch: pytest.MonkeyPatch) -> None:
    log = open_embedded()
    log.create_topic("status", 1, COMPACT)
    log.append("status", [Record(b"gone", b"value"), Record(b"kept", b"value")])
    log.append("status", [Record(b"gone", None)])
    fill(log, 30)
    log.tend()
    assert latest(read_all(log))[b"gone"] == (2, None)
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 2 * 3600 * 10**9)
    fill(log, 60, seed=2)
    log.tend()
    assert b"gone" not in latest(read_all(log))
    assert latest(read_all(log))[b"kept"] == (1, b"value")


def test_younger_records_than_the_lag_are_left_alone(open_embedded: OpenLog) -> None:
    log = open_embedded()
    log.create_topic("status", 1, dataclasses.replace(COMPACT, compaction_lag_s=3600))
    fill(log, 60)
    before = read_all(log)
    assert log.tend() == []
    assert read_all(log) == before


def test_records_without_a_key_stay(open_embedded: OpenLog) -> None:
    log = open_embedded()
    log.create_topic("status", 1, COMPACT)
    log.append("status", [Record(None, b"no key")])
    fill(log, 60)
    log.tend()
    assert read_all(log)[0] == (0, None, b"no key")


def test_mail_is_never_compacted(open_embedded: OpenLog) -> None:
    log = open_embedded()
    with pytest.raises(LogUnusable, match="a topic of mails cannot be compacted"):
        log.create_topic("mails", 1, TopicConfig(cleanup="compact", mail=True))
    log.create_topic("mails", 1, TopicConfig(mail=True))
    with pytest.raises(LogUnusable, match="cannot be compacted"):
        log.alter_topic("mails", config=TopicConfig(cleanup="compact", mail=True))
    with pytest.raises(LogUnusable, match="holds mail, and stays so"):
        log.alter_topic("mails", config=TopicConfig(cleanup="compact"))


def test_a_reader_from_before_goes_on_after(open_embedded: OpenLog) -> None:
    log, reader = open_embedded(), open_embedded()
    log.create_topic("status", 1, COMPACT)
    fill(log, 60)
    seen = latest([(record.offset, record.key, record.value) for record in reader.read(SOURCE, 0, 3000)])
    offset = max(offset for offset, _ in seen.values()) + 1
    log.tend()
    while records := reader.read(SOURCE, offset, 500):
        seen |= latest([(record.offset, record.key, record.value) for record in records])
        offset = records[-1].offset + 1
    assert seen == latest(read_all(log))


@pytest.mark.slow
@EVERY_STEP
def test_a_compaction_that_dies_at_any_step_loses_no_key(
    options: LogSettings, each_death: Callable[..., Iterator[bool]], every: int
) -> None:
    replicas = tuple(options.root / f"disk-{number}" for number in (1, 2, 3))
    options = dataclasses.replace(options, replicas=replicas)
    log = EmbeddedLog(options)
    log.create_topic("status", 1, dataclasses.replace(COMPACT, segment_bytes=600))
    fill(log, 12)
    expected = latest(read_all(log))
    log.close()

    def tend() -> Callable[[], object]:
        dying = EmbeddedLog(options)
        return dying.tend

    steps = 0
    for _ in each_death(options.root, tend, every):
        steps += 1
        log = EmbeddedLog(options)
        assert latest(read_all(log)) == expected, steps
        assert all(each.ok for each in log.tend())
        assert latest(read_all(log)) == expected, steps
        assert log.append("status", [Record(b"key", b"later")])[0].offset == 36
        assert len(log.describe("status")[0].isr) == 3
        for watermark in (options.root / "state" / "status-0" / "watermark",):
            log.close()
            watermark.unlink()
            log = EmbeddedLog(options)
            assert latest(read_all(log)) == {**expected, b"key": (36, b"later")}, steps
            assert len(log.describe("status")[0].isr) == 3
        assert not list(options.root.rglob("*.cleaned"))
        log.close()
    assert (steps + 1) * every > 40


@pytest.mark.slow
@EVERY_STEP
def test_what_a_dead_compaction_left_over_is_neither_compacted_again_nor_copied(
    options: LogSettings, each_death: Callable[..., Iterator[bool]], every: int
) -> None:
    """An old segment beside the one that has its records: the next compaction put these into one segment twice."""
    replicas = tuple(options.root / f"disk-{number}" for number in (1, 2, 3))
    options = dataclasses.replace(options, replicas=replicas)
    log = EmbeddedLog(options)
    log.create_topic("status", 1, dataclasses.replace(COMPACT, segment_bytes=200))
    fill(log, 6)
    log.alter_topic("status", config=dataclasses.replace(COMPACT, segment_bytes=10_000))
    expected = latest(read_all(log))
    log.close()

    def tend() -> Callable[[], object]:
        dying = EmbeddedLog(options)
        return dying.tend

    for _ in each_death(options.root, tend, every):
        shutil.rmtree(replicas[2])
        log = EmbeddedLog(options)
        log.append("status", [Record(b"key", b"later")])
        assert [each for each in log.tend() if not each.ok] == []
        assert len(log.describe("status")[0].isr) == 3
        found = read_all(log)
        assert [offset for offset, _, _ in found] == sorted({offset for offset, _, _ in found})
        assert latest(found) == {**expected, b"key": (18, b"later")}
        assert list(verify(log, SOURCE, lambda _: None)) == []
        log.close()
