"""ops.shipping: standard input, and a log that is away"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import conf
from log import open_log
from log.tending import tend
from ops.shipping.batch import Speaker
from ops.shipping.lines import LINE_BYTES
from ops.shipping.pipe import BUFFER_BYTES, PipeSource
from tests.ops.shipping.conftest import Shipping, rows_of

OTCLOG = str(Path(sys.executable).with_name("otclog"))
Spawn = Callable[..., subprocess.Popen[bytes]]


def shipping(spawn: Spawn, file: Path) -> subprocess.Popen[bytes]:
    command = [OTCLOG, "ops", "ship", "--stdin", "--unit", "fetchmail", "--config", str(file)]
    return spawn(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_lines_are_shipped_as_they_come_and_the_last_one_without_its_end(spawn: Spawn, file: Path) -> None:
    running = shipping(spawn, file)
    assert running.stdin
    running.stdin.write(b"one\r\n\npassword=x two\nthr")
    running.stdin.flush()
    until(lambda: len(rows_of(file)) == 2)
    out, _ = running.communicate(b"ee", timeout=60)
    assert (running.returncode, out) == (0, b"3 lines into topic ops\n")
    found = rows_of(file)
    assert [row["event"] for row in found] == ["one", "password=*** two", "three"]
    assert {(row["unit"], row["shipped"]) for row in found} == {("fetchmail", "stdin")}


@pytest.fixture
def away(file: Path, tmp_path: Path) -> Callable[[], None]:
    """Two replicas of three go, or come back."""
    settings = conf.load(file, {}).log
    places = [(tmp_path / "home" / "log" / f"replica-{number}", tmp_path / f"away-{number}") for number in (2, 3)]

    def turn() -> None:
        for place, other in places:
            shutil.move(*((place, other) if place.exists() else (other, place)))
        if places[0][0].exists():
            with closing(open_log(settings)) as log:
                assert not [each for each in tend(log, settings) if each.alarms]

    return turn


@pytest.mark.slow
def test_while_the_log_takes_nothing_no_program_waits_and_what_it_says_comes_later(
    spawn: Spawn, file: Path, away: Callable[[], None]
) -> None:
    running = shipping(spawn, file)
    assert running.stdin
    running.stdin.write(b"before\n")
    running.stdin.flush()
    until(lambda: len(rows_of(file)) == 1)
    away()
    for _ in range(40):  # 2 MB: more than a pipe holds
        running.stdin.write(b"meanwhile, a line of some length\n" * 1600)
    running.stdin.flush()
    assert running.poll() is None
    away()
    out, told = running.communicate(b"after\n", timeout=120)
    assert out == b"64002 lines into topic ops\n"
    assert told.count(b"nothing is shipped meanwhile") == 1
    assert len(rows_of(file)) == 64_002


def test_with_once_a_log_that_takes_nothing_is_to_be_tried_again(
    ship: Shipping, away: Callable[[], None], tmp_path: Path, file: Path
) -> None:
    (tmp_path / "app.log").write_text("one\n")
    away()
    ship(tmp_path / "app.log", code=75)
    away()
    ship(tmp_path / "app.log")
    assert [row["event"] for row in rows_of(file)] == ["one"]


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """What is read and what is written, which waits for nobody."""
    read, write = os.pipe2(os.O_NONBLOCK)
    yield read, write
    for each in (read, write):
        os.close(each)


def said_by(source: PipeSource) -> Iterator[dict[str, Any]]:
    while batch := source.take():
        batch.keep()
        yield from (json.loads(record.value or b"") for record in batch.records)


def test_what_no_memory_is_left_for_is_dropped_line_by_line_and_counted(pipe: tuple[int, int]) -> None:
    read, write = pipe
    source = PipeSource(read, Speaker("mx1", "fetchmail", "stdin"))
    line = b"%07d " + b"x" * 991 + b"\n"
    written = 12_000  # 12 MB
    stream = b"".join(line % number for number in range(written))
    for at in range(0, len(stream), 1500):
        os.write(write, stream[at : at + 1500])
        source.meanwhile()
    os.write(write, b"behind\n")
    *lines, last, notice = [row["event"] for row in said_by(source)]
    assert lines == [(line % number).decode().rstrip() for number in range(len(lines))]
    assert BUFFER_BYTES - 2000 < sum(len(each) + 1 for each in lines) <= BUFFER_BYTES
    assert notice == f"{written - len(lines)} lines of standard input dropped: the log could not take them"
    assert last == "behind"


def test_what_comes_while_a_part_of_a_long_line_is_on_its_way_is_not_lost_with_it(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ops.shipping.pipe.BUFFER_BYTES", 2**21)
    read, write = pipe
    source = PipeSource(read, Speaker("mx1", "fetchmail", "stdin"))
    os.write(write, b"first\n" + b"x" * (LINE_BYTES - 100))
    held = source.take()
    assert held
    held.keep()
    os.write(write, b"x" * 200)
    taken = source.take()  # on its way: the line's beginning
    assert taken
    for _ in range(40):
        os.write(write, b"x" * 60_000)
        source.meanwhile()
    os.write(write, b"x\n" + b"".join(b"fresh %d\n" % number for number in range(1000)))
    source.meanwhile()
    taken.keep()
    assert [row["event"] for row in said_by(source)] == [f"fresh {number}" for number in range(1000)]
    assert source.dropped == 0


def test_once_the_log_takes_lines_again_there_is_room_for_the_next_time_it_does_not(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ops.shipping.pipe.BUFFER_BYTES", 1000)
    read, write = pipe
    source = PipeSource(read, Speaker("mx1", "fetchmail", "stdin"))
    for said in (b"first", b"second"):
        os.write(write, b"x" * 2000 + b"\n")
        source.meanwhile()
        assert [row["level"] for row in said_by(source)] == ["error"], "it was dropped, which is told"
        os.write(write, said + b"\n")
        source.meanwhile()
        assert [row["event"] for row in said_by(source)] == [said.decode()]
    assert source.dropped == 2


def test_that_a_line_was_dropped_is_told_though_the_program_has_ended_and_nothing_is_held(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ops.shipping.pipe.BUFFER_BYTES", 1000)
    read, write = pipe
    source = PipeSource(read, Speaker("mx1", "fetchmail", "stdin"))
    os.write(write, b"x" * 2000)
    source.meanwhile()
    with Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), write)  # it ends
    source.meanwhile()
    assert not source.is_over
    assert [row["level"] for row in said_by(source)] == ["error"]
    assert source.is_over


@pytest.mark.parametrize("seed", range(20))
def test_each_line_comes_in_its_order_or_is_counted_whatever_is_on_its_way(
    seed: int, pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ops.shipping.pipe.BUFFER_BYTES", 2**21)
    chance, (read, write) = random.Random(seed), pipe
    source = PipeSource(read, Speaker("mx1", "fetchmail", "stdin"))
    lengths = [chance.choice((0, 20, 900, LINE_BYTES, 2**20)) for _ in range(chance.choice((60, 400)))]
    lines = [f"{number} ".encode() + b"x" * length for number, length in enumerate(lengths)]
    stream = b"\n".join(lines) + b"\n" * chance.randrange(2)
    at, rows = 0, list[dict[str, Any]]()
    while at < len(stream):
        for _ in range(chance.choice((1, 5, 60))):
            at += os.write(write, stream[at : at + chance.choice((1, 700, 65_536))])
            source.meanwhile()
        for _ in range(chance.choice((1, 1, 5))):
            batch = source.take()
            if batch is None:
                break
            for _ in range(chance.choice((0, 1, 30))):  # while it is on its way
                at += os.write(write, stream[at : at + chance.choice((1, 700, 65_536))])
                source.meanwhile()
            batch.keep()
            rows += [json.loads(record.value or b"") for record in batch.records]
    with Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), write)  # it ends
    rows += list(said_by(source))
    assert source.is_over
    told = [int(row["event"].split()[0]) for row in rows if row["level"] == "error"]
    numbers = [int(row["event"].split()[0]) for row in rows if row["level"] == "info"]
    assert numbers == sorted(set(numbers))
    assert sum(told) == source.dropped == len(lines) - len(numbers)
