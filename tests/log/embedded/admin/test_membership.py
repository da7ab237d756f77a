"""Replicas added to a log, and taken away."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import LogUnusable, NotEnoughReplicas, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from tests.turns import strides

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]
EVERY_STEP = strides(7)


def values(log: EmbeddedLog) -> list[bytes | None]:
    return [record.value for record in log.read(SOURCE, log.span(SOURCE).start, 2**30)]


def in_sync(log: EmbeddedLog) -> list[str]:
    return [Path(folder).name for folder in log.describe("mails")[0].isr]


def test_another_number_of_replicas_is_said_with_what_to_set(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings
) -> None:
    Replicas(embedded).add(options.root.parent / "disk-4")
    with pytest.raises(LogUnusable, match=r'set \[log\] replicas = \["/.*/disk-1", .*, "/.*/disk-4"\]'):
        open_embedded()


def test_a_folder_that_is_open_to_others_is_refused_before_it_is_a_replica(
    embedded: EmbeddedLog, options: LogSettings
) -> None:
    folder = options.root.parent / "disk-4"
    folder.mkdir()
    folder.chmod(0o755)
    with pytest.raises(LogUnusable, match=r"disk-4 is open to others \(mode 755\): chmod 700 /"):
        Replicas(embedded).add(folder)
    assert len(Replicas(embedded).all()) == 3
    folder.chmod(0o700)
    Replicas(embedded).add(folder)
    assert len(Replicas(embedded).all()) == 4


def test_a_replica_is_known_by_whatever_name_its_folder_has(embedded: EmbeddedLog, options: LogSettings) -> None:
    Replicas(embedded).add(options.root / ".." / "disk-4")
    assert embedded.home.replicas[4] == (options.root.parent / "disk-4").resolve()
    Replicas(embedded).add(options.root / ".." / "disk-2")
    assert len(Replicas(embedded).all()) == 4


def test_a_topic_made_afterwards_is_on_the_new_replica(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings
) -> None:
    other = open_embedded()
    Replicas(embedded).add(options.root.parent / "disk-4")
    other.create_topic("later", 1)
    assert [Path(folder).name for folder in other.describe("later")[0].isr] == ["disk-1", "disk-2", "disk-3", "disk-4"]


def test_too_few_would_be_left(embedded: EmbeddedLog, options: LogSettings, numbered: Numbered) -> None:
    shutil.rmtree(options.replicas[2])
    embedded.append("mails", numbered(5))
    with pytest.raises(NotEnoughReplicas, match="only 1 replicas are in sync, 2 are needed"):
        Replicas(embedded).remove(1)
    assert in_sync(embedded) == ["disk-1", "disk-2"]


def test_the_leader_is_removed(embedded: EmbeddedLog, numbered: Numbered) -> None:
    embedded.append("mails", numbered(5))
    Replicas(embedded).remove(1)
    embedded.append("mails", numbered(5, 5))
    assert in_sync(embedded) == ["disk-2", "disk-3"]
    assert embedded.describe("mails")[0].epoch == 1
    assert values(embedded) == [record.value for record in numbered(10)]


def test_a_folder_that_is_not_empty_is_no_new_replica(embedded: EmbeddedLog, options: LogSettings) -> None:
    new = options.root.parent / "disk-4"
    new.mkdir()
    (new / "letters.txt").write_text("mine")
    with pytest.raises(LogUnusable, match="is not empty"):
        Replicas(embedded).add(new)
