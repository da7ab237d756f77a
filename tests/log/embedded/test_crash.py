"""Appenders that die at every single step of an append; several at once."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.segment.names import segment_file
from tests.log.copies import check_copies_are_equal

pytestmark = pytest.mark.slow

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]
EachDeath = Callable[..., Iterator[bool]]
StartAppender = Callable[..., "subprocess.Popen[str]"]

APPENDER = """
import dataclasses, json, sys
from pathlib import Path
from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog

given = json.loads(sys.argv[1])
options = LogSettings(**{**given, "root": Path(given["root"]), "replicas": tuple(map(Path, given["replicas"]))})
name, count = sys.argv[2].encode(), int(sys.argv[3])
log = EmbeddedLog(options)
number = 0
while number != count:
    run = [Record(name, b"%s %d" % (name, each) + b"." * 300) for each in range(number, number + 5)]
    positions = log.append("mails", run)
    for each, position in zip(run, positions):
        print(position.offset, each.value.decode(), flush=True)
    number += 5
log.close()
"""


@pytest.fixture
def start_appender(spawn: StartAppender) -> StartAppender:
    """A process that appends five records at a time, and prints offset and value of each that is acknowledged."""

    def start(options: LogSettings, name: str, count: int) -> subprocess.Popen[str]:
        given = json.dumps(dataclasses.asdict(options), default=str)
        command = [sys.executable, "-c", APPENDER, given, name, str(count)]
        return spawn(command, stdout=subprocess.PIPE, text=True)

    return start


def acknowledged(process: subprocess.Popen[str]) -> dict[int, bytes]:
    """Offset to value, of the whole lines that the process has printed."""
    assert process.stdout is not None
    with process:
        lines = [line for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    pairs = [line.rstrip("\n").split(" ", 1) for line in lines]
    return {int(offset): value.encode() for offset, value in pairs}


def test_two_processes_append_to_one_partition(
    open_embedded: OpenLog, options: LogSettings, start_appender: StartAppender
) -> None:
    log = open_embedded(segment_bytes=20_000)
    log.create_topic("mails", 1)
    options = dataclasses.replace(options, segment_bytes=20_000)
    appenders = [start_appender(options, f"appender {number}", 150) for number in (1, 2)]
    acks = [acknowledged(process) for process in appenders]
    assert [process.returncode for process in appenders] == [0, 0]
    stored = log.read(SOURCE, 0, 2**30)
    assert [record.offset for record in stored] == list(range(300))
    assert {record.offset: record.value for record in stored} == acks[0] | acks[1]
    for ack in acks:
        assert len(ack) == 150
        numbers = [int(value.rstrip(b".").split()[-1]) for _, value in sorted(ack.items())]
        assert numbers == list(range(150))
    check_copies_are_equal(options)


@pytest.mark.parametrize("scenario", ["append", "roll", "settle"])
def test_an_append_that_dies_at_any_step_is_whole_or_gone(
    options: LogSettings, numbered: Numbered, each_death: EachDeath, scenario: str
) -> None:
    """Step by step until it lives: after each death the next appender finds all that was acknowledged before."""
    replicas = tuple(options.root / f"disk-{number}" for number in (1, 2, 3))
    options = dataclasses.replace(options, replicas=replicas, segment_bytes=6000, compression="none")
    log = EmbeddedLog(options)
    log.create_topic("mails", 1)
    log.append("mails", numbered(5, size=500))
    log.close()
    if scenario == "settle":
        for number, tail in ((0, b"torn"), (2, b"another")):
            with segment_file(replicas[number] / "mails-0", 0).open("ab") as file:
                file.write(tail)
    count = 20 if scenario == "roll" else 2

    def append() -> Callable[[], object]:
        dying = EmbeddedLog(options)
        return lambda: dying.append("mails", numbered(count, 5, size=500))

    steps = 0
    for died in each_death(options.root, append):
        steps += 1
        for turn in range(2):
            log = EmbeddedLog(options)
            with log.exclusive(SOURCE):
                stored = log.read(SOURCE, 0, 2**20)
            log.close()
            expected = [record.value for record in numbered(5 + count, size=500)]
            found = [record.value for record in stored]
            assert found == expected[: len(found)], (steps, turn)
            assert len(found) >= (5 if died else 5 + count), (steps, turn)
            assert [record.offset for record in stored] == list(range(len(stored)))
            check_copies_are_equal(options)
            assert len(log.describe("mails")[0].isr) == 3
    assert not died
    assert steps > 7  # three writes, three fsyncs, the watermark
