from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from conf.settings import LogSettings
from log import Record, TopicConfig
from log.embedded import EmbeddedLog

OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


def test_what_cannot_be_done_is_said_and_the_rest_is_done(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=2000, compression="none")
    log.create_topic("mails", 1, TopicConfig(retention_bytes=1))
    for folder in options.replicas[2:]:
        shutil.rmtree(folder)
        folder.write_text("a file in the place of the folder")
    for number in range(5):
        log.append("mails", numbered(1, number, size=1500))
    done = log.tend()
    assert [(each.action, each.ok) for each in done] == [("rejoin", False), ("delete", True)]
    assert "disk-3 stays out of sync" in done[0].detail
    assert log.describe("mails")[0].start == 4


def test_a_partition_that_is_tended_already_is_left_to_that(open_embedded: OpenLog, numbered: Numbered) -> None:
    log, other = open_embedded(lock_timeout_s=0.05), open_embedded(lock_timeout_s=0.05)
    log.create_topic("mails", 1)
    log.append("mails", numbered(1))
    with log.tending(log.partition(log.partition_for("mails", b"key"))):
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
