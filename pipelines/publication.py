"""`_published/N.json` names for every table the version that belongs together; readers read these versions."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from log.times import now_ms, rfc3339
from pipelines.errors import NothingPublished
from pipelines.files import create_json, private_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Publication:
    """One state of all tables."""

    number: int  # 1, 2, …
    run_id: str  # the run that made it
    published_at: str  # RFC 3339, UTC
    versions: dict[str, int]  # table -> Delta version


def publish(root: Path, run_id: str, versions: Mapping[str, int]) -> Publication:
    """Publish `versions`, durably. The caller holds the tables' locks: nobody else publishes meanwhile."""
    numbers = _numbers(root)
    publication = Publication(max(numbers, default=0) + 1, run_id, rfc3339(now_ms()), dict(versions))
    folder = private_folder(_folder(root))
    create_json(folder / f"{publication.number}.json", asdict(publication))
    return publication


def latest(root: Path) -> Publication:
    """The newest publication. Raises NothingPublished."""
    numbers = _numbers(root)
    if not numbers:
        raise NothingPublished(f"no tables are published in {root}; run `otclog extract` first")
    return Publication(**json.loads((_folder(root) / f"{max(numbers)}.json").read_text("utf-8")))


def _numbers(root: Path) -> list[int]:
    return [int(file.stem) for file in _folder(root).glob("*.json") if file.stem.isdecimal()]


def _folder(root: Path) -> Path:
    return root / "_published"
