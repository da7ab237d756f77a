from __future__ import annotations

import hashlib
from pathlib import Path

import deltalake
import pyarrow as pa
import pytest

from pipelines.errors import SchemaDiffers, TablesDamaged
from pipelines.jobs.upkeep.upgrade import steps
from pipelines.tables.commits import create
from pipelines.tables.publication import require_tables
from pipelines.tables.published import published
from pipelines.tables.schemas import MAILS, TABLES, Table
from pipelines.tables.store.folder import Folder
from pipelines.tables.versions import ADDED, PROPERTY, lacking, present, version_of
from tests.pipelines.stores import HELD, publish_now

# A digest of the columns that each version has: a line is added for a new version, and none is ever changed.
COLUMNS = {
    ("quotes", 1): "5064723b924c05dd",
    ("quotes", 2): "f719f1cffbeb84d3",
    ("mails", 1): "8f87ed0eeb17b4bf",
    ("parts", 1): "8449480a8f5aff1d",
    ("rejects", 1): "56f77539583e74d9",
    ("runs", 1): "575395590f9ea67f",
    ("runs", 2): "030f80dec3817f0d",
    ("runs", 3): "5801d7f4f8c8cad7",
}


def digest(table: Table, version: int) -> str:
    later = {column for columns in ADDED[table.name][version - 1 :] for column in columns}
    columns = sorted(
        (field.name, field.dataType.simpleString(), field.nullable) for field in table.schema if field.name not in later
    )
    return hashlib.sha256(repr(columns).encode()).hexdigest()[:16]


def test_each_version_has_the_columns_that_it_had_when_it_was_written() -> None:
    found = {
        (name, version): digest(table, version)
        for name, table in TABLES.items()
        for version in range(1, present(name) + 1)
    }
    assert found == COLUMNS, "a new column is named in ADDED, where it begins a version of its table; none is changed"


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_what_a_version_added_may_be_null_for_earlier_files_have_nothing_there(table: Table) -> None:
    added = [table.schema[column] for columns in ADDED[table.name] for column in columns]
    assert [field.name for field in added if not field.nullable or field.name in table.partitioned_by] == []


def test_a_table_says_its_version_from_the_beginning(tmp_path: Path) -> None:
    for table in TABLES.values():
        create(Folder(tmp_path), table, HELD)
        assert version_of(deltalake.DeltaTable(str(tmp_path / table.name))) == present(table.name)


def versioned(root: Path, told: str | None, name: str = "mails") -> deltalake.DeltaTable:
    """A published table that says so of its version."""
    rows = pa.table({"subject": ["HY run"]})
    configuration = {} if told is None else {PROPERTY: told}
    table = deltalake.DeltaTable.create(
        str(root / name), rows.schema, configuration=configuration, raise_if_key_not_exists=False
    )
    deltalake.write_deltalake(table, rows, mode="append")
    publish_now(Folder(root), "run-1", {name: table.version()})
    return table


def test_a_table_that_says_no_version_is_of_the_first_as_those_of_0_2_0(tmp_path: Path) -> None:
    assert version_of(versioned(tmp_path, None)) == 1


@pytest.mark.parametrize("told", ["0", "-1", "two", "", "²"])
def test_a_version_that_is_none_is_damage(tmp_path: Path, told: str) -> None:
    with pytest.raises(TablesDamaged, match=r"its property otclog.schemaVersion is"):
        version_of(versioned(tmp_path, told))


@pytest.mark.parametrize("case", ["other columns", "some of ours", "another type", "by day"])
@pytest.mark.parametrize("is_published", [False, True])
def test_a_table_that_somebody_else_made_is_not_written_to(tmp_path: Path, case: str, *, is_published: bool) -> None:
    ours = MAILS.arrow_schema()
    schema, days = {
        "other columns": (pa.schema({"subject": pa.string()}), []),
        "some of ours": (pa.schema([field for field in ours if field.name != "state"]), []),
        "another type": (ours.set(ours.get_field_index("parts"), pa.field("parts", pa.string())), []),
        "by day": (ours, ["received_day"]),
    }[case]
    deltalake.DeltaTable.create(str(tmp_path / "mails"), deltalake.Schema.from_arrow(schema), partition_by=days)
    if is_published:
        publish_now(Folder(tmp_path), "run-1", {"mails": 0})
    with pytest.raises(SchemaDiffers, match=r"mails is no table of otclog's .* name a \[tables\] root of otclog's own"):
        require_tables(Folder(tmp_path))
    with pytest.raises(SchemaDiffers, match="mails is no table of otclog's"):
        steps(Folder(tmp_path))


def test_a_table_of_a_later_otclog_is_neither_read_nor_written(tmp_path: Path) -> None:
    versioned(tmp_path, str(present("mails") + 1))
    with pytest.raises(SchemaDiffers, match="a later otclog wrote it"), published(Folder(tmp_path), "mails"):
        pass
    with pytest.raises(SchemaDiffers, match="a later otclog wrote it"):
        require_tables(Folder(tmp_path))


def test_a_table_that_only_a_later_otclog_has_is_not_written_beside(tmp_path: Path) -> None:
    versioned(tmp_path, "1", "curves")
    with pytest.raises(SchemaDiffers, match=r"curves .* a later otclog wrote it"):
        require_tables(Folder(tmp_path))


def test_a_table_of_an_earlier_otclog_is_read_with_nulls_and_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ADDED, "mails", (["date_text"], ["sender_name"]))
    assert lacking("mails", versioned(tmp_path, None)) == ["date_text", "sender_name"]
    expected = [{"subject": "HY run", "date_text": None, "sender_name": None}]
    with published(Folder(tmp_path), "mails") as tables:
        assert list(tables.rows("SELECT * FROM mails", ["date_text IS NULL"], "subject", {})) == expected
        assert list(tables.rows("SELECT * FROM mails", ["sender_name > ''"], "subject", {})) == []
    with pytest.raises(SchemaDiffers, match="`otclog upgrade` shows the columns"):
        require_tables(Folder(tmp_path))


def test_tables_of_an_earlier_otclog_that_died_before_it_published_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(Folder(tmp_path), MAILS, HELD)
    require_tables(Folder(tmp_path))
    monkeypatch.setitem(ADDED, "mails", (["date_text"],))
    with pytest.raises(SchemaDiffers, match="`otclog upgrade` shows the columns"):
        require_tables(Folder(tmp_path))
