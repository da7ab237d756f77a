from __future__ import annotations

from parsers.quotes.headings.columns import column
from parsers.quotes.tables.plans.slots import Slot, slots


def made(*headings: str) -> tuple[Slot, ...]:
    return slots(column(at, (text,)) for at, text in enumerate(headings))


def test_bid_and_ask_of_one_measure_are_one_record() -> None:
    found = made("ISIN", "Bid", "Ask", "Bid YTW", "Ask YTW")
    assert [(slot.measure, slot.bid is not None, slot.ask is not None) for slot in found] == [
        (None, True, True),
        ("yield_pct", True, True),
    ]


def test_a_printed_mid_belongs_to_its_bid_and_ask() -> None:
    (found,) = made("Bid", "Ask", "Mid")
    assert found.mid is not None


def test_a_last_column_is_a_record_of_its_own() -> None:
    assert [slot.kind for slot in made("Bid", "Ask", "Last")] == [None, "trade"]


def test_each_tenor_is_a_record_of_its_own() -> None:
    assert [slot.lead.tenor for slot in made("1Y", "3Y", "5Y")] == ["1Y", "3Y", "5Y"]


def test_a_side_without_a_measure_joins_the_only_one_opposite() -> None:
    (found,) = made("Bid Px", "Ask")
    assert found.measure == "price"
    assert found.bid is not None
    assert found.ask is not None


def test_a_second_column_for_a_side_that_is_taken_is_left_out() -> None:
    (found,) = made("Bid", "Ask", "Bid")
    assert found.bid is not None
    assert found.bid.at == 0
