"""What every fault must leave: each mail in the log once, byte for byte, or still on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from conf import Settings
from log import CommitLog, StoredRecord, TopicPartition, open_log
from log.claims import claim_of, open_claims

ROOT = Path(__file__).parents[3]
PROGRAM = "import typer; from ingest.cli import watch; typer.run(watch)"
QUICK = {"OTCLOG_INGEST_RESCAN_S": "0.1", "OTCLOG_INGEST_SETTLE_S": "0.2", "OTCLOG_INGEST_BATCH_MAILS": "10"}


@dataclass(frozen=True, slots=True)
class Desk:
    """A Maildir, a log, and what was delivered."""

    settings: Settings
    home: Path
    delivered: set[bytes]

    @property
    def config(self) -> Path:
        return self.home / "otclog.toml"

    @property
    def new(self) -> Path:
        """Where mails come in."""
        return self.settings.ingest.sources[0].path / "new"

    def deliver(self, name: str, raw: bytes, time_s: int | None = None) -> None:
        """As a delivery agent does: written in tmp, renamed to new."""
        draft = self.new.parent / "tmp" / name
        draft.write_bytes(raw)
        if time_s is not None:
            os.utime(draft, (time_s, time_s))
        draft.rename(self.new / name)
        self.delivered.add(raw)

    @property
    def is_empty(self) -> bool:
        """No mail is waiting."""
        return not list(self.new.iterdir())

    def on_disk(self) -> set[bytes]:
        """Mails that are still in files."""
        return {path.read_bytes() for path in self.new.iterdir()}

    def records(self, log: CommitLog, topic: str = "mails") -> Iterator[StoredRecord]:
        """Every record of a topic."""
        if topic not in log.topics():
            return
        for info in log.describe(topic):
            offset = info.start
            while records := log.read(TopicPartition(topic, info.partition), offset, 1 << 20):
                yield from records
                offset = records[-1].offset + 1

    def in_log(self) -> Counter[bytes]:
        """Mails that the log has, and how often."""
        store = open_claims(self.settings.log)
        with closing(open_log(self.settings.log)) as log:
            mails: Counter[bytes] = Counter()
            for record in self.records(log):
                claim = claim_of(record)
                mails[store.read(claim) if claim else record.value or b""] += 1
            return mails

    def check(self) -> None:
        """Every mail is in the log once or still on disk, byte for byte."""
        in_log = self.in_log()
        assert set(in_log.values()) <= {1}, "a mail is twice in the log"
        assert in_log.keys() | self.on_disk() == self.delivered

    def check_taken(self) -> None:
        """Every mail is in the log once, and its file has gone."""
        assert list(self.new.iterdir()) == []
        assert self.in_log() == Counter(self.delivered)


def desk_in(home: Path, settings: Settings) -> Desk:
    """An empty one."""
    for part in ("tmp", "new", "cur"):
        (settings.ingest.sources[0].path / part).mkdir(parents=True)
    open_log(settings.log).close()
    return Desk(settings, home, set())


@pytest.fixture
def desk(settings: Settings, tmp_path: Path) -> Desk:
    return desk_in(tmp_path, settings)


StartWatch = Callable[..., "subprocess.Popen[str]"]
Spawn = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(spawn: Spawn) -> StartWatch:
    """A watcher in a process of its own; killed at the end if it still runs."""

    def run(
        desk: Desk, *options: str, under: Sequence[str] = (), env: dict[str, str] | None = None
    ) -> subprocess.Popen[str]:
        command = [*under, sys.executable, "-c", PROGRAM, "--config", str(desk.config), *options]
        environment = os.environ | QUICK | (env or {})
        return spawn(command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    return run


@pytest.fixture
def needs_root() -> None:
    """Skip without root."""
    if os.geteuid() != 0:
        pytest.skip("needs root to make this fault")
