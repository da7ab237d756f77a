"""Replicas that fail: who stays in sync, what is acknowledged, and what is read on."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import DiskFull, LogUnusable, NotEnoughReplicas, OutOfResources, Record, ReplicaFailed, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.home import find_home
from log.embedded.replicas import replicas
from log.embedded.replicas.replica import Replica
from log.embedded.replicas.replicas import InSyncReplicas
from log.embedded.replicas.watermark import WatermarkFile
from log.embedded.segment.epochs import read_epochs

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


def values(log: EmbeddedLog) -> list[bytes | None]:
    return [record.value for record in log.read(SOURCE, 0, 2**30)]


def in_sync(log: EmbeddedLog) -> list[str]:
    return [Path(folder).name for folder in log.describe("mails")[0].isr]


class BadDisks:
    """Fault injection: the operations of the replicas named answer with an error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch

    def fail(self, operation: str, code: int, *numbers: int) -> None:
        if operation == "fsync":
            self.fail_fsync(*numbers)
            return
        working = getattr(Replica, operation)

        def failing(replica: Replica, *arguments: object) -> None:
            if replica.number in numbers:
                raise OSError(code, os.strerror(code), str(replica.folder))
            working(replica, *arguments)

        self._patch.setattr(Replica, operation, failing)

    def fail_fsync(self, *numbers: int) -> None:
        working = os.fsync

        def failing(fd: int) -> None:
            name = str(Path(f"/proc/self/fd/{fd}").readlink())
            if name.endswith(".log") and any(f"/disk-{number}/" in name for number in numbers):
                raise OSError(errno.EIO, os.strerror(errno.EIO), name)
            working(fd)

        self._patch.setattr(os, "fsync", failing)

    def mend(self) -> None:
        self._patch.undo()


@pytest.fixture
def bad_disks(monkeypatch: pytest.MonkeyPatch) -> BadDisks:
    return BadDisks(monkeypatch)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    folder = tmp_path / "disk-3"
    folder.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", folder], check=False, capture_output=True
    )
    if not mounted or mounted.returncode:
        pytest.skip("needs the right to mount a small file system")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.parametrize("code", [errno.EIO, errno.EROFS, errno.ENOSPC, errno.ENODEV])
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("operation", ["append", "fsync", "roll"])
def test_an_append_goes_on_without_a_replica_that_fails(  # noqa: PLR0917  fixtures
    open_embedded: OpenLog, numbered: Numbered, bad_disks: BadDisks, operation: str, number: int, code: int
) -> None:
    log = open_embedded(segment_bytes=4000, compression="none")
    log.create_topic("mails", 1)
    log.append("mails", numbered(5, size=500))
    bad_disks.fail(operation, code, number)
    assert log.append("mails", numbered(5, 5, size=500))[0].offset == 5
    assert in_sync(log) == [f"disk-{other}" for other in (1, 2, 3) if other != number]
    bad_disks.mend()
    assert log.append("mails", numbered(5, 10, size=500))[0].offset == 10
    assert in_sync(open_embedded()) == [f"disk-{other}" for other in (1, 2, 3) if other != number]
    assert values(open_embedded()) == [record.value for record in numbered(15, size=500)]


@pytest.mark.parametrize("numbers", [(1, 2), (2, 3), (1, 2, 3)])
@pytest.mark.parametrize("operation", ["append", "fsync"])
def test_below_min_insync_nothing_is_acknowledged_and_reads_go_on(
    embedded: EmbeddedLog, numbered: Numbered, bad_disks: BadDisks, operation: str, numbers: tuple[int, ...]
) -> None:
    embedded.append("mails", numbered(5))
    bad_disks.fail(operation, errno.EIO, *numbers)
    with pytest.raises(NotEnoughReplicas, match=r"mails-0: \d of 3 replicas are in sync, 2 are needed") as caught:
        embedded.append("mails", numbered(5, 5))
    assert caught.value.retriable
    assert embedded.span(SOURCE) == range(5)
    assert values(embedded) == [record.value for record in numbered(5)]


