from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.tables.statistics import COLUMNS, HIGHEST, Statistics, above, below

TIMES = st.datetimes(timezones=st.just(UTC))


def told(batch: pa.RecordBatch) -> dict[str, Any]:
    statistics = Statistics()
    half = batch.num_rows // 2
    statistics.add(batch.slice(0, half))
    statistics.add(batch.slice(half))
    found: dict[str, Any] = json.loads(statistics.as_json(), parse_float=Decimal)
    return found


@given(st.text(alphabet=st.sampled_from(["a", "z", "é", "\ue000", "\U0001f600", HIGHEST]), max_size=70))
def test_of_a_string_the_bounds_are_never_within(text: str) -> None:
    greatest = above(text)
    assert below(text).encode() <= text.encode()
    assert greatest is None or greatest.encode() >= text.encode()
    assert len(below(text)) <= 32
    assert greatest is None or len(greatest) <= 33


@given(TIMES)
def test_of_a_time_the_bounds_are_whole_milliseconds_and_never_within(time: datetime) -> None:
    greatest = above(time)
    assert datetime.fromisoformat(below(time)) <= time
    assert greatest is None or datetime.fromisoformat(greatest) >= time
    assert time.year == 9999 or (datetime.fromisoformat(greatest) - time).total_seconds() < 0.001
    assert below(time).endswith("Z")


@given(st.lists(st.decimals(-(10**9), 10**9, places=8), min_size=1))
def test_a_decimal_is_told_exactly(values: list[Decimal]) -> None:
    found = told(pa.RecordBatch.from_arrays([pa.array(values, pa.decimal128(18, 8))], ["bid"]))
    assert found["minValues"]["bid"] == min(values)
    assert found["maxValues"]["bid"] == max(values)


def test_rows_and_nulls_are_counted_and_lists_and_booleans_have_no_bounds() -> None:
    rows = [
        {"n": 3, "flag": True, "flags": ["x"], "day": date(2026, 11, 24), "none": None},
        {"n": None, "flag": False, "flags": [], "day": date(1, 1, 1), "none": None},
        {"n": -1, "flag": True, "flags": None, "day": None, "none": None},
    ]
    kinds = {
        "n": pa.int64(),
        "flag": pa.bool_(),
        "flags": pa.list_(pa.string()),
        "day": pa.date32(),
        "none": pa.string(),
    }
    found = told(pa.RecordBatch.from_pylist(rows, pa.schema(kinds)))
    assert found == {
        "numRecords": 3,
        "minValues": {"n": -1, "day": "0001-01-01"},
        "maxValues": {"n": 3, "day": "2026-11-24"},
        "nullCount": {"n": 1, "flag": 0, "flags": 1, "day": 1, "none": 3},
    }


def test_only_the_first_columns_have_any() -> None:
    names = [f"c{number}" for number in range(COLUMNS + 3)]
    found = told(pa.RecordBatch.from_arrays([pa.array([1, 2])] * len(names), names))
    assert list(found["nullCount"]) == list(found["minValues"]) == names[:COLUMNS]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"bytes"])
def test_what_json_cannot_say_has_no_bounds(value: object) -> None:
    assert (below(value), above(value)) == (None, None)
