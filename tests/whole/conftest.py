"""A whole otclog in a home of its own: watcher, extraction and tending as processes, a Maildir, and what was sent."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import deltalake
import pytest

from ingest.generate.write import generate
from pipelines.errors import NothingPublished
from pipelines.tables.publication import Publication, latest
from pipelines.tables.store.folder import Folder
from tests.processes import below

ROOT = Path(__file__).parents[2]
OTCLOG = [sys.executable, "-c", "import sys; from otclog import main; sys.argv[0] = 'otclog'; main()"]
TABLES = ("quotes", "mails", "parts", "rejects")
SETTINGS = """
[log]
inline_max_bytes = 16384
segment_bytes = 262144

[ingest]
rescan_s = 0.5

[[ingest.sources]]
path = "mail"
kind = "maildir"

[extract]
small_mails = 0  # Spark's processes are killed, too
"""


def until(holds: Callable[[], object], within_s: float, every_s: float = 0.005) -> bool:
    """Whether it held in time."""
    end = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(every_s)
    return True


@dataclass(slots=True)
class Daemon:
    """A program that is started again whenever it has ended."""

    name: str
    words: list[str]
    home: Path
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0
    codes: list[int] = field(default_factory=list)  # it ended with, before it was told to

    def ensure(self) -> int:
        """Its pid."""
        if self.process is not None and self.process.poll() is not None:
            self.codes.append(self.process.returncode)
            self.process = None
        if self.process is None:
            environment = os.environ | {"PYTHONPATH": str(ROOT)} | self.environment
            with (self.home / f"{self.name}.log").open("ab") as out:
                self.process = subprocess.Popen(
                    [*OTCLOG, *self.words], cwd=self.home, env=environment, stdout=out, stderr=out,
                    stdin=subprocess.DEVNULL, start_new_session=True,
                )  # fmt: skip
            self.starts += 1
        return self.process.pid

    def code(self) -> int | None:
        """The exit code; None while it runs, and before it was started."""
        return None if self.process is None else self.process.poll()

    def family(self) -> dict[int, str]:
        """The pids of its process and of all below it, with their commands."""
        pid = self.ensure()
        return {pid: self.name, **dict(below(pid))}

    def end(self) -> None:
        """As a supervisor ends it; what does not hear is killed, with all below it."""
        if self.process is None:
            return
        family = [self.process.pid, *(pid for pid, _ in below(self.process.pid))]
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            kill(family)
            self.process.wait(60)

    def tail(self) -> str:
        """What it said last."""
        log = self.home / f"{self.name}.log"
        said = log.read_text(errors="replace")[-2000:] if log.exists() else ""
        return f"--- {self.name}, started {self.starts} times, ended with {self.codes}\n{said}"


def mails_of(seed: int, number: int, folder: Path) -> list[bytes]:
    """Mails as dealers send them, each once."""
    assert sum(1 for _ in generate(folder, number, seed)) == number
    return [path.read_bytes() for path in sorted(folder.glob("*.eml"))]


def kill(pids: Iterable[int]) -> int:
    """kill -9; how many were there."""
    killed = 0
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            killed += 1
    return killed


@dataclass(slots=True)
class Whole:
    """The home, its daemons, and what was sent into its Maildir."""

    home: Path
    sent: Counter[str] = field(default_factory=Counter)  # SHA-256 -> how often a file of these bytes was delivered
    daemons: list[Daemon] = field(default_factory=list)

    @property
    def new(self) -> Path:
        return self.home / "mail" / "new"

    @property
    def tables(self) -> Path:
        return self.home / "tables"

    def use_segments_of(self, number: int) -> None:
        """So many bytes; retention takes whole ones, and never the last."""
        settings = self.home / "otclog.toml"
        settings.write_text(settings.read_text().replace("segment_bytes = 262144", f"segment_bytes = {number}"))

    def daemon(self, name: str, *words: str, **environment: str) -> Daemon:
        """One that is ended when the test ends, however it does."""
        self.daemons.append(Daemon(name, list(words), self.home, environment))
        return self.daemons[-1]

    def kill(self, pids: Collection[int]) -> int:
        """kill -9; how many were there. A daemon that is hit is gone then: else it would live on for some milliseconds."""
        killed = kill(pids)
        for daemon in self.daemons:
            if daemon.process is not None and daemon.process.pid in pids:
                daemon.process.wait(60)
        return killed

    def tails(self) -> str:
        """What all daemons said last."""
        return "\n".join(daemon.tail() for daemon in self.daemons)

    def deliver(self, name: str, raw: bytes) -> None:
        """As a delivery agent does: written in tmp, renamed to new."""
        draft = self.home / "mail" / "tmp" / name
        draft.write_bytes(raw)
        draft.rename(self.new / name)
        self.sent[sha256(raw).hexdigest()] += 1

    def run(self, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """One command, to its end."""
        environment = os.environ | {"PYTHONPATH": str(ROOT)} | settings
        return subprocess.run(
            [*OTCLOG, *words], cwd=self.home, env=environment, capture_output=True, text=True, timeout=900, check=False
        )

    def lines(self, *words: str) -> list[dict[str, Any]]:
        """What a command that must succeed prints with --json."""
        done = self.run(*words, "--json")
        assert done.returncode == 0, done.stderr[-2000:]
        return [json.loads(line) for line in done.stdout.splitlines()]

    def published(self, root: Path | None = None) -> Publication | None:
        try:
            return latest(Folder(root or self.tables))
        except NothingPublished:
            return None

    def number(self) -> int:
        """Of the latest publication; 0 before the first."""
        return 0 if (made := self.published()) is None else made.number

    def is_read(self, group: str) -> bool:
        """Whether the group has begun, and no record waits for it."""
        lags = [row["lag"] for row in self.lines("group", "lag") if (row["group"], row["topic"]) == (group, "mails")]
        return lags != [] and not any(lags)

    def rows(self, root: Path | None = None) -> dict[str, list[str]]:
        """The published rows of every table, each as text, sorted."""
        made = self.published(root)
        assert made is not None
        return {
            name: sorted(
                map(repr, deltalake.DeltaTable(str((root or self.tables) / name), version=made.versions[name]).to_pyarrow_table().to_pylist())
            )
            for name in TABLES
        }  # fmt: skip

    def check(self) -> dict[str, int]:
        """That nothing was lost, doubled or changed, and that the tables are those of an undisturbed run. The counts."""
        assert list(self.new.iterdir()) == []
        records = self.lines("log", "read", "--topic", "mails")
        logged = Counter(record["sha256"] for record in records)
        assert set(logged) == set(self.sent)
        assert max(logged.values()) == 1
        offsets: dict[int, list[int]] = {}
        for record in records:
            offsets.setdefault(record["partition"], []).append(record["offset"])
        assert all(found == list(range(len(found))) for found in offsets.values())
        verified = self.run("log", "verify")
        assert verified.returncode == 0, verified.stdout
        apart = {"OTCLOG_TABLES_ROOT": str(self.home / "undisturbed"), "OTCLOG_EXTRACT_GROUP": "undisturbed"}
        done = self.run("extract", **apart)
        assert done.returncode == 0, done.stderr[-2000:]
        ours, theirs = self.rows(), self.rows(self.home / "undisturbed")
        for name in TABLES:
            assert ours[name] == theirs[name], name
        assert len(ours["mails"]) == len(records)
        return {"mails": len(records)} | {name: len(found) for name, found in ours.items() if name != "mails"}


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[Whole]:
    for folder in ("tmp", "new", "cur"):
        (tmp_path / "mail" / folder).mkdir(mode=0o700, parents=True)
    (tmp_path / "mail").chmod(0o700)
    (tmp_path / "otclog.toml").write_text(SETTINGS)
    made = Whole(tmp_path)
    yield made
    for daemon in made.daemons:
        daemon.end()


@pytest.fixture
def seed() -> int:
    """Of a test of chance, which shows it where it fails; TEST_SEED repeats one."""
    chosen = int(os.environ.get("TEST_SEED") or random.SystemRandom().randrange(1, 10**6))
    sys.stdout.write(f"TEST_SEED={chosen}\n")
    return chosen
