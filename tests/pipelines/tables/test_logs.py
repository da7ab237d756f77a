from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.tables.commits import Change, commit, create
from pipelines.tables.datafiles import DataFile
from pipelines.tables.delta import opened
from pipelines.tables.logs import superseded_entries
from pipelines.tables.schemas import MAILS
from pipelines.tables.store.folder import Folder
from tests.pipelines.stores import HELD


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A table of eleven versions, with checkpoints."""
    monkeypatch.setattr("pipelines.tables.commits.LOG_PROPERTIES", {"delta.checkpointInterval": "3"})
    made = Folder(tmp_path)
    create(made, MAILS, HELD)
    for number in range(10):
        commit(made, MAILS, Change((DataFile(f"{number}.parquet", 1, 1, None, "{}"),)), {}, HELD)
    return made


def checkpoints(store: Folder) -> list[int]:
    names = (Path(each.name).name for each in store.list("mails/_delta_log"))
    return sorted(int(name[:20]) for name in names if name.endswith(".checkpoint.parquet"))


def paths(store: Folder, version: int) -> set[str]:
    return set(opened(store, "mails", version).get_add_actions()["path"].to_pylist())


def test_without_the_entries_before_a_checkpoint_that_version_and_all_later_ones_are_read(store: Folder) -> None:
    found = {version: paths(store, version) for version in range(11)}
    base = checkpoints(store)[1]
    gone = superseded_entries(store, "mails", base + 1)
    assert gone
    assert {int(Path(name).name[:20]) for name in gone} == set(range(base))
    store.delete(gone)
    for version in range(base, 11):
        assert paths(store, version) == found[version]
    assert superseded_entries(store, "mails", base + 1) == []


def test_without_a_checkpoint_before_the_version_or_with_a_torn_one_alone_nothing_goes(store: Folder) -> None:
    first = checkpoints(store)[0]
    assert superseded_entries(store, "mails", first - 1) == []
    assert superseded_entries(store, "none", 5) == []
    file = Path(store.uri(f"mails/_delta_log/{first:020}.checkpoint.parquet"))
    file.write_bytes(file.read_bytes()[:-10])
    assert superseded_entries(store, "mails", first) == []
