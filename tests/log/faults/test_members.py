"""Members of a consumer group that are killed, or stopped for a while, at any moment."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog

PARTITIONS = 4
MEMBERS = 3
REBALANCE_S = 0.1
BURST = 200  # records, read six at a time

MEMBER = """
import json, sys
from pathlib import Path
from conf.settings import LogSettings
from log import GroupFenced
from log.consumers.consumer import Consumer
from log.embedded import EmbeddedLog

given = json.loads(sys.argv[1])
options = LogSettings(**{**given, "root": Path(given["root"]), "replicas": tuple(map(Path, given["replicas"]))})
with Consumer(EmbeddedLog(options), "audit", ["mails"], rebalance_s=float(sys.argv[2])) as consumer:
    while True:
        for record in consumer.poll(timeout_s=1, max_bytes=2000):
            print(record.source.partition, record.offset, flush=True)
        try:
            consumer.commit()
        except GroupFenced:
            pass  # it was stopped, and somebody else reads what it had
"""


Spawn = Callable[..., "subprocess.Popen[bytes]"]


@dataclasses.dataclass(frozen=True)
class Reader:
    """A member, and the file in which it writes down what was delivered to it before it commits."""

    process: subprocess.Popen[bytes]
    file: Path

    def delivered(self) -> list[tuple[int, int]]:
        """Each record's partition and offset; a torn last line says nothing."""
        lines = (line for line in self.file.read_text().splitlines(keepends=True) if line.endswith("\n"))
        return [(int(partition), int(offset)) for partition, offset in map(str.split, lines)]


class Group:
    """The members, dead ones, too."""

    def __init__(self, folder: Path, options: LogSettings, spawn: Spawn) -> None:
        self._spawn = spawn
        self._folder, self._given = folder, json.dumps(dataclasses.asdict(options), default=str)
        self.all: list[Reader] = []
        self.alive: list[Reader] = []

    def start(self) -> None:
        file = self._folder / f"delivered-{len(self.all)}"
        with file.open("wb") as out:
            process = self._spawn([sys.executable, "-c", MEMBER, self._given, str(REBALANCE_S)], stdout=out)
        self.all.append(Reader(process, file))
        self.alive.append(self.all[-1])

    def kill(self, member: Reader) -> None:
        self.alive.remove(member)
        assert member.process.poll() is None, "it ended by itself"
        member.process.kill()
        member.process.wait()

    def delivered(self) -> Counter[tuple[int, int]]:
        """How often each record was."""
        return Counter(record for member in self.all for record in member.delivered())

    def one_at_work(self, chance: random.Random) -> Reader:
        """A member to whom something is being delivered just now."""
        sizes = {member.file: member.file.stat().st_size for member in self.alive}
        deadline = time.monotonic() + 60
        while not (at_work := [each for each in self.alive if each.file.stat().st_size > sizes[each.file]]):
            assert time.monotonic() < deadline, "nobody reads"
            time.sleep(0.001)
        return chance.choice(at_work)


@pytest.fixture
def group(tmp_path: Path, options: LogSettings, spawn: Spawn) -> Group:
    return Group(tmp_path, options, spawn)


def a_round(group: Group, chance: random.Random, what: str) -> None:
    """Kill a member, whom another one follows; or stop one for longer than members look for each other."""
    member = group.one_at_work(chance)
    time.sleep(chance.uniform(0, 0.02))
    if what == "killed":
        group.kill(member)
        group.start()
        return
    os.kill(member.process.pid, signal.SIGSTOP)
    time.sleep(5 * REBALANCE_S)
    os.kill(member.process.pid, signal.SIGCONT)


@pytest.mark.parametrize(
    "rounds", [pytest.param(12, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.soak)]
)
@pytest.mark.timeout(1800)
def test_whichever_member_is_killed_or_stopped_each_record_is_delivered(
    embedded: EmbeddedLog,
    group: Group,
    moments: random.Random,
    rounds: int,
    record_property: Callable[[str, object], None],
) -> None:
    """At least once, by partitions that others take over; and the group ends where the log does."""
    embedded.alter_topic("mails", PARTITIONS)
    for _ in range(MEMBERS):
        group.start()
    done = ["killed", "killed", "stopped"] * (rounds // 3)
    moments.shuffle(done)
    for number, what in enumerate(done):
        embedded.append("mails", [Record(b"%d" % each, b"%d" % number + b"." * 300) for each in range(BURST)])
        a_round(group, moments, what)
    ends = {TopicPartition("mails", info.partition): info.high_watermark for info in embedded.describe("mails")}
    seen, deadline = None, 0.0
    while (committed := embedded.committed("audit")) != ends:
        if committed != seen:  # what 300 rounds have left takes its time on a busy machine
            seen, deadline = committed, time.monotonic() + 120
        assert time.monotonic() < deadline, (committed, ends)
        assert all(member.process.poll() is None for member in group.alive)
        time.sleep(0.1)
    delivered = group.delivered()
    assert set(delivered) == {(source.partition, offset) for source, end in ends.items() for offset in range(end)}
    record_property(
        "count",
        f"group of {MEMBERS}, {rounds} rounds: {dict(Counter(done))}, {len(delivered):,} records, none undelivered, "
        f"{delivered.total() - len(delivered)} delivered again",
    )
