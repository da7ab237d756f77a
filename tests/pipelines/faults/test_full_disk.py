"""The disk that the tables are on is full."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.printable import said
from log.disk.files import NO_SPACE
from pipelines.errors import NothingPublished, PipelineError
from pipelines.jobs.extract import extract
from pipelines.tables.publication import latest
from tests.pipelines.conftest import Home


@pytest.fixture
def resized(home: Home, needs: Callable[..., str]) -> Iterator[Callable[[int], None]]:
    """The tables are on a disk of their own, which this makes so many KiB large."""
    mount, root = needs("mount", root=True), home.settings.tables.root
    root.mkdir(mode=0o700)

    def resize(kibibytes: int, *options: str) -> None:
        size = ",".join([*options, f"size={kibibytes}k", "mode=700"])
        subprocess.run([mount, "-t", "tmpfs", "-o", size, "tmpfs", root], check=True)

    resize(16)
    yield lambda kibibytes: resize(kibibytes, "remount")
    subprocess.run(["umount", "-l", root], check=True)


def published(root: Path) -> int:
    try:
        return latest(root).number
    except NothingPublished:
        return 0


def attempt(home: Home) -> Exception | None:
    """Extract all; what it failed by."""
    try:
        extract(home.settings, home.log, home.group, home.topic, 1000)
    except (PipelineError, OSError) as error:
        return error
    return None


@pytest.mark.slow
def test_whatever_the_tables_disk_has_no_room_for_is_tried_again_and_nothing_of_it_is_seen(
    home: Home, extracted: Home, resized: Callable[[int], None]
) -> None:
    places = set()
    for kibibytes in (16, 48, 96, 192, 384, 65_536):
        resized(kibibytes)
        error = attempt(home)
        if error is None:
            break
        assert getattr(error, "retriable", False) or (isinstance(error, OSError) and error.errno in NO_SPACE)
        assert "No space left" in said(error)
        assert str(home.settings.tables.root) in said(error)
        assert published(home.settings.tables.root) == 0
        assert home.log.committed(home.group) in ({}, home.starts)
        places.add(str(error).partition(":")[0])
    assert len(places) > 1
    assert home.outcomes() == extracted.outcomes()
    assert home.log.committed(home.group) == home.ends
