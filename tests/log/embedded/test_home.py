from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from log.embedded.admin.verifying import verify
from log.embedded.home import find_home
from log.embedded.opening import open_home

SOURCE = TopicPartition("mails", 0)


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
