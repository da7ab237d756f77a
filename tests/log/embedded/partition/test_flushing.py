from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.partition.flushing import THREADS

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


class SlowDisks:
    """The fsyncs of some replicas wait until they may go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *numbers: int) -> None:
        self.go_on = threading.Event()
        self.waiting = threading.Semaphore(0)
        fsync = os.fsync

        def slow(fd: int) -> None:
            name = str(Path(f"/proc/self/fd/{fd}").readlink())
            if name.endswith(".log") and any(f"/disk-{number}/" in name for number in numbers):
                self.waiting.release()
                self.go_on.wait(60)
            fsync(fd)

        monkeypatch.setattr(os, "fsync", slow)


def in_sync(log: EmbeddedLog) -> list[str]:
    return [Path(folder).name for folder in log.describe("mails")[0].isr]


def test_a_replica_too_slow_leaves_the_isr(
    open_embedded: OpenLog, numbered: Numbered, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_embedded(replica_timeout_s=0.2)
    log.create_topic("mails", 1)
    slow = SlowDisks(monkeypatch, 2)
    log.append("mails", numbered(5))
    assert in_sync(log) == ["disk-1", "disk-3"]
    assert log.span(SOURCE) == range(5)
    slow.go_on.set()
    log.append("mails", numbered(5, 5))
    assert in_sync(log) == ["disk-1", "disk-3"]


def test_when_too_many_are_slow_the_append_waits(
    open_embedded: OpenLog, numbered: Numbered, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_embedded(replica_timeout_s=0.1)
    log.create_topic("mails", 1)
    slow = SlowDisks(monkeypatch, 1, 2, 3)
    append = threading.Thread(target=log.append, args=("mails", numbered(5)))
    append.start()
    for _ in range(3):
        assert slow.waiting.acquire(timeout=60)
    append.join(1)
    assert append.is_alive()
    assert log.span(SOURCE) == range(0)
    slow.go_on.set()
    append.join()
    assert log.span(SOURCE) == range(5)
    assert len(in_sync(log)) >= 2


def test_a_disk_that_hangs_stops_no_partition_however_many_there_are(
    open_embedded: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_embedded(replica_timeout_s=0.05)
    log.create_topic("mails", THREADS + 3)
    slow = SlowDisks(monkeypatch, 2)
    records = [Record(b"%d" % number, b"value") for number in range(20 * THREADS)]
    reached = {log.append("mails", [record])[0].partition for record in records}
    assert len(reached) == THREADS + 3
    assert all(len(each.isr) == 2 for each in log.describe("mails"))
    slow.go_on.set()


def test_all_replicas_of_all_partitions_are_flushed_at_once(
    open_embedded: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_embedded()
    log.create_topic("mails", 2)
    slow = SlowDisks(monkeypatch, 1, 2, 3)
    records = [Record(b"%d" % number, b"value") for number in range(20)]
    append = threading.Thread(target=log.append, args=("mails", records))
    append.start()
    for _ in range(6):
        assert slow.waiting.acquire(timeout=60)
    slow.go_on.set()
    append.join()
    assert sum(len(log.span(TopicPartition("mails", number))) for number in (0, 1)) == 20
