"""ops.shipping: files that are rotated while a process has only begun: it is killed, or the log takes nothing yet"""

from __future__ import annotations

import gzip
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import conf
from conf.home import make_home
from log import UnknownTopic, open_log
from ops.shipping.state import FOLDER
from tests.ops.shipping.conftest import rows_of

pytestmark = pytest.mark.slow

# Python's start is most of a command's: whoever is killed is a fork of one that has all of it.
FORKS = """
import os, sys
from otclog import app
for line in sys.stdin:
    child = os.fork()
    if not child:
        sys.stdin.close()
        app(line.split())
    print(child, flush=True)
    os.waitpid(child, 0)
    print("ended", flush=True)
"""


@pytest.fixture
def forks(spawn: Callable[..., subprocess.Popen[str]]) -> Iterator[subprocess.Popen[str]]:
    """Who runs a command for each line that it is given, one at a time."""
    process = spawn([sys.executable, "-c", FORKS], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    yield process
    process.communicate()


class Program:
    """Who writes lines into a file, which is rotated meanwhile."""

    def __init__(self, path: Path, is_seen: Callable[[], bool], chance: random.Random) -> None:
        self.path, self._is_seen, self._chance = path, is_seen, chance
        self.written: list[str] = []
        self.first = 0  # of these the first of a file that had the name when somebody looked at it first
        self._to_pack: list[Path] = []
        self._rotated = 0
        path.touch()

    def step(self) -> None:
        step = self._chance.choice([self.write, self.write, self.write, self.rename, self.copy_and_truncate, self.pack])
        step()

    def write(self) -> None:
        begin, count = len(self.written), self._chance.choice((1, 50, 500))
        lines = [f"{self.path.parent.name} line {number}" for number in range(begin, begin + count)]
        with self.path.open("a") as out:
            out.writelines(f"{line}\n" for line in lines)
        self.written += lines

    def rename(self) -> None:
        self._note()
        self.path.rename(self._name())
        self.path.touch()

    def copy_and_truncate(self) -> None:
        self._note()
        shutil.copyfile(self.path, self._name())
        os.truncate(self.path, 0)

    def pack(self) -> None:
        """What was rotated a while ago."""
        if self._to_pack:
            plain = self._to_pack.pop(0)
            with gzip.open(f"{plain}.gz", "wb") as out:
                out.write(plain.read_bytes())
            shutil.copystat(plain, f"{plain}.gz")
            plain.unlink()

    def _note(self) -> None:
        if not self._is_seen():
            self.first = len(self.written)

    def _name(self) -> Path:
        self._rotated += 1
        self._to_pack.append(self.path.with_name(f"app.log.{self._rotated}"))
        return self._to_pack[-1]


def killed_in_its_first_second(
    forks: subprocess.Popen[str], command: str, program: Program, chance: random.Random
) -> None:
    assert forks.stdin
    assert forks.stdout
    forks.stdin.write(f"{command}\n")
    forks.stdin.flush()
    child, end = int(forks.stdout.readline()), time.monotonic() + chance.random()
    while time.monotonic() < end:
        program.step()
        time.sleep(chance.random() * 0.05)
    os.kill(child, signal.SIGKILL)
    assert forks.stdout.readline() == "ended\n"


def ended(forks: subprocess.Popen[str], command: str) -> None:
    assert forks.stdin
    assert forks.stdout
    forks.stdin.write(f"{command}\n")
    forks.stdin.flush()
    forks.stdout.readline()
    while forks.stdout.readline() != "ended\n":
        pass


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("rounds", [3, pytest.param(60, marks=pytest.mark.soak)])
def test_who_is_killed_in_its_first_second_amid_rotations_loses_no_line_of_a_file_that_it_saw(
    file: Path,
    tmp_path: Path,
    forks: subprocess.Popen[str],
    rounds: int,
    record_property: Callable[[str, object], None],
) -> None:
    seed = int(os.environ.get("TEST_SEED", random.randrange(2**32)))
    print(f"TEST_SEED={seed}")  # noqa: T201  shown with a failure
    chance, states = random.Random(seed), conf.load(file, {}).log.root / FOLDER
    expected, unseen = list[str](), 0
    for number in range(rounds):
        path = tmp_path / f"var-{number}" / "app.log"
        path.parent.mkdir()
        others = len(list(states.glob("*.json")))
        program = Program(path, lambda others=others: len(list(states.glob("*.json"))) > others, chance)  # type: ignore[misc]
        program.write()
        command = f"ops ship {path} --config {file}"
        for _ in range(chance.choice((1, 2, 3))):
            killed_in_its_first_second(forks, command, program, chance)
        program.write()
        ended(forks, f"{command} --once")
        expected += program.written[program.first :]
        unseen += program.first
    found = [row["event"] for row in rows_of(file)]
    lost = sorted(set(expected) - set(found))
    record_property(
        "count",
        f"{rounds} files, {len(expected)} lines, {len(lost)} lost, {len(found) - len(set(found))} twice, {unseen} unseen",
    )
    assert lost == []


def test_a_file_that_is_rotated_before_the_log_takes_anything_is_shipped_from_its_beginning(
    spawn: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    file = make_home(tmp_path / "home")
    with closing(open_log(conf.load(file, {}).log)):
        pass  # nothing is in it, not even the topic
    path = tmp_path / "var" / "app.log"
    path.parent.mkdir()
    path.write_text("one\n")
    replicas = [file.parent / "log" / f"replica-{number}" for number in (2, 3)]
    for each in replicas:
        each.rename(each.with_suffix(".away"))
    command = [str(Path(sys.executable).with_name("otclog")), "ops", "ship", str(path), "--config", str(file)]
    running = spawn(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stderr
    while "nothing is shipped meanwhile" not in running.stderr.readline():
        assert running.poll() is None
    path.rename(path.with_name("app.log.1"))
    path.write_text("two\n")
    for each in replicas:
        each.with_suffix(".away").rename(each)
    while not has_shipped(file, 2):
        time.sleep(0.1)
    running.terminate()
    assert running.wait() == 0
    assert [row["event"] for row in rows_of(file)] == ["one", "two"]


def has_shipped(file: Path, lines: int) -> bool:
    try:
        return len(rows_of(file)) >= lines
    except UnknownTopic:
        return False
