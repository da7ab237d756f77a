from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicPartition
from log.embedded import EmbeddedLog, writers
from log.embedded.admin.replica_admin import Replicas
from log.embedded.writers import NAME, Writers, another_writer

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
HOLD = """
import sys, time
from pathlib import Path
from log.embedded.writers import Writers
assert Writers(Path(sys.argv[1])).hold(1, Path(sys.argv[2])) is None
print("held", flush=True)
time.sleep(600)
"""


def values(log: EmbeddedLog) -> list[bytes | None]:
    return [record.value for record in log.read(SOURCE, 0, 2**20)]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "WAIT_S", 0.05)


@pytest.fixture
def copied(embedded: EmbeddedLog, options: LogSettings) -> Path:
    """The root of a log with one record, copied, as `cp -a` does of a home whose replicas are absolute paths."""
    embedded.append("mails", [Record(b"key", b"before")])
    copy = options.root.with_name("copied")
    shutil.copytree(options.root, copy)
    return copy


@pytest.fixture
def held(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """A replica's folder that a process of another root has locked."""
    for name in ("root", "other", "replica"):
        (tmp_path / name).mkdir()
    command = [sys.executable, "-c", HOLD, str(tmp_path / "other"), str(tmp_path / "replica")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield tmp_path, process
        process.kill()


def test_of_two_roots_with_the_same_replicas_the_second_writes_nothing_and_is_told_of_the_first(
    embedded: EmbeddedLog, copied: Path, open_embedded: OpenLog, options: LogSettings
) -> None:
    other = open_embedded(root=copied)
    writes: list[Callable[[], object]] = [
        lambda: other.append("mails", [Record(b"key", b"refused")]),
        lambda: other.create_topic("later", 1),
        lambda: other.delete_topic("mails"),
        lambda: Replicas(other).resync(1),
        lambda: Replicas(other).elect(SOURCE, 1),
        lambda: Replicas(other).add(options.root.with_name("disk-4")),
    ]
    for write in writes:
        with pytest.raises(
            LogUnusable, match=f"is written to by process {os.getpid()} of the log in {options.root}: two roots"
        ):
            write()
    assert values(other) == [b"before"]
    embedded.append("mails", [Record(b"key", b"after")])
    assert values(embedded) == [b"before", b"after"]


def test_who_only_looks_is_told_that_another_root_writes_there(
    embedded: EmbeddedLog, copied: Path, open_embedded: OpenLog, options: LogSettings
) -> None:
    other = open_embedded(root=copied)
    assert [each.fails for each in other.troubles()] == [True, True, True]
    assert f"of the log in {options.root}" in other.troubles()[0].detail
    assert all(f"of the log in {options.root}" in each.detail for each in Replicas(other).all())
    assert embedded.troubles() == []
    embedded.close()
    assert other.troubles() == []


def test_roots_that_take_turns_lose_nothing_and_see_what_the_other_one_wrote(
    embedded: EmbeddedLog, copied: Path, open_embedded: OpenLog
) -> None:
    embedded.close()
    written = [b"before"]
    for turn in range(4):
        log = open_embedded(root=copied) if turn % 2 == 0 else open_embedded()
        written.append(b"turn %d" % turn)
        assert log.append("mails", [Record(b"key", written[-1])])[0].offset == turn + 1
        assert values(log) == written
        log.close()


def test_a_replica_that_another_root_took_while_it_was_away_stays_out_until_that_one_ends(
    embedded: EmbeddedLog, open_embedded: OpenLog, options: LogSettings
) -> None:
    embedded.close()
    third = options.replicas[2]
    third.rename(third.with_name("away"))
    log = open_embedded()
    log.append("mails", [Record(b"key", b"without")])
    third.with_name("away").rename(third)
    other = Writers(third)  # a root as good as any
    assert other.hold(3, third) is None
    was = {path: path.read_bytes() for path in third.rglob("*") if path.is_file()}
    log.create_topic("later", 1)
    (told,) = (each for each in log.tend() if not each.ok and each.topic == "mails")
    assert f"{third} is written to by process {os.getpid()}" in told.detail
    assert {path: path.read_bytes() for path in third.rglob("*") if path.is_file()} == was
    other.close()
    assert all(each.ok for each in log.tend())
    assert [each.in_sync for each in Replicas(log).all()] == [2, 2, 2]


def test_a_root_that_lost_its_processes_is_followed_by_another_one(held: tuple[Path, subprocess.Popen[str]]) -> None:
    folder, process = held
    own = Writers(folder / "root")
    said = f"process {process.pid} of the log in {folder / 'other'}"
    assert own.hold(1, folder / "replica") == another_writer(folder / "replica", folder / "root") == said
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert another_writer(folder / "replica", folder / "root") is None
    assert own.hold(1, folder / "replica") is None
    own.close()


def test_processes_of_one_root_share_a_replica_and_a_child_does_not_hold_it_on(tmp_path: Path) -> None:
    for name in ("root", "other", "replica"):
        (tmp_path / name).mkdir()
    one, two, other = Writers(tmp_path / "root"), Writers(tmp_path / "root"), Writers(tmp_path / "other")
    assert [each.hold(1, tmp_path / "replica") for each in (one, two)] == [None, None]
    end, begin = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(begin)
        os.read(end, 1)
        os._exit(0)
    one.release(1)
    assert other.hold(1, tmp_path / "replica") is not None
    two.close()
    assert other.hold(1, tmp_path / "replica") is None
    os.close(begin)
    os.waitpid(child, 0)
    other.close()


def test_a_file_that_was_exchanged_or_torn_is_locked_anew(tmp_path: Path) -> None:
    for name in ("root", "other", "replica"):
        (tmp_path / name).mkdir()
    own, other = Writers(tmp_path / "root"), Writers(tmp_path / "other")
    assert own.hold(1, tmp_path / "replica") is None
    (tmp_path / "replica" / NAME).unlink()
    (tmp_path / "replica" / NAME).write_bytes(b"{")
    assert own.hold(1, tmp_path / "replica") is None
    assert other.hold(1, tmp_path / "replica") is not None
    own.close()
    other.close()
