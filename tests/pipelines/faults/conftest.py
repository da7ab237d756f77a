"""An extract that may fail, and what readers see then."""

from __future__ import annotations

from pathlib import Path

from pipelines.errors import NothingPublished, PipelineError
from pipelines.jobs.extract import extract
from pipelines.tables.publication import latest
from pipelines.tables.store.folder import Folder
from tests.pipelines.conftest import Home


def published(root: Path) -> int:
    """The number of what readers see; 0 where that is nothing."""
    try:
        return latest(Folder(root)).number
    except NothingPublished:
        return 0


def attempt(home: Home) -> Exception | None:
    """Extract all; what it failed by."""
    try:
        extract(home.settings, home.log, home.group, home.topic, 1000)
    except (PipelineError, OSError) as error:
        return error
    return None
