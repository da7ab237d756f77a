from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import deltalake
import pytest
from pyspark.sql.types import StructType

from pipelines.errors import JobCutOff
from pipelines.tables.columns import extend
from pipelines.tables.commits import create, put_back
from pipelines.tables.publication import newest
from pipelines.tables.schemas import MAILS, QUOTES, REJECTS
from pipelines.tables.store.folder import Folder
from pipelines.tables.versions import ADDED, PROPERTY, version_of
from tests.pipelines.stores import HELD, publish_now

NEW = [MAILS.schema["sent_at"], QUOTES.schema["bid"], QUOTES.schema["as_of_ts"]]  # versions 2 and 3, in front of all
NEWER = replace(REJECTS, schema=StructType([*NEW, *REJECTS.schema]))


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> deltalake.DeltaTable:
    """The table `rejects` as its version 1 was made and published; from now on there are NEW."""
    create(Folder(tmp_path), REJECTS, HELD)
    publish_now(Folder(tmp_path), "run-1", {"rejects": 0})
    monkeypatch.setitem(ADDED, "rejects", (["sent_at"], ["bid", "as_of_ts"]))
    return deltalake.DeltaTable(str(tmp_path / "rejects"))


def columns(table: deltalake.DeltaTable) -> dict[str, tuple[str, str]]:
    return {field.name: (str(field.type), field.metadata["comment"]) for field in table.schema().fields}


def test_a_table_gets_its_new_columns_with_types_and_comments_behind_all_others(
    tmp_path: Path, stored: deltalake.DeltaTable
) -> None:
    before, protocol = columns(stored), stored.protocol()
    assert extend(Folder(tmp_path), NEWER, HELD) == 2
    stored.update_incremental()
    made = deltalake.Schema.from_json(StructType(NEW).json())
    assert columns(stored) == before | {each.name: (str(each.type), each.metadata["comment"]) for each in made.fields}
    assert list(columns(stored))[: len(before)] == list(before)
    assert version_of(stored) == 3
    assert stored.protocol() == protocol
    assert extend(Folder(tmp_path), NEWER, HELD) == 2  # nothing is left to do


def test_columns_that_are_there_already_are_not_added_again(tmp_path: Path, stored: deltalake.DeltaTable) -> None:
    stored.alter.add_columns([deltalake.Field.from_json(NEW[1].json())])
    stored.alter.set_table_properties({PROPERTY: "2"}, raise_if_not_exists=False)
    extend(Folder(tmp_path), NEWER, HELD)
    stored.update_incremental()
    assert list(columns(stored)) == [*REJECTS.schema.names, "bid", "as_of_ts"]
    assert version_of(stored) == 3


def test_new_columns_that_were_never_published_go_when_the_table_is_put_back(
    tmp_path: Path, stored: deltalake.DeltaTable
) -> None:
    before = columns(stored)
    extend(Folder(tmp_path), NEWER, HELD)
    put_back(Folder(tmp_path), REJECTS, HELD, newest(Folder(tmp_path)))
    stored.update_incremental()
    assert (columns(stored), version_of(stored)) == (before, 1)


def test_new_columns_are_on_the_disk_before_anybody_relies_on_them(
    tmp_path: Path, stored: deltalake.DeltaTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stored.version() == 0
    synced: set[Path] = set()
    monkeypatch.setattr(os, "fsync", lambda number: synced.add(Path(f"/proc/self/fd/{number}").readlink()))
    extend(Folder(tmp_path), NEWER, HELD)
    log = tmp_path / "rejects" / "_delta_log"
    assert {log, *(log / f"{version:020}.json" for version in (1, 2))} <= synced


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, stored: deltalake.DeltaTable) -> None:
    blocked = Path(stored.table_uri.removeprefix("file://")) / "_delta_log" / f"{1:020}.json"
    blocked.mkdir()
    with pytest.raises(JobCutOff, match="rejects is not written"):
        extend(Folder(tmp_path), NEWER, HELD)
