"""The disk that the tables are on is full."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from conf.printable import printable, said
from log.disk.files import NO_SPACE
from tests.pipelines.conftest import Home
from tests.pipelines.faults.conftest import attempt, published

pytestmark = pytest.mark.slow


@pytest.fixture
def resized(home: Home, needs: Callable[..., str]) -> Iterator[Callable[[int], None]]:
    """The tables are on a disk of their own, which this makes so many KiB large."""
    mount, root = needs("mount", root=True), home.tables
    root.mkdir(mode=0o700)

    def resize(kibibytes: int, *options: str) -> None:
        size = ",".join([*options, f"size={kibibytes}k", "mode=700"])
        subprocess.run([mount, "-t", "tmpfs", "-o", size, "tmpfs", root], check=True)

    resize(16)
    yield lambda kibibytes: resize(kibibytes, "remount")
    subprocess.run(["umount", "-l", root], check=True)


def where_space_is_wanted(home: Home) -> str | None:
    """Where an attempt failed: it says so, may be tried again, and nothing of it is seen. None if there was room."""
    error, root = attempt(home), home.tables
    if error is None:
        return None
    assert getattr(error, "retriable", False) or (isinstance(error, OSError) and error.errno in NO_SPACE)
    assert "No space left" in said(error)
    assert str(root) in said(error)
    assert said(error) == printable(said(error)), "on one line, and without colours"
    assert published(root) == 0
    assert home.log.committed(home.group) in ({}, home.starts)
    return str(error).partition(":")[0]


def test_whatever_the_tables_disk_has_no_room_for_is_tried_again_and_nothing_of_it_is_seen(
    home: Home, extracted: Home, resized: Callable[[int], None]
) -> None:
    kibibytes, places = 16, []
    while place := where_space_is_wanted(home):
        places.append(place)
        kibibytes = kibibytes * 3 // 2
        resized(kibibytes)
    assert len(places) > 3
    assert len(set(places)) > 1
    assert home.outcomes() == extracted.outcomes()
    assert home.log.committed(home.group) == home.ends


STEPS = {  # and which call of it the disk is full at
    "staging": ("pipelines.jobs.run.staged", 1),
    "the data files": ("pipelines.jobs.run.written", 1),
    "the plan": ("pipelines.jobs.plan.IntentFile.start", 1),
    "the first table": ("pipelines.jobs.committing.commit", 1),
    "the last table": ("pipelines.jobs.committing.commit", 5),
    "the publication": ("pipelines.jobs.committing.publish", 1),
}


def fill(file: Path) -> None:
    """Take all room of the file's disk."""
    with file.open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(bytes(4096))


@pytest.mark.parametrize("step", STEPS)
def test_a_disk_that_is_full_when_a_step_begins_is_tried_again_and_nothing_of_it_is_seen(
    home: Home, extracted: Home, resized: Callable[[int], None], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    name, number = STEPS[step]
    as_it_is = resolve_name(name)
    filler, calls = home.tables / "of somebody else", iter(range(1, 100))

    def when_full(*given: Any, **named: Any) -> Any:
        if next(calls) == number:
            fill(filler)
        return as_it_is(*given, **named)

    resized(65_536)
    monkeypatch.setattr(name, when_full)
    assert where_space_is_wanted(home)
    assert filler.exists()
    monkeypatch.undo()
    filler.unlink()
    assert attempt(home) is None
    assert home.outcomes() == extracted.outcomes()
    assert home.log.committed(home.group) == home.ends
