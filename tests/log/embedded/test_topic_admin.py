from __future__ import annotations

import dataclasses
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import (
    LogUnusable,
    NotEnoughReplicas,
    PartitionBusy,
    Record,
    TopicConfig,
    TopicExists,
    TopicPartition,
    UnknownTopic,
)
from log.embedded import EmbeddedLog
from log.embedded.partition.partition import Partition
from log.embedded.partition.writing import write
from log.embedded.topic_admin import create_topic, delete_topic
from tests.partitions import partition_for
from tests.turns import strides

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
EVERY_STEP = strides(7)
Numbered = Callable[..., list[Record]]
EachDeath = Callable[..., Iterator[bool]]


def inside(options: LogSettings) -> LogSettings:
    return dataclasses.replace(options, replicas=tuple(options.root / f"disk-{number}" for number in (1, 2, 3)))


def test_settings_that_are_altered_hold_for_the_next_append_of_everyone(
    embedded: EmbeddedLog, open_embedded: OpenLog, numbered: Numbered
) -> None:
    other = open_embedded()
    other.append("mails", numbered(1))
    before = embedded.describe("mails")[0].bytes
    embedded.alter_topic("mails", config=TopicConfig(compression="none"))
    other.append("mails", [Record(b"key", b"x" * 5000)])
    assert embedded.describe("mails")[0].bytes - before > 5000
    assert other.topic_config("mails") == TopicConfig(compression="none")


