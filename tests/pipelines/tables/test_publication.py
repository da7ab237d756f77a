from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import deltalake
import pytest

from pipelines.errors import LeaseLost, NothingPublished, SchemaDiffers, TablesDamaged
from pipelines.tables.commits import create
from pipelines.tables.publication import (
    NOTHING,
    Publication,
    latest,
    made_by,
    oldest,
    publish,
    remove,
    require_tables,
    superseded,
    table_of,
)
from pipelines.tables.schemas import QUOTES
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Store
from tests.pipelines.stores import HELD, publish_now


def test_readers_see_the_newest_publication(tmp_path: Path) -> None:
    for number in range(1, 12):
        publish_now(Folder(tmp_path), f"run-{number}", {"quotes": number})
    assert (latest(Folder(tmp_path)).number, latest(Folder(tmp_path)).run_id, latest(Folder(tmp_path)).versions) == (
        11,
        "run-11",
        {"quotes": 11},
    )


def test_half_a_publication_is_none(tmp_path: Path) -> None:
    publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    (tmp_path / "_published" / ".2.json.4711").write_text('{"number": 2, ')
    assert latest(Folder(tmp_path)).number == 1
    assert publish_now(Folder(tmp_path), "run-2", {"quotes": 2}).number == 2


def test_without_any_the_message_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(NothingPublished, match="otclog extract"):
        latest(Folder(tmp_path))


NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)
HEAD = b'{"number": 2, "run_id": "r", "published_at": "t", "versions": '


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'{"number": 2',
        b'{"number": 2}',
        b"null",
        b"\xff\xfe",
        HEAD + b"null}",
        HEAD + b'{"quotes": "1"}}',
        HEAD + b'{"quotes": -1}}',
        HEAD + b'{"quotes": 1000000000000000000000000000000}}',
        HEAD.replace(b"2", b"1") + b'{"quotes": 1}}',
    ],
)
def test_a_damaged_publication_is_named_and_not_passed_over(tmp_path: Path, content: bytes) -> None:
    publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    (tmp_path / "_published" / "2.json").write_bytes(content)
    with pytest.raises(TablesDamaged, match=r"_published/2\.json is not the publication .* backup"):
        latest(Folder(tmp_path))


def test_what_is_named_as_no_publication_of_ours_is_none(tmp_path: Path) -> None:
    publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    for name in ("0010", "0", "1.1", "-3", "x"):
        shutil.copy(tmp_path / "_published" / "1.json", tmp_path / "_published" / f"{name}.json")
    assert latest(Folder(tmp_path)).number == 1


def test_a_publication_that_names_not_all_tables_is_told_of(tmp_path: Path) -> None:
    publication = publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    with pytest.raises(TablesDamaged, match=r"_published/1\.json does not name the table mails"):
        table_of(Folder(tmp_path), publication, "mails")


def test_a_publication_of_an_earlier_otclog_is_read_and_one_of_a_later_says_so(tmp_path: Path) -> None:
    file = tmp_path / "_published" / "2.json"
    publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    file.write_bytes(HEAD + b'{"quotes": 1}}')
    assert latest(Folder(tmp_path)) == Publication(2, "r", "t", {"quotes": 1})
    file.write_bytes(HEAD + b'{"quotes": 1}, "shadows": []}')
    with pytest.raises(SchemaDiffers, match=r"2\.json says shadows: a later otclog wrote it; use that one"):
        latest(Folder(tmp_path))


