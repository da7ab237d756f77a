from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from log import PartitionBusy, TopicPartition
from log.disk.lock import FileLock, restamp

SOURCE = TopicPartition("mails", 3)
HOLD = """
import sys, time
from pathlib import Path
from log import TopicPartition
from log.disk.lock import FileLock
lock = FileLock(Path(sys.argv[1]), TopicPartition("mails", 3), 5)
lock.acquire()
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def lock(tmp_path: Path) -> Iterator[FileLock]:
    made = FileLock(tmp_path / "lock", SOURCE, 0.2)
    yield made
    made.close()


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, tmp_path / "lock"], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_who_waits_too_long_is_told_the_holders_pid(lock: FileLock, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(PartitionBusy, match=f"mails-3: locked by process {holder.pid}") as caught:
        lock.acquire()
    assert caught.value.pid == holder.pid
    assert caught.value.retriable


def test_a_stopped_holder_keeps_the_lock(lock: FileLock, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGSTOP)
    with pytest.raises(PartitionBusy):
        lock.acquire()
    holder.send_signal(signal.SIGCONT)


def test_the_lock_of_a_dead_holder_is_free(lock: FileLock, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()
    assert lock.acquire()
    lock.release()


def test_a_thread_holds_it_again(lock: FileLock) -> None:
    assert lock.acquire()
    assert not lock.acquire()
    lock.release()
    lock.release()


def test_another_thread_waits(lock: FileLock) -> None:
    refused: list[PartitionBusy] = []

    def try_it() -> None:
        try:
            lock.acquire()
        except PartitionBusy as busy:
            refused.append(busy)

    lock.acquire()
    thread = threading.Thread(target=try_it)
    thread.start()
    thread.join()
    lock.release()
    assert [busy.pid for busy in refused] == [os.getpid()]


def test_two_openings_in_one_process_exclude_each_other(lock: FileLock, tmp_path: Path) -> None:
    other = FileLock(tmp_path / "lock", SOURCE, 0.1)
    lock.acquire()
    with pytest.raises(PartitionBusy):
        other.acquire()
    lock.release()
    assert other.acquire()
    other.release()
    other.close()


def test_a_deleted_file_is_not_locked(lock: FileLock, tmp_path: Path) -> None:
    lock.acquire()
    lock.release()
    (tmp_path / "lock").unlink()
    other = FileLock(tmp_path / "lock", SOURCE, 0.1)
    lock.acquire()
    with pytest.raises(PartitionBusy):
        other.acquire()
    lock.release()
    other.close()


@pytest.mark.parametrize("take", [FileLock.acquire, FileLock.at_once])
def test_a_lock_that_cannot_be_looked_for_is_not_kept(tmp_path: Path, take: Callable[[FileLock], bool]) -> None:
    folder, away = tmp_path / "folder", tmp_path / "away"
    folder.mkdir()
    lock, other = FileLock(folder / "lock", SOURCE, 0.1), FileLock(away / "lock", SOURCE, 0.1)
    lock.acquire()
    lock.release()
    folder.rename(away)
    folder.touch()  # so that the name leads nowhere
    with pytest.raises(NotADirectoryError):
        take(lock)
    assert other.acquire()
    other.release()
    other.close()


def test_a_lock_is_taken_at_once_or_not_at_all(lock: FileLock, tmp_path: Path) -> None:
    assert not lock.at_once()  # its file is not open yet
    lock.acquire()
    assert not lock.at_once()  # this thread has it
    lock.release()
    other = FileLock(tmp_path / "lock", SOURCE, 0.1)
    assert lock.at_once()
    with pytest.raises(PartitionBusy):
        other.acquire()
    lock.release()
    assert other.acquire()
    assert not lock.at_once()
    other.release()
    other.close()
    (tmp_path / "lock").unlink()
    assert not lock.at_once()


def test_a_stamp_is_another_one_even_where_times_are_whole_seconds(lock: FileLock, tmp_path: Path) -> None:
    lock.acquire()
    lock.release()
    stamps = []
    for _ in range(3):
        restamp(tmp_path / "lock")
        lock.acquire()
        lock.release()
        stamps.append(lock.stamp // 10**9)
    assert len(set(stamps)) == 3


def test_a_forked_child_does_not_hold_it_on(lock: FileLock, tmp_path: Path) -> None:
    """The child lives on while the parent closes its file: only the child could still hold the lock then."""
    lock.acquire()
    child = os.fork()
    if child == 0:
        time.sleep(600)
        os._exit(0)
    try:
        lock.release()
        lock.acquire()
        lock.close()
        other = FileLock(tmp_path / "lock", SOURCE, 5)
        assert other.acquire()
        other.release()
        other.close()
        lock.release()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
