"""Claim stores on real folders."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from log.claims import Claim, ClaimStore
from log.claims.places import FolderPlace


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    return [tmp_path / name for name in ("one", "two", "three")]


@pytest.fixture
def store(folders: list[Path]) -> ClaimStore:
    """Three folders, two needed."""
    return ClaimStore([FolderPlace(folder) for folder in folders], 2)


@pytest.fixture
def claim_for() -> Callable[[bytes], Claim]:
    return lambda raw: Claim(hashlib.sha256(raw).hexdigest(), len(raw))