def test_a_lost_follower_then_another(
    embedded: EmbeddedLog, options: LogSettings, numbered: Numbered, open_embedded: OpenLog
) -> None:
    embedded.append("mails", numbered(5))
    shutil.rmtree(options.replicas[2])
    embedded.append("mails", numbered(5, 5))
    assert in_sync(embedded) == ["disk-1", "disk-2"]
    shutil.rmtree(options.replicas[1])
    with pytest.raises(NotEnoughReplicas):
        embedded.append("mails", numbered(5, 10))
    with pytest.raises(NotEnoughReplicas, match="1 of 3 replicas are in sync"):
        open_embedded().append("mails", numbered(5, 10))
    assert values(embedded) == [record.value for record in numbered(10)]
    assert values(open_embedded()) == [record.value for record in numbered(10)]


def test_a_lost_leader_is_followed_by_a_replica_in_sync(
    embedded: EmbeddedLog, options: LogSettings, numbered: Numbered, open_embedded: OpenLog
) -> None:
    embedded.append("mails", numbered(5))
    shutil.rmtree(options.replicas[0])
    assert embedded.append("mails", numbered(5, 5))[0].offset == 5
    described = open_embedded().describe("mails")[0]
    assert (Path(described.leader).name, described.epoch) == ("disk-2", 1)
    assert read_epochs(options.replicas[1] / "mails-0") == [(0, 0), (1, 5)]
    assert values(embedded) == [record.value for record in numbered(10)]


def test_a_failed_follower_that_comes_back_is_not_trusted(
    embedded: EmbeddedLog, options: LogSettings, numbered: Numbered, open_embedded: OpenLog
) -> None:
    embedded.append("mails", numbered(5))
    away = options.replicas[2].rename(options.root.parent / "away")
    embedded.append("mails", numbered(5, 5))
    away.rename(options.replicas[2])
    embedded.append("mails", numbered(5, 10))
    for log in (embedded, open_embedded()):
        assert in_sync(log) == ["disk-1", "disk-2"]


