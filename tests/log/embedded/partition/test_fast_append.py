"""The short way: whoever goes on writing sees all that happened since, and takes the long one then."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conf.settings import LogSettings
from log import LogError, Record, ReplicaFailed, TopicConfig, TopicPartition, UnknownTopic
from log.embedded import EmbeddedLog
from log.embedded.partition.fast_append import go_on
from log.embedded.partition.partition import Partition
from log.embedded.segment.names import segment_file

SOURCE = TopicPartition("mails", 0)
MANY = 1000
OpenLog = Callable[..., EmbeddedLog]
MAIL = [Record(b"key", b"mail")]


def write(log: EmbeddedLog, *values: bytes) -> list[int]:
    return [
        position.offset for value in values for position in log.append("mails", [Record(b"key", value)], wait="written")
    ]


def values(log: EmbeddedLog) -> list[bytes | None]:
    log.flush("mails")
    return log.read(SOURCE, 0, 2**20).values()


def test_two_that_go_on_writing_in_turn_see_what_the_other_wrote(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    other = open_embedded()
    offsets = [write(log, b"1", b"2", b"3") for log in (embedded, other, embedded, other)]
    assert offsets == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    assert values(other) == [b"1", b"2", b"3"] * 4


def test_who_goes_on_writing_cuts_what_a_dead_appender_left(embedded: EmbeddedLog, options: LogSettings) -> None:
    write(embedded, b"1", b"2")
    for folder in options.replicas:
        with (folder / "mails-0" / f"{0:020d}.log").open("ab") as segment:
            segment.write(b"torn")
    assert write(embedded, b"3") == [2]
    assert values(embedded) == [b"1", b"2", b"3"]
    assert len(embedded.describe("mails")[0].isr) == 3


def test_who_goes_on_writing_to_a_replica_that_is_gone_is_not_told_that_it_has_the_records(
    embedded: EmbeddedLog, options: LogSettings
) -> None:
    write(embedded, b"1", b"2")
    shutil.move(options.replicas[1] / "mails-0", options.root / "taken away")
    write(embedded, b"3")
    assert values(embedded) == [b"1", b"2", b"3"]
    assert embedded.describe("mails")[0].isr == (str(options.replicas[0]), str(options.replicas[2]))


def test_who_goes_on_writing_takes_settings_that_are_altered(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    other = open_embedded()
    write(embedded, b"1", b"2")
    other.alter_topic("mails", config=TopicConfig(compression="none"))
    before = embedded.describe("mails")[0].bytes
    write(embedded, b"x" * 5000)
    assert embedded.describe("mails")[0].bytes - before > 5000
    other.alter_topic("mails", partitions=5)
    found = [embedded.append("mails", [Record(b"%d" % number, b"")], wait="written")[0] for number in range(20)]
    assert {position.partition for position in found} == {0, 1, 2, 3, 4}


def test_who_goes_on_writing_finds_a_topic_deleted_or_made_anew(embedded: EmbeddedLog, open_embedded: OpenLog) -> None:
    other = open_embedded()
    write(embedded, b"1", b"2")
    other.delete_topic("mails")
    with pytest.raises(UnknownTopic):
        write(embedded, b"3")
    write_again = open_embedded()
    write_again.create_topic("mails", 1)
    assert write(embedded, b"4", b"5") == [0, 1]
    assert values(other) == [b"4", b"5"]


def test_who_goes_on_writing_flushes_when_enough_is_unflushed(open_embedded: OpenLog) -> None:
    log = open_embedded(flush_messages=5)
    log.create_topic("mails", 1)
    ends = [(write(log, b"value"), log.span(SOURCE).stop)[1] for _ in range(11)]
    assert ends == [0, 0, 0, 0, 5, 5, 5, 5, 5, 10, 10]


@pytest.fixture
def appender(embedded: EmbeddedLog) -> Partition:
    """Of the process that was the last to append: two records, 0 and 1."""
    write(embedded, b"0", b"1")
    return embedded.partition(SOURCE)


def test_who_was_the_last_to_append_goes_on_at_once(embedded: EmbeddedLog, appender: Partition) -> None:
    assert [go_on(appender, MAIL * 2, MANY), go_on(appender, MAIL, MANY)] == [range(2, 4), range(4, 5)]
    assert values(embedded) == [b"0", b"1", b"mail", b"mail", b"mail"]


def somebody_else_holds_the_lock(open_embedded: OpenLog) -> Callable[[], None]:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with open_embedded().partition(SOURCE).hold():
            held.set()
            done.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)

    def leave() -> None:
        done.set()
        thread.join()

    return leave


def test_it_waits_for_nobody(embedded: EmbeddedLog, open_embedded: OpenLog, appender: Partition) -> None:
    leave = somebody_else_holds_the_lock(open_embedded)
    found = go_on(appender, MAIL, MANY)
    leave()
    assert found is None
    assert values(embedded) == [b"0", b"1"]


HAPPENED: dict[str, Callable[[EmbeddedLog, Partition, LogSettings], object]] = {
    "the lock's file was replaced": lambda log, _, __: replace(log.home.lock_file(SOURCE)),
    "the lock's file is gone": lambda log, _, __: log.home.lock_file(SOURCE).unlink(),
    "the root was moved away": lambda _, __, options: options.root.rename(options.root.with_name("away")),
    "the topic was altered": lambda log, _, __: log.alter_topic("mails", config=TopicConfig(compression="none")),
    "the watermark's file was emptied": lambda log, _, __: log.home.watermark_file(SOURCE).write_bytes(b""),
    "a change was begun": lambda _, partition, __: hold_and(partition, partition.begin_change),
    "somebody wrote to a replica": lambda _, __, options: grow(segment_file(options.replicas[2] / "mails-0", 0)),
    "a replica failed": lambda _, partition, __: fail(partition),
    "too few are in sync": lambda _, partition, __: need_four(partition),
    "a segment is due by age": lambda _, partition, __: of_segments(partition, segment_age_s=-1),
    "a segment is due by size": lambda _, partition, __: of_segments(partition, segment_bytes=1),
}


def replace(path: Path) -> None:
    shutil.copy2(path, path.with_suffix(".copy"))  # of the same time, so that it has the same stamp
    path.with_suffix(".copy").replace(path)


def hold_and(partition: Partition, action: Callable[[], object]) -> None:
    with partition.hold():
        action()


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"torn")


def fail(partition: Partition) -> None:
    next(iter(partition.replicas)).error = OSError("failed")


def need_four(partition: Partition) -> None:
    partition.settings = partition.settings._replace(min_insync=4)


def of_segments(partition: Partition, **changed: Any) -> None:
    partition.settings = partition.settings._replace(**changed)


@pytest.mark.parametrize("happened", HAPPENED.values(), ids=HAPPENED)
def test_it_is_not_taken_when_something_has_happened(
    embedded: EmbeddedLog, appender: Partition, options: LogSettings, happened: Callable[..., object]
) -> None:
    happened(embedded, appender, options)
    assert go_on(appender, MAIL, MANY) is None
    assert not appender.lock.is_mine


def test_where_the_lock_was_taken_away_nothing_is_held(
    appender: Partition, open_embedded: OpenLog, options: LogSettings
) -> None:
    options.root.rename(options.root.with_name("away"))
    assert go_on(appender, MAIL, MANY) is None
    options.root.with_name("away").rename(options.root)
    assert open_embedded(lock_timeout_s=1).append("mails", MAIL)[0].offset == 2


def test_an_alteration_that_died_before_it_told_anybody_is_noticed_with_a_flush(
    embedded: EmbeddedLog, open_embedded: OpenLog, appender: Partition, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(_: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("log.embedded.topic_admin.restamp", die)
    with pytest.raises(KeyboardInterrupt):
        open_embedded().alter_topic("mails", partitions=5)
    assert go_on(appender, MAIL, MANY) == range(2, 3)
    embedded.flush("mails")
    found = [embedded.append("mails", [Record(b"%d" % number, b"")], wait="written")[0] for number in range(20)]
    assert {position.partition for position in found} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("most_unflushed", [0, 3])
def test_it_is_not_taken_when_a_flush_is_due(appender: Partition, most_unflushed: int) -> None:
    assert go_on(appender, MAIL, most_unflushed) is None
    assert go_on(appender, MAIL, 4) == range(2, 3)


def test_it_takes_no_more_than_a_batch(embedded: EmbeddedLog, appender: Partition) -> None:
    assert go_on(appender, [Record(None, bytes(2**19))] * 3, MANY) is None  # however small they may be compressed
    assert go_on(appender, [Record(None, bytes(2**21))], MANY) == range(2, 3)  # one has a batch of its own
    embedded.flush("mails")
    assert embedded.read(SOURCE, 2, 2**30).values() == [bytes(2**21)]


def test_it_is_not_taken_once_the_last_replica_failed_to_flush(
    embedded: EmbeddedLog, appender: Partition, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_to_flush(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("os.fsync", fail_to_flush)
    with pytest.raises(LogError):
        embedded.append("mails", MAIL)
    monkeypatch.undo()
    with appender.hold():
        assert len(appender.replicas) > 0  # they can be opened again
    assert go_on(appender, MAIL, MANY) is None
    with pytest.raises(ReplicaFailed, match="offline"):
        embedded.append("mails", MAIL, wait="written")


def test_a_replica_that_fails_on_it_leaves_the_isr_and_the_others_have_the_record(
    embedded: EmbeddedLog, appender: Partition, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = next(iter(appender.replicas))

    def fail_to_write(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(failing, "append", fail_to_write)
    assert go_on(appender, MAIL, MANY) == range(2, 3)
    assert len(embedded.describe("mails")[0].isr) == 2
    assert values(embedded) == [b"0", b"1", b"mail"]


def test_when_too_many_fail_on_it_nothing_was_appended(
    embedded: EmbeddedLog, appender: Partition, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_to_write(*_: object) -> None:
        raise OSError(5, "Input/output error")

    for failing in list(appender.replicas)[1:]:
        monkeypatch.setattr(failing, "append", fail_to_write)
    with pytest.raises(LogError, match="nothing was acknowledged"):
        go_on(appender, MAIL, MANY)
    monkeypatch.undo()
    embedded.tend()
    assert write(embedded, b"2") == [2]
    assert values(embedded) == [b"0", b"1", b"2"]
