from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record
from log.embedded import EmbeddedLog
from log.embedded.segment.epochs import begin_epoch, kept_epochs, mend_epochs, read_epochs, write_epochs
from tests.log.batches import encode


def test_the_file_is_kafkas(tmp_path: Path) -> None:
    write_epochs(tmp_path, [(0, 0), (1, 5281)])
    assert (tmp_path / "leader-epoch-checkpoint").read_text("ascii") == "0\n2\n0 0\n1 5281\n"
    assert read_epochs(tmp_path) == [(0, 0), (1, 5281)]


def test_an_epoch_begins_behind_the_ones_before(tmp_path: Path) -> None:
    write_epochs(tmp_path, [(0, 0)])
    begin_epoch(tmp_path, 1, 100)
    begin_epoch(tmp_path, 3, 150)
    assert read_epochs(tmp_path) == [(0, 0), (1, 100), (3, 150)]


def test_an_epoch_that_acknowledged_nothing_goes(tmp_path: Path) -> None:
    write_epochs(tmp_path, [(0, 0), (1, 100)])
    begin_epoch(tmp_path, 2, 100)
    assert read_epochs(tmp_path) == [(0, 0), (2, 100)]


NO_CHECKPOINT = pytest.mark.parametrize(
    "data", [b"1\n1\n0 0\n", b"0\n2\n0 0\n", b"0\n1\nx y\n", b"", b"\xff\xfe", None]
)


def damage(folder: Path, data: bytes | None) -> None:
    file = folder / "leader-epoch-checkpoint"
    file.unlink() if data is None else file.write_bytes(data)


@NO_CHECKPOINT
def test_where_the_checkpoint_is_none_the_batches_say_the_epochs(
    tmp_path: Path, write_segment: Callable[..., bytes], data: bytes | None
) -> None:
    write_segment(tmp_path, base=0)
    write_segment(tmp_path, base=6)
    later = encode([Record(b"key", b"value")], 12, 2000, 3, "none")
    with (tmp_path / f"{6:020d}.log").open("ab") as file:
        file.write(later)
    damage(tmp_path, data)
    assert kept_epochs(tmp_path) is None
    assert read_epochs(tmp_path) == [(0, 0), (3, 12)]
    mend_epochs(tmp_path)
    assert kept_epochs(tmp_path) == [(0, 0), (3, 12)]


@NO_CHECKPOINT
def test_a_replica_whose_checkpoint_is_none_takes_over_from_a_dead_leader(
    embedded: EmbeddedLog, options: LogSettings, numbered: Callable[..., list[Record]], data: bytes | None
) -> None:
    embedded.append("mails", numbered(5))
    damage(options.replicas[1] / "mails-0", data)
    shutil.rmtree(options.replicas[0])
    assert embedded.append("mails", numbered(1))[0].offset == 5
    found = embedded.describe("mails")[0]
    assert (found.leader, found.isr) == (str(options.replicas[1]), tuple(map(str, options.replicas[1:])))
    assert kept_epochs(options.replicas[1] / "mails-0") == [(0, 0), (1, 5)]


@NO_CHECKPOINT
def test_a_leader_whose_checkpoint_is_none_keeps_nobody_from_coming_back(
    embedded: EmbeddedLog, options: LogSettings, numbered: Callable[..., list[Record]], data: bytes | None
) -> None:
    embedded.append("mails", numbered(5))
    shutil.rmtree(options.replicas[2])
    embedded.append("mails", numbered(1))
    damage(options.replicas[0] / "mails-0", data)
    assert [done.ok for done in embedded.tend()] == [True]
    assert len(embedded.describe("mails")[0].isr) == 3
    assert kept_epochs(options.replicas[2] / "mails-0") == [(0, 0)]


def test_a_folder_without_segments_is_an_error_of_its_disk(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_epochs(tmp_path)