def test_a_replica_leaves_the_isr_durably_before_the_watermark_moves(
    embedded: EmbeddedLog, numbered: Numbered, bad_disks: BadDisks, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded.append("mails", numbered(5))
    steps: list[str] = []

    def noted(owner: object, name: str) -> None:
        real = getattr(owner, name)

        def note(*given: object) -> None:
            steps.append(name)
            real(*given)

        monkeypatch.setattr(owner, name, note)

    noted(replicas, "save_state")
    noted(WatermarkFile, "write")
    bad_disks.fail("fsync", errno.EIO, 3)
    embedded.append("mails", numbered(5, 5))
    assert steps == ["write", "write", "save_state", "write"]  # staged, about to change, changed, acknowledged


def test_a_failed_flush_is_not_tried_again(
    open_embedded: OpenLog, numbered: Numbered, bad_disks: BadDisks, options: LogSettings
) -> None:
    log = open_embedded(replicas=options.replicas[:1], min_insync=1)
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    bad_disks.fail_fsync(1)
    with pytest.raises(NotEnoughReplicas):
        log.append("mails", numbered(5, 5))
    bad_disks.mend()
    with pytest.raises(ReplicaFailed, match="offline since its last replica failed to flush"):
        log.append("mails", numbered(5, 5))
    assert values(log) == [record.value for record in numbered(5)]


def test_full_disks_are_said_and_forgiven(embedded: EmbeddedLog, numbered: Numbered, bad_disks: BadDisks) -> None:
    embedded.append("mails", numbered(5))
    bad_disks.fail("append", errno.ENOSPC, 1, 2, 3)
    with pytest.raises(DiskFull, match="no space or no inodes left, nothing was acknowledged") as caught:
        embedded.append("mails", numbered(5, 5))
    assert caught.value.retriable
    bad_disks.mend()
    assert in_sync(embedded) == ["disk-1", "disk-2", "disk-3"]
    assert embedded.append("mails", numbered(5, 5))[0].offset == 5
    assert values(embedded) == [record.value for record in numbered(10)]


def test_a_disk_that_fills_up_within_a_write_leaves_no_half_batch(
    tiny_disk: Path, open_embedded: OpenLog, numbered: Numbered
) -> None:
    """A real file system, a real short write."""
    log = open_embedded(replicas=(tiny_disk,), min_insync=1, compression="none")
    log.create_topic("mails", 1)
    for appended in range(100):
        try:
            log.append("mails", numbered(1, appended, size=30_000))
        except DiskFull:
            break
    assert 3 < appended < 9
    with pytest.raises(DiskFull):
        log.append("mails", numbered(1, appended, size=30_000))
    assert log.append("mails", numbered(1, appended))[0].offset == appended
    assert [record.offset for record in open_embedded(replicas=(tiny_disk,), min_insync=1).read(SOURCE, 0, 2**20)] == [
        *range(appended + 1)
    ]


def test_this_process_limits_are_no_fault_of_a_disk(
    embedded: EmbeddedLog, numbered: Numbered, bad_disks: BadDisks
) -> None:
    embedded.append("mails", numbered(5))
    bad_disks.fail("append", errno.EMFILE, 2)
    with pytest.raises(OutOfResources, match="Too many open files"):
        embedded.append("mails", numbered(5, 5))
    bad_disks.mend()
    assert in_sync(embedded) == ["disk-1", "disk-2", "disk-3"]
    assert embedded.append("mails", numbered(5, 5))[0].offset == 5
    assert values(embedded) == [record.value for record in numbered(10)]


def test_a_replica_stays_in_the_isr_until_the_root_has_recorded_that_it_left(
    embedded: EmbeddedLog, numbered: Numbered, bad_disks: BadDisks, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded.append("mails", numbered(5))
    bad_disks.fail("append", errno.EIO, 3)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(replicas, "save_state", refuse)
    for _ in range(2):
        with pytest.raises(DiskFull):
            embedded.append("mails", numbered(5, 5))
        assert embedded.span(SOURCE) == range(5)
        assert in_sync(embedded) == ["disk-1", "disk-2", "disk-3"]
    bad_disks.mend()
    embedded.append("mails", numbered(5, 5))
    assert values(embedded) == [record.value for record in numbered(10)]


def test_a_state_changed_by_an_appender_that_died_is_in_force(
    embedded: EmbeddedLog, numbered: Numbered, open_embedded: OpenLog, options: LogSettings
) -> None:
    """The other one recorded that a replica left, and died before it wrote the watermark."""
    embedded.append("mails", numbered(5))
    home = find_home(options.root)
    file = WatermarkFile(home.watermark_file(SOURCE))
    mark = file.read()
    assert mark is not None
    file.write(mark._replace(changes=mark.changes + 1))
    file.close()
    InSyncReplicas(home, SOURCE).drop({3: OSError("its disk")}, 5)
    embedded.append("mails", numbered(5, 5))
    assert in_sync(embedded) == in_sync(open_embedded()) == ["disk-1", "disk-2"]
    assert (options.replicas[2] / "mails-0" / f"{0:020d}.log").stat().st_size < (
        options.replicas[0] / "mails-0" / f"{0:020d}.log"
    ).stat().st_size


def test_an_older_state_than_the_watermark_knows_is_refused(
    embedded: EmbeddedLog, options: LogSettings, numbered: Numbered, open_embedded: OpenLog
) -> None:
    embedded.append("mails", numbered(5))
    paths = [options.root / "state" / "mails-0", *(folder / "mails-0" for folder in options.replicas)]
    old = [(path / "state.json", (path / "state.json").read_bytes()) for path in paths]
    shutil.rmtree(options.replicas[2])
    embedded.append("mails", numbered(5, 5))
    embedded.close()
    for path, data in old[:3]:
        path.write_bytes(data)
    with pytest.raises(LogUnusable, match="put back from an older copy"):
        open_embedded().append("mails", numbered(5, 10))
