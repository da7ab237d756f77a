from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import LogUnusable, NotEnoughReplicas, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from log.embedded.admin.verifying import verify
from log.embedded.home import find_home
from log.embedded.opening import open_home

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]


def test_a_home_with_replicas_inside_can_be_moved(options: LogSettings) -> None:
    inside = dataclasses.replace(options, replicas=(options.root / "replica-1", options.root / "replica-2"))
    open_home(inside)
    moved = options.root.rename(options.root.parent / "moved")
    assert find_home(moved).replicas == {1: moved / "replica-1", 2: moved / "replica-2"}


def test_a_copy_of_a_home_that_nobody_writes_to_is_a_whole_log(
    options: LogSettings, open_embedded: Callable[..., EmbeddedLog], numbered: Callable[..., list[Record]]
) -> None:
    """What the README says of backups."""
    log = open_embedded(replicas=(options.root / "replica-1", options.root / "replica-2"))
    log.create_topic("mails", 1)
    log.append("mails", numbered(20))
    log.close()
    copied = options.root.parent / "backup"
    shutil.copytree(options.root, copied)
    shutil.rmtree(options.root)
    copy = open_embedded(root=copied, replicas=(copied / "replica-1", copied / "replica-2"))
    assert [record.value for record in copy.read(SOURCE, 0, 2**20)] == [record.value for record in numbered(20)]
    assert list(verify(copy, SOURCE, lambda _: None)) == []
    assert copy.append("mails", numbered(1))[0].offset == 20


def test_replicas_that_another_process_adds_do_not_disturb_a_thread_that_goes_over_them(
    embedded: EmbeddedLog, open_embedded: Callable[..., EmbeddedLog], options: LogSettings
) -> None:
    other = open_embedded()
    seen: list[int] = []
    for number in embedded.home.replicas:
        if not seen:
            Replicas(other).add(options.root.parent / "disk-4")
            embedded.home.refresh()
        seen.append(number)
    assert seen == [1, 2, 3]
    assert sorted(embedded.home.replicas) == [1, 2, 3, 4]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def swap(one: Path, other: Path) -> None:
    aside = one.with_name("aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


def stranger(options: LogSettings, open_embedded: OpenLog) -> Path:
    """Replica 3 of another log with such a topic."""
    elsewhere = options.root.parent / "stranger"
    disks = tuple(elsewhere / folder.name for folder in options.replicas)
    other = open_embedded(root=elsewhere / "log", replicas=disks)
    other.create_topic("mails", 1)
    other.append("mails", [Record(b"key", b"another log's")] * 3)
    other.close()
    return disks[2]


def values(log: EmbeddedLog) -> list[bytes | None]:
    return [record.value for record in log.read(SOURCE, 0, 2**20)]


@pytest.mark.parametrize("of", ["replica 2 of this log", "replica 3 of log "])
def test_a_folder_in_anothers_place_is_told_and_neither_read_nor_written_until_the_own_one_is_back(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings, of: str
) -> None:
    embedded.append("mails", [Record(b"key", b"before")])
    embedded.close()
    second, third = options.replicas[1:]
    third.rename(third.with_name("own"))
    shutil.copytree(stranger(options, open_embedded) if "of log" in of else second, third)
    was = tree(third)
    log = open_embedded()
    assert values(log) == [b"before"]
    log.append("mails", [Record(b"key", b"after")])
    log.create_topic("later", 1)
    (told,) = (each for each in log.tend() if not each.ok and each.topic == "mails")
    assert f"{third} is {of}" in told.detail
    assert "in the place of replica 3: it is neither read nor written; put replica 3 back there" in told.detail
    (found,) = verify(log, SOURCE, lambda _: None)
    assert (found.replica, of in found.what) == (3, True)
    listed = Replicas(log).all()
    assert [each.reachable for each in listed] == [True, True, False]
    assert [each.detail for each in listed[:2]] == ["", ""]
    assert f"{third} is {of}" in listed[2].detail
    assert tree(third) == was
    shutil.rmtree(third)
    third.with_name("own").rename(third)
    assert all(each.ok for each in log.tend())
    assert [each.in_sync for each in Replicas(log).all()] == [2, 2, 2]
    assert all(each.ok for each in Replicas(log).verify())


def test_of_two_replicas_that_were_exchanged_the_third_is_read_and_nothing_is_written(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings
) -> None:
    embedded.append("mails", [Record(b"key", b"before")])
    embedded.close()
    swap(*options.replicas[1:])
    was = [tree(folder) for folder in options.replicas[1:]]
    log = open_embedded()
    assert values(log) == [b"before"]
    with pytest.raises(NotEnoughReplicas, match="1 of 3 replicas are in sync"):
        log.append("mails", [Record(b"key", b"refused")])
    assert [tree(folder) for folder in options.replicas[1:]] == was
    swap(*options.replicas[1:])
    assert all(each.ok for each in log.tend())
    log.append("mails", [Record(b"key", b"after")])
    assert values(log) == [b"before", b"after"]


def test_replicas_exchanged_under_an_open_log_leave_it_and_are_not_written(
    embedded: EmbeddedLog, options: LogSettings
) -> None:
    embedded.append("mails", [Record(b"key", b"before")])
    third = options.replicas[2]
    third.rename(third.with_name("own"))
    shutil.copytree(options.replicas[1], third)
    was = tree(third)
    embedded.append("mails", [Record(b"key", b"after")])
    assert len(embedded.describe("mails")[0].isr) == 2
    assert tree(third) == was
    assert values(embedded) == [b"before", b"after"]


def test_a_resync_takes_the_folder_of_another_replica_in_its_place_and_none_of_another_log(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings
) -> None:
    third = options.replicas[2]
    other = stranger(options, open_embedded)
    embedded.append("mails", [Record(b"key", b"before")])
    shutil.rmtree(third)
    shutil.copytree(options.replicas[1], third)
    operator = open_embedded()
    assert all(each.ok for each in Replicas(operator).resync(3))
    assert embedded.append("mails", [Record(b"key", b"after")])
    assert len(embedded.describe("mails")[0].isr) == 3, "who was there before follows"
    assert all(each.ok for each in Replicas(embedded).verify())
    shutil.rmtree(third)
    shutil.copytree(other, third)
    was = tree(third)
    with pytest.raises(LogUnusable, match=r"of log .* or take an empty folder: `otclog replica replace 3 FOLDER`$"):
        Replicas(open_embedded()).resync(3)
    assert tree(third) == was


def test_a_folder_in_anothers_place_is_of_no_majority(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings
) -> None:
    embedded.append("mails", [Record(b"key", b"before")])
    embedded.close()
    first, second, third = options.replicas
    for folder in (first, third):
        shutil.rmtree(folder)
    shutil.copytree(second, third)
    embedded.home.state_file(SOURCE).unlink()
    with pytest.raises(LogUnusable, match="nor a majority"):
        open_embedded().append("mails", [Record(b"key", b"refused")])
    (options.root / "log.json").unlink()
    with pytest.raises(LogUnusable, match="1 of one log and in their places"):
        open_embedded()


def test_what_is_no_log_is_said(options: LogSettings) -> None:
    with pytest.raises(LogUnusable, match=r"no log\.json"):
        find_home(options.root)


def test_an_unmounted_replica_is_not_made_anew(options: LogSettings) -> None:
    home = open_home(options)
    shutil.rmtree(options.replicas[0])
    options.replicas[0].mkdir()
    assert open_home(options).log_id == home.log_id
    assert list(options.replicas[0].iterdir()) == []
    with pytest.raises(OSError, match="not mounted"):
        home.check_replica(1)
