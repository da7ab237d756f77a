from __future__ import annotations

from collections.abc import Callable

import pytest

from log import LogUnusable, Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.groups import GROUPS_TOPIC
from log.protection import begin_protected, hold_on, protect, protected, unprotect
from log.types import RetentionHold


@pytest.fixture
def log(open_embedded: Callable[..., EmbeddedLog]) -> EmbeddedLog:
    log = open_embedded()
    log.create_topic("mails", 2)
    log.create_topic("other", 1)
    for number in range(40):
        log.append("mails", [Record(b"%d" % number, b"value")])
    return log


def test_the_group_furthest_behind_holds(log: EmbeddedLog) -> None:
    first, second = (TopicPartition("mails", number) for number in (0, 1))
    log.commit("fast", {first: 9, second: 8})
    log.commit("slow", {first: 5})
    protect(log, "fast")
    assert hold_on(log, first, protected(log)) == RetentionHold("fast", 9)
    protect(log, "slow")
    assert protected(log) == ["fast", "slow"]
    assert hold_on(log, first, protected(log)) == RetentionHold("slow", 5)
    assert hold_on(log, second, protected(log)) == RetentionHold("slow", 0)
    assert hold_on(log, TopicPartition("other", 0), protected(log)) is None
    unprotect(log, "slow")
    assert hold_on(log, second, protected(log)) == RetentionHold("fast", 8)
    assert log.committed("slow") == {first: 5}


def test_a_group_that_holds_nothing_cannot_be_protected(log: EmbeddedLog) -> None:
    assert protected(log) == []
    with pytest.raises(LogUnusable, match="has committed nothing"):
        protect(log, "nobody")


def test_a_group_s_first_commit_protects_it_and_who_ends_that_has_ended_it(log: EmbeddedLog) -> None:
    starts = {TopicPartition("mails", number): 0 for number in (0, 1)}
    begin_protected(log, "extract", starts)
    assert log.committed("extract") == starts
    assert protected(log) == ["extract"]
    assert hold_on(log, TopicPartition("mails", 1), protected(log)) == RetentionHold("extract", 0)
    log.commit("extract", {TopicPartition("mails", 0): 7})
    unprotect(log, "extract")
    begin_protected(log, "extract", starts)
    assert protected(log) == []
    assert log.committed("extract")[TopicPartition("mails", 0)] == 7


def test_what_groups_said_holds_though_the_root_lost_the_file_of_their_topic(
    open_embedded: Callable[..., EmbeddedLog],
) -> None:
    log, source = open_embedded(segment_bytes=1000, compression="none"), TopicPartition("mails", 0)
    log.create_topic("mails", 1, TopicConfig(retention_bytes=1))
    for _ in range(5):
        log.append("mails", [Record(b"key", b"." * 900)])
    log.commit("extract", {source: 2})
    protect(log, "extract")
    (log.home.root / "topics" / GROUPS_TOPIC / "topic.json").unlink()
    log = open_embedded(segment_bytes=1000, compression="none")
    assert (log.groups(), protected(log)) == (["extract"], ["extract"])
    log.tend()
    assert log.span(source) == range(2, 5)
    log.commit("extract", {source: 3})
    assert log.committed("extract") == {source: 3}
