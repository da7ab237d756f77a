"""A log whose copies are damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record
from log.embedded import EmbeddedLog
from tests.log.copies import SOURCE

Numbered = Callable[..., list[Record]]
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
