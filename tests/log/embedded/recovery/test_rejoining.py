"""A replica that was out of sync comes back, whatever happened to its folder meanwhile."""

from __future__ import annotations

import dataclasses
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import OutOfSequence, Record, ReplicaFailed, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from log.embedded.partition.changing import expel
from log.embedded.producers import register
from log.embedded.recovery import rejoining
from log.embedded.segment.comparing import SegmentPosition, common_part
from log.embedded.segment.dump import dump
from log.embedded.segment.names import segment_bases, segment_file
from log.embedded.segment.segment import Fence
from tests.log.batches import encode
from tests.log.copies import check_copies_are_equal
from tests.turns import strides

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
EVERY_STEP = strides(7)
Numbered = Callable[..., list[Record]]


def values(log: EmbeddedLog) -> list[bytes | None]:
    with log.exclusive(SOURCE):
        return [record.value for record in log.read(SOURCE, 0, 2**30)]


def in_sync(log: EmbeddedLog) -> list[str]:
    return [Path(folder).name for folder in log.describe("mails")[0].isr]


def vanish(folder: Path) -> None:
    """At once, as a disk does: a file that an appender makes meanwhile would stop a removal one by one."""
    shutil.rmtree(folder.rename(folder.with_name(f"{folder.name}-away")))


def empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def lose_the_partition(folder: Path) -> None:
    shutil.rmtree(folder / "mails-0")


def rot(folder: Path, position: int = 1000) -> None:
    path = segment_file(folder / "mails-0", segment_bases(folder / "mails-0")[0])
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)


def lose_a_segment(folder: Path) -> None:
    segment_file(folder / "mails-0", segment_bases(folder / "mails-0")[1]).unlink()


def lose_the_indexes(folder: Path) -> None:
    for path in (folder / "mails-0").glob("*index"):
        path.write_bytes(b"no index")


def stay(_: Path) -> None:
    pass


@pytest.mark.parametrize("number", [1, 3], ids=["leader", "follower"])
@pytest.mark.parametrize("fate", [vanish, empty, lose_the_partition, rot, lose_a_segment, lose_the_indexes, stay])
def test_a_replica_comes_back_equal(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, number: int, fate: Callable[[Path], None]
) -> None:
    log = open_embedded(segment_bytes=4000, compression="none")
    log.create_topic("mails", 1)
    for start in range(0, 20, 5):
        log.append("mails", numbered(5, start, size=300))
    folder = options.replicas[number - 1]
    away = folder.rename(folder.with_name("away"))
    log.append("mails", numbered(5, 20, size=300))
    assert folder.name not in in_sync(log)
    away.rename(folder)
    fate(folder)
    done = log.tend()
    assert [(each.action, each.ok) for each in done] == [("rejoin", True)]
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
    log.append("mails", numbered(5, 25, size=300))
    assert values(log) == [record.value for record in numbered(30, size=300)]
    check_copies_are_equal(options)
    assert log.tend() == []


def test_an_old_backup_put_back_is_brought_up_to_date(
    embedded: EmbeddedLog, options: LogSettings, numbered: Numbered
) -> None:
    embedded.append("mails", numbered(5))
    shutil.copytree(options.replicas[0], options.root.parent / "backup")
    embedded.append("mails", numbered(5, 5))
    shutil.rmtree(options.replicas[0])
    (options.root.parent / "backup").rename(options.replicas[0])
    embedded.append("mails", numbered(5, 10))
    assert in_sync(embedded) == ["disk-2", "disk-3"]
    embedded.tend()
    assert in_sync(embedded) == ["disk-1", "disk-2", "disk-3"]
    assert embedded.describe("mails")[0].epoch == 1
    check_copies_are_equal(options)


