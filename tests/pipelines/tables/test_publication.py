from __future__ import annotations

import shutil
from pathlib import Path

import deltalake
import pyarrow as pa
import pytest

from pipelines.errors import NothingPublished, TablesDamaged
from pipelines.tables.publication import latest, made_by, publish, require_tables, table_of
from pipelines.tables.store.folder import Folder
from tests.pipelines.stores import HELD


def test_readers_see_the_newest_publication(tmp_path: Path) -> None:
    for number in range(1, 12):
        publish(Folder(tmp_path), f"run-{number}", {"quotes": number}, HELD)
    assert (latest(Folder(tmp_path)).number, latest(Folder(tmp_path)).run_id, latest(Folder(tmp_path)).versions) == (
        11,
        "run-11",
        {"quotes": 11},
    )


def test_half_a_publication_is_none(tmp_path: Path) -> None:
    publish(Folder(tmp_path), "run-1", {"quotes": 1}, HELD)
    (tmp_path / "_published" / ".2.json.4711").write_text('{"number": 2, ')
    assert latest(Folder(tmp_path)).number == 1
    assert publish(Folder(tmp_path), "run-2", {"quotes": 2}, HELD).number == 2


def test_without_any_the_message_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(NothingPublished, match="otclog extract"):
        latest(Folder(tmp_path))


HEAD = b'{"number": 2, "run_id": "r", "published_at": "t", "versions": '


@pytest.mark.parametrize(
    "content",
    [b"", b'{"number": 2', b'{"number": 2}', b"null", b"\xff\xfe", HEAD + b"null}", HEAD + b'{"quotes": "1"}}'],
)
def test_a_damaged_publication_is_named_and_not_passed_over(tmp_path: Path, content: bytes) -> None:
    publish(Folder(tmp_path), "run-1", {"quotes": 1}, HELD)
    (tmp_path / "_published" / "2.json").write_bytes(content)
    with pytest.raises(TablesDamaged, match=r"_published/2\.json is not the publication .* backup"):
        latest(Folder(tmp_path))


def test_a_table_that_is_gone_or_older_than_published_is_named_with_what_to_do(tmp_path: Path) -> None:
    require_tables(Folder(tmp_path))
    for number in (1, 2):
        deltalake.write_deltalake(str(tmp_path / "quotes"), pa.table({"bid": [number]}), mode="append")
    publication = publish(Folder(tmp_path), "run-1", {"quotes": 1}, HELD)
    require_tables(Folder(tmp_path))
    assert table_of(Folder(tmp_path), publication, "quotes").version() == 1
    (tmp_path / "quotes" / "_delta_log" / f"{1:020}.json").unlink()
    with pytest.raises(TablesDamaged, match="quotes cannot be read at version 1, which publication 1 names"):
        require_tables(Folder(tmp_path))
    shutil.rmtree(tmp_path / "quotes")
    with pytest.raises(TablesDamaged, match=r"move .* away; then run `otclog extract`"):
        require_tables(Folder(tmp_path))


def test_it_is_for_its_owner_alone(tmp_path: Path) -> None:
    publish(Folder(tmp_path), "run-1", {"quotes": 1}, HELD)
    file = tmp_path / "_published" / "1.json"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_the_publication_of_a_run_is_found_whatever_was_published_since(tmp_path: Path) -> None:
    assert made_by(Folder(tmp_path), "a") is None
    first = publish(Folder(tmp_path), "a", {"quotes": 1}, HELD)
    publish(Folder(tmp_path), "b", {"quotes": 2}, HELD)
    assert made_by(Folder(tmp_path), "a") == first
    assert made_by(Folder(tmp_path), "c") is None
