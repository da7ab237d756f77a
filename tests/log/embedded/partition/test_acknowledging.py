from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import LogError, NotEnoughReplicas, PartitionBusy, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.partition.acknowledging import cut_unacknowledged

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]


class Disks:
    """Every fsync of a segment waits for leave, and can be made to fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.leave = threading.Event()
        self.began = threading.Semaphore(0)
        self.count = 0
        self.failing: tuple[int, ...] = ()
        fsync = os.fsync

        def waiting(fd: int) -> None:
            name = str(Path(f"/proc/self/fd/{fd}").readlink())
            if name.endswith(".log"):
                self.count += 1
                self.began.release()
                assert self.leave.wait(60)
                if any(f"/disk-{number}/" in name for number in self.failing):
                    raise OSError(errno.EIO, os.strerror(errno.EIO), name)
            fsync(fd)

        monkeypatch.setattr(os, "fsync", waiting)


class Appends:
    """Durable appends of one record each, every one in a thread and an opened log of its own."""

    def __init__(self, open_embedded: OpenLog, count: int) -> None:
        self.offsets: dict[int, int] = {}
        self.errors: dict[int, LogError] = {}
        self._threads = [threading.Thread(target=self._append, args=(open_embedded(), each)) for each in range(count)]

    def start(self, *numbers: int) -> None:
        for number in numbers:
            self._threads[number].start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join()

    def _append(self, log: EmbeddedLog, number: int) -> None:
        try:
            self.offsets[number] = log.append("mails", [Record(None, b"%d" % number)])[0].offset
        except LogError as error:
            self.errors[number] = error


def wait_for_end(log: EmbeddedLog, end: int) -> None:
    deadline = threading.Event()
    for _ in range(6000):
        if log.describe("mails")[0].end >= end:
            return
        deadline.wait(0.01)
    raise AssertionError(f"nobody staged up to {end}")


def test_who_appends_during_a_flush_shares_the_next_one(
    embedded: EmbeddedLog, open_embedded: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    appends, disks = Appends(open_embedded, 9), Disks(monkeypatch)
    appends.start(0)
    for _ in range(3):
        assert disks.began.acquire(timeout=60)
    appends.start(*range(1, 9))
    wait_for_end(embedded, 9)
    assert embedded.span(SOURCE) == range(0)
    disks.leave.set()
    appends.join()
    assert sorted(appends.offsets.values()) == list(range(9))
    assert disks.count == 6  # three replicas: once for the first, once for the eight others
    stored = embedded.read(SOURCE, 0, 1000)
    assert {record.offset: int(record.value or b"") for record in stored} == {
        offset: number for number, offset in appends.offsets.items()
    }


def test_when_a_shared_flush_fails_nobody_is_told_that_it_did_not(
    embedded: EmbeddedLog, open_embedded: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded.append("mails", [Record(None, b"before")])
    appends, disks = Appends(open_embedded, 5), Disks(monkeypatch)
    disks.failing = (1, 2)
    appends.start(0)
    for _ in range(3):
        assert disks.began.acquire(timeout=60)
    appends.start(*range(1, 5))
    wait_for_end(embedded, 6)
    disks.leave.set()
    appends.join()
    assert appends.offsets == {}
    assert {type(error) for error in appends.errors.values()} == {NotEnoughReplicas}
    assert [record.value for record in embedded.read(SOURCE, 0, 1000)] == [b"before"]
    assert embedded.describe("mails")[0].end == 1


def test_a_flush_moves_the_watermark_no_further_than_it_reached(
    embedded: EmbeddedLog, open_embedded: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_embedded()
    appends, disks = Appends(open_embedded, 1), Disks(monkeypatch)
    appends.start(0)
    for _ in range(3):
        assert disks.began.acquire(timeout=60)
    other.append("mails", [Record(None, b"later")], wait="written")
    disks.leave.set()
    appends.join()
    assert embedded.span(SOURCE) == range(1)
    assert embedded.describe("mails")[0].end == 2
    other.flush("mails")
    assert embedded.span(SOURCE) == range(2)


def test_an_append_that_meets_a_busy_partition_leaves_no_file_open(
    open_embedded: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_embedded()
    log.create_topic("more", 2)
    records = [Record(b"%d" % number, b"value") for number in range(20)]
    log.append("more", records)
    second, before = log.partition(TopicPartition("more", 1)), len(list(Path("/proc/self/fd").iterdir()))

    def busy() -> None:
        raise PartitionBusy(second.source, 1)

    monkeypatch.setattr(second, "hold", busy)
    for _ in range(3):
        with pytest.raises(PartitionBusy):
            log.append("more", records)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_replicas_that_leave_during_a_flush_do_not_count(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, fsync, flushes = open_embedded().partition(SOURCE), os.fsync, threading.Semaphore(1)
    embedded.append("mails", [Record(None, b"0")])

    def meanwhile(fd: int) -> None:
        if flushes.acquire(blocking=False):  # the first alone: what follows has fsyncs, too
            for folder in options.replicas[:2]:
                folder.rename(folder.with_name(f"{folder.name} gone"))
            with other.hold():  # somebody else finds them gone
                assert other.replicas.state.isr == (3,)
        fsync(fd)

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(NotEnoughReplicas):
        embedded.append("mails", [Record(None, b"1")])
    assert embedded.span(SOURCE) == range(1)


def test_who_flushes_is_told_that_what_he_wrote_was_cut_off(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    other = open_embedded().partition(SOURCE)
    embedded.append("mails", [Record(None, b"acknowledged")])
    embedded.append("mails", [Record(None, b"1")], wait="written")
    with other.hold():
        cut_unacknowledged(other)  # as a durable append does that fails
    embedded.append("mails", [Record(None, b"2")], wait="written")
    with pytest.raises(NotEnoughReplicas, match="offset 1 was cut off: it was not acknowledged; append it again"):
        embedded.flush("mails")
    embedded.flush("mails")
    assert embedded.read(SOURCE, 0, 2**20).values() == [b"acknowledged", b"2"]


def test_what_was_flushed_and_then_deleted_was_not_cut_off(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    other = open_embedded()
    embedded.append("mails", [Record(None, b"0")], wait="written")
    other.flush("mails")
    other.append("mails", [Record(None, b"1")], wait="written")
    with other.partition(SOURCE).hold():
        cut_unacknowledged(other.partition(SOURCE))
    other.delete_records(SOURCE, 1)
    embedded.flush("mails")
