"""Consumers in processes of their own, that die. What one consumer does is in the contract."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.consumers.consumer import Consumer
from log.embedded import EmbeddedLog
from tests.partitions import partition_for

Start = Callable[..., "subprocess.Popen[str]"]
PAGE = Path(__file__).parents[3] / "docs" / "consumers.md"
OPEN = """
import dataclasses, json, os, sys
from pathlib import Path
from conf.settings import LogSettings
from log.consumers.consumer import Consumer
from log.embedded import EmbeddedLog

given = json.loads(sys.argv[1])
log = EmbeddedLog(LogSettings(**{**given, "root": Path(given["root"]), "replicas": tuple(map(Path, given["replicas"]))}))
"""
READ_ALL = """
consumer = Consumer(log, "extract", ["mails"], rebalance_s=0.05)
left = int(sys.argv[2])
while True:
    for record in consumer.poll(timeout_s=0.1, max_bytes=1):
        print(record.source.partition, record.offset, flush=True)
        left -= 1
        if not left:
            os.kill(os.getpid(), 9)
        consumer.commit()
"""
WORK = """
crash_in = int(sys.argv[2])

def work(record):
    global crash_in
    crash_in -= 1
    if not crash_in:
        os._exit(9)
    print(record.offset, flush=True)
    if record.value == b"last":
        os._exit(0)

"""


@pytest.fixture
def start(options: LogSettings, spawn: Start) -> Start:
    """Code on the log, in a process of its own, which is given a number."""
    given = json.dumps(dataclasses.asdict(options), default=str)

    def run(code: str, number: int) -> subprocess.Popen[str]:
        return spawn([sys.executable, "-c", OPEN + code, given, str(number)], stdout=subprocess.PIPE, text=True)

    return run


@pytest.fixture
def log(embedded: EmbeddedLog) -> EmbeddedLog:
    """Four partitions of `many` in turn."""
    embedded.append("mails", [Record(None, b"%d" % number) for number in range(10)])
    return embedded


def test_what_a_dead_consumer_had_not_committed_is_read_by_another(log: EmbeddedLog, start: Start) -> None:
    """Three die, one after the other, each with one record polled and not committed."""
    seen = []
    for _ in range(3):
        process = start(READ_ALL, 3)
        output, _ = process.communicate(timeout=120)
        seen += [int(line.split()[1]) for line in output.splitlines()]
    assert seen == [0, 1, 2, 2, 3, 4, 4, 5, 6]
    with Consumer(log, "extract", ["mails"], rebalance_s=0) as survivor:
        assert survivor.poll(timeout_s=60)[0].offset == 6
    assert log.committed("extract") == {TopicPartition("mails", 0): 6}


def test_a_survivor_takes_over_what_a_dead_consumer_read(log: EmbeddedLog, start: Start) -> None:
    """Both live at first; the one in a process of its own dies with its third record."""
    log.create_topic("two", 2)
    keys = {partition_for(log, "two", b"%d" % number).partition: b"%d" % number for number in range(50)}
    log.append("two", [Record(key, b"value") for key in keys.values() for _ in range(10)])
    with Consumer(log, "extract", ["two"], rebalance_s=0) as survivor:
        survivor.poll(max_bytes=1)
        process = start(READ_ALL.replace("mails", "two"), 3)
        while process.poll() is None:
            survivor.poll(timeout_s=0.1, max_bytes=1)
        process.communicate()
        while len(survivor.assignment) < 2 or survivor.poll():
            survivor.poll(timeout_s=0.1)
        survivor.commit()
    assert log.committed("extract") == {TopicPartition("two", number): 10 for number in (0, 1)}


def example(name: str) -> str:
    """The code below a heading of the page, from where the log is open and the work known."""
    found = re.search(rf"^## {name}\n.*?```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1][found[1].index("with Consumer(") :]


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("At least once", [0, 1, 2, *range(11)]),
        ("At most once", [0, 1, 2, 10]),
    ],
)
def test_the_page_keeps_its_promises_over_a_crash(log: EmbeddedLog, start: Start, name: str, seen: list[int]) -> None:
    """The first process dies in its fourth record, all ten of them polled; the second one goes on."""
    worked = []
    for crash_in in (4, 0):
        process = start(WORK + example(name), crash_in)
        output, _ = process.communicate(timeout=120)
        worked += [int(line) for line in output.splitlines()]
        log.append("mails", [Record(None, b"last")])
    assert worked == seen
