from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from ingest.importing.progress import Progress
from ingest.ledger.file import LedgerUnavailable


def test_it_knows_how_far_a_file_is_done_until_the_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "a.mbox"
    file.write_text("some mails")
    with closing(Progress(tmp_path / "p", "old")) as progress:
        assert progress.done(file, file.stat()) == 0
        progress.note({file: (file.stat(), 4)})
    with closing(Progress(tmp_path / "p", "old")) as progress, closing(Progress(tmp_path / "p", "other")) as other:
        assert progress.done(file, file.stat()) == 4
        assert other.done(file, file.stat()) == 0
        file.write_text("more mails")
        assert progress.done(file, file.stat()) == 0


def test_what_is_complete_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    names = ["box", "box/a", "box/sub/b", "box2", "box.mbox", "other"]
    status = tmp_path.stat()
    with closing(Progress(tmp_path / "p", "old")) as progress:
        progress.note({tmp_path / name: (status, 7) for name in names})
        progress.forget(tmp_path / "box")
        assert [name for name in names if progress.done(tmp_path / name, status)] == ["box2", "box.mbox", "other"]


def test_names_of_any_bytes_are_known(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(b"/a\n\xff"))
    with closing(Progress(tmp_path / "p", "old")) as progress:
        progress.note({odd: (tmp_path.stat(), 7)})
        assert progress.done(odd, tmp_path.stat()) == 7


def test_a_damaged_file_says_that_it_may_go(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(b"SQLite format 3\0" + b"\xff" * 4000)
    with pytest.raises(LedgerUnavailable, match="it may be removed"):
        Progress(tmp_path / "p", "old")


def test_it_is_its_owners_alone(tmp_path: Path) -> None:
    with closing(Progress(tmp_path / "p", "old")):
        assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}
