from __future__ import annotations

from typing import Any

from parsers.scoring.differing import Differing, place, row_of, told

QUOTE: dict[str, Any] = {
    "kind": "quote",
    "part_path": "1",
    "description": "ABC 5 30",
    "quote_type": "price_pct",
    "bid": "98",
}
SIDES = ("truth", "found")


def test_a_place_is_told_as_a_refusal_tells_it() -> None:
    assert place({"sheet": "EUR IG", "cell": "D17", "row": 17}) == "EUR IG!D17"
    assert place({"page": 2, "row": 31}) == "page 2 row 31"
    assert place({"table_idx": 1, "row": 4}) == "table 1 row 4"
    assert place({"kind": "reject", "locator": "line 8"}) == "line 8"
    assert not place({})


def test_a_field_that_neither_side_has_is_not_listed() -> None:
    row = row_of("a.eml", Differing("missing", QUOTE, None, ("bid", "ask")), SIDES)
    assert row["fields"] == [{"name": "bid", "truth": "98", "found": None}]


def test_a_line_without_text_has_that_of_a_refusal_in_its_place() -> None:
    missing = Differing("missing", QUOTE | {"row": 4}, None, ("bid",))
    refused = {"kind": "reject", "part_path": "1", "locator": "table 1 row 4", "raw_text": "ABC 5 30 | 98"}
    other = {"kind": "reject", "part_path": "1", "locator": "table 1 row 14", "raw_text": "DEF"}
    assert row_of("a.eml", missing, SIDES, [other, refused])["raw_text"] == "ABC 5 30 | 98"
    assert row_of("a.eml", missing, SIDES, [other])["raw_text"] is None


def test_people_see_a_value_alone_where_there_is_one_line_and_an_arrow_between_two() -> None:
    missing = Differing("missing", QUOTE, None, ("bid",))
    assert told(row_of("a", missing, SIDES), missing, SIDES)["fields"] == "bid 98"
    wrong = Differing("wrong", QUOTE, QUOTE | {"currency": "USD"}, ("currency",))
    assert told(row_of("a", wrong, SIDES), wrong, SIDES)["fields"] == "currency nothing → USD"
