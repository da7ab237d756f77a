from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from conf import Settings, SourceSettings
from conf.settings import IngestSettings
from ingest.folders.holding import held_name
from ingest.folders.waiting import Waiting, waiting
from ingest.watch import Watcher
from log import CommitLog


@pytest.fixture
def ingest(settings: Settings) -> IngestSettings:
    return replace(settings.ingest, settle_s=3600)


def tree(folder: Path) -> Iterator[tuple[str, int]]:
    for path in sorted(folder.rglob("*")):
        yield str(path), path.lstat().st_ino


def test_files_that_a_watcher_would_take_wait_and_no_others(tmp_path: Path, ingest: IngestSettings) -> None:
    for name in ("new", "cur", "tmp", "failed"):
        (tmp_path / name).mkdir()
    for name in (
        "new/1",
        "new/.hidden",
        f"new/{held_name('2')}",
        "cur/read",
        "tmp/half",
        "failed/3",
        "failed/3.reason",
    ):
        (tmp_path / name).touch()
    (tmp_path / "new" / "link").symlink_to(tmp_path / "new" / "1")
    os.utime(tmp_path / "new" / "1", (0, 0))  # an old mail that came just now
    before = list(tree(tmp_path))
    found = waiting(SourceSettings(path=tmp_path, kind="maildir"), ingest)
    assert (found.files, found.failed) == (2, 1)
    assert 0 <= found.oldest_s < 600
    assert list(tree(tmp_path)) == before, "who looks changes nothing"


def test_a_file_that_may_be_half_written_is_no_matter_yet(tmp_path: Path, ingest: IngestSettings) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1").touch()
    source = SourceSettings(path=tmp_path / "in", kind="drop")
    assert waiting(source, ingest) == Waiting(0, 0.0, 0)
    assert waiting(source, replace(ingest, settle_s=1e-9)).files == 1


@pytest.mark.parametrize("kind", ["drop", "maildir"])
def test_of_a_tree_all_folders_count(tmp_path: Path, ingest: IngestSettings, kind: Literal["drop", "maildir"]) -> None:
    mail = tmp_path / "in"
    for name in ("a/new", "a/cur", "a/tmp", "b/new", "b/cur", "b/tmp"):
        (mail / name).mkdir(parents=True)
    for name in ("a/new/1", "b/new/2", "b/new/3"):
        (mail / name).touch()
    source = SourceSettings(path=mail, kind=kind, recursive=True)
    assert waiting(source, replace(ingest, settle_s=1e-9)).files == 3


def test_a_folder_that_is_missing_is_no_empty_one(tmp_path: Path, ingest: IngestSettings) -> None:
    with pytest.raises(FileNotFoundError, match="no such folder"):
        waiting(SourceSettings(path=tmp_path / "gone", kind="drop"), ingest)


def test_a_file_that_was_taken_and_stays_does_not_wait(commit_log: CommitLog, quick: Settings, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1").write_bytes(b"From: a@b.example\n\nrun\n")
    source = SourceSettings(path=tmp_path / "in", kind="drop", done="keep")
    settings = replace(quick, ingest=replace(quick.ingest, sources=(source,)))
    Watcher(commit_log, settings, lambda _: None).run_once()
    at_once = replace(settings.ingest, settle_s=1e-9)
    assert waiting(source, at_once).files == 0
    (tmp_path / "in" / "2").write_bytes(b"another")
    assert waiting(source, at_once).files == 1
    settings.ingest.ledger.unlink()
    assert waiting(source, at_once).files == 2, "nobody knows that it was taken, and a watcher reads it anew"
    assert not settings.ingest.ledger.exists()
