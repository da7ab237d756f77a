"""Odd, damaged and hostile files of public projects: each alone and attached, each exactly one outcome.

A sample by default; `--all` of scripts/test runs the whole of them.
"""

from __future__ import annotations

import base64
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parsers.codes import Code, MailState, PartState
from parsers.outcome import MailOutcome
from parsers.sandbox import Sandbox, SandboxOptions

SAMPLED = 19  # every n-th file
OPTIONS = SandboxOptions(part_deadline_s=20)
UNFINISHED = {Code.PARSE_TIMEOUT}  # no file of these needs so long


@pytest.fixture(scope="module")
def files(shared: Callable[[str], Path]) -> list[Path]:
    return sorted(file for file in shared("odd").glob("*/*") if file.is_file())


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(OPTIONS) as one:
        yield one


def attached(data: bytes, name: str) -> bytes:
    return (
        b"From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=qqq\n\n--qqq\n\nsee attached\n--qqq\n"
        b'Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="' + name.encode() + b'"\n'
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(data) + b"\n--qqq--\n"
    )


def has_one_outcome(outcome: MailOutcome) -> bool:
    return (
        len({part.part_path for part in outcome.parts}) == len(outcome.parts)
        and all((part.code is None) == (part.state is not PartState.rejected) for part in outcome.parts)
        and (outcome.state is MailState.parsed) == bool(outcome.quotes)
        and (outcome.state is not MailState.parsed_empty or outcome.code is not None)
        and not UNFINISHED.intersection(part.code for part in outcome.parts)
    )


def run(sandbox: Sandbox, files: list[Path]) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for file in files:
        data = file.read_bytes()
        for raw in (data, attached(data, file.name), data[: len(data) // 2]):
            assert has_one_outcome(sandbox.parse(raw)), file
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kib < 200 * 1024


def test_a_sample_of_odd_files_ends_in_one_outcome_each(sandbox: Sandbox, files: list[Path]) -> None:
    run(sandbox, files[::SAMPLED])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_odd_file_ends_in_one_outcome(sandbox: Sandbox, files: list[Path]) -> None:
    run(sandbox, files)
