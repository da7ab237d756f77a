from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.upkeep.tending import tending
from tests.partitions import partition_for

OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


def test_a_partition_that_is_tended_already_is_left_to_that(open_embedded: OpenLog, numbered: Numbered) -> None:
    log, other = open_embedded(lock_timeout_s=0.05), open_embedded(lock_timeout_s=0.05)
    log.create_topic("mails", 1)
    log.append("mails", numbered(1))
    with tending(log, log.partition(partition_for(log, "mails", b"key"))):
        (done,) = other.tend()
    assert (done.action, done.ok) == ("tend", False)
    assert "locked by process" in done.detail
    assert other.tend() == []


@pytest.mark.parametrize("topics", [0, 3])
def test_every_partition_of_every_topic_is_tended(open_embedded: OpenLog, options: LogSettings, topics: int) -> None:
    log = open_embedded()
    for number in range(topics):
        log.create_topic(f"topic-{number}", 2)
        for key in range(10):
            log.append(f"topic-{number}", [Record(b"%d" % key, b"value")])
    shutil.rmtree(options.replicas[1])
    assert len(log.tend()) == 2 * topics
    assert all(len(each.isr) == 3 for topic in log.topics() for each in log.describe(topic))


def test_whoever_waits_hears_of_each_partition_and_each_segment_that_is_read(
    open_embedded: OpenLog, numbered: Numbered
) -> None:
    log = open_embedded(scrub_bytes_s=2**20)
    log.create_topic("mails", 2)
    log.append("mails", numbered(1))
    heard: list[None] = []
    log.tend(lambda: heard.append(None))
    assert len(heard) == 2 + 2 * 3  # of each partition a segment in each of three replicas


def test_a_partition_whose_watermark_is_lost_is_tended(open_embedded: OpenLog, numbered: Numbered) -> None:
    log = open_embedded()
    log.create_topic("mails", 2)
    log.append("mails", numbered(10))
    for number in range(2):
        log.home.watermark_file(TopicPartition("mails", number)).unlink()
    assert open_embedded().tend() == []
    assert sum(each.high_watermark for each in log.describe("mails")) == 10


def test_records_of_mails_are_not_compacted_though_the_topic_was_not_made_for_mail(embedded: EmbeddedLog) -> None:
    mail = [Record(b"desk@bank.example", b"value", (("sha256", b"0" * 64),))]
    embedded.create_topic("status", 1, TopicConfig(cleanup="compact", segment_bytes=100))
    for _ in range(5):
        embedded.append("mails", mail)
        embedded.append("status", mail)
    with pytest.raises(LogUnusable, match="mails holds mails"):
        embedded.alter_topic("mails", config=TopicConfig(cleanup="compact"))
    (done,) = embedded.tend()
    assert (done.topic, done.ok) == ("status", False)
    assert len(embedded.read(TopicPartition("status", 0), 0, 2**20)) == 5
