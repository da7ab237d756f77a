"""Disks that lose what was not flushed, processes that die, and the checker of what must have survived."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.groups import GROUPS_PARTITION

SOURCE = TopicPartition("mails", 0)
PAGE_BYTES = 4096

Image = dict[str, bytes | None]  # path below the disk: content, None for a folder

APPENDER = """
import dataclasses, json, sys
from pathlib import Path
from conf.settings import LogSettings
from log import LogError, Record, TopicPartition
from log.embedded import EmbeddedLog

given = json.loads(sys.argv[1])
options = LogSettings(**{**given, "root": Path(given["root"]), "replicas": tuple(map(Path, given["replicas"]))})
name, count = sys.argv[2], int(sys.argv[3])
log = EmbeddedLog(options)
print("started", flush=True)
number = 0
while number != count:
    run = [Record(b"key", f"{name} {each} ".encode() + b"." * 300) for each in range(number, number + 3)]
    print("try", *(each.value.decode() for each in run), sep="|", flush=True)
    try:
        positions = log.append("mails", run)
        print("ok", *(each.offset for each in positions), sep="|", flush=True)
        log.commit(name, {TopicPartition("mails", 0): positions[-1].offset + 1})
        print("committed", name, positions[-1].offset + 1, sep="|", flush=True)
    except (LogError, OSError) as error:
        print("failed", type(error).__name__, error, sep="|", flush=True)
        if "--go-on" not in sys.argv:
            sys.exit(3)
    number += 3
log.close()
"""


@dataclasses.dataclass
class History:
    """What an appender said before it died: as Jepsen's checkers of queues have it."""

    tried: set[bytes] = dataclasses.field(default_factory=set)
    acknowledged: dict[int, bytes] = dataclasses.field(default_factory=dict)
    committed: dict[str, int] = dataclasses.field(default_factory=dict)
    failed: list[str] = dataclasses.field(default_factory=list)

    def learn(self, output: str) -> None:
        """Take what a process printed; a torn last line says nothing."""
        attempt: list[bytes] = []
        for line in output.splitlines(keepends=True):
            kind, *words = line.rstrip("\n").split("|")
            if not line.endswith("\n"):
                break
            if kind == "try":
                attempt = [word.encode() for word in words]
                self.tried |= set(attempt)
            elif kind == "ok":
                self.acknowledged |= dict(zip(map(int, words), attempt, strict=True))
            elif kind == "committed":
                self.committed[words[0]] = int(words[1])
            elif kind == "failed":
                self.failed.append("|".join(words))

    def check(self, log: EmbeddedLog) -> None:
        """Nothing acknowledged is lost or moved, nothing comes twice, nothing was never sent, no offset is missing."""
        visible = log.read(SOURCE, log.span(SOURCE).start, 2**30)
        with log.exclusive(SOURCE):
            stored = log.read(SOURCE, log.span(SOURCE).start, 2**30)
        assert [record.offset for record in stored] == list(range(len(stored)))
        seen = {record.offset for record in visible}  # fewer, where a folder's removal was cut off half done
        assert [record for record in stored if record.offset in seen] == list(visible), "what a reader saw stays"
        values = {record.offset: record.value for record in stored}
        lost = {offset: value for offset, value in self.acknowledged.items() if values.get(offset) != value}
        assert lost == {}, f"{len(lost)} of {len(self.acknowledged)} acknowledged records are lost"
        assert len({record.value for record in stored}) == len(stored), "a record came twice"
        assert {record.value for record in stored} <= self.tried, "a record was never sent"
        times = [record.timestamp_ms for record in stored]
        assert times == sorted(times)
        if self.committed:
            with log.exclusive(GROUPS_PARTITION):
                for group, offset in self.committed.items():
                    assert log.committed(group).get(SOURCE, 0) >= offset, "an acknowledged commit is lost"


@pytest.fixture
def history() -> History:
    return History()


class Appender:
    """A process that appends three records at a time, and writes down what was acknowledged on another disk."""

    def __init__(self, said: Path, command: list[str], spawn: Callable[..., subprocess.Popen[bytes]]) -> None:
        self._said = said
        with said.open("wb") as output:
            self.process = spawn(command, stdout=output)

    @property
    def pid(self) -> int:
        return self.process.pid

    def lines(self) -> int:
        """How many it has written so far."""
        return self._said.read_bytes().count(b"\n")

    def wait_for_lines(self, lines: int) -> None:
        """Return when there are so many."""
        while self.lines() < lines and self.process.poll() is None:
            time.sleep(0.01)

    def end(self, history: History) -> int:
        """Wait for its end, and learn what it said; its exit code."""
        code = self.process.wait(timeout=120)
        history.learn(self._said.read_text("utf-8"))
        return code

    def kill(self, history: History) -> None:
        """Kill -9, and learn what it said."""
        self.process.kill()
        self.end(history)


@pytest.fixture
def start_appender(tmp_path: Path, spawn: Callable[..., subprocess.Popen[bytes]]) -> Callable[..., Appender]:
    """An appender of so many records; `under` is put before its command, `--go-on` behind: errors do not end it."""

    def start(
        options: LogSettings, name: str, count: int = -1, under: tuple[str, ...] = (), more: tuple[str, ...] = ()
    ) -> Appender:
        given = json.dumps(dataclasses.asdict(options), default=str)
        command = [*under, sys.executable, "-c", APPENDER, given, name, str(count), *more]
        return Appender(tmp_path / f"said-{name}", command, spawn)

    return start


