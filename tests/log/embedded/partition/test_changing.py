from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.partition.changing import admit, change_state, dismiss, expel

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


def in_sync(log: EmbeddedLog) -> list[str]:
    return [Path(folder).name for folder in log.describe("mails")[0].isr]


def test_a_leader_that_leaves_is_followed_and_comes_back_when_admitted(
    embedded: EmbeddedLog, open_embedded: OpenLog, numbered: Numbered
) -> None:
    embedded.append("mails", numbered(3))
    partition = embedded.partition(SOURCE)
    with partition.hold():
        expel(partition, {1: None})
    assert in_sync(open_embedded()) == ["disk-2", "disk-3"]
    assert embedded.describe("mails")[0].epoch == 1
    with partition.hold():
        admit(partition, 1)
    assert in_sync(open_embedded()) == ["disk-1", "disk-2", "disk-3"]
    embedded.append("mails", numbered(3, 3))
    assert [record.value for record in embedded.read(SOURCE, 0, 2**20)] == [b"%d" % number for number in range(6)]


def test_who_is_dismissed_is_no_replica_any_more(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    partition = embedded.partition(SOURCE)
    with partition.hold():
        dismiss(partition, 3)
    assert [Path(folder).name for folder in open_embedded().describe("mails")[0].replicas] == ["disk-1", "disk-2"]


@pytest.mark.slow
def test_a_change_that_dies_at_any_step_is_there_or_not(
    options: LogSettings, numbered: Numbered, each_death: Callable[..., Iterator[bool]], open_embedded: OpenLog
) -> None:
    disks = tuple(options.root / f"disk-{number}" for number in (1, 2, 3))
    log = open_embedded(replicas=disks)
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    log.close()

    def change() -> Callable[[], object]:
        partition = open_embedded(replicas=disks).partition(SOURCE)
        partition.enter()
        return lambda: change_state(partition, start=3)

    starts = []
    for died in each_death(options.root, change):
        again = open_embedded(replicas=disks)
        again.append("mails", numbered(1, 5))
        starts.append(again.span(SOURCE).start)
        assert again.span(SOURCE).stop == 6
        assert died or starts[-1] == 3
        again.close()
    assert starts == sorted(starts)
    assert set(starts) == {0, 3}