def test_a_publication_names_what_it_stands_on_but_for_what_it_says_itself(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    first = publish(store, "run-1", {"quotes": 1, "mails": 1}, HELD, NOTHING, topics={"mails": "id", "axes": "id"})
    second = publish(store, "run-2", {"quotes": 2}, HELD, first, topics={"axes": "other"})
    assert (second.versions, second.topics) == ({"quotes": 2, "mails": 1}, {"mails": "id", "axes": "other"})
    with pytest.raises(LeaseLost, match=r"another process has published .*/2\.json"):
        publish(store, "run-3", {"quotes": 2}, HELD, first)


def test_a_table_that_is_gone_or_older_than_published_is_named_with_what_to_do(tmp_path: Path) -> None:
    require_tables(Folder(tmp_path))
    create(Folder(tmp_path), QUOTES, HELD)
    deltalake.DeltaTable(str(tmp_path / "quotes")).alter.set_table_properties({"a": "b"}, raise_if_not_exists=False)
    publication = publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    require_tables(Folder(tmp_path))
    assert table_of(Folder(tmp_path), publication, "quotes").version() == 1
    (tmp_path / "quotes" / "_delta_log" / f"{1:020}.json").unlink()
    with pytest.raises(TablesDamaged, match="quotes cannot be read at version 1, which publication 1 names"):
        require_tables(Folder(tmp_path))
    shutil.rmtree(tmp_path / "quotes")
    with pytest.raises(TablesDamaged, match=r"move .* away; then run `otclog extract`"):
        require_tables(Folder(tmp_path))


def test_it_is_for_its_owner_alone(tmp_path: Path) -> None:
    publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    file = tmp_path / "_published" / "1.json"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_the_publication_of_a_run_is_found_whatever_was_published_since(tmp_path: Path) -> None:
    assert made_by(Folder(tmp_path), "a") is None
    first = publish_now(Folder(tmp_path), "a", {"quotes": 1})
    publish_now(Folder(tmp_path), "b", {"quotes": 2})
    assert made_by(Folder(tmp_path), "a") == first
    assert made_by(Folder(tmp_path), "c") is None


def aged(folder: Path, *ages_s: float) -> Folder:
    """Publications 1, 2, … of these ages."""
    store = Folder(folder)
    for number, age_s in enumerate(ages_s, 1):
        publish_now(store, f"run-{number}", {"quotes": number})
        os.utime(folder / "_published" / f"{number}.json", (NOW.timestamp() - age_s,) * 2)
    return store


@pytest.mark.parametrize(
    ("ages_s", "gone"),
    [
        ([], []),
        ([9000, 8000], []),
        ([9000, 8000, 7000, 6000], [1, 2]),  # two are kept however old they are
        ([9000, 8000, 7000, 50, 40, 30], [1, 2]),  # the third was the newest until the fourth came
        ([50, 40, 30, 20], []),
        ([9000, 50, 7000, 6000, 5000], []),  # a clock was set back
        ([9000, -(10**7), 7000, 6000, 5000], [1, 2, 3]),  # a clock was ahead
        ([9000, 8000, 7000, -(10**7), -(10**7)], [1, 2]),  # a clock is ahead
    ],
)
def test_a_publication_is_old_when_it_is_none_of_the_newest_and_was_not_the_newest_of_late(
    tmp_path: Path, ages_s: list[float], gone: list[int]
) -> None:
    store = aged(tmp_path, *ages_s)
    assert superseded(store, 2, NOW - timedelta(seconds=3600), NOW) == gone
    shown = oldest(store, but=gone)
    assert (shown and shown.number) == (len(gone) + 1 if ages_s else None)
    remove(store, gone)
    assert oldest(store) == shown
    assert latest(store).number == len(ages_s) if ages_s else shown is None


class Vanishing(Folder):
    """A publication is removed between being listed and being read, once."""

    def get(self, name: str) -> bytes:
        if name == "_published/1.json":
            if not any(each.name == "_published/2.json" for each in self.list("_published")):
                publish_now(Folder(self._root), "run-2", {"quotes": 2})
            self.delete([name])
        return super().get(name)


def test_a_publication_that_vanishes_before_it_is_read_is_no_error_to_who_looks_for_another(tmp_path: Path) -> None:
    looks: list[Callable[[Store], Publication | None]] = [latest, lambda store: made_by(store, "run-2"), oldest]
    for number, look in enumerate(looks):
        folder = tmp_path / str(number)
        publish_now(Folder(folder), "run-1", {"quotes": 1})
        if look is not latest:
            publish_now(Folder(folder), "run-2", {"quotes": 2})
        found = look(Vanishing(folder))
        assert found
        assert found.number == 2
