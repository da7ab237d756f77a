from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import deltalake
import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.errors import NothingPublished
from pipelines.readers.prices import FILTERS, prices
from pipelines.tables.published import Published
from pipelines.tables.schemas import MAILS, QUOTES
from pipelines.tables.store.folder import Folder
from pipelines.tables.versions import ADDED
from tests.pipelines.conftest import QUOTED
from tests.pipelines.stores import publish_now

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


def test_a_mail_that_is_in_the_log_twice_is_quoted_once_by_its_first_record(extracted: Home) -> None:
    stored = extracted.rows("quotes")
    shown = list(prices(extracted.store, {}))
    assert len({row["record_id"] for row in stored}) < len(stored)
    assert sorted(row["record_id"] for row in shown) == sorted(
        {row["record_id"] for row in stored if row["duplicate_of"] is None}
    )
    order = ("received_ts", "topic", "log_partition", "log_offset")
    for row in shown:
        same = [each for each in stored if each["record_id"] == row["record_id"]]
        assert min(tuple(each[name] for name in order) for each in same) == tuple(row[name] for name in order)
    assert set(shown[0]) == set(stored[0])


def test_the_latest_quoted_price_comes_first_whenever_its_mail_was_received(extracted: Home) -> None:
    shown = [row["quote_ts"] for row in prices(extracted.store, {})]
    assert shown == sorted(shown, reverse=True)
    assert len(set(shown)) > 2
    latest = [row["quote_ts"] for row in prices(extracted.store, {}, limit=3)]
    assert latest == shown[:3]


def test_filters_narrow_and_say_so_by_parameters_alone(extracted: Home) -> None:
    root = extracted.tables
    everything = list(prices(Folder(root), {}))
    sample = next(row for row in everything if row["isin"])
    day = sample["received_day"]
    filters = {
        "isin": sample["isin"].lower(),
        "dealer": (sample["dealer"] or "").upper() or None,
        "asset_class": sample["asset_class"],
        "quote_type": sample["quote_type"],
        "quote_kind": sample["quote_kind"],
        "status": sample["status"],
        "region": sample["region"],
        "since_day": day,
    }
    found = list(prices(Folder(root), filters))
    assert sample in found
    assert {row["isin"] for row in found} == {sample["isin"]}
    assert list(prices(Folder(root), {"since_day": day + timedelta(days=1)})) == []
    assert list(prices(Folder(root), {"isin": "' OR 1=1 --"})) == []
    assert len(list(prices(Folder(root), {}, limit=3))) == 3
    for name in FILTERS:
        if name != "since_day":
            assert list(prices(Folder(root), {name: "no such"})) == []


def test_before_the_first_extract_there_is_nothing_to_show(home: Home) -> None:
    with pytest.raises(NothingPublished):
        list(prices(home.store, {}))


PLAIN = """
WITH repeats AS (
    SELECT topic, log_partition, log_offset FROM mails
    QUALIFY row_number() OVER (PARTITION BY message_key ORDER BY received_ts, topic, log_partition, log_offset) > 1
)
SELECT quotes.* FROM quotes ANTI JOIN repeats USING (topic, log_partition, log_offset) WHERE {where}
ORDER BY quote_ts DESC, received_ts DESC, topic, log_partition, log_offset DESC,
    part_path, table_idx, row, line, col, char_start, quote_type, record_id
LIMIT {limit}
"""
COUNTS = st.integers(0, 3)
MAIL = st.tuples(COUNTS, COUNTS, COUNTS, COUNTS)  # its key, topic and partition, day and hour received, quotes
ASKED = {
    *("topic", "log_partition", "log_offset", "received_ts", "received_day", "message_key", "quote_ts", "quote_type"),
    *("part_path", "table_idx", "row", "line", "col", "char_start", "isin", "duplicate_of", "record_id"),
    *(column for columns in ADDED["quotes"] for column in columns),  # a table without these has them as null
}
MAIL_COLUMNS = pa.schema([field for field in MAILS.arrow_schema() if field.name in ASKED | {"sent_at"}])
SENT = [None, QUOTED - timedelta(hours=1), QUOTED + timedelta(days=30)]  # none; when it can be; long after it came
COLUMNS = pa.schema([field for field in QUOTES.arrow_schema() if field.name in ASKED])