def test_partitions_are_added_and_never_taken(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    other = open_embedded()
    other.append("mails", [Record(b"%d" % number, b"value") for number in range(20)])
    embedded.alter_topic("mails", partitions=3)
    assert len(other.describe("mails")) == 3
    positions = other.append("mails", [Record(b"%d" % number, b"value") for number in range(20)])
    assert {position.partition for position in positions} == {0, 1, 2}
    assert len(embedded.read(SOURCE, 0, 2**20)) >= 20
    with pytest.raises(LogUnusable, match="has 3 partitions; they cannot become 2"):
        embedded.alter_topic("mails", partitions=2)


@EVERY_STEP
def test_partitions_that_were_half_added_are_added_by_the_next(
    options: LogSettings, numbered: Numbered, each_death: EachDeath, every: int
) -> None:
    options = inside(options)
    log = EmbeddedLog(options)
    log.create_topic("mails", 1)
    log.append("mails", numbered(3))
    log.close()

    def alter() -> Callable[[], object]:
        dying = EmbeddedLog(options)
        return lambda: dying.alter_topic("mails", partitions=2, config=TopicConfig(retention_s=5))

    for died in each_death(options.root, alter, every):
        log = EmbeddedLog(options)
        found = (len(log.describe("mails")), log.topic_config("mails").retention_s)
        assert found in ({(1, None), (2, 5)} if died else {(2, 5)})
        log.alter_topic("mails", partitions=2)
        assert len(log.append("mails", [Record(b"%d" % number, b"") for number in range(30)])) == 30
        log.close()


def test_a_deleted_topic_is_gone_for_everyone(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    other = open_embedded()
    other.append("mails", numbered(3))
    embedded.delete_topic("mails")
    for log in (embedded, other):
        assert log.topics() == []
        with pytest.raises(UnknownTopic):
            log.append("mails", numbered(1))
        with pytest.raises(UnknownTopic):
            log.read(SOURCE, 0, 100)
    assert not [path for folder in (options.root, *options.replicas) for path in folder.rglob("mails*")]
    embedded.create_topic("mails", 2)
    assert other.append("mails", numbered(1))[0].offset == 0
    assert [record.value for record in embedded.read(partition_for(other, "mails", b"key"), 0, 100)] == [b"0"]


@pytest.mark.slow
@EVERY_STEP
def test_a_topic_whose_deletion_dies_at_any_step_is_there_or_gone(
    options: LogSettings, numbered: Numbered, each_death: EachDeath, every: int
) -> None:
    options = inside(options)
    log = EmbeddedLog(options)
    log.create_topic("mails", 2)
    log.append("mails", numbered(3))
    source = partition_for(log, "mails", b"key")
    log.close()

    def delete() -> Callable[[], object]:
        dying = EmbeddedLog(options)
        return lambda: dying.delete_topic("mails")

    steps = 0
    for died in each_death(options.root, delete, every):
        steps += 1
        log = EmbeddedLog(options)
        assert died or log.topics() == []
        if "mails" in log.topics():
            with log.exclusive(source):
                assert len(log.read(source, 0, 1000)) == 3
        log.create_topic("another", 1)  # finishes what was begun
        if "mails" not in log.topics():
            log.create_topic("mails", 2)
            assert log.append("mails", numbered(1))[0].offset == 0
        log.close()
    assert (steps + 1) * every > 20


def test_a_topic_made_again_takes_nothing_of_a_copy_that_missed_its_deletion(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    embedded.append("mails", numbered(50))
    embedded.delete_records(SOURCE, 20)
    away = options.replicas[2].rename(options.replicas[2].with_name("away"))
    embedded.delete_topic("mails")
    embedded.create_topic("mails", 1)
    embedded.append("mails", numbered(5, start=100))
    embedded.close()
    away.rename(options.replicas[2])
    log = open_embedded()
    assert log.span(SOURCE) == range(5)
    assert log.append("mails", numbered(1, start=105))[0].offset == 5
    assert log.describe("mails")[0].isr == tuple(map(str, options.replicas[:2]))
    assert [done.ok for done in log.tend()] == [True]
    assert len(log.describe("mails")[0].isr) == 3
    assert [record.value for record in log.read(SOURCE, 0, 2**20)] == [b"%d" % number for number in range(100, 106)]
    log.close()
    for folder in (options.root, options.replicas[0]):
        shutil.rmtree(folder)
    assert len(open_embedded().append("mails", numbered(1))) == 1  # two copies of the new topic are a majority


def test_a_topic_made_again_has_its_own_partitions_and_settings(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings
) -> None:
    embedded.alter_topic("mails", partitions=3, config=TopicConfig(retention_s=60))
    away = options.replicas[2].rename(options.replicas[2].with_name("away"))
    embedded.delete_topic("mails")
    embedded.create_topic("mails", 1)
    away.rename(options.replicas[2])
    log = open_embedded()
    assert (len(log.describe("mails")), log.topic_config("mails")) == (1, TopicConfig())


def test_a_copy_with_records_of_a_deleted_topic_waits_to_be_brought_in_sync(
    embedded: EmbeddedLog, options: LogSettings, numbered: Numbered
) -> None:
    embedded.append("mails", numbered(50))
    away = options.replicas[2].rename(options.replicas[2].with_name("away"))
    embedded.delete_topic("mails")
    away.rename(options.replicas[2])
    embedded.create_topic("mails", 1)
    assert embedded.describe("mails")[0].isr == tuple(map(str, options.replicas[:2]))
    embedded.append("mails", numbered(1))
    (done,) = embedded.tend()
    assert done.ok
    assert "set aside in" in done.detail
    assert len(embedded.describe("mails")[0].isr) == 3


def test_others_see_at_once_that_a_topic_was_made_again(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    other = open_embedded()
    other.append("mails", numbered(3))
    assert len(other.describe("mails")[0].isr) == 3
    embedded.delete_topic("mails")
    options.replicas[2].rename(options.replicas[2].with_name("away"))
    embedded.create_topic("mails", 1)
    assert other.describe("mails")[0].isr == tuple(map(str, options.replicas[:2]))
    assert other.span(SOURCE) == range(0)
    assert other.append("mails", numbered(1))[0].offset == 0


def test_a_topic_made_while_a_replica_is_away_leaves_its_place_empty(
    embedded: EmbeddedLog, options: LogSettings
) -> None:
    shutil.rmtree(options.replicas[2])
    options.replicas[2].mkdir()
    embedded.create_topic("another", 1)
    assert list(options.replicas[2].iterdir()) == []
    assert all(done.ok for done in embedded.tend())
    assert len(embedded.describe("another")[0].isr) == 3


def test_a_partition_that_another_holds_is_not_deleted(
    embedded: EmbeddedLog, open_embedded: OpenLog, numbered: Numbered
) -> None:
    other = open_embedded(lock_timeout_s=0.05)
    with embedded.exclusive(SOURCE):
        with pytest.raises(PartitionBusy):
            other.delete_topic("mails")
        assert embedded.append("mails", numbered(1))[0].offset == 0
    other.delete_topic("mails")
    assert embedded.topics() == []


def test_an_append_that_meets_a_deletion_writes_to_no_other_file(
    embedded: EmbeddedLog, numbered: Numbered, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded.append("mails", numbered(1))
    staged, go_on = threading.Event(), threading.Event()

    def slowly(partition: Partition, records: list[Record]) -> object:
        ticket = write(partition, records)
        staged.set()
        go_on.wait()
        return ticket

    monkeypatch.setattr("log.embedded.partition.staging.write", slowly)
    with ThreadPoolExecutor() as threads:
        appended = threads.submit(embedded.append, "mails", numbered(1))
        staged.wait()
        deleted = threads.submit(embedded.delete_topic, "mails")
        go_on.set()
        deleted.result()
        strangers = [os.open(tmp_path / f"stranger-{number}", os.O_RDWR | os.O_CREAT) for number in range(20)]
        assert isinstance(appended.exception(), UnknownTopic | None)
    assert [os.fstat(each).st_size for each in strangers] == [0] * 20
    for each in strangers:
        os.close(each)


def test_a_topic_is_not_deleted_while_those_that_would_miss_it_are_a_majority(
    embedded: EmbeddedLog, options: LogSettings, numbered: Numbered
) -> None:
    embedded.append("mails", numbered(3))
    away = {folder: folder.rename(folder.with_name(f"away-{folder.name}")) for folder in options.replicas[1:]}
    with pytest.raises(NotEnoughReplicas, match=r"disk-2.*disk-3 cannot be reached"):
        embedded.delete_topic("mails")
    assert embedded.topics() == ["mails"]
    for folder, place in away.items():
        place.rename(folder)
    embedded.delete_topic("mails")
    assert embedded.topics() == []


def test_what_groups_committed_is_forgotten_while_nobody_can_make_the_topic(
    embedded: EmbeddedLog, open_embedded: OpenLog
) -> None:
    other = open_embedded(lock_timeout_s=0)
    forgotten: list[str] = []

    def forget(topic: str) -> None:
        assert topic not in other.topics()
        with pytest.raises(PartitionBusy):
            other.create_topic(topic, 1)
        forgotten.append(topic)

    create_topic(embedded.home, embedded.options, "more", 1, TopicConfig(), forget=forget)
    delete_topic(embedded.home, embedded.options, "more", forget=forget)
    assert forgotten == ["more", "more"]


def test_what_groups_committed_of_a_topic_that_another_process_made_first_stays(
    embedded: EmbeddedLog, open_embedded: OpenLog
) -> None:
    open_embedded().create_topic("more", 1)
    embedded.commit("extract", {TopicPartition("more", 0): 0})
    with pytest.raises(TopicExists):
        embedded.create_topic("more", 1)
    assert embedded.committed("extract") == {TopicPartition("more", 0): 0}
