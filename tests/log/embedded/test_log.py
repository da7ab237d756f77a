from __future__ import annotations

import errno
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import DiskFull, LogUnusable, PartitionBusy, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.groups import GROUPS_TOPIC
from log.types import Wait
from tests.processes import open_files

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"min_insync": 0}, "min_insync 0 is not between 1 and the 3 replicas"),
        ({"min_insync": 4}, "min_insync 4"),
        ({"segment_bytes": 2**31}, "segment_bytes"),
        ({"compression": "brotli"}, "compression 'brotli' is none of none, gzip, snappy, lz4, zstd"),
    ],
)
def test_settings_that_contradict_themselves_are_refused(
    open_embedded: OpenLog, changes: dict[str, object], reason: str
) -> None:
    with pytest.raises(LogUnusable, match=reason):
        open_embedded(**changes)


def test_one_folder_is_not_two_replicas(open_embedded: OpenLog, options: LogSettings) -> None:
    first = options.replicas[0]
    with pytest.raises(LogUnusable, match="the same folder"):
        open_embedded(replicas=(first, first / ".." / first.name))


def test_a_record_may_be_larger_than_a_segment(embedded: EmbeddedLog) -> None:
    record = Record(b"key", b"x" * 3_000_000)
    embedded.append("mails", [record])
    assert [each.value for each in embedded.read(SOURCE, 0, 1)] == [record.value]


def test_while_one_holds_a_partition_others_cannot_append_to_it(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    other = open_embedded(lock_timeout_s=0.1)
    with embedded.exclusive(SOURCE):
        embedded.append("mails", [Record(b"key", b"within")])
        with pytest.raises(PartitionBusy):
            other.append("mails", [Record(b"key", b"beside")])
    other.append("mails", [Record(b"key", b"after")])
    assert [record.value for record in other.read(SOURCE, 0, 100)] == [b"within", b"after"]


def test_while_one_holds_a_partition_others_read_it(embedded: EmbeddedLog) -> None:
    embedded.append("mails", [Record(b"key", b"value")])
    read: list[bytes | None] = []
    with embedded.exclusive(SOURCE):
        thread = threading.Thread(target=lambda: read.extend(each.value for each in embedded.read(SOURCE, 0, 100)))
        thread.start()
        thread.join()
    assert read == [b"value"]


def test_a_failed_append_within_exclusive_does_not_spoil_the_next(
    embedded: EmbeddedLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("here")

    with embedded.exclusive(SOURCE):
        monkeypatch.setattr("log.embedded.partition.flushing.Flusher.flush", fail)
        with pytest.raises(RuntimeError, match="here"):
            embedded.append("mails", [Record(b"key", b"lost")])
        monkeypatch.undo()
        assert embedded.append("mails", [Record(b"key", b"kept")])[0].offset == 0
    assert [record.value for record in embedded.read(SOURCE, 0, 100)] == [b"kept"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_what_the_callers_own_disk_says_within_exclusive_is_not_the_logs(embedded: EmbeddedLog, number: int) -> None:
    with pytest.raises(OSError, match="the ledger's disk") as raised, embedded.exclusive(SOURCE):
        raise OSError(number, "the ledger's disk")
    assert raised.value.errno == number
    assert not embedded.partition(SOURCE).lock.is_mine
    assert embedded.append("mails", [Record(b"key", b"value")])[0].offset == 0


def test_what_the_logs_own_disk_says_within_exclusive_is_a_log_error(
    embedded: EmbeddedLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    embedded.partition(SOURCE)
    monkeypatch.setattr("log.embedded.partition.partition.Partition.enter", full)
    with pytest.raises(DiskFull), embedded.exclusive(SOURCE):
        pytest.fail("it was not held")


def test_flush_acknowledges_what_another_opening_wrote(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    embedded.append("mails", [Record(b"key", b"value")], wait="written")
    other = open_embedded()
    other.flush("mails")
    assert embedded.span(SOURCE) == other.span(SOURCE) == range(1)


def test_groups_are_kept_in_one_partition_that_is_compacted(embedded: EmbeddedLog, options: LogSettings) -> None:
    embedded.commit("extract", {SOURCE: 0})
    assert len(embedded.describe(GROUPS_TOPIC)) == 1
    assert '"cleanup": "compact"' in (options.root / "topics" / GROUPS_TOPIC / "topic.json").read_text("ascii")


def test_files_are_given_back(embedded: EmbeddedLog, open_embedded: OpenLog, tmp_path: Path) -> None:
    embedded.append("mails", [Record(b"key", b"value")])
    before = open_files(tmp_path)
    for _ in range(5):
        log = open_embedded()
        log.append("mails", [Record(b"key", b"value")])
        log.commit("extract", {SOURCE: 1})
        log.close()
    assert open_files(tmp_path) == before
    for _ in range(50):
        embedded.append("mails", [Record(b"key", b"value")])
        embedded.read(SOURCE, 0, 100)
    assert open_files(tmp_path) == before


@pytest.mark.parametrize("wait", ["durable", "written"])
def test_a_closed_log_says_so_to_who_appends(embedded: EmbeddedLog, wait: Wait) -> None:
    embedded.append("mails", [Record(b"key", b"value")], wait=wait)
    embedded.close()
    with pytest.raises(LogUnusable, match="was closed: open it again"):
        embedded.append("mails", [Record(b"key", b"value")], wait=wait)


def test_many_tend_at_once(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    logs = [embedded, *(open_embedded() for _ in range(3))]
    with ThreadPoolExecutor() as threads:
        done = [threads.submit(log.tend) for log in logs for _ in range(25)]
    assert [each.result() for each in done] == [[]] * 100
