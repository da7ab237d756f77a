from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pipelines.errors import NothingPublished, UnknownRecord
from pipelines.explain import explain, spans
from pipelines.prices import FILTERS, prices
from pipelines.rejects import rejects

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


def test_rejects_are_found_by_code_and_level(extracted: Home) -> None:
    root = extracted.settings.tables.root
    order = ("log_partition", "log_offset", "level", "code", "detail")
    found, stored = (
        sorted(rows, key=lambda row: [row[name] for name in order])
        for rows in (rejects(root, {}), extracted.rows("rejects"))
    )
    assert [[row[name] for name in (*order, "received_ts", "locator")] for row in found] == [
        [row[name] for name in (*order, "received_ts", "locator")] for row in stored
    ]
    locked = list(rejects(root, {"code": "password_protected", "level": "part"}))
    assert [row["code"] for row in locked] == ["PASSWORD_PROTECTED"]
    assert list(rejects(root, {"level": "row", "code": "PASSWORD_PROTECTED"})) == []


def test_an_explanation_reads_the_mail_back_and_marks_the_levels(extracted: Home) -> None:
    root = extracted.settings.tables.root
    row = next(row for row in prices(root, {}) if row["bid_raw"] and row["ask_raw"] and row["line"])
    found = explain(root, extracted.log, row["record_id"][:16])
    assert found.row == row
    assert found.mail_bytes
    assert "SHA-256 equal" in found.mail_proof
    (start, stop), (ask_start, ask_stop) = found.spans["bid"], found.spans["ask"]
    assert (row["raw_text"][start:stop], row["raw_text"][ask_start:ask_stop]) == (row["bid_raw"], row["ask_raw"])


def test_a_level_that_looks_like_the_coupon_is_marked_in_its_own_place() -> None:
    text = "ACME 5 05/34  5/6  x"
    row = {
        "raw_text": text,
        "bid_raw": "5",
        "ask_raw": "6",
        "mid_raw": None,
        "char_start": 114,
        "char_end": 117,
        "line": 4,
    }
    assert spans(row) == {"bid": (14, 15), "ask": (16, 17)}
    cells = {**row, "raw_text": "5\tACME\t5\t6", "char_start": 7, "char_end": 10, "line": None}
    assert spans(cells) == {"bid": (7, 8), "ask": (9, 10)}


def test_an_unknown_or_ambiguous_record_says_so(extracted: Home) -> None:
    with pytest.raises(UnknownRecord, match="no published quote"):
        explain(extracted.settings.tables.root, extracted.log, "zz")
    with pytest.raises(UnknownRecord, match="give more"):
        explain(extracted.settings.tables.root, extracted.log, "")


def test_before_the_first_extract_there_is_nothing_to_show(home: Home) -> None:
    with pytest.raises(NothingPublished):
        list(prices(home.settings.tables.root, {}))
