"""`otclog replica`, while others append."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from log.embedded.segment.names import segment_bases, segment_file
from log.embedded.upkeep.tending import tending
from tests.turns import strides

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]
EVERY_STEP = strides(7)


def values(log: EmbeddedLog) -> list[bytes | None]:
    return [record.value for record in log.read(SOURCE, log.span(SOURCE).start, 2**30)]


def in_sync(log: EmbeddedLog) -> list[str]:
    return [Path(folder).name for folder in log.describe("mails")[0].isr]


def rot(folder: Path, position: int) -> None:
    path = segment_file(folder / "mails-0", segment_bases(folder / "mails-0")[0])
    data = bytearray(path.read_bytes())
    data[position] ^= 4
    path.write_bytes(data)


@pytest.mark.parametrize("other", [1, 0], ids=["itself", "another"])
def test_a_replica_is_not_replaced_by_one_that_is_there(
    embedded: EmbeddedLog, options: LogSettings, other: int
) -> None:
    with pytest.raises(LogUnusable, match="already"):
        Replicas(embedded).replace(2, options.replicas[other])
    assert len(embedded.home.replicas) == 3


def test_a_replica_is_kept_while_the_new_one_is_not_in_sync(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log, other = open_embedded(lock_timeout_s=0.2), open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(3))
    new = options.root.parent / "disk-4"
    with tending(other, other.partition(SOURCE)):
        done = Replicas(log).replace(3, new)
    assert [each.ok for each in done] == [False]
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
    assert all(each.ok for each in Replicas(log).replace(3, new))
    assert in_sync(log) == ["disk-1", "disk-2", "disk-4"]


def test_a_replica_is_replaced_while_others_append(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    stop, failed = threading.Event(), []
    count = 0

    def append(log: EmbeddedLog) -> None:
        nonlocal count
        try:
            while not stop.is_set():
                log.append("mails", numbered(5, count, size=500))
                count += 5
        except BaseException as error:  # noqa: BLE001  shown by the assertion
            failed.append(error)

    appender = threading.Thread(target=append, args=(embedded,))
    reader = open_embedded()
    operator = Replicas(open_embedded())
    appender.start()
    new = options.root.parent / "disk-4"
    done = operator.replace(2, new)
    before = count
    while count < before + 20 and not failed:
        stop.wait(0.01)
    stop.set()
    appender.join()
    assert not failed
    assert all(each.ok for each in done)
    assert in_sync(embedded) == ["disk-1", "disk-3", "disk-4"]
    assert values(reader) == [record.value for record in numbered(count, size=500)]
    assert {each.replica: each.in_sync for each in operator.all()} == {1: 1, 3: 1, 4: 1}
    with pytest.raises(LogUnusable) as refused:
        open_embedded()
    now = ", ".join(f'"{each}"' for each in (options.replicas[0], options.replicas[2], new))
    assert str(refused.value).endswith(f": set [log] replicas = [{now}]")
    again = open_embedded(replicas=(options.replicas[0], options.replicas[2], new))
    assert in_sync(again) == ["disk-1", "disk-3", "disk-4"]
    again.append("mails", numbered(1))


@pytest.mark.parametrize("number", [1, 2], ids=["leader", "follower"])
def test_a_copy_that_lost_its_first_segment_is_found_and_repaired(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, number: int
) -> None:
    log = open_embedded(segment_bytes=4000, compression="none")
    log.create_topic("mails", 1)
    for start in range(0, 20, 5):
        log.append("mails", numbered(5, start, size=300))
    replicas = Replicas(log)
    folder = options.replicas[number - 1] / "mails-0"
    segment_file(folder, segment_bases(folder)[0]).unlink()
    assert {each.replica: each.ok for each in replicas.verify()} == {1: number != 1, 2: number != 2, 3: True}
    assert all(each.ok for each in replicas.resync(number))
    assert all(each.ok for each in replicas.verify())


@pytest.mark.parametrize("number", [1, 2], ids=["leader", "follower"])
@pytest.mark.parametrize("position", [1000, 13], ids=["a record", "an epoch, which no CRC covers"])
def test_rot_in_a_closed_segment_is_found_and_repaired(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, number: int, position: int
) -> None:
    log = open_embedded(segment_bytes=4000, compression="none")
    log.create_topic("mails", 1)
    for start in range(0, 20, 5):
        log.append("mails", numbered(5, start, size=300))
    replicas = Replicas(log)
    assert all(each.ok and each.same_to == 20 for each in replicas.verify())
    rot(options.replicas[number - 1], position)
    assert {each.replica: each.ok for each in replicas.verify()} == {1: number != 1, 2: number != 2, 3: True}
    assert all(each.ok for each in replicas.resync(number))
    assert all(each.ok for each in replicas.verify())
    assert values(log) == [record.value for record in numbered(20, size=300)]
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]


@pytest.mark.slow
@EVERY_STEP
def test_a_replacement_that_dies_at_any_step_is_done_again(
    options: LogSettings, numbered: Numbered, each_death: Callable[..., Iterator[bool]], every: int
) -> None:
    disks = tuple(options.root / f"disk-{number}" for number in (1, 2, 3, 4))
    options = dataclasses.replace(options, replicas=disks[:3])
    log = EmbeddedLog(options)
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    log.close()

    def replace() -> Callable[[], object]:
        dying = Replicas(EmbeddedLog(options))
        return lambda: dying.replace(3, disks[3])

    steps = 0
    for _ in each_death(options.root, replace, every):
        steps += 1
        for folders in (disks[:3], disks, (disks[0], disks[1], disks[3])):
            try:
                log = EmbeddedLog(dataclasses.replace(options, replicas=folders))
            except LogUnusable:
                continue
            break
        with log.exclusive(SOURCE):
            assert values(log) == [record.value for record in numbered(5)]
        if log.home.replicas.get(3):
            Replicas(log).replace(3, disks[3])
        assert in_sync(log) == ["disk-1", "disk-2", "disk-4"]
        log.append("mails", numbered(1, 5))
        log.close()
    assert (steps + 1) * every > 20
