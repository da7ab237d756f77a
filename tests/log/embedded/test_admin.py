from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicConfig, TopicPartition, UnknownTopic
from log.embedded import EmbeddedLog

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
EVERY_STEP = pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
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
    assert [record.value for record in embedded.read(other.partition_for("mails", b"key"), 0, 100)] == [b"0"]


@EVERY_STEP
def test_a_topic_whose_deletion_dies_at_any_step_is_there_or_gone(
    options: LogSettings, numbered: Numbered, each_death: EachDeath, every: int
) -> None:
    options = inside(options)
    log = EmbeddedLog(options)
    log.create_topic("mails", 2)
    log.append("mails", numbered(3))
    source = log.partition_for("mails", b"key")
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
    assert steps * every > 20