class VolatileDisk:
    """A folder of which only that is on disk which was flushed: files by their fsync, names by their folder's.

    Real files do the work; what an fsync made durable is noted, so that at any moment the disk can be put together as
    a power cut would leave it.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._contents: dict[int, bytes] = {}  # inode: what is durable
        self._names: dict[int, dict[str, int]] = {}  # inode of a folder: its durable names
        self._held: dict[int, int] = {}  # inodes of what was ever named durably, kept from being given out again
        self._noting = threading.Lock()
        self.flushes = 0
        self.before_flush: Callable[[], None] = lambda: None
        folder.mkdir()
        self._note_folder(folder)
        monkeypatch.setattr(os, "fsync", self._fsync)

    def image(self, survives: Callable[[], bool] = lambda: False) -> Image:
        """The disk after a power cut; of what was not flushed, that which `survives` says, page by page."""
        with self._noting:
            return dict(self._walk(self.folder.stat().st_ino, self.folder, "", survives))

    def close(self) -> None:
        """Give the files back."""
        for fd in self._held.values():
            os.close(fd)
        self._held.clear()

    def _fsync(self, fd: int) -> None:
        with self._noting:
            self.flushes += 1
            found = os.fstat(fd)
            path = Path(f"/proc/self/fd/{fd}")
            if stat.S_ISDIR(found.st_mode):
                self._note_folder(path)
            else:
                self._contents[found.st_ino] = path.read_bytes()
        self.before_flush()

    def _note_folder(self, path: Path) -> None:
        entries = {entry.name: entry.inode() for entry in os.scandir(path)}
        self._names[path.stat().st_ino] = entries
        for name, inode in entries.items():
            if inode not in self._held:
                self._held[inode] = os.open(path / name, os.O_PATH | os.O_CLOEXEC)

    def _walk(
        self, inode: int, now: Path | None, at: str, survives: Callable[[], bool]
    ) -> Iterator[tuple[str, bytes | None]]:
        names = dict(self._names.get(inode, {}))
        current = {} if now is None else {entry.name: entry.inode() for entry in os.scandir(now)}
        for name in sorted(current.keys() | names.keys()):  # so that chance repeats
            if current.get(name) != names.get(name) and survives():
                names.pop(name, None)
                if name in current:
                    names[name] = current[name]
        for name, child in names.items():
            there = now is not None and current.get(name) == child
            path = now / name if now is not None and there else Path(f"/proc/self/fd/{self._held[child]}")
            if stat.S_ISDIR(path.stat().st_mode):
                yield at + name, None
                yield from self._walk(child, path, f"{at}{name}/", survives)
            else:
                durable = self._contents.get(child, b"")
                yield at + name, _torn(durable, path.read_bytes(), survives)


def _torn(durable: bytes, current: bytes, survives: Callable[[], bool]) -> bytes:
    """Pages of the one or the other; a file as long as one of them."""
    if durable == current:
        return durable
    size = len(current) if survives() else len(durable)
    pages = []
    for at in range(0, size, PAGE_BYTES):
        page = (current if survives() else durable)[at : at + PAGE_BYTES]
        pages.append(page.ljust(min(PAGE_BYTES, size - at), b"\0")[: size - at])
    return b"".join(pages)


def restore(image: Image, folder: Path) -> None:
    """Put the disk of an image into a folder."""
    folder.mkdir()
    for name, content in sorted(image.items()):
        if content is None:
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(content)


@pytest.fixture
def put_back() -> Callable[[Image, Path], None]:
    return restore


@pytest.fixture
def volatile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[VolatileDisk]:
    disk = VolatileDisk(tmp_path / "disk", monkeypatch)
    yield disk
    disk.close()


@pytest.fixture
def moments() -> random.Random:
    """Chance, from a seed that a failing test shows."""
    seed = int(os.environ.get("TEST_SEED", random.randrange(2**32)))
    print(f"TEST_SEED={seed}")  # noqa: T201  shown with a failure
    return random.Random(seed)


@pytest.fixture
def reboot(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From here on it is another run of the machine."""
    boots = iter(range(10**6))

    def again() -> None:
        name = f"boot {next(boots)}"
        monkeypatch.setattr("log.embedded.replicas.watermark.boot_id", lambda: name)

    return again


@pytest.fixture
def settings_on() -> Callable[..., LogSettings]:
    """Settings of a log with root and three replicas in one folder."""

    def make(folder: Path, options: LogSettings, **changes: object) -> LogSettings:
        replicas = tuple(folder / f"disk-{number}" for number in (1, 2, 3))
        given = {"root": folder / "log", "replicas": replicas, "segment_bytes": 8000, "compression": "none", **changes}
        return dataclasses.replace(options, **given)  # type: ignore[arg-type]

    return make


@pytest.fixture
def numbered_run() -> Callable[..., list[Record]]:
    """Some records of a name."""

    def make(name: str, count: int = 3, size: int = 700) -> list[Record]:
        return [Record(b"key", f"{name} {number} ".encode() + b"." * size) for number in range(count)]

    return make
