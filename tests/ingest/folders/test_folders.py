from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from conf import Settings, SourceSettings
from ingest.folders.folders import Folders
from ingest.ledger.ledger import Ledger


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as opened:
        yield opened


def folders(settings: Settings, ledger: Ledger, *sources: SourceSettings) -> Folders:
    return Folders(replace(settings.ingest, sources=sources), ledger)


def seen(folders: Folders, root: Path) -> list[str]:
    return [str(inbox.folder.relative_to(root)) for inbox in folders.look()]


def test_each_source_is_a_folder_in_the_order_of_the_settings(
    settings: Settings, ledger: Ledger, tmp_path: Path
) -> None:
    made = folders(
        settings,
        ledger,
        SourceSettings(path=tmp_path / "z", kind="drop"),
        SourceSettings(path=tmp_path / "a", kind="maildir"),
    )
    assert seen(made, tmp_path) == ["z", "a/new"]


def test_the_folders_below_are_served_only_if_asked_for(settings: Settings, ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "drop" / "sub").mkdir(parents=True)
    assert seen(folders(settings, ledger, SourceSettings(path=tmp_path / "drop", kind="drop")), tmp_path) == ["drop"]


def test_a_tree_of_drop_folders_is_served_but_not_what_was_put_aside_there(
    settings: Settings, ledger: Ledger, tmp_path: Path
) -> None:
    for name in ("b/c", "a", "failed", "b/done", ".hidden"):
        (tmp_path / "drop" / name).mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "drop" / "link").symlink_to(tmp_path / "elsewhere")
    made = folders(settings, ledger, SourceSettings(path=tmp_path / "drop", kind="drop", recursive=True))
    assert seen(made, tmp_path) == ["drop", "drop/a", "drop/b", "drop/b/c"]
    assert made.look()[3].name == f"drop:{tmp_path}/drop/b/c"


def test_a_tree_of_maildirs_is_served_also_when_folders_begin_with_a_dot(
    settings: Settings, ledger: Ledger, tmp_path: Path
) -> None:
    for name in (".Dealers", ".Dealers.Axes", "sub/box"):
        for part in ("new", "cur", "tmp"):
            (tmp_path / "mail" / name / part).mkdir(parents=True)
    (tmp_path / "mail" / "no maildir" / "new").mkdir(parents=True)
    made = folders(settings, ledger, SourceSettings(path=tmp_path / "mail", kind="maildir", recursive=True))
    assert seen(made, tmp_path) == ["mail/.Dealers/new", "mail/.Dealers.Axes/new", "mail/sub/box/new"]


def test_a_folder_that_comes_later_is_served_and_one_keeps_its_memory(
    settings: Settings, ledger: Ledger, tmp_path: Path
) -> None:
    made = folders(settings, ledger, SourceSettings(path=tmp_path / "drop", kind="drop", recursive=True))
    (first,) = made.look()
    (tmp_path / "drop" / "new").mkdir(parents=True)
    assert made.look()[0] is first
    assert len(made.look()) == 2


def test_what_is_done_may_differ_by_source(settings: Settings, ledger: Ledger, tmp_path: Path) -> None:
    made = folders(
        settings,
        ledger,
        SourceSettings(path=tmp_path / "a", kind="drop", done="keep"),
        SourceSettings(path=tmp_path / "b", kind="drop"),
    )
    kept, deleted = made.look()
    assert (kept.source.done, kept.kept is not None) == ("keep", True)
    assert (deleted.source.done, deleted.kept) == ("delete", None)
