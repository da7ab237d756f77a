"""Faults 41 to 46 and 53: kill -9 at every system call between reading a mail and letting go of its file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf import Settings
from ingest.folders.done import DELETERS
from tests.ingest.faults.conftest import ROOT, Desk, Spawn
from tests.turns import told, turn

pytestmark = pytest.mark.slow

AMail = Callable[..., bytes]
Needs = Callable[[str], str]

MAILS = 3  # one of them large
# All that changes a disk. Between two of them the disk is the same, so a kill at any call in between, a read say, leaves
# what a kill at the later one leaves; a file that an openat made is empty until the next of these.
CALLS = (
    "write,pwrite64,writev,pwritev,ftruncate,fallocate,copy_file_range,sendfile,fsync,fdatasync,"
    "mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,unlink,unlinkat,rename,renameat,renameat2,fchmod,utimensat"
)
FLUSH = "fsync,fdatasync,pwrite64"  # what other threads do for the log
STRIDE = 3  # of the short version: every so manieth call
KILLED = -9


class Stage:
    """Watchers that are forked, and killed at their N-th call."""

    def __init__(self, strace: str, spawn: Spawn) -> None:
        self._strace = strace
        self._process = spawn(
            [sys.executable, str(Path(__file__).with_name("stage.py"))],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, config: Path, *, calls: str = "", number: int = 0, threads: bool = False) -> int:
        """The exit code of a watcher that takes what is there; with `calls` it is killed at the `number`-th of them."""
        self._say(f"{config} {int(bool(calls))}")
        pid = self._hear("pid")
        if not calls:
            return self._hear("end")
        inject = ["-e", f"trace={calls}", "-e", f"inject={calls}:signal=KILL:when={number}"]
        options = ["-qq", "-o", os.devnull, "-e", "signal=none", *["-f"] * threads]
        with subprocess.Popen([self._strace, *options, *inject, "-p", str(pid)]):
            return self._hear("end")

    def close(self) -> None:
        self._process.communicate(timeout=60)

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _hear(self, word: str) -> int:
        assert self._process.stdout is not None
        said, number = self._process.stdout.readline().split()
        assert said == word
        return int(number)


@pytest.fixture
def stage(needs: Needs, spawn: Spawn) -> Iterator[Stage]:
    made = Stage(needs("strace"), spawn)
    yield made
    made.close()


@pytest.fixture
def prepared(desk: Desk, stage: Stage, settings: Settings, a_mail: AMail) -> Desk:
    """A log that has its topics and a mail, and mails on disk, which it can be set back to."""
    desk.config.write_text(desk.config.read_text().replace("[log]", "[log]\ninline_max_bytes = 100000"))
    desk.deliver("before", a_mail(0))
    assert stage.run(desk.config) == 0
    for number in range(1, MAILS):
        desk.deliver(f"{number}", a_mail(number, f"d{number}@x.example"))
    desk.deliver("large", a_mail(MAILS, size=200_000))
    assert settings.log.root.is_relative_to(desk.home)
    shutil.copytree(desk.home, backup(desk))
    return desk


def backup(desk: Desk) -> Path:
    return desk.home.with_name(desk.home.name + "-prepared")


def set_back(desk: Desk) -> None:
    """To how it was prepared."""
    shutil.rmtree(desk.home)
    shutil.copytree(backup(desk), desk.home)


def kill_at(stage: Stage, desk: Desk, calls: str, numbers: Iterator[int], *, threads: bool) -> int:
    """Kill at each of these calls until the watcher comes through; how often it was killed."""
    for killed, number in enumerate(numbers):
        set_back(desk)
        code = stage.run(desk.config, calls=calls, number=number, threads=threads)
        assert code in {KILLED, 0}, f"call {number}"
        desk.check()
        assert stage.run(desk.config) == 0
        desk.check_taken()
        if code == 0:
            return killed
    raise AssertionError("it never came through")


def every(step: int, first: int = 1) -> Iterator[int]:
    """Each `step`-th from `first` on: enough to come to the end of any run."""
    return iter(range(first, 10_000, step))


@pytest.mark.parametrize(
    ("calls", "step", "threads"), [(CALLS, STRIDE, False), (FLUSH, 2, True)], ids=["files", "flushes"]
)
@pytest.mark.timeout(900)
def test_killed_at_calls_along_its_way_it_loses_no_mail_and_doubles_none(  # noqa: PLR0917 -- fixtures
    prepared: Desk,
    stage: Stage,
    calls: str,
    step: int,
    threads: bool,
    record_property: Callable[[str, object], None],
) -> None:
    """Every so manieth call; at which of the first it begins differs from commit to commit."""
    killed = kill_at(stage, prepared, calls, every(step, 1 + turn() % step), threads=threads)
    record_property("count", f"watch, kill -9 at a system call: {killed} kills, {told(step)}, 0 mails lost or doubled")
    assert killed > 5


def test_killed_while_its_threads_delete_files_it_loses_no_mail_and_doubles_none(
    desk: Desk, stage: Stage, a_mail: AMail
) -> None:
    for number in (1, 2, 3):
        for mail in range(4 * DELETERS):
            desk.deliver(f"{number}-{mail}", a_mail(1000 * number + mail, f"d{mail % 9}@x.example"))
        assert stage.run(desk.config, calls="unlinkat", number=number, threads=True) == KILLED
        assert desk.on_disk(), "not all had gone"
        desk.check()
    assert stage.run(desk.config) == 0
    desk.check_taken()


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("calls", "threads"), [(CALLS, False), (FLUSH, True)], ids=["files", "flushes"])
def test_killed_at_every_call_it_loses_no_mail_and_doubles_none(
    prepared: Desk, stage: Stage, calls: str, threads: bool, record_property: Callable[[str, object], None]
) -> None:
    killed = kill_at(stage, prepared, calls, every(1), threads=threads)
    record_property("count", f"watch, kill -9 at every system call: {killed} kills, 0 mails lost or doubled")
    assert killed > 20
