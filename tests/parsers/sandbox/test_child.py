"""The child's own program, spoken to by frames, without its parent's side."""

from __future__ import annotations

import hashlib
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
from parsers.taught import Taught
from parsers.version import parser_version
from parsers.wire import from_wire

TAUGHT = Taught.load(None)
GOOD = b"From: a@b.example\nSubject: USD IG\n\nBACR 5.2 05/26 T+85/80 5x5\n"
Process = subprocess.Popen[bytes]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    return made


@pytest.fixture
def parts() -> Iterator[tuple[int, int]]:
    """A pipe for the parts it announces."""
    ends = os.pipe()
    yield ends
    os.close(ends[0])


@pytest.fixture
def running(folder: Path, parts: tuple[int, int]) -> Iterator[Process]:
    taught = os.memfd_create("taught")
    os.write(taught, TAUGHT.content)
    os.lseek(taught, 0, os.SEEK_SET)
    arguments = [Path(parsers.__file__).parents[1], os.getpid(), parts[1], "process", 2**30, "60", taught]
    command = [sys.executable, "-I", program.__file__, *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=folder, pass_fds=[parts[1], taught]) as process:
        os.close(parts[1])
        os.close(taught)
        yield process
        process.kill()


def frames(process: Process) -> Iterator[Frame]:
    """What it answers, until it ends."""
    assert process.stdout is not None
    yield from frames_in(process.stdout.fileno())


def frames_in(pipe: int) -> Iterator[Frame]:
    buffer = bytearray()
    while data := os.read(pipe, 1 << 16):
        buffer += data
        while (frame := take_frame(buffer)) is not None:
            yield frame


def asked(raw: bytes, barred: dict[str, Code]) -> bytes:
    return job(json.dumps({"key": hashlib.sha256(raw).hexdigest(), "barred": barred}).encode(), raw)


def test_it_is_ready_then_announces_each_part_and_gives_the_outcome(
    running: Process, folder: Path, parts: tuple[int, int]
) -> None:
    said = frames(running)
    assert next(said) == Frame(READY, parser_version(TAUGHT).encode())
    assert not folder.exists()
    assert running.stdin is not None
    running.stdin.write(asked(GOOD, {}) + asked(GOOD, {"1": Code.PARSE_TIMEOUT}))
    running.stdin.close()
    answers = list(said)
    assert [frame.kind for frame in answers] == [OUTCOME, OUTCOME]
    assert list(frames_in(parts[0])) == [Frame(PART, b"1")] * 3  # unpacked, read, unpacked
    first, second = (from_wire(frame.body) for frame in answers)
    assert first == parse_mail(GOOD)
    assert second == parse_mail(GOOD, barred={"1": Code.PARSE_TIMEOUT})


def test_it_ends_well_when_its_input_does(running: Process) -> None:
    assert running.stdin is not None
    running.stdin.close()
    assert list(frames(running)) == [Frame(READY, parser_version(TAUGHT).encode())]
    assert running.wait(60) == 0
