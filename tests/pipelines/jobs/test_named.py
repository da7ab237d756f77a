from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.errors import TablesDamaged
from pipelines.jobs.named import Named
from pipelines.jobs.plan import Intent, IntentFile, maintain_plan
from pipelines.jobs.writing import discard
from pipelines.tables.commits import Change, commit, create
from pipelines.tables.datafiles import DataFile
from pipelines.tables.publication import oldest
from pipelines.tables.replacing import StoredFile
from pipelines.tables.schemas import MAILS, PARTS
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Store
from tests.pipelines.stores import HELD, publish_now


def file(name: str) -> DataFile:
    return DataFile(name, 4, 1, None, "{}")


def committed(store: Store, added: str, *removed: str) -> int:
    for name in (added, *removed):
        store.put(f"mails/{name}", b"rows")
    change = Change((file(added),), tuple(StoredFile(name, 4, None) for name in removed))
    return commit(store, MAILS, change, {}, HELD)


@pytest.mark.slow
def test_named_is_what_the_oldest_publication_shows_what_came_since_and_what_the_plan_in_writing_says(
    store: Store,
) -> None:
    create(store, MAILS, HELD)
    create(store, PARTS, HELD)
    committed(store, "a.parquet")
    version = committed(store, "b.parquet", "a.parquet")
    publish_now(store, "one", {"mails": version})
    committed(store, "c d.parquet", "b.parquet")
    named = Named(store, ["mails", "parts"], oldest(store))
    assert [f"mails/{name}.parquet" in named for name in ("a", "b", "c d", "e")] == [False, True, True, False]
    committed(store, "e.parquet", "c d.parquet")
    IntentFile(store).start(Intent(maintain_plan(), {}, {"parts": Change((file("p.parquet"),))}))
    assert "mails/e.parquet" not in named
    named.look_again()
    assert "mails/e.parquet" in named
    assert "parts/p.parquet" in named
    everything = Named(store, ["mails"], None)
    assert all(f"mails/{name}.parquet" in everything for name in ("a", "b", "c d", "e"))


@pytest.mark.parametrize("content", [b"", b'{"commitInfo":{"times', b"\0" * 100])
def test_of_a_torn_commit_nobody_knows_what_it_named_so_nothing_of_a_run_is_discarded(
    tmp_path: Path, content: bytes
) -> None:
    store = Folder(tmp_path)
    create(store, MAILS, HELD)
    version = committed(store, "run-1.parquet")
    store.put("mails/run-2.parquet", b"rows")
    commit_file = f"mails/_delta_log/{version:020}.json"
    whole = store.get(commit_file)
    store.put(commit_file, content)
    with pytest.raises(TablesDamaged, match="is not the commit that was written"):
        Named(store, ["mails"], None)
    discard(store, "run")
    assert store.get("mails/run-2.parquet")
    store.put(commit_file, whole)
    discard(store, "run")
    assert {each.name for each in store.list("mails") if each.name.endswith(".parquet")} == {"mails/run-1.parquet"}


def test_an_old_version_that_cannot_be_read_is_told_of_in_a_line(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    create(store, MAILS, HELD)
    publish_now(store, "run", {"mails": committed(store, "run-1.parquet")})
    store.put(f"mails/_delta_log/{1:020}.json", b"{")
    with pytest.raises(TablesDamaged, match="mails cannot be read at version 1, which publication 1 names"):
        Named(store, ["mails"], oldest(store))


def test_what_a_run_wrote_and_another_replaced_stays_as_long_as_a_publication_shows_it(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    create(store, MAILS, HELD)
    publish_now(store, "run", {"mails": committed(store, "run-1.parquet")})
    publish_now(store, "other", {"mails": committed(store, "other-1.parquet", "run-1.parquet")})
    discard(store, "run")
    assert store.get("mails/run-1.parquet")
