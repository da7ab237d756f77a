"""Unclean elections."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import CorruptRecord, LogUnusable, NotEnoughReplicas, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from log.embedded.segment.names import segment_file
from tests.turns import strides

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]
EVERY_STEP = strides(7)


def values(log: EmbeddedLog) -> list[bytes | None]:
    return [record.value for record in log.read(SOURCE, log.span(SOURCE).start, 2**30)]


def in_sync(log: EmbeddedLog) -> list[str]:
    return [Path(folder).name for folder in log.describe("mails")[0].isr]


def tear_both(options: LogSettings) -> None:
    for folder in options.replicas[:2]:
        path = segment_file(folder / "mails-0", 0)
        path.write_bytes(path.read_bytes()[:-10])


def test_an_unclean_election_is_told_what_is_lost_and_recorded(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, caplog: pytest.LogCaptureFixture
) -> None:
    log = open_embedded(compression="none")
    log.create_topic("mails", 1)
    log.append("mails", numbered(4))
    third = options.replicas[2].rename(options.root.parent / "away")
    for start in range(4, 10, 2):
        log.append("mails", numbered(2, start))
    log.close()
    third.rename(options.replicas[2])
    tear_both(options)
    log = open_embedded(compression="none")
    with pytest.raises(CorruptRecord):
        log.append("mails", numbered(1))
    replicas = Replicas(log)
    assert {each.number: (each.standing.end, each.lost) for each in replicas.candidates(SOURCE)}[3] == (4, 6)
    replicas.elect(SOURCE, 3)
    assert "unclean election" in caplog.text
    assert in_sync(log) == ["disk-3"]
    with pytest.raises(NotEnoughReplicas):
        log.append("mails", numbered(1))
    log.tend()
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
    assert values(log) == [record.value for record in numbered(4)]
    assert log.append("mails", numbered(1, 4))[0].offset == 4
    state = (options.root / "state" / "mails-0" / "state.json").read_text()
    assert "replica 3 elected at offset 4; offsets given up: 4 to 9" in state
    assert log.describe("mails")[0].epoch == 1
    assert list((options.replicas[0] / "archive").rglob("*.log"))


def test_a_partition_whose_state_is_lost_is_led_by_who_is_elected(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(4))
    log.close()
    for folder in (options.root / "state", *options.replicas[:2]):
        (folder / "mails-0" / "state.json").unlink()
    log = open_embedded()
    with pytest.raises(LogUnusable, match="majority"):
        log.append("mails", numbered(1))
    Replicas(log).elect(SOURCE, 2)
    log.tend()
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
    assert values(log) == [record.value for record in numbered(4)]


def test_an_elected_copy_without_its_oldest_segments_begins_where_it_does(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=1500, compression="none")
    log.create_topic("mails", 1)
    for number in range(4):
        log.append("mails", numbered(1, number, size=1000))
    segment_file(options.replicas[2] / "mails-0", 0).unlink()
    Replicas(log).elect(SOURCE, 3)
    log.tend()
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
    assert log.span(SOURCE) == range(1, 4)
    assert [record.value for record in log.read(SOURCE, 1, 2**20)] == [
        each.value for each in numbered(4, size=1000)[1:]
    ]
