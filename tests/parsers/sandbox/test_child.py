"""The child's own program, spoken to by frames, without its parent's side."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import parsers
from parsers.codes import Code
from parsers.parse import parse_mail
from parsers.sandbox import child as program
from parsers.sandbox.frames import OUTCOME, PART, READY, Frame, job, take_frame
from parsers.wire import from_wire

GOOD = b"From: a@b.example\nSubject: USD IG\n\nBACR 5.2 05/26 T+85/80 5x5\n"
Process = subprocess.Popen[bytes]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    return made


@pytest.fixture
def running(folder: Path) -> Iterator[Process]:
    arguments = [Path(parsers.__file__).parents[1], str(os.getpid()), "process", str(2**30), "60", ""]
    command = [sys.executable, "-I", program.__file__, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder) as process:
        yield process
        process.kill()


def frames(process: Process) -> Iterator[Frame]:
    """What it says, until it ends."""
    assert process.stdout is not None
    buffer = bytearray()
    while data := os.read(process.stdout.fileno(), 1 << 16):
        buffer += data
        while (frame := take_frame(buffer)) is not None:
            yield frame


def asked(raw: bytes, barred: dict[str, Code]) -> bytes:
    return job(json.dumps(barred).encode(), raw)


def test_it_is_ready_then_announces_each_part_and_gives_the_outcome(running: Process, folder: Path) -> None:
    said = frames(running)
    assert next(said) == Frame(READY)
    assert not folder.exists()
    assert running.stdin is not None
    running.stdin.write(asked(GOOD, {}) + asked(GOOD, {"1": Code.PARSE_TIMEOUT}))
    running.stdin.close()
    heard = list(said)
    assert [frame.kind for frame in heard] == [PART, PART, OUTCOME, PART, OUTCOME]
    assert {frame.body for frame in heard if frame.kind == PART} == {b"1"}
    first, second = (from_wire(frame.body) for frame in heard if frame.kind == OUTCOME)
    assert first == parse_mail(GOOD)
    assert second == parse_mail(GOOD, barred={"1": Code.PARSE_TIMEOUT})


def test_it_ends_well_when_its_input_does(running: Process) -> None:
    assert running.stdin is not None
    running.stdin.close()
    assert list(frames(running)) == [Frame(READY)]
    assert running.wait(60) == 0
