from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pipelines.errors import NothingPublished
from pipelines.readers.prices import FILTERS, prices

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


def test_a_mail_that_is_in_the_log_twice_is_quoted_once_by_its_first_record(extracted: Home) -> None:
    stored = extracted.rows("quotes")
    shown = list(prices(extracted.settings.tables.root, {}))
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
    shown = [row["quote_ts"] for row in prices(extracted.settings.tables.root, {})]
    assert shown == sorted(shown, reverse=True)
    assert len(set(shown)) > 2
    latest = [row["quote_ts"] for row in prices(extracted.settings.tables.root, {}, limit=3)]
    assert latest == shown[:3]


def test_filters_narrow_and_say_so_by_parameters_alone(extracted: Home) -> None:
    root = extracted.settings.tables.root
    everything = list(prices(root, {}))
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
    found = list(prices(root, filters))
    assert sample in found
    assert {row["isin"] for row in found} == {sample["isin"]}
    assert list(prices(root, {"since_day": day + timedelta(days=1)})) == []
    assert list(prices(root, {"isin": "' OR 1=1 --"})) == []
    assert len(list(prices(root, {}, limit=3))) == 3
    for name in FILTERS:
        if name != "since_day":
            assert list(prices(root, {name: "no such"})) == []


def test_before_the_first_extract_there_is_nothing_to_show(home: Home) -> None:
    with pytest.raises(NothingPublished):
        list(prices(home.settings.tables.root, {}))