def test_a_replica_that_was_copied_from_a_leader_that_left_meanwhile_begins_anew(
    embedded: EmbeddedLog, options: LogSettings, numbered: Numbered, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded.append("mails", numbered(5))
    partition = embedded.partition(SOURCE)
    with partition.hold():
        expel(partition, {3: None})

    def compare(folder: Path, leader: Path, stop: int, fence: Fence, lost: frozenset[int]) -> SegmentPosition:
        found = common_part(folder, leader, stop, fence, lost)
        with partition.hold():
            expel(partition, {1: None})
        return found

    with monkeypatch.context() as between:
        between.setattr(rejoining, "common_part", compare)
        with pytest.raises(ReplicaFailed, match="does not lead any more"):
            rejoining.rejoin(embedded.home, partition, 3)
    assert in_sync(embedded) == ["disk-2"]
    assert [(each.action, each.ok) for each in embedded.tend()] == [("rejoin", True)] * 2
    embedded.append("mails", numbered(5, 5))
    check_copies_are_equal(options)


def test_what_an_old_leader_has_beyond_the_epochs_end_is_set_aside(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(compression="none")
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    old = options.replicas[0] / "mails-0"
    with segment_file(old, 0).open("ab") as file:  # written, never acknowledged
        file.write(encode(numbered(3, 100), 5, 2**40, 0, "none"))
    away = options.replicas[0].rename(options.root.parent / "away")
    log.append("mails", numbered(5, 5))
    assert log.describe("mails")[0].epoch == 1
    away.rename(options.replicas[0])
    (done,) = log.tend()
    assert "set aside in" in done.detail
    check_copies_are_equal(options)
    assert values(log) == [record.value for record in numbered(10)]
    (archived,) = (options.replicas[0] / "archive" / "mails-0").rglob("*.log")
    rows = [row for row in dump(archived) if row["kind"] == "record"]
    assert [row["offset"] for row in rows] == [5, 6, 7]
    assert [row["size"] for row in rows] == [3, 3, 3]


def test_records_of_an_epoch_that_was_over_are_no_part_of_an_in_sync_copy(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    """The folder of a replica in sync was put back from one that had gone on by itself, as long as the others."""
    log = open_embedded(compression="none")
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    log.close()
    other = options.root.parent / "other"
    shutil.copytree(options.replicas[1], other)
    path = segment_file(other / "mails-0", 0)
    path.write_bytes(path.read_bytes() + encode(numbered(5, 100), 5, 2**40, 0, "none"))
    log = open_embedded(compression="none")
    away = options.replicas[0].rename(options.root.parent / "away")
    log.append("mails", numbered(5, 5))
    log.close()
    shutil.rmtree(options.replicas[1])
    other.rename(options.replicas[1])
    away.rename(options.replicas[0])
    log = open_embedded(compression="none", min_insync=1)
    log.append("mails", numbered(1, 10))
    assert in_sync(log) == ["disk-3"]
    assert values(log) == [record.value for record in numbered(11)]
    log.tend()
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
    assert values(log) == [record.value for record in numbered(11)]
    check_copies_are_equal(options)


@pytest.mark.parametrize("position", [1000, 14], ids=["a record", "an epoch, which no CRC covers"])
def test_a_damaged_leader_is_not_copied(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, position: int
) -> None:
    log = open_embedded(replicas=options.replicas[:2], min_insync=1, segment_bytes=4000, compression="none")
    log.create_topic("mails", 1)
    shutil.rmtree(options.replicas[1])
    for start in range(0, 20, 5):
        log.append("mails", numbered(5, start, size=300))
    rot(options.replicas[0], position)
    done = log.tend()[-1]
    assert (done.action, done.ok) == ("rejoin", False)
    assert f"{options.replicas[0] / 'mails-0'}" in done.detail
    assert in_sync(log) == ["disk-1"]


@pytest.mark.parametrize("base", [0, 2])
def test_a_leader_that_lacks_a_segment_takes_it_from_nobody(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, base: int
) -> None:
    log = open_embedded(replicas=options.replicas[:2], min_insync=1, segment_bytes=4000, compression="none")
    log.create_topic("mails", 1)
    for number in range(5):
        log.append("mails", numbered(1, number, size=1500))
    away = options.replicas[1].rename(options.root.parent / "away")
    log.append("mails", numbered(1, 5, size=1500))
    away.rename(options.replicas[1])
    segment_file(options.replicas[0] / "mails-0", base).unlink()
    done = log.tend()
    assert [(each.action, each.ok) for each in done] == [("check", False), ("rejoin", False)]
    assert f"damaged at offset {base}" in done[0].detail
    assert "disk-1/mails-0: a segment is missing" in done[1].detail
    assert segment_bases(options.replicas[1] / "mails-0") == [0, 2, 4]


@pytest.mark.parametrize("base", [0, 2])
def test_a_leader_that_lacks_a_segment_leads_no_more_and_has_it_again(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, base: int
) -> None:
    log = open_embedded(segment_bytes=4000, compression="none")
    log.create_topic("mails", 1)
    for number in range(5):
        log.append("mails", numbered(1, number, size=1500))
    away = options.replicas[2].rename(options.root.parent / "away")
    log.append("mails", numbered(1, 5, size=1500))
    away.rename(options.replicas[2])
    segment_file(options.replicas[0] / "mails-0", base).unlink()
    done = log.tend()
    assert [(each.action, each.ok) for each in done] == [("check", False), ("rejoin", True), ("rejoin", True)]
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
    assert Path(log.describe("mails")[0].leader).name == "disk-2"
    assert values(log) == [record.value for record in numbered(6, size=1500)]
    check_copies_are_equal(options)


@pytest.mark.parametrize("number", [1, 2])
def test_no_replica_is_given_up_before_the_others_have_what_it_has(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, number: int
) -> None:
    log = open_embedded(segment_bytes=4000, compression="none")
    log.create_topic("mails", 1)
    for record in numbered(6, size=1500):
        log.append("mails", [record])
    for other in {1, 2, 3} - {number}:
        segment_file(options.replicas[other - 1] / "mails-0", 2).unlink()
    assert all(done.ok for done in Replicas(log).resync(number))
    Replicas(log).remove(number)
    assert values(log) == [record.value for record in numbered(6, size=1500)]


def test_an_unmounted_disk_is_not_filled(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "log.embedded.home.mount_point", lambda folder: folder if "disk-3" in str(folder) else Path("/")
    )
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    empty(options.replicas[2])
    log.append("mails", numbered(5, 5))
    monkeypatch.setattr("log.embedded.home.mount_point", lambda _: Path("/"))
    (done,) = log.tend()
    assert not done.ok
    assert "is not mounted" in done.detail
    assert list(options.replicas[2].iterdir()) == []


def test_appends_go_on_while_a_replica_catches_up(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    embedded.append("mails", numbered(200, size=2000))
    vanish(options.replicas[1])
    embedded.append("mails", numbered(5, 200, size=2000))
    stop = threading.Event()
    count = 205

    def append() -> None:
        nonlocal count
        log = open_embedded()
        while not stop.is_set():
            log.append("mails", numbered(5, count, size=2000))
            count += 5

    appender = threading.Thread(target=append)
    appender.start()
    try:
        for _ in range(5):
            assert all(each.ok for each in embedded.tend())
            vanish(options.replicas[1])
            while "disk-2" in in_sync(embedded):
                stop.wait(0.01)
    finally:
        stop.set()
        appender.join()
    embedded.tend()
    assert values(embedded) == [record.value for record in numbered(count, size=2000)]
    check_copies_are_equal(options)


@EVERY_STEP
def test_a_rejoin_that_dies_at_any_step_is_done_again(
    options: LogSettings, numbered: Numbered, each_death: Callable[..., Iterator[bool]], every: int
) -> None:
    replicas = tuple(options.root / f"disk-{number}" for number in (1, 2, 3))
    options = dataclasses.replace(options, replicas=replicas, segment_bytes=3000, compression="none")
    log = EmbeddedLog(options)
    log.create_topic("mails", 1)
    log.append("mails", numbered(8, size=500))
    old = replicas[0].rename(options.root / "old")
    log.append("mails", numbered(8, 8, size=500))
    log.close()
    old.rename(replicas[0])
    path = segment_file(replicas[0] / "mails-0", segment_bases(replicas[0] / "mails-0")[-1])
    path.write_bytes(path.read_bytes() + encode(numbered(2, 100), 8, 2**40, 0, "none"))

    def tend() -> Callable[[], object]:
        dying = EmbeddedLog(options)
        return dying.tend

    steps = 0
    for died in each_death(options.root, tend, every):
        steps += 1
        log = EmbeddedLog(options)
        assert values(log) == [record.value for record in numbered(16, size=500)], steps
        assert died or in_sync(log) == ["disk-1", "disk-2", "disk-3"]
        assert all(each.ok for each in log.tend())
        assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
        check_copies_are_equal(options)
        log.append("mails", numbered(1, 16))
        assert len(values(log)) == 17
        log.close()
    assert (steps + 1) * every > 10
    assert list((replicas[0] / "archive" / "mails-0").iterdir())


@pytest.mark.slow
def test_putting_a_new_disk_to_use_may_be_cut_off_at_any_step(
    options: LogSettings, numbered: Numbered, each_death: Callable[..., Iterator[bool]]
) -> None:
    replicas = tuple(options.root / f"disk-{number}" for number in (1, 2, 3))
    options = dataclasses.replace(options, replicas=replicas)
    log = EmbeddedLog(options)
    log.create_topic("mails", 1)
    log.append("mails", numbered(2))
    vanish(replicas[1])
    log.close()

    def tend() -> Callable[[], object]:
        return EmbeddedLog(options).tend

    deaths = 0
    for died in each_death(options.root, tend):
        deaths += died
        log = EmbeddedLog(options)
        assert all(each.ok for each in log.tend()), deaths
        assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
        check_copies_are_equal(options)
        log.close()
    assert deaths > 10


def test_a_replica_that_comes_back_knows_producers_whose_batches_are_deleted(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=1000)
    log.create_topic("mails", 1)
    producer = register(log, "importer")
    log.append("mails", numbered(3, size=300), producer=producer)
    repeated = dataclasses.replace(producer, next={})
    for start in range(3, 30, 3):
        log.append("mails", numbered(3, start, size=900))
    vanish(options.replicas[1])
    log.append("mails", numbered(1))
    log.delete_records(SOURCE, 20)
    assert all(each.ok for each in log.tend())
    vanish(options.replicas[0])
    log.append("mails", numbered(1))
    assert log.describe("mails")[0].leader == str(options.replicas[1])
    with pytest.raises(OutOfSequence):
        log.append("mails", numbered(4), producer=repeated)
