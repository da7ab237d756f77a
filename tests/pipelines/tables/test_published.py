from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import deltalake
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pipelines.errors import TablesDamaged
from pipelines.tables.published import published
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.folder import Folder
from tests.pipelines.stores import publish_now


def written(root: Path, *bids: str) -> None:
    rows = pa.table({"bid": pa.array([Decimal(bid) for bid in bids], pa.decimal128(18, 8))})
    deltalake.write_deltalake(str(root / "quotes"), rows, mode="append")


def test_what_is_committed_but_not_published_is_not_seen(tmp_path: Path) -> None:
    written(tmp_path, "98.25")
    publish_now(Folder(tmp_path), "run-1", {"quotes": 0})
    written(tmp_path, "99.5")
    with published(Folder(tmp_path), "quotes") as tables:
        assert list(tables.rows("SELECT bid FROM quotes", [], "bid", {})) == [{"bid": Decimal("98.25000000")}]
    publish_now(Folder(tmp_path), "run-2", {"quotes": 1})
    with published(Folder(tmp_path), "quotes") as tables:
        assert len(list(tables.rows("SELECT * FROM quotes", [], "bid", {}))) == 2


def test_conditions_order_and_limit_hold_with_values_as_parameters(tmp_path: Path) -> None:
    written(tmp_path, "1", "2", "3", "4")
    publish_now(Folder(tmp_path), "run-1", {"quotes": 0})
    with published(Folder(tmp_path), "quotes") as tables:
        rows = tables.rows("SELECT * FROM quotes", ["bid > $low", "bid < $high"], "bid DESC", {"low": 1, "high": 9}, 2)
        assert [row["bid"] for row in rows] == [4, 3]


def test_a_table_that_is_gone_is_named(tmp_path: Path) -> None:
    written(tmp_path, "98.25")
    publish_now(Folder(tmp_path), "run-1", {"quotes": 0})
    (tmp_path / "quotes").rename(tmp_path / "taken")
    with (
        pytest.raises(TablesDamaged, match="quotes cannot be read at version 0"),
        published(Folder(tmp_path), "quotes"),
    ):
        pass


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def zeroed(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:50])


@pytest.mark.parametrize("damage", [emptied, zeroed, cut, Path.unlink])
@pytest.mark.parametrize("pattern", ["_delta_log/*1.json", "*.parquet"])
def test_a_damaged_file_of_a_table_is_named_with_what_to_do_and_no_rows_are_just_not_there(
    tmp_path: Path, damage: Callable[[Path], None], pattern: str
) -> None:
    written(tmp_path, "98.25")
    written(tmp_path, "99.5")
    publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    file = next((tmp_path / "quotes").glob(pattern))
    damage(file)
    with pytest.raises(TablesDamaged) as raised, published(Folder(tmp_path), "quotes") as tables:
        list(tables.rows("SELECT * FROM quotes", [], "bid", {}))
    told = str(raised.value)
    assert "\n" not in told
    assert f"bring {tmp_path} back from a backup" in told


def test_an_empty_commit_that_a_checkpoint_stands_for_takes_no_row_away(tmp_path: Path) -> None:
    written(tmp_path, "98.25")
    written(tmp_path, "99.5")
    deltalake.DeltaTable(str(tmp_path / "quotes")).create_checkpoint()
    publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    emptied(tmp_path / "quotes" / "_delta_log" / f"{0:020}.json")
    with published(Folder(tmp_path), "quotes") as tables:
        assert len(list(tables.rows("SELECT * FROM quotes", [], "bid", {}))) == 2


def test_what_a_query_found_is_held_for_later_ones(tmp_path: Path) -> None:
    written(tmp_path, "1", "2", "3")
    publish_now(Folder(tmp_path), "run-1", {"quotes": 0})
    with published(Folder(tmp_path), "quotes") as tables:
        found = tables.hold("high", "SELECT bid FROM quotes", ["bid > $low"], order="bid DESC", parameters={"low": 1})
        assert found.to_pydict() == {"bid": [3, 2]}
        assert [row["bid"] for row in tables.rows("SELECT bid FROM high", [], "bid", {})] == [2, 3]


@pytest.mark.parametrize(
    "column", sorted({field.name for table in TABLES.values() for field in table.schema if field.nullable})
)
def test_rows_without_a_value_are_found_and_left_out_as_a_query_says(tmp_path: Path, column: str) -> None:
    table, select = pa.table({column: ["a", None]}), f'SELECT "{column}" FROM quotes'
    deltalake.write_deltalake(str(tmp_path / "quotes"), table)
    publish_now(Folder(tmp_path), "run-1", {"quotes": 0})
    with published(Folder(tmp_path), "quotes") as tables:
        assert list(tables.rows(select, [f'"{column}" IS NULL'], "1", {})) == [{column: None}]
        assert list(tables.rows(select, [f'"{column}" IS NOT NULL'], "1", {})) == [{column: "a"}]


def test_of_a_narrowed_table_only_files_that_may_have_rows_are_opened(tmp_path: Path) -> None:
    for offsets in ([1, 2], [3, 4]):
        rows = pa.table({"log_offset": offsets})
        deltalake.write_deltalake(str(tmp_path / "quotes"), rows, mode="append")
        first, *_ = sorted((tmp_path / "quotes").glob("*.parquet"), key=lambda file: file.stat().st_mtime_ns)
    publish_now(Folder(tmp_path), "run-1", {"quotes": 1})
    first.unlink()
    with published(Folder(tmp_path), "quotes") as tables:
        tables.narrow("quotes", pc.field("log_offset") == 3)
        assert list(tables.rows("SELECT log_offset FROM quotes", [], "1", {})) == [{"log_offset": 3}]
        tables.narrow("quotes", pc.field("log_offset") > 1)
        with pytest.raises(TablesDamaged):
            list(tables.rows("SELECT * FROM quotes", [], "1", {}))
