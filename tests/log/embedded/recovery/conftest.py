"""A log whose copies are damaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from conf.settings import LogSettings
from log import Record
from log.embedded import EmbeddedLog
from tests.log.copies import SOURCE

Numbered = Callable[..., list[Record]]
OpenLog = Callable[..., EmbeddedLog]
BATCHES, EACH = 6, 5


@pytest.fixture
def log(embedded: EmbeddedLog, numbered: Numbered) -> EmbeddedLog:
    """Six batches of five records."""
    for number in range(BATCHES):
        embedded.append("mails", numbered(EACH, EACH * number, 500))
    return embedded


@pytest.fixture
def copies(options: LogSettings) -> list[Path]:
    return [folder / str(SOURCE) for folder in options.replicas]


class Moved(NamedTuple):
    """A log whose root and replicas lie below one folder, as `each_death` wants it."""

    folder: Path
    options: LogSettings
    open: Callable[[], EmbeddedLog]


@pytest.fixture
def move(tmp_path: Path, log: EmbeddedLog, options: LogSettings, open_embedded: OpenLog) -> Callable[[], Moved]:
    """Close the log, as damaged as it is, and move it."""

    def moved() -> Moved:
        log.close()
        home = tmp_path / "home"
        home.mkdir()
        for folder in (options.root, *options.replicas):
            folder.rename(home / folder.name)
        replicas = tuple(home / folder.name for folder in options.replicas)
        there = replace(options, root=home / options.root.name, replicas=replicas)
        return Moved(home, there, lambda: open_embedded(root=there.root, replicas=replicas))

    return moved