def written(root: Path, mails: list[tuple[int, int, int, int]]) -> None:
    """Tables of such mails, with as few columns as are asked for, a file for every three mails."""
    for first in range(0, len(mails), 3):
        rows: list[dict[str, Any]] = []
        quotes: list[dict[str, Any]] = []
        for offset, (key, place, received, count) in enumerate(mails[first : first + 3], start=first):
            at = QUOTED + timedelta(hours=16 * received)
            position = {"topic": f"mails{place // 2}", "log_partition": place % 2, "log_offset": offset}
            mail = position | {"received_ts": at, "received_day": at.date(), "message_key": f"{key}"}
            rows.append(mail | {"sent_at": SENT[key % 3]})
            quotes += [
                mail
                | {"record_id": f"{key}-{9 - line}"}
                | {
                    "quote_ts": QUOTED + timedelta(hours=key),
                    "line": line // 2,
                    "part_path": "1",
                    "quote_type": "price_pct",
                }
                | {"isin": f"XS{(key + line) % 2}", "duplicate_of": "x" if key == line else None}
                for line in range(count)
            ]
        deltalake.write_deltalake(str(root / "mails"), pa.Table.from_pylist(rows, MAIL_COLUMNS), mode="append")
        deltalake.write_deltalake(str(root / "quotes"), pa.Table.from_pylist(quotes, COLUMNS), mode="append")
    publish_now(Folder(root), "run-1", dict.fromkeys(("mails", "quotes"), (len(mails) - 1) // 3))


@pytest.mark.slow
@given(mails=st.lists(MAIL, min_size=1, max_size=10), limit=st.sampled_from([None, 1, 2, 5]), few=st.booleans())
@settings(max_examples=25, deadline=None)
def test_the_prices_are_those_that_all_mails_and_all_quotes_give(
    mails: list[tuple[int, int, int, int]], limit: int | None, *, few: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr("pipelines.readers.prices.FEW", 1000 if few else 0)
        root = Path(folder)
        written(root, mails)
        for filters, where in (
            ({}, "true"),
            ({"isin": "xs1"}, "isin = 'XS1'"),
            ({"since_day": QUOTED.date() + timedelta(days=1)}, f"received_day > DATE '{QUOTED.date()}'"),
        ):
            with duckdb.connect() as connection:
                for name in ("quotes", "mails"):
                    connection.register(name, deltalake.DeltaTable(str(root / name)).to_pyarrow_dataset())
                sql = PLAIN.format(where=f"duplicate_of IS NULL AND {where}", limit=limit or 1000)
                expected = connection.sql(sql).to_arrow_table().to_pylist()
            assert list(prices(Folder(root), filters, limit)) == expected


@pytest.mark.parametrize(("filters", "limit"), [({"isin": "XS1"}, None), ({}, 2)], ids=["a filter", "a limit"])
def test_of_the_mails_only_those_of_the_chosen_quotes_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, filters: dict[str, str], limit: int | None
) -> None:
    written(tmp_path, [(0, 0, 0, 3)] * 2 + [(key, 0, 0, 1) for key in range(2, 60, 2)])
    compared: list[int] = []
    hold = Published.hold

    def watched(tables: Published, name: str, select: str, *arguments: Any, **options: Any) -> pa.Table:
        if name == "repeats":
            told = hold(tables, "plan", f"EXPLAIN (ANALYZE, FORMAT JSON) {select}", *arguments, **options)
            compared.extend(in_windows(json.loads(told.to_pylist()[0]["explain_value"])["operator"]))
        return hold(tables, name, select, *arguments, **options)

    monkeypatch.setattr(Published, "hold", watched)
    assert list(prices(Folder(tmp_path), filters, limit))
    assert 0 < sum(compared) <= 4


def in_windows(steps: list[dict[str, Any]]) -> Iterator[int]:
    """Rows that came out of a plan's windows, which are those that went into them."""
    for step in steps:
        if "WINDOW" in step["type"]:
            yield step["intermediate_rows"]
        yield from in_windows(step.get("children", []))
